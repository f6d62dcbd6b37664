/** A ledger of the release before: its rows mean what they meant, and a device that goes back to that release and returns. */
import type { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate, openDatabase } from '../../firmware/store/database.ts';
import { LEDGER_MIGRATIONS } from '../../firmware/terminal/ledger/ledger-schema.ts';
import { type Lane, NO_POLLS, openLane, refusal } from './harness.ts';

const test = suite('terminal: a ledger of the release before');

const isRenamed = (db: DatabaseSync): boolean =>
  Number(db.prepare('PRAGMA user_version').get()?.user_version) === LEDGER_MIGRATIONS.length;

/** As that release writes a payment; none that was released has called the column otherwise than `settled`. */
function writeAsBefore(db: DatabaseSync, orderId: string, fields: Record<string, string | number | null> = {}): void {
  const row = {
    order_id: orderId,
    created_at: Date.parse('2026-11-20'),
    boot_id: 'boot-0',
    created_mono: 1,
    profile: 'p',
    bank: 'Sandbox',
    profile_sealed: '',
    amount: 100,
    ttl: 5,
    bank_id: `bank-${orderId}`,
    payload: `https://pay.example/${orderId}`,
    state: 'ACCEPTED',
    seen: 1,
    late: 0,
    superseded: 0,
    ended_at: Date.parse('2026-11-20'),
    [isRenamed(db) ? 'settled' : 'watched']: 1,
    ...fields,
  };
  const columns = Object.keys(row);
  db.prepare(`INSERT INTO payments (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(
    ...Object.values(row),
  );
}

/** A lane on a ledger that was written by the release before. */
async function lane(write: (db: DatabaseSync) => void): Promise<Lane> {
  const { db } = openDatabase(':memory:', LEDGER_MIGRATIONS.slice(0, 1), 0);
  write(db);
  migrate(db, LEDGER_MIGRATIONS);
  return openLane({ db, pacing: NO_POLLS });
}

test('the newest payment is the one that the status speaks of; what was accepted in time is known, what was late is not', async () => {
  const l = await lane((db) => {
    writeAsBefore(db, 'late', { late: 1 });
    writeAsBefore(db, 'known', { amount: 200 });
  });
  assert.equal([l.ledger.last()?.orderId, l.payments.status().status], ['known', 'ACCEPTED']);
  assert.equal(
    l.ledger.late(10).map(({ orderId }) => orderId),
    ['late'],
  );
  assert.ok(l.ledger.last()?.status.awaited);
  await l.showQR(200);
  assert.match((await refusal(l.showQR(100))).message, /payment of 100 kopecks/);
  await l.stop();
});

test('a ledger that holds an id twice opens, and does not accept that id again', async () => {
  const l = await lane((db) => {
    for (const orderId of ['one', 'two'])
      writeAsBefore(db, orderId, { bank_id: 'twice', payload: 'https://pay.example/t' });
  });
  assert.is(l.ledger.after(0, 10).length, 2);
  l.bank.answers = [{ bankId: 'twice', payload: 'https://pay.example/new' }];
  assert.is((await refusal(l.showQR(300))).member, 'Contradiction');
  await l.stop();
});

test('what the release before writes after this one was taken back has its place, and is known to the till', async () => {
  const l = await lane((db) => writeAsBefore(db, 'first'));
  await l.showQR(200);
  await l.showQR(300);
  await l.showQR(200);
  writeAsBefore(l.db, 'by the release before', { amount: 400 });
  assert.is(l.ledger.last()?.orderId, 'by the release before');
  assert.equal(l.ledger.untold(), []);
  await l.showQR(400);
  assert.is(l.ledger.last()?.amount, 400);
  await l.stop();
});

test.run();
