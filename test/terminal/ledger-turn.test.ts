/** What has been read or written of a payment is not read again in the same turn of the event loop, and is always what lies in the ledger. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../firmware/core/files/database.ts';
import { REGISTERING } from '../../firmware/payments/model/payment.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { MONEY_MIGRATIONS } from '../../firmware/payments/money/money-schema.ts';
import { each, inFolder } from '../support.ts';
import { failingCommit, NOW, openMoney, payMany } from './ledger-rig.ts';

const test = suite('ledger: a turn of the event loop');
const it = each(test, inFolder);

const ORDER = 'order-3';
const PAYLOAD = 'https://pay.example/new';
const ACCEPTED = { ...REGISTERING, seen: true, state: 'ACCEPTED' } as const;

/** How often a database has been asked for the row of a payment. */
function countReads(db: DatabaseSync): () => number {
  let reads = 0;
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => {
    const statement = prepare(sql);
    const get = statement.get.bind(statement);
    if (/WHERE order_id = \?$/.test(sql))
      Object.assign(statement, {
        get: (key: string) => {
          reads += 1;
          return get(key);
        },
      });
    return statement;
  };
  return () => reads;
}

test('a payment that was changed is not read again, and each change is in what is found', async () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const reads = countReads(db);
  const { payments: ledger } = Money.over(db);
  payMany(ledger, 1, 4);
  const added = ledger.table.find('order-4');
  await turn();
  assert.equal(added, ledger.table.find('order-4'), 'with the defaults of its columns');
  await turn();
  const before = reads();
  ledger.intendToShow(ORDER, PAYLOAD, { id: 'bank-new', step: 'two' });
  assert.is(ledger.find(ORDER)?.payload, PAYLOAD);
  ledger.setStatus(ORDER, ACCEPTED, NOW, { trxId: 'trx', paidAt: NOW, refunded: 5, payer: null, paidBy: null });
  const found = ledger.find(ORDER);
  assert.is(reads(), before + 1);
  await turn();
  assert.equal(found, ledger.find(ORDER), 'the same as it lies there');
  assert.is(reads(), before + 2, 'it is read in the next turn');
  assert.is(found?.trxId, 'trx');
});

it('half a character, as a bank may write it, is kept as it will be read, and is no damage', async (folder) => {
  using money = openMoney(folder.path);
  const ledger = money.payments;
  payMany(ledger, 1, 4);
  ledger.setTransaction(ORDER, { trxId: 'half \ud83d', paidAt: null, refunded: null, payer: null, paidBy: null });
  const found = ledger.find(ORDER);
  await turn();
  assert.equal(found, ledger.find(ORDER));
  assert.is(found?.trxId, 'half \ufffd');
  assert.ok(ledger.checked(0, 4).every(({ isDamaged }) => !isDamaged));
  assert.equal(money.book.findings.of('payments', 'damaged'), []);
});

it('a change that fails leaves nothing behind to be found, nor does a failed commit', async (folder) => {
  using money = Money.open(
    { path: join(folder.path, 'money.db'), secondFolder: null, now: () => NOW },
    {
      payment: () => {
        if (isFull) throw new Error('the disk is full');
        return {};
      },
      refund: () => ({}),
    },
  );
  let isFull = false;
  const ledger = money.payments;
  payMany(ledger, 1, 4);
  await turn();
  const before = ledger.find(ORDER);
  isFull = true;
  assert.throws(
    () => ledger.recordRef(ORDER, { id: 'x' }) ?? ledger.setStatus(ORDER, REGISTERING, NOW),
    /the disk is full/,
  );
  assert.equal(ledger.find(ORDER)?.status, before?.status);
  isFull = false;
  await turn();
  const kept = ledger.find(ORDER);
  {
    using _ = failingCommit('the disk is full');
    assert.throws(() => ledger.intendToShow(ORDER, PAYLOAD), /the disk is full/);
  }
  assert.equal(ledger.find(ORDER), kept);
});

test.run();
