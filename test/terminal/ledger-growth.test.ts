/** What a call costs does not grow with the ledger: no statement reads through its payments. */

import type { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { appendMissing } from '../../firmware/core/book/settle.ts';
import { openDatabase } from '../../firmware/core/files/database.ts';
import { Outbox } from '../../firmware/payments/events/outbox.ts';
import { localDayOf } from '../../firmware/payments/model/local-day.ts';
import { REGISTERING } from '../../firmware/payments/model/payment.ts';
import { NOBODY } from '../../firmware/payments/model/refund.ts';
import { Money, moneyPlan } from '../../firmware/payments/money/money.ts';
import { MONEY_MIGRATIONS } from '../../firmware/payments/money/money-schema.ts';
import type { PaymentSearch } from '../../firmware/payments/money/payment-search.ts';
import { daySpan, shiftSpan } from '../../firmware/payments/money/tally.ts';
import { DayReports } from '../../firmware/payments/reports/days/day-report.ts';
import { FIRST_PLACE, LaneFeed } from '../../firmware/payments/reports/lanes/lane-records.ts';
import { Shifts } from '../../firmware/payments/reports/shifts/shifts.ts';
import { NO_CARE, NOW, payMany } from './ledger-rig.ts';
import { paymentsAfter } from './ledger-rows.ts';

const test = suite('terminal: a ledger that grows');

/** Indexes that hold no more than the payments which are open, or which somebody must look into. */
const OF_FEW = /USING (COVERING )?INDEX (payments_(late|open|untold)|refunds_(undecided|decided)|shifts_returned)$/;

/** Steps that read none of the rows: SQLite's counters have one row a table, a list is given with the statement. */
const OF_NO_ROWS = /^SCAN (sqlite_sequence|CONSTANT ROW|json_each VIRTUAL TABLE INDEX 1:)$/;

const SEARCHES: readonly PaymentSearch[] = [
  {},
  { id: 1 },
  { orderId: 'order-1' },
  { qrcId: 'bank-1' },
  { trxId: 'trx-1' },
  { amount: 1_000_100 },
  { created: { from: 0, to: 1 } },
  { amount: 1_000_100, created: { from: 0, to: 1 } },
  { state: 'ACCEPTED' },
  { state: 'ERROR', profile: 'main', till: 'till' },
  { state: 'PENDING', created: { from: 0, to: 1 } },
  { receipt: 'missing' },
  { late: true },
  { late: true, created: { from: 0, to: 1 } },
];

/** Every statement that is prepared from now on. */
function watched(db: DatabaseSync): Set<string> {
  const statements = new Set<string>();
  const prepare = db.prepare.bind(db);
  db.prepare = (sql, ...rest) => {
    statements.add(sql);
    return prepare(sql, ...rest);
  };
  return statements;
}

function planOf(db: DatabaseSync, sql: string): string[] {
  const names = sql.match(/[:@]\w+/g) ?? [];
  const values = Object.fromEntries(names.map((name) => [name.slice(1), 1]));
  const places = (sql.match(/\?/g) ?? []).map(() => 1);
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`);
  const rows = names.length > 0 ? plan.all(values) : plan.all(...places);
  return rows.map(({ detail }) => String(detail)).filter((step) => !OF_NO_ROWS.test(step));
}

/** Those that read some tables: none of them reads through one. */
function readOf(db: DatabaseSync, statements: ReadonlySet<string>, tables: RegExp): string[] {
  const read = [...statements].filter((sql) => tables.test(sql) && !/^\s*INSERT/.test(sql));
  for (const sql of read) {
    const scans = planOf(db, sql).filter((step) => step.startsWith('SCAN') && !OF_FEW.test(step));
    assert.equal(scans, [], sql);
  }
  return read;
}

test('what /health asks about a week and a month is found by indexes that hold nothing else', () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const { payments: ledger } = Money.over(db);
  const statements = watched(db);
  ledger.accepted.andReturned(0, 1);
  ledger.accepted.paidAgain(0);
  ledger.queries.lateCount();
  const asked = [...statements].filter((sql) => /FROM payments WHERE/.test(sql));
  const indexes = asked.map((sql) => /INDEX (\w+)/.exec(planOf(db, sql).join())?.[1] ?? sql);
  assert.equal(indexes, ['payments_returned', 'payments_paid_again', 'payments_late']);
});

test('no call of a till, of /health or of the first page reads through the payments', () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const statements = watched(db);
  const { payments: ledger } = Money.over(db);
  payMany(ledger, 1, 20);
  const last = ledger.last();
  assert.ok(last);
  const calls: readonly (() => unknown)[] = [
    () => payMany(ledger, 21, 22),
    () => ledger.callAgain(last, null),
    () => ledger.queries.belongsToAnother(last, 'bank-1', 'payload'),
    () => ledger.setStatus(last.orderId, { ...REGISTERING, state: 'ACCEPTED' }, 1),
    () => ledger.find(last.orderId),
    () => ledger.byId(1),
    () => ledger.last(),
    () => ledger.queries.followed(),
    () => ledger.queries.unshown(),
    () => ledger.queries.unreported(),
    () => ledger.queries.late(10),
    () => ledger.queries.lateCount(),
    () => ledger.queries.recent(12),
    () => paymentsAfter(ledger, 5, 10),
    () => ledger.checked(5, 10),
    () => ledger.queries.latestMoment(),
    () => ledger.followAgain(),
    () => ledger.isSound(1),
    () => ledger.acknowledge(last.orderId, 'note', 1),
    ...SEARCHES.map((wanted) => () => ledger.queries.search(wanted, 100, 10)),
    () => ledger.sums.of(daySpan({ from: 0, to: 1 })),
    () => ledger.sums.of(shiftSpan({ number: 1, sinceChange: 0 })),
    () => ledger.accepted.returnedSince(0, ['order-1']),
    () => ledger.accepted.between(0, 1, 10),
    () => ledger.accepted.andReturned(0, 1),
    () => ledger.table.lastId,
  ];
  for (const call of calls) call();
  const read = readOf(db, statements, /\bpayments\b/);
  assert.ok(read.length >= 15, `${read.length} statements`);
  // each showQR asks for late payments, and SQLite plans a statement anew with each value that is given for a limit
  for (const sql of read.filter((each) => /late = 1 AND \(/.test(each))) assert.not.match(sql, /LIMIT :/);
  const ofLate = read.filter((sql) => /late = 1 AND .* ORDER BY \S+ DESC LIMIT :/.test(sql));
  assert.ok(ofLate.length > 0);
  for (const sql of ofLate) assert.match(planOf(db, sql).join(), /INDEX payments_late/, sql);
  const byCode = planOf(db, read.find((sql) => sql.includes(':qrcId')) ?? '').join();
  assert.match(byCode, /INDEX payments_bank_id .*INDEX payments_payload .*INDEX payments_payload /);
});

test('a search without an index reads a limited number of payments, and returns where to go on', () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const { payments: ledger } = Money.over(db);
  payMany(ledger, 1, 4);
  // more numbers than one search reads: which payments they are does not matter
  db.exec(`UPDATE sqlite_sequence SET seq = 6000; UPDATE payments SET id = id + 6000 WHERE id > 2`);
  const wanted = { profile: 'main' };
  const first = ledger.queries.search(wanted, Number.MAX_SAFE_INTEGER, 10);
  assert.equal([first.payments.map(({ id }) => id), first.before], [[6004, 6003], 1005]);
  const second = ledger.queries.search(wanted, first.before ?? 0, 10);
  assert.equal([second.payments.map(({ id }) => id), second.before], [[2, 1], null]);
  assert.equal(ledger.queries.search(wanted, Number.MAX_SAFE_INTEGER, 1).before, 6004);
  assert.is(ledger.queries.search({ amount: 1_000_100 }, Number.MAX_SAFE_INTEGER, 10).before, 1005);
  assert.is(ledger.queries.search({ qrcId: 'bank-1' }, Number.MAX_SAFE_INTEGER, 10).before, null);
});

test('a search of some days reads only their payments, and of long ones a limited number', () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const { payments: ledger } = Money.over(db);
  payMany(ledger, 1, 6);
  db.exec(`UPDATE sqlite_sequence SET seq = 12000; UPDATE payments SET id = id + 6000 * ((id - 1) / 2)`);
  const days = (first: number, last: number) => ({ created: { from: NOW + first, to: NOW + last + 1 } });
  const found = (wanted: PaymentSearch, before = Number.MAX_SAFE_INTEGER) => {
    const { payments, before: next } = ledger.queries.search(wanted, before, 10);
    return [payments.map(({ id }) => id), next];
  };
  assert.equal(found(days(1, 2)), [[2, 1], null], 'not from the newest on');
  assert.equal(found({ ...days(3, 4), profile: 'main' }), [[6004, 6003], null]);
  assert.equal(found({ ...days(1, 4), profile: 'main' }), [[6004, 6003], 1005]);
  assert.equal(found({ ...days(1, 4), profile: 'main' }, 1005), [[2, 1], null]);
  assert.equal(found(days(7, 8)), [[], null]);
  // a clock that was wrong: the first is of the days of the last two
  db.exec(`UPDATE payments SET created_at = ${NOW} + 6 WHERE id = 1`);
  assert.equal(found(days(5, 6)), [[12006, 12005], 7007]);
  assert.equal(found(days(5, 6), 2007), [[1], null]);
});

test('no statement about refunds, shifts, days or of the master reads through a table', async () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const statements = watched(db);
  const {
    payments: ledger,
    refunds,
    shifts: book,
    book: whole,
  } = Money.over(db, { payment: () => ({}), refund: () => ({}) });
  const clock = { wall: () => NOW, monotonic: () => 0, bootId: 'boot' };
  const shifts = new Shifts({
    config: { shiftCloseAt: null },
    book,
    ledger,
    refunds,
    clock,
    care: NO_CARE,
    log: () => undefined,
  });
  payMany(ledger, 1, 20);
  const { orderId = '', profile = '', bank = '' } = ledger.byId(1) ?? {};
  const refund = {
    orderId,
    profile,
    bank,
    amount: 1,
    refundedBefore: 0,
    createdAt: 1,
    refundedBy: 'till',
    requester: NOBODY,
  };
  refunds.insert({ ...refund, refundId: 'r', tillId: 't' });
  ledger.setTransaction(orderId, { trxId: null, paidAt: null, refunded: 1, payer: null, paidBy: null });
  refunds.record('r', { state: 'done', bankRefundId: null, reason: null, endedAt: 1 });
  refunds.ofTill('t', null);
  refunds.of('o');
  refunds.doneBetween(0, 1);
  refunds.undecided();
  refunds.unreported(10);
  refunds.contradicted();
  refunds.sumRefundedBy('till', { from: 0, to: 1 });
  shifts.current();
  const { shift } = shifts.close({ till: null, cashier: null }, 'key');
  shifts.close({ till: null, cashier: null }, 'key');
  await shifts.recounted(shift);
  shifts.returning(paymentsAfter(ledger, 0, 3));
  shifts.list(99, 9);
  new DayReports({ ledger, refunds, shifts }).of(localDayOf(NOW));
  await new LaneFeed({ ledger, refunds, restoredAt: 0 }).read(FIRST_PLACE);
  const outbox = new Outbox(ledger, clock, () => ({}));
  outbox.begin();
  outbox.after(0, 10);
  outbox.find(1);
  outbox.countAfter(0);
  outbox.pruneOutdated(0);
  outbox.prune(1);
  whole.with((open) => appendMissing(open, moneyPlan(null), { commit: 0, hash: '' }, NOW));
  const { length } = readOf(db, statements, /\b(payments|refunds|shifts)\b/);
  assert.ok(length >= 30, `${length} statements`);
});

test.run();
