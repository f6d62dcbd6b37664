/** The sandbox bank's books over its starts: the oldest payments go, and only those; those of an earlier release stay. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBanks } from '../banks/banks.ts';
import { StillClock } from '../still-clock.ts';
import { call, temporaryFolder } from '../support.ts';
import { bodyOf, registered, sendJson } from './support.ts';

const test = suite("sandbox bank's books");

/** As many payments as are kept. */
const KEPT = 20_000;
const ORDERS = ['oldest', 'next', 'newest'];

test('the oldest payments beyond those that are kept go at a start, and no other', async () => {
  using folder = temporaryFolder();
  const dataFile = join(folder.path, 'sandbox.db');
  const clock = new StillClock();
  const before = await startBanks({ port: 0, dataFile, clock });
  for (const orderNumber of ORDERS) await registered(before, { orderNumber });
  await before.close();
  const db = new DatabaseSync(dataFile);
  db.prepare('UPDATE sale SET seq = ? WHERE seq = 3').run(KEPT + 1); // as if the bank had taken so many meanwhile
  db.close();
  const next = await startBanks({ port: 0, dataFile, clock });
  const left = next.payments.list(9).map(({ orderId }) => orderId);
  await next.close();
  assert.equal(left, ['newest', 'next']);
});

test('books of the release before are taken over: what was paid stays paid, an order stays the same order', async () => {
  using folder = temporaryFolder();
  const dataFile = `${folder.path}/sandbox.db`;
  const clock = new StillClock();
  const [wall, mono] = [clock.wall(), clock.monotonic()];
  const old = new DatabaseSync(dataFile);
  old.exec(`CREATE TABLE payment (seq INTEGER PRIMARY KEY, qrc_id TEXT NOT NULL UNIQUE, order_id TEXT UNIQUE,
    amount INTEGER NOT NULL, purpose TEXT, payee TEXT NOT NULL, link TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'declined')), charges INTEGER NOT NULL DEFAULT 0,
    created_wall INTEGER NOT NULL, expires_wall INTEGER NOT NULL, boot_id TEXT NOT NULL,
    expires_monotonic INTEGER NOT NULL) STRICT; PRAGMA user_version = 1`);
  const payee = JSON.stringify(['E1', 'MA0000000001', 'A1']);
  const insert = old.prepare('INSERT INTO payment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const times = [wall, wall + 60_000, clock.bootId, mono + 60_000];
  insert.run(1, 'AD1', 'order-1', 15_050, 'Оплата', payee, 'http://bank/pay/AD1', 'paid', 1, ...times);
  insert.run(2, 'AD2', 'order-2', 15_050, 'Оплата', payee, 'http://bank/pay/AD2', 'open', 0, ...times);
  old.close();

  const sandbox = await startBanks({ port: 0, dataFile, clock });
  try {
    const books = sandbox.payments
      .list(9)
      .map(({ qrcId, state, charges, remainingMs }) => [qrcId, state, charges, remainingMs]);
    assert.equal(books, [
      ['AD2', 'open', 0, 60_000],
      ['AD1', 'paid', 1, 0],
    ]);
    const sample = {
      ...{ extEntityId: 'E1', merchantId: 'MA0000000001', accAlias: 'A1' },
      ...{ amount: 15_050, paymentPurpose: 'Оплата', qrcType: '02', expDt: 1 },
    };
    const again = await sendJson(`${sandbox.url}/qr`, sample, { 'idempotency-key': 'order-2' });
    assert.equal(bodyOf(again), { qrcId: 'AD2', payload: 'http://bank/pay/AD2' });
    assert.is(bodyOf(await call(`${sandbox.url}/qr/state/AD1`)).payStatus.status, 'ACWP');
  } finally {
    await sandbox.close();
  }
});

test.run();
