/**
 * Rows of the ledger that the storage alters or loses while the device runs: what the journal has is back before
 * anything counts it, writes it or shows it; what no copy has is neither closed nor reported.
 */

import fs, { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Values, valuesOf } from '../../firmware/core/book/index.ts';
import { openFile } from '../../firmware/core/files/database.ts';
import { StoreError } from '../../firmware/core/files/index.ts';
import { localDayOf } from '../../firmware/payments/model/local-day.ts';
import { REGISTERING } from '../../firmware/payments/model/payment.ts';
import { NOBODY } from '../../firmware/payments/model/refund.ts';
import { LedgerMaintenance } from '../../firmware/payments/money/ledger-maintenance.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { FIRST_PLACE, LaneFeed } from '../../firmware/payments/reports/lanes/lane-records.ts';
import { Shifts } from '../../firmware/payments/reports/shifts/shifts.ts';
import { call, each, failed, fieldsOf, inFolder, startTestDevice, type TestDevice } from '../support.ts';
import { healthOf } from './device-calls.ts';
import { newPayment, openKept, payMany } from './ledger-rig.ts';
import { paymentsAfter } from './ledger-rows.ts';

const test = suite('terminal: rows that the storage has altered');
const it = each(test, inFolder);

const DAY_MS = 86_400_000;
const BY = { till: null, cashier: null };
const ACCEPTED = { ...REGISTERING, seen: true, state: 'ACCEPTED' } as const;
const ALL = [1000, 2000, 3000, 4000];
const SUM = 10_000;

/** A device's book, looked after, with a clock that is moved. */
class Lane implements AsyncDisposable {
  readonly folder: string;
  readonly money: Money;
  readonly keeper: LedgerMaintenance;
  readonly shifts: Shifts;
  now: number;

  constructor(folder: string, now = Date.now()) {
    this.folder = folder;
    this.now = now;
    this.money = Money.open({ path: join(folder, 'money.db'), secondFolder: null, now: () => this.now });
    const clock = { wall: () => this.now };
    const nothing = () => undefined;
    this.keeper = new LedgerMaintenance(this.money.book, clock, 5, { onRepaired: nothing, onOpened: nothing }, nothing);
    const { payments: ledger, refunds, shifts: book } = this.money;
    const config = { shiftCloseAt: null };
    this.shifts = new Shifts({ config, book, ledger, refunds, clock, care: this.keeper, log: nothing });
  }

  sell(amount: number): void {
    const orderId = `order-${amount}`;
    this.money.payments.insert({ ...newPayment(1), orderId, amount, createdAt: this.now });
    this.money.payments.recordRef(orderId, { id: `bank-${amount}`, step: 'one' });
    this.money.payments.setStatus(orderId, ACCEPTED, this.now);
  }

  alter(sql: string): void {
    alter(this.folder, sql);
  }

  get problems(): string[] {
    return this.keeper.problems.map(({ code }) => code);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.keeper.close();
    this.money.book.close();
  }
}

function alter(folder: string, sql: string): void {
  using db = openFile(join(folder, 'money.db'));
  db.exec(sql);
}

/** Four payments of the open shift; the lines of the first two are in packed days. */
async function fill(folder: string): Promise<void> {
  await using lane = new Lane(folder, Date.now() - 3 * DAY_MS);
  for (const amount of ALL) {
    lane.sell(amount);
    lane.now += amount < 3000 ? DAY_MS : 0;
  }
  await lane.keeper.compare();
  const kinds = readdirSync(join(folder, 'money.journal')).map((name) => name.replace(/.*\./, ''));
  assert.equal(kinds, ['packed', 'packed', 'log']);
}

const kept = each(test, (run: (lane: Lane) => Promise<void>) =>
  inFolder(async ({ path }) => {
    await fill(path);
    await using lane = new Lane(path);
    await run(lane);
  }),
);

const sumOf = (groups: readonly { accepted: { sum: number } }[]): number =>
  groups.reduce((sum, { accepted }) => sum + accepted.sum, 0);
const closed = async (lane: Lane, key: string): Promise<number> =>
  sumOf((await lane.shifts.closeWhenSound(BY, key)).shift.report.groups);

for (const [what, sql] of [
  ['has another amount', 'UPDATE payments SET amount = amount + 5000 WHERE id = 1'],
  ['is of another shift', 'UPDATE payments SET shift = 9 WHERE id = 1'],
  ['is not paid', "DROP TRIGGER payments_never_unpaid; UPDATE payments SET state = 'CANCELED' WHERE id IN (1, 4)"],
  ['seems to be of an earlier shift', 'UPDATE payments SET change_no = -1 WHERE id IN (2, 3)'],
  ['is gone', 'DELETE FROM payments WHERE id IN (1, 3)'],
  ['is gone, and was the last one', 'DELETE FROM payments WHERE id = 4'],
] as const)
  kept(`a shift is closed by what the journal has where a row ${what}`, async (lane) => {
    lane.alter(sql);
    assert.is(await closed(lane, 'one'), SUM);
    assert.equal(lane.problems, ['ledger-repaired']);
    assert.equal(fieldsOf(paymentsAfter(lane.money.payments, 0, 9), 'amount'), ALL);
  });

kept('a second alteration of a row is restored like the first', async (lane) => {
  const { payments } = lane.money;
  for (let times = 0; times < 3; times += 1)
    for (const id of [1, 4]) {
      lane.alter(`UPDATE payments SET amount = amount + ${times + 1} WHERE id = ${id}`);
      const read = () => payments.byId(id)?.amount;
      assert.is(await lane.keeper.whenRestored(read), ALL[id - 1], `${id} for the ${times + 1}. time`);
    }
});

kept('a refund that the storage has altered or lost is in the shift as it was made', async (lane) => {
  const bank = { profile: 'main', bank: 'CFT', refundedBefore: 0, createdAt: lane.now };
  for (const [refundId, amount] of [
    ['one', 300],
    ['two', 400],
  ] as const) {
    const orderId = `order-${amount * 10}`;
    lane.money.refunds.insert({
      ...bank,
      refundId,
      tillId: refundId,
      orderId,
      amount,
      refundedBy: null,
      requester: NOBODY,
    });
    lane.money.refunds.table.change(() => {
      const nothing = { trxId: null, paidAt: null, payer: null, paidBy: null };
      lane.money.payments.setTransaction(orderId, { ...nothing, refunded: amount });
      lane.money.refunds.record(refundId, { state: 'done', bankRefundId: null, reason: null, endedAt: lane.now });
    });
  }
  lane.alter("UPDATE refunds SET shift = 7 WHERE refund_id = 'one'; DELETE FROM refunds WHERE refund_id = 'two'");
  const { report } = (await lane.shifts.closeWhenSound(BY, 'one')).shift;
  assert.equal([sumOf(report.groups), report.groups.reduce((sum, { refunds }) => sum + refunds.sum, 0)], [SUM, 700]);
});

kept('what no copy has is not closed, and what is closed is not closed again', async (lane) => {
  for (const name of readdirSync(join(lane.folder, 'money.journal')))
    if (name.endsWith('.packed')) rmSync(join(lane.folder, 'money.journal', name));
  lane.alter('UPDATE payments SET amount = 1 WHERE id = 1');
  const refused = await lane.shifts.closeWhenSound(BY, 'one').then(() => 'closed', String);
  assert.match(refused, /payments 1 are not as they were written.*nothing was closed/);
  assert.equal([lane.problems, lane.money.shifts.openNumber], [['ledger-damaged'], 1]);
  lane.sell(5000);
});

kept('a change of a row that the storage has altered is made on the row as it was', async (lane) => {
  lane.alter('UPDATE payments SET amount = 77 WHERE id = 4');
  lane.money.payments.acknowledge('order-4000', 'seen', lane.now);
  const payment = lane.money.payments.find('order-4000');
  assert.equal([payment?.amount, payment?.note, lane.money.payments.isSound(4)], [4000, 'seen', true]);
});

/** Puts rows back as they were before a change, with their own right checksums: pages that were not written. */
async function putBack({ folder }: Lane, table: string, which: string, change: () => unknown): Promise<void> {
  using db = openFile(join(folder, 'money.db'));
  const before = db.prepare(`SELECT * FROM ${table} WHERE ${which}`).all();
  assert.ok(before.length > 0, which);
  await change();
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  for (const row of before) {
    const names = Object.keys(row);
    const sql = `UPDATE ${table} SET ${names.map((name) => `${name} = :${name}`).join(', ')} WHERE id = :id`;
    assert.is(db.prepare(sql).run(row).changes, 1);
  }
  for (const { sql } of triggers) db.exec(String(sql));
  await turn(); // what this turn has written it does not read again
}

/** Refunds a part of the payment of 4000. */
function refund({ money, now }: Lane, refundId: string, amount: number): void {
  const entry = { profile: 'main', bank: 'CFT', refundedBefore: 0, createdAt: now, orderId: 'order-4000' };
  money.refunds.insert({ ...entry, refundId, tillId: refundId, amount, refundedBy: null, requester: NOBODY });
}

function refunded({ money, now }: Lane, refundId: string, amount: number): void {
  money.refunds.table.change(() => {
    const nothing = { trxId: null, paidAt: null, payer: null, paidBy: null };
    money.payments.setTransaction('order-4000', { ...nothing, refunded: amount });
    money.refunds.record(refundId, { state: 'done', bankRefundId: null, reason: null, endedAt: now });
  });
}

kept('an older version of a payment is not read, and the newer one is back at once', async (lane) => {
  await putBack(lane, 'payments', 'id IN (1, 4)', () => {
    for (const id of ['order-1000', 'order-4000']) lane.money.payments.acknowledge(id, 'newer', lane.now);
  });
  assert.is(lane.money.payments.find('order-4000')?.note, 'newer');
  assert.is(lane.money.payments.byId(1)?.note, 'newer');
  assert.equal([lane.problems, lane.money.book.findings.of('payments', 'repaired')], [['ledger-repaired'], [1, 4]]);
});

kept('a change of an older version is made on the newer one', async (lane) => {
  await putBack(lane, 'payments', 'id = 4', () => lane.money.payments.recordReceipt('order-4000', 7));
  lane.money.payments.acknowledge('order-4000', 'seen', lane.now);
  const payment = lane.money.payments.find('order-4000');
  assert.equal([payment?.receiptAt, payment?.note, lane.money.payments.isSound(4)], [7, 'seen', true]);
});

kept('money that went back is not given back again where payment and refund are older versions', async (lane) => {
  refund(lane, 'one', 300);
  await putBack(lane, 'payments', 'id = 4', () => putBack(lane, 'refunds', 'id = 1', () => refunded(lane, 'one', 300)));
  assert.equal(
    lane.money.refunds.of('order-4000').map(({ state }) => state),
    ['done'],
  );
  assert.is(lane.money.payments.find('order-4000')?.refunded, 300);
});

kept('a closed shift that an older version shows open stays closed; its key closes no other', async (lane) => {
  await putBack(lane, 'shifts', 'number = 1', () => void lane.shifts.close(BY, 'evening'));
  const { shift, isAgain } = await lane.shifts.closeWhenSound(BY, 'evening');
  assert.equal(
    { number: shift.number, isAgain, openNumber: lane.money.shifts.openNumber },
    { number: 1, isAgain: true, openNumber: 2 },
  );
  assert.equal(lane.problems, ['ledger-repaired']);
});

it('an older version is found at a start', async ({ path }) => {
  await fill(path);
  {
    await using lane = new Lane(path);
    await putBack(lane, 'payments', 'id IN (1, 2, 4)', () => {
      for (const id of ['order-1000', 'order-2000', 'order-4000'])
        lane.money.payments.acknowledge(id, 'newer', lane.now);
    });
  }
  await using lane = new Lane(path);
  assert.equal(fieldsOf(paymentsAfter(lane.money.payments, 0, 9), 'note'), ['newer', 'newer', null, 'newer']);
});

kept('an older version whose newer one no copy has is neither believed nor closed, and is named', async (lane) => {
  await putBack(lane, 'payments', 'id = 4', () => lane.money.payments.acknowledge('order-4000', 'newer', lane.now));
  for (const name of readdirSync(join(lane.folder, 'money.journal')))
    if (name.endsWith('.log')) writeFileSync(join(lane.folder, 'money.journal', name), '');
  const refused = await lane.shifts.closeWhenSound(BY, 'one').then(() => 'closed', String);
  assert.match(refused, /payments 4 are not as they were written.*nothing was closed/);
  assert.equal(lane.problems, ['ledger-damaged']);
});

it('an open shift whose row is lost is looked for, with what is sold meanwhile; none is opened', async ({ path }) => {
  {
    await using lane = new Lane(path, Date.now() - 3 * DAY_MS);
    lane.sell(1000);
    lane.shifts.close(BY, 'before');
    for (const amount of [2000, 3000, 4000]) {
      lane.sell(amount);
      lane.now += DAY_MS;
    }
    await lane.keeper.compare();
  }
  alter(path, 'DELETE FROM shifts WHERE number = 2');
  await using lane = new Lane(path);
  lane.sell(5000);
  assert.equal(fieldsOf(paymentsAfter(lane.money.payments, 0, 9), 'shift'), [1, 2, 2, 2, 2]);
  const { shift } = await lane.shifts.closeWhenSound(BY, 'evening');
  assert.equal([shift.number, sumOf(shift.report.groups)], [2, 14_000]);
});

kept('a close compares all rows of its shift with the journal: a row and its list may be older', async (lane) => {
  const { payments } = lane.money;
  payments.insert({ ...newPayment(1), orderId: 'order-5000', amount: 5000, createdAt: lane.now });
  await putBack(lane, 'payments', 'id = 5', () => payments.setStatus('order-5000', ACCEPTED, lane.now));
  lane.alter('UPDATE payments_changes SET change_no = (SELECT change_no FROM payments WHERE id = 5) WHERE id = 5');
  assert.is(payments.find('order-5000')?.status.state, 'PENDING', 'nothing in the database says that it is older');
  assert.is(await closed(lane, 'one'), SUM + 5000);
});

it('the key of a closed shift whose row is lost closes no other', async ({ path }) => {
  {
    await using lane = new Lane(path, Date.now() - 3 * DAY_MS);
    for (const key of ['one', 'two']) {
      lane.sell(1000 + lane.money.book.head);
      lane.shifts.close(BY, key);
      lane.now += DAY_MS;
    }
    lane.sell(5000);
    await lane.keeper.compare();
  }
  await using lane = new Lane(path);
  lane.alter('DELETE FROM shifts WHERE number = 1');
  const { shift, isAgain } = await lane.shifts.closeWhenSound(BY, 'one');
  assert.equal(
    { number: shift.number, isAgain, openNumber: lane.money.shifts.openNumber },
    { number: 1, isAgain: true, openNumber: 3 },
  );
});

/** A row as lines of the journal have it. */
function valuesIn({ folder }: Lane, id: number): Values {
  using db = openFile(join(folder, 'money.db'));
  const { checksum: _, ...row } = db.prepare('SELECT * FROM payments WHERE id = ?').get(id) ?? {};
  return valuesOf(row);
}

kept('what was written to a row while it was looked for stays, and the row is named', async (lane) => {
  const found = valuesIn(lane, 1);
  lane.alter('UPDATE payments SET amount = amount + 1 WHERE id = 1');
  const looked = lane.keeper.whenRestored(() => lane.money.payments.byId(1));
  lane.money.payments.acknowledge('order-1000', 'seen', lane.now);
  assert.not(lane.money.book.restore('payments', 1, found), 'the thread had read that before');
  await looked;
  assert.equal([lane.money.payments.byId(1)?.note, lane.money.payments.isSound(1)], ['seen', false]);
  assert.equal(lane.problems, ['ledger-damaged']);
});

kept('a line whose commit has failed since puts no row back', async (lane) => {
  const failed = { ...valuesIn(lane, 4), change_no: lane.money.book.head + 1, amount: 1 };
  lane.alter('UPDATE payments SET amount = amount + 5000 WHERE id = 4');
  assert.not(lane.money.book.restore('payments', 4, failed));
  assert.is(lane.money.payments.byId(4)?.amount, 4000);
});

it('where the line of a row is damaged, a beginning after it has the row', async ({ path }) => {
  await fill(path);
  await using lane = new Lane(path);
  for (const text of ['older', 'newer']) lane.money.payments.acknowledge('order-4000', text, lane.now);
  const { head } = lane.money.book;
  lane.now += 100 * DAY_MS;
  await lane.keeper.passMinute();
  await lane.keeper.passMinute();
  const log = readdirSync(join(path, 'money.journal')).findLast((name) => name.endsWith('.log')) ?? '';
  const text = readFileSync(join(path, 'money.journal', log), 'latin1');
  writeFileSync(join(path, 'money.journal', log), text.replace(`{"n":${head},`, `{"n":${head};`), 'latin1');
  lane.alter('UPDATE payments SET amount = amount + 1 WHERE id = 4');
  const payment = await lane.keeper.whenRestored(() => lane.money.payments.byId(4));
  assert.equal([payment?.amount, payment?.note, lane.problems], [4000, 'newer', ['ledger-repaired']]);
});

it('payments that the daily check has restored are taken up again', async ({ path }) => {
  await using book = await openKept(path);
  payMany(book.payments, 1, 3);
  alter(path, 'UPDATE payments SET amount = amount + 1 WHERE id = 2; DELETE FROM payments WHERE id = 3');
  await book.keeper.checkAll();
  assert.equal([book.seen.repaired, book.problems()], [[2, 3], ['ledger-repaired']]);
});

kept('a finding has all of the ledger checked in the next quiet minute', async (lane) => {
  await lane.keeper.passMinute();
  await lane.keeper.passMinute();
  lane.alter('UPDATE payments SET amount = amount + 1 WHERE id IN (1, 2)');
  const read = () => lane.money.payments.byId(1)?.amount;
  assert.is(await lane.keeper.whenRestored(read), 1000);
  await lane.keeper.passMinute();
  assert.equal(lane.money.book.findings.of('payments', 'repaired'), [1, 2]);
});

kept('a master gets no row that the storage has altered, and the right one once it is restored', async (lane) => {
  const feed = new LaneFeed({ ledger: lane.money.payments, refunds: lane.money.refunds, restoredAt: 0 });
  const sent = async () => fieldsOf((await feed.read(FIRST_PLACE)).payments, 'amount');
  lane.alter('UPDATE payments SET amount = amount + 5000 WHERE id = 1');
  assert.match((await failed(StoreError, sent())).message, /payments 1 are not as they were written/);
  assert.equal(await lane.keeper.whenSound(sent), ALL);
});

/** Counts how often files of the journal are opened on the event loop. */
function countOpened(): Disposable & { opened: number } {
  const { openSync } = fs;
  const count = {
    opened: 0,
    [Symbol.dispose]: () => {
      fs.openSync = openSync;
      syncBuiltinESMExports();
    },
  };
  fs.openSync = (...of: Parameters<typeof openSync>) => {
    if (/money\.journal/.test(String(of[0]))) count.opened += 1;
    return openSync(...of);
  };
  syncBuiltinESMExports();
  return count;
}

it('forty altered rows of a list cost one look at the logs; packed days cost no more', async (folder) => {
  {
    await using before = new Lane(folder.path, Date.now() - 2 * DAY_MS);
    for (let n = 1; n <= 20; n += 1) before.sell(n);
    before.now += DAY_MS;
    before.sell(21);
    await before.keeper.compare();
  }
  await using lane = new Lane(folder.path);
  for (let n = 22; n <= 40; n += 1) lane.sell(n);
  lane.alter('UPDATE payments SET amount = amount + 5000');
  const search = () => lane.money.payments.queries.search({}, Number.MAX_SAFE_INTEGER, 50).payments;
  {
    using count = countOpened();
    search();
    assert.is(count.opened, 2, 'the two logs');
    search();
    assert.is(count.opened, 2, 'the thread reads the rest');
  }
  const amounts = (await lane.keeper.whenRestored(search)).map(({ amount }) => amount);
  assert.equal(
    amounts,
    Array.from({ length: 40 }, (_, n) => 40 - n),
  );
});

const get = async ({ terminal }: TestDevice, path: string) => await call(`${terminal}${path}`);

it('day, shift, search and files of a device have what was sold, and so has the close', async ({ path }) => {
  await fill(path);
  await using device = await startTestDevice({}, path);
  const { terminal } = device;
  const today = localDayOf(Date.now()).day;
  const before = localDayOf(Date.now() - 3 * DAY_MS).day;
  const anew = (): void => alter(path, 'UPDATE payments SET amount = amount + 5000 WHERE id IN (1, 4)');
  const paid = (text: string): number[] =>
    ALL.filter((amount) => new RegExp(`[,;"]${amount}[,;"]`).test(text)).concat(/[69]000[,;"]/.test(text) ? [-1] : []);
  anew();
  assert.equal(fieldsOf((await get(device, '/v1/payments')).body.payments, 'amount'), ALL.toReversed());
  anew();
  const day = (await get(device, `/v1/reports/day?day=${before}`)).body;
  assert.equal(
    [day.totals.accepted, day.hours.reduce((sum: number, each: { sum: number }) => sum + each.sum, 0)],
    [{ count: 1, sum: 1000 }, 1000],
  );
  anew();
  const file = await get(device, `/v1/reports/day?day=${before}&to=${today}&format=payments`);
  assert.equal([file.status, paid(file.text)], [200, ALL]);
  anew();
  assert.is((await get(device, '/v1/shifts/current')).body.totals.net, SUM);
  anew();
  const headers = { 'idempotency-key': 'evening' };
  const shift = await call(`${terminal}/v1/shifts/close`, { json: {}, headers });
  assert.equal([shift.status, shift.body.totals.net], [201, SUM]);
  anew();
  assert.equal(paid((await get(device, '/v1/shifts/1?format=payments')).text), ALL);
  anew();
  const { recounted } = (await get(device, '/v1/shifts/1?recount=true')).body;
  assert.equal(recounted.accepted, { count: 4, sum: SUM });
  alter(
    path,
    `DROP TRIGGER shifts_closed; UPDATE shifts SET report = replace(report, '10000', '10001') WHERE number = 1`,
  );
  assert.is((await get(device, '/v1/shifts/1')).body.totals.net, SUM);
  assert.match((await healthOf(device, 'ledger')).reason, /restored from a copy/);
});

it('a close and a report with a row that no copy has are refused, and the device sells on', async ({ path }) => {
  await fill(path);
  rmSync(join(path, 'money.journal'), { recursive: true });
  alter(path, 'UPDATE payments SET amount = 1 WHERE id = 1');
  await using device = await startTestDevice({}, path);
  const { terminal } = device;
  const before = localDayOf(Date.now() - 3 * DAY_MS).day;
  const close = () => call(`${terminal}/v1/shifts/close`, { json: {}, headers: { 'idempotency-key': 'evening' } });
  for (const { status, body } of [
    await close(),
    await close(),
    await get(device, `/v1/reports/day?day=${before}`),
    await get(device, '/v1/shifts/current?format=payments'),
  ])
    assert.equal([status, body.code], [500, 'Payments.EntriesDamaged']);
  // what is wrong in itself is refused before a row is read
  const json = { number: 7 };
  const other = await call(`${terminal}/v1/shifts/close`, { json, headers: { 'idempotency-key': 'other' } });
  assert.equal([other.status, other.body.code], [409, 'Payments.ShiftNotOpen']);
  for (const wrong of [`to=${before}`, 'to=2020-01-01&format=payments', 'to=2026-02-30&format=payments'])
    assert.is((await get(device, `/v1/reports/day?day=${before}&${wrong}`)).status, 400, wrong);
  assert.is((await get(device, `/v1/reports/day?day=${localDayOf(Date.now()).day}`)).status, 200);
  assert.equal((await get(device, '/v1/payments')).body.payments.length, 4);
  assert.match((await healthOf(device, 'ledger')).reason, /payment 1/);
});

test.run();
