/** What has gone back, for reports that are made anew with each step of a refund: read once, and as the rows have it. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase, openFile } from '../../firmware/core/files/database.ts';
import { localDayOf } from '../../firmware/payments/model/local-day.ts';
import { REGISTERING } from '../../firmware/payments/model/payment.ts';
import { NOBODY } from '../../firmware/payments/model/refund.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { MONEY_MIGRATIONS } from '../../firmware/payments/money/money-schema.ts';
import { DayReports } from '../../firmware/payments/reports/days/day-report.ts';
import { Shifts } from '../../firmware/payments/reports/shifts/shifts.ts';
import { each, inFolder } from '../support.ts';
import { NO_CARE, NOW, newPayment, openMoney } from './ledger-rig.ts';

const test = suite('terminal: orders whose money has gone back');
const it = each(test, inFolder);

const DAY = localDayOf(NOW);
const SOLD = 30;
const NOTHING = { trxId: null, paidAt: null, payer: null, paidBy: null };
const nothing = () => undefined;

function shopOf({ payments: ledger, refunds, shifts: book }: Money) {
  const open = () => {
    const clock = { wall: () => NOW };
    const config = { shiftCloseAt: null };
    const shifts = new Shifts({ config, clock, book, ledger, refunds, care: NO_CARE, log: nothing });
    return { shifts, days: new DayReports({ ledger, refunds, shifts }) };
  };
  const { shifts, days } = open();
  const sell = (n: number): void => {
    ledger.insert(newPayment(n));
    ledger.setStatus(`order-${n}`, { ...REGISTERING, seen: true, state: 'ACCEPTED' }, NOW);
  };
  const give = (n: number, amount = newPayment(n).amount): void => {
    const orderId = `order-${n}`;
    const of = { orderId, profile: 'main', bank: 'CFT', amount, refundedBefore: 0, createdAt: NOW };
    refunds.insert({ ...of, refundId: `r-${n}`, tillId: `t-${n}`, refundedBy: null, requester: NOBODY });
    ledger.book.change(() => {
      refunds.record(`r-${n}`, { state: 'done', bankRefundId: null, reason: null, endedAt: NOW });
      ledger.setTransaction(orderId, { ...NOTHING, refunded: amount });
    });
  };
  const reports = () => [days.of(DAY), shifts.current().report];
  /** By who has read nothing before. */
  const anew = () => {
    const fresh = open();
    return [fresh.days.of(DAY), fresh.shifts.current().report];
  };
  for (let n = 1; n <= SOLD; n += 1) sell(n);
  for (let n = 1; n < SOLD; n += 1) give(n);
  return { ledger, refunds, shifts, days, sell, give, reports, anew };
}

/** Order ids whose refunds are read. */
function readBy(refunds: Money['refunds']): string[] {
  const read: string[] = [];
  const { of } = refunds;
  refunds.of = (orderId) => {
    read.push(orderId);
    return of.call(refunds, orderId);
  };
  return read;
}

test('a step of a refund has the rows of its own payment read, and no others', () => {
  const shop = shopOf(Money.over(openDatabase(':memory:', MONEY_MIGRATIONS, 0).db));
  shop.reports();
  const read = readBy(shop.refunds);
  shop.give(SOLD, 500);
  const made = shop.reports();
  assert.equal(read, [`order-${SOLD}`]);
  shop.ledger.setTransaction(`order-${SOLD}`, { ...NOTHING, refunded: 700 }); // 200 of them by the bank alone
  const later = shop.reports();
  assert.equal(read, [`order-${SOLD}`, `order-${SOLD}`]);
  assert.is.not(JSON.stringify(later), JSON.stringify(made));
  assert.equal(later, shop.anew());
});

test('what is asked for beside all else is read then', async () => {
  const shop = shopOf(Money.over(openDatabase(':memory:', MONEY_MIGRATIONS, 0).db));
  const read = readBy(shop.refunds);
  await shop.days.count(DAY);
  await shop.shifts.read(null);
  assert.is(new Set(read).size, SOLD - 1);
  assert.is(read.length, SOLD - 1);
  shop.reports();
  assert.is(read.length, SOLD - 1);
});

it('a refund that the storage gives to another payment is where it was written', async (folder) => {
  using money = openMoney(folder.path);
  const shop = shopOf(money);
  const right = shop.anew();
  using db = openFile(join(folder.path, 'money.db'));
  db.exec("UPDATE refunds SET order_id = 'order-30' WHERE id = 3");
  assert.equal(shop.reports(), right);
  assert.equal(money.book.findings.of('refunds', 'repaired'), [3]);
});

it('a row that is restored is read again', (folder) => {
  using money = openMoney(folder.path);
  const shop = shopOf(money);
  const right = shop.reports();
  using db = openFile(join(folder.path, 'money.db'));
  db.exec("UPDATE refunds SET amount = amount - 1 WHERE id = 3; UPDATE payments SET till = 'other' WHERE id = 4");
  const read = readBy(shop.refunds);
  assert.is(shop.refunds.get('r-3').amount, newPayment(3).amount, 'it is restored where it is read');
  assert.equal(shop.reports(), right);
  assert.ok(read.includes('order-3') && read.includes('order-4'));
});

test('a refund that no copy has refuses each report, and is named', () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const money = Money.over(db);
  const shop = shopOf(money);
  db.exec('UPDATE refunds SET amount = amount - 1 WHERE id IN (3, 5)');
  for (let n = 0; n < 2; n += 1) assert.throws(() => shop.days.of(DAY), /refunds 3, refunds 5 are not as they were/);
  assert.equal(money.book.findings.of('refunds', 'damaged'), [3, 5]);
});

test.run();
