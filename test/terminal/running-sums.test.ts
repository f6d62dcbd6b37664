/** The sums that run with the ledger are those of its rows, whatever is written between, and while they are counted. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { METHOD_NAMES } from '../../firmware/banks/method.ts';
import { openDatabase, openFile } from '../../firmware/core/files/database.ts';
import { REGISTERING } from '../../firmware/payments/model/payment.ts';
import type { Ledger } from '../../firmware/payments/money/ledger.ts';
import { LedgerMaintenance } from '../../firmware/payments/money/ledger-maintenance.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { MONEY_MIGRATIONS } from '../../firmware/payments/money/money-schema.ts';
import { PAID_WITHOUT_RECEIPT } from '../../firmware/payments/money/payment-search.ts';
import { ACCEPTED_BETWEEN, daySpan, type Group, type Span, shiftSpan } from '../../firmware/payments/money/tally.ts';
import { each, inFolder } from '../support.ts';
import { seeded } from '../tools/seeded.ts';
import { onLane, settled } from './harness.ts';
import { NOW, newPayment, openKept, openMoney } from './ledger-rig.ts';
import { pay } from './refund-rig.ts';

const test = suite('terminal: sums that run with the ledger');
const it = each(test, inFolder);
const onLanes = each(test, onLane);

const DAY_MS = 86_400_000;
const DAYS = [0, 1].map((n) => ({ from: NOW + n * DAY_MS, to: NOW + (n + 1) * DAY_MS }));
const NOTHING = { trxId: null, paidAt: null, refunded: null, payer: null, paidBy: null };

interface Shop {
  readonly money: Money;
  readonly ledger: Ledger;
  readonly draw: (below: number) => number;
  count: number;
}

/** One change of the ledger, drawn: of a new payment, or of an earlier one. */
function change(shop: Shop): void {
  const { ledger, draw } = shop;
  const at = NOW - 3_600_000 + draw(DAY_MS * 2);
  const orderId = `order-${1 + draw(Math.max(1, shop.count))}`;
  const payment = ledger.find(orderId);
  const isOpen = payment?.status.state === 'PENDING';
  const of = (most: number) => `of ${draw(most)}`;
  const paidBy = { method: METHOD_NAMES[draw(METHOD_NAMES.length)] ?? 'sbp', word: 'w' } as const;
  switch (draw(8)) {
    case 0:
    case 1:
    case 2: {
      shop.count += 1;
      const state = draw(9) === 0 ? ('STATIC' as const) : ('PENDING' as const);
      const status = { ...REGISTERING, state, seen: draw(3) > 0 };
      const sold = { profile: of(2), merchant: of(2), till: draw(3) === 0 ? null : of(2), cashier: of(2) };
      ledger.insert({ ...newPayment(shop.count), ...sold, amount: 1 + draw(1000), createdAt: at, status });
      return;
    }
    case 3:
    case 4:
      if (!isOpen) return;
      ledger.setStatus(orderId, { ...payment.status, state: 'ACCEPTED', late: draw(4) === 0 }, at, {
        ...NOTHING,
        paidAt: draw(2) === 0 ? null : NOW + draw(DAY_MS * 2),
        paidBy: draw(2) === 0 ? null : paidBy,
      });
      return;
    case 5:
      if (isOpen) ledger.setStatus(orderId, { ...payment.status, state: draw(2) === 0 ? 'ERROR' : 'REJECTED' }, at);
      else if (payment?.status.state === 'ERROR') ledger.markSettled(orderId);
      return;
    case 6:
      if (payment?.status.state !== 'ACCEPTED') return;
      ledger.setTransaction(orderId, {
        ...NOTHING,
        paidAt: draw(2) === 0 ? null : NOW + draw(DAY_MS * 2), // the bank's time comes later, and may be of another day
        paidBy,
        refunded: draw(payment.amount + 1),
      });
      return;
    default:
      if (payment?.status.state !== 'ACCEPTED') return;
      if (payment.receiptAt === null && draw(3) === 0) ledger.recordReceipt(orderId, at);
      ledger.setStatus(orderId, { ...payment.status, late: false }, payment.endedAt);
  }
}

/** What SQLite adds up of the rows of a span. */
function counted(ledger: Ledger, which: string, values: Readonly<Record<string, number>>): unknown {
  const sql = `SELECT count(*) AS count, coalesce(sum(amount), 0) AS sum, coalesce(sum(late), 0) AS late,
    count(*) FILTER (WHERE ${PAID_WITHOUT_RECEIPT}) AS lacking,
    coalesce(sum(amount) FILTER (WHERE ${PAID_WITHOUT_RECEIPT}), 0) AS lackingSum
    FROM payments WHERE ${which}`;
  return ledger.table.get(sql, values);
}

const addedUp = (groups: readonly Group[]): unknown =>
  groups.reduce(
    (all, { count, sum, late, withoutReceipt }) => ({
      count: all.count + count,
      sum: all.sum + sum,
      late: all.late + late,
      lacking: all.lacking + withoutReceipt.count,
      lackingSum: all.lackingSum + withoutReceipt.sum,
    }),
    { count: 0, sum: 0, late: 0, lacking: 0, lackingSum: 0 },
  );

const MAY_BE_OPEN = `(state = 'PENDING' OR (state = 'ERROR' AND settled = 0 AND seen = 1 AND withdrawn = 0))`;

/** Each kind by itself, and what is accepted by each of its columns: as the rows have it now. */
function assertAsRows({ ledger }: Shop, open: { readonly number: number; readonly sinceChange: number }): void {
  for (const day of DAYS) {
    const { groups, returned } = ledger.sums.of(daySpan(day));
    const of = (kind: Group['kind']) => groups.filter((group) => group.kind === kind);
    assert.equal(addedUp(of('accepted')), counted(ledger, ACCEPTED_BETWEEN, day));
    const asked = 'created_at >= :from AND created_at < :to';
    assert.equal(addedUp(of('open')), counted(ledger, `${asked} AND ${MAY_BE_OPEN}`, day));
    assert.equal(addedUp(of('notFollowed')), counted(ledger, `${asked} AND state = 'STATIC'`, day));
    const back = ledger.accepted.andReturned(day.from, day.to).map(({ orderId }) => orderId);
    assert.equal(returned.toSorted(), back.toSorted());
    for (const { profile, merchant, till, cashier, shift, hour, method, kind, ...its } of of('accepted')) {
      const hours = { from: day.from + hour * 3_600_000, to: day.from + (hour + 1) * 3_600_000 };
      const same = `profile = '${profile}' AND merchant = '${merchant}' AND cashier = '${cashier}' AND shift = ${shift}
        AND till IS ${till === null ? 'NULL' : `'${till}'`} AND coalesce(method, 'unknown') = '${method}'`;
      assert.equal(
        addedUp([{ ...its, profile, merchant, till, cashier, shift, hour, method, kind }]),
        counted(ledger, `${ACCEPTED_BETWEEN} AND ${same}`, hours),
      );
    }
  }
  const shift = ledger.sums.of(shiftSpan(open));
  const { number, sinceChange } = open;
  assert.equal(
    addedUp(shift.groups),
    counted(ledger, `state = 'ACCEPTED' AND shift = :number AND change_no > :sinceChange`, { number, sinceChange }),
  );
  const its = `state = 'ACCEPTED' AND shift = ${number}`;
  assert.equal(
    [shift.first, shift.last],
    Object.values(
      ledger.table.get(`SELECT coalesce(min(id), 0), coalesce(max(id), 0) AS last FROM payments WHERE ${its}`) ?? {},
    ),
  );
  const ids = (which: string): string[] =>
    ledger.table.all(`SELECT order_id FROM payments WHERE ${which}`).map(({ order_id }) => String(order_id));
  assert.equal(shift.earlier.toSorted(), ids(`${its} AND asked_shift < ${number}`).toSorted());
  assert.equal(shift.returned.toSorted(), ids(`refunded > 0 AND change_no > ${sinceChange}`).toSorted());
}

/** Changes the ledger in each turn of the event loop until a count has ended. */
async function changing(shop: Shop, count: Promise<unknown>): Promise<void> {
  let isOver = false;
  const ended = count.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    change(shop);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
}

for (const seed of [1, 2, 3, 4, 5, 6])
  test(`drawn changes leave the sums as the rows', also when counted meanwhile (seed ${seed})`, async () => {
    const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
    const money = Money.over(db);
    const random = seeded(seed);
    const draw = (below: number): number => Math.floor(random() * below);
    const shop: Shop = { money, ledger: money.payments, draw, count: 0 };
    money.shifts.begin(1, NOW);
    for (let n = 0; n < 300; n += 1) change(shop);
    const first = money.shifts.current();
    assert.ok(first);
    const report = { groups: [], earlier: [], returned: [], first: 0, last: 0 };
    money.shifts.closeShift(first, { at: NOW, key: null, by: { till: null, cashier: null }, report });
    for (let n = 0; n < 300; n += 1) change(shop);
    const open = money.shifts.current();
    assert.ok(open);
    const spans: readonly Span[] = [...DAYS.map(daySpan), shiftSpan(open)];
    await changing(shop, Promise.all(spans.map((span) => shop.ledger.sums.count(span))));
    assertAsRows(shop, open);
    for (let n = 0; n < 200; n += 1) {
      change(shop);
      if (n % 20 === 0) assertAsRows(shop, open);
    }
    await changing(shop, shop.ledger.sums.recountAll());
    assert.equal(shop.ledger.sums.differed, [], 'a full count has the same');
    assertAsRows(shop, open);
  });

/** Payments that are counted in two turns of the event loop. */
const MORE_THAN_A_PIECE = 60;
const ACCEPTED = { ...REGISTERING, seen: true, state: 'ACCEPTED' } as const;
const [DAY = { from: 0, to: 0 }] = DAYS;

function sell(ledger: Ledger, n: number): void {
  ledger.insert(newPayment(n));
  ledger.setStatus(`order-${n}`, ACCEPTED, NOW + n);
}

const sumOf = (ledger: Ledger): number => ledger.sums.of(daySpan(DAY)).groups.reduce((sum, each) => sum + each.sum, 0);
const right = (last: number): number =>
  Array.from({ length: last }, (_, n) => newPayment(n + 1).amount).reduce((a, b) => a + b, 0);

/** Spans whose sums a sale may have to change. */
const MOST_SPANS = 8;

test('a sale changes the sums of few spans: of those that were asked for last', () => {
  const { payments: ledger } = Money.over(openDatabase(':memory:', MONEY_MIGRATIONS, 0).db);
  const changed = new Set<string>();
  const asked = (n: number): Span => {
    const { kindOf, ...day } = daySpan(DAY);
    const name = `span ${n}`;
    const noted: Span['kindOf'] = (payment) => {
      changed.add(name);
      return kindOf(payment);
    };
    return { ...day, name, kindOf: noted };
  };
  for (let n = 1; n <= MOST_SPANS + 4; n += 1) ledger.sums.of(asked(n));
  for (const n of [5, MOST_SPANS + 5]) ledger.sums.of(asked(n));
  changed.clear();
  sell(ledger, 1);
  assert.equal(
    [...changed],
    [7, 8, 9, 10, 11, 12, 5, 13].map((n) => `span ${n}`),
  );
});

it('a row that the storage alters once it is counted is in the sums as it was written', async (folder) => {
  using money = openMoney(folder.path);
  const { payments: ledger } = money;
  for (let n = 1; n <= 3; n += 1) sell(ledger, n);
  assert.is(sumOf(ledger), right(3));
  {
    using db = openFile(join(folder.path, 'money.db'));
    db.exec('UPDATE payments SET amount = amount + 500 WHERE id = 2');
  }
  sell(ledger, 4);
  assert.is(sumOf(ledger), right(4));
  await ledger.sums.recountAll();
  assert.is(sumOf(ledger), right(4), 'the row is restored where it is read');
  assert.equal([money.book.findings.of('payments', 'repaired'), ledger.sums.differed], [[2], []]);
});

it("an older row in a newer one's place is restored before it is counted", async (folder) => {
  await using kept = await openKept(folder.path);
  const { payments: ledger } = kept.money;
  sell(ledger, 1);
  ledger.insert(newPayment(2));
  using db = openFile(join(folder.path, 'money.db'));
  db.exec('CREATE TEMP TABLE older AS SELECT * FROM payments WHERE id = 2');
  ledger.setStatus('order-2', ACCEPTED, NOW + 2);
  db.exec('DELETE FROM payments WHERE id = 2; INSERT INTO payments SELECT * FROM older');
  const accepted = () => ledger.sums.of(daySpan(DAY)).groups.filter(({ kind }) => kind === 'accepted').length;
  assert.equal([accepted(), sumOf(ledger)], [2, right(2)]);
});

test('a row that no copy has is in no sum: each count of it fails', async () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const { payments: ledger } = Money.over(db);
  sell(ledger, 1);
  db.exec('UPDATE payments SET amount = amount + 1');
  for (let n = 0; n < 2; n += 1) {
    assert.throws(() => sumOf(ledger), /not as they were written/);
    const refused = await ledger.sums.count(daySpan(DAY)).then(() => 'counted', String);
    assert.match(refused, /not as they were written/);
  }
});

test("the daily check ends where a kept day's row is in no copy, and where the next step fails", async () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const { payments: ledger, book } = Money.over(db);
  sell(ledger, 1);
  sumOf(ledger);
  db.exec('UPDATE payments SET amount = amount + 1');
  await ledger.sums.recountAll();

  const logged: string[] = [];
  const nothing = () => undefined;
  const onChecked = () => Promise.reject(new Error('it is broken'));
  const told = { onRepaired: nothing, onOpened: nothing, onChecked };
  const keeper = new LedgerMaintenance(book, { wall: () => NOW }, 5, told, (line, details) =>
    logged.push(`${line}: ${details?.reason}`),
  );
  for (let minute = 0; minute < 2; minute += 1) await keeper.passMinute();
  await keeper.close();
  assert.equal(logged, ['what follows the check of the ledger has failed: it is broken']);
});

it("a payment that the bank moves to another day later leaves both days' sums as the rows'", async (folder) => {
  using money = openMoney(folder.path);
  const { payments: ledger } = money;
  for (let n = 1; n <= 3; n += 1) sell(ledger, n);
  const accepted = () =>
    DAYS.map((day) => ledger.sums.of(daySpan(day)).groups.reduce((count, each) => count + each.count, 0));
  assert.equal(accepted(), [3, 0]);
  for (const orderId of ['order-1', 'order-3']) ledger.setTransaction(orderId, { ...NOTHING, paidAt: NOW + DAY_MS });
  assert.equal(accepted(), [1, 2]);
  await ledger.sums.recountAll();
  assert.equal(ledger.sums.differed, []);
});

/** Payments of the day that lack a receipt. */
const lackingOf = (ledger: Ledger): number =>
  ledger.sums.of(daySpan(DAY)).groups.reduce((count, { withoutReceipt }) => count + withoutReceipt.count, 0);

test('a payment of which all has gone back lacks no receipt; with a kopeck left it does', () => {
  const { payments: ledger } = Money.over(openDatabase(':memory:', MONEY_MIGRATIONS, 0).db);
  for (let n = 1; n <= 3; n += 1) sell(ledger, n);
  ledger.recordReceipt('order-1', NOW);
  assert.is(lackingOf(ledger), 2);
  ledger.setTransaction('order-2', { ...NOTHING, refunded: newPayment(2).amount });
  ledger.setTransaction('order-3', { ...NOTHING, refunded: newPayment(3).amount - 1 });
  assert.is(lackingOf(ledger), 1);
});

test('a row that was not as it was written when it was changed is in no sum', async () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const { payments: ledger } = Money.over(db);
  sell(ledger, 1);
  assert.is(sumOf(ledger), right(1));
  await settled(); // a row is read once in a turn
  db.exec('UPDATE payments SET amount = amount + 1');
  ledger.acknowledge('order-1', 'note', NOW);
  assert.throws(() => sumOf(ledger), /not as they were written/);
});

test('the first receipt of a till counts where a count failed before it', async () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const { payments: ledger } = Money.over(db);
  for (let n = 1; n <= MORE_THAN_A_PIECE; n += 1) sell(ledger, n);
  const change = `UPDATE payments SET amount = amount + 1 WHERE id = ${MORE_THAN_A_PIECE}`;
  db.exec(change);
  await ledger.sums.count(daySpan(DAY)).then(
    () => assert.unreachable('it counts a row that is not as it was written'),
    () => undefined,
  );
  db.exec(change.replace('+', '-'));
  ledger.recordReceipt('order-1', NOW);
  assert.is(lackingOf(ledger), MORE_THAN_A_PIECE - 1);
});

it('the first receipt of a till counts where its row is restored while it is counted', async (folder) => {
  using money = openMoney(folder.path);
  const { payments: ledger } = money;
  for (let n = 1; n <= MORE_THAN_A_PIECE; n += 1) sell(ledger, n);
  const printed = MORE_THAN_A_PIECE - 5;
  ledger.recordReceipt(`order-${printed}`, NOW);
  using db = openFile(join(folder.path, 'money.db'));
  db.exec(`UPDATE payments SET receipt_at = NULL WHERE id = ${printed}`);
  await ledger.sums.count(daySpan(DAY));
  assert.is(lackingOf(ledger), 5);
});

it('the daily check names sums that are not those of the rows, which they are from then on', async (folder) => {
  using money = openMoney(folder.path);
  const { payments: ledger, book } = money;
  sell(ledger, 1);
  sell(ledger, 2);
  const payment = ledger.byId(2);
  assert.ok(payment);
  ledger.sums.of(daySpan(DAY)).add(payment); // as a fault of the program would
  assert.is.not(sumOf(ledger), right(2));
  const nothing = () => undefined;
  const kept = { onRepaired: nothing, onOpened: nothing, onChecked: () => ledger.sums.recountAll() };
  const keeper = new LedgerMaintenance(book, { wall: () => NOW }, 5, kept, nothing);
  for (let minute = 0; minute < 2; minute += 1) await keeper.passMinute();
  await keeper.close();
  assert.is(sumOf(ledger), right(2));
  assert.match(ledger.sums.differed.join(), /^the day from/);
});

onLanes('health names them', async (l) => {
  await pay(l, 1000);
  const day = daySpan({ from: l.clock.wall() - DAY_MS, to: l.clock.wall() + DAY_MS });
  const payment = l.ledger.byId(1);
  assert.ok(payment);
  l.ledger.sums.of(day).add(payment);
  await l.ledger.sums.recount(day);
  const { reasons = [] } = l.health().parts.find(({ part }) => part === 'ledger') ?? {};
  assert.ok(reasons.some(({ code }) => code === 'ledger-sums'));
});

test.run();
