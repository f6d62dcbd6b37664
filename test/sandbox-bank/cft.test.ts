import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBanks } from '../banks/banks.ts';
import { StillClock } from '../still-clock.ts';
import { call, each, temporaryFolder } from '../support.ts';
import { bodyOf, newest, payer, sendJson, withBank } from './support.ts';

const test = suite('sandbox bank, CFT dialect');
const it = each(test, (run: Parameters<typeof withBank>[0]) => () => withBank(run));

/** As a client of one of the banks on the platform sends it: the account beside its alias, one minute. */
const SAMPLE = {
  ...{ extEntityId: 'E1', merchantId: 'MA0000000001', accAlias: 'A1', account: '40702810000000000001' },
  ...{ amount: 15_050, paymentPurpose: 'Оплата', qrcType: '02', expDt: 1, localExpDt: 60 },
};

it("a client's sample is registered, and its state reported in the interface's words", async ({ url, clock }) => {
  const made = bodyOf(await sendJson(`${url}/qr`, SAMPLE));
  assert.equal(Object.keys(made).sort(), ['payload', 'qrcId']);
  const state = async (id: string): Promise<unknown> => bodyOf(await call(`${url}/qr/state/${id}`));
  const stateOf = (status: string) => ({ qrCode: { qrcId: made.qrcId }, payStatus: { status } });
  assert.equal(await state(made.qrcId), stateOf('NTST'));
  await payer(url, made.payload);
  assert.equal(await state(made.qrcId), stateOf('ACWP'));
  const late = bodyOf(await sendJson(`${url}/qr`, SAMPLE));
  clock.go(60_000);
  assert.equal(await state(late.qrcId), { qrCode: { qrcId: late.qrcId }, payStatus: { status: 'NTST' } });
});

it('an Idempotency-Key stands for one payment of one payee', async ({ url }) => {
  const key = { 'idempotency-key': 'order-1' };
  const made = bodyOf(await sendJson(`${url}/qr`, SAMPLE, key));
  assert.equal(bodyOf(await sendJson(`${url}/qr`, SAMPLE, key)), made);
  for (const changes of [{ accAlias: 'A2' }, { amount: 15_060 }, { paymentPurpose: 'Иное' }]) {
    assert.is((await sendJson(`${url}/qr`, { ...SAMPLE, ...changes }, key)).status, 409, JSON.stringify(changes));
  }
});

it('a refund by either path is done once for its internalTxId, never of more than was paid', async ({ url }) => {
  const { qrcId, payload } = bodyOf(await sendJson(`${url}/qr`, SAMPLE));
  const ref = { refId: qrcId, refType: 'qrcId', refData: qrcId };
  const old = { longWait: true, amount: 5050, ...ref };
  assert.is((await sendJson(`${url}/refund`, old)).status, 409, 'not paid yet');
  await payer(url, payload);
  assert.ok(bodyOf(await sendJson(`${url}/refund`, old)).trxId);
  const newer = { internalTxId: 'r-1', amount: 5000, remitInfo: 'возврат', rcvBankMemberId: '100000000001', ...ref };
  const { trxId } = bodyOf(await sendJson(`${url}/refund/order`, newer));
  assert.is(bodyOf(await sendJson(`${url}/refund/order`, newer)).trxId, trxId);
  assert.is((await newest(url)).refunded, 10_050);
  assert.is((await sendJson(`${url}/refund`, { ...old, amount: 5001 })).status, 409);
  assert.is((await sendJson(`${url}/refund`, { ...old, refType: 'other' })).status, 400);
  assert.is((await sendJson(`${url}/refund`, { ...old, refData: 'AD1' })).status, 404);
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
    const again = await sendJson(`${sandbox.url}/qr`, SAMPLE, { 'idempotency-key': 'order-2' });
    assert.equal(bodyOf(again), { qrcId: 'AD2', payload: 'http://bank/pay/AD2' });
    assert.is(bodyOf(await call(`${sandbox.url}/qr/state/AD1`)).payStatus.status, 'ACWP');
  } finally {
    await sandbox.close();
  }
});

test.run();
