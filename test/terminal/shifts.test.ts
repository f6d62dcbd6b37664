/** Shifts: each row counts in one, what is closed never changes, and a kill in the middle closes once or not at all. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REFUND_DONE } from '../../firmware/banks/bank-refund.ts';
import { bankWords } from '../../firmware/console/words.ts';
import { lastMomentAt, localDay, localDayOf } from '../../firmware/payments/model/local-day.ts';
import { ofTill, type Shift, turnoverBy, turnoverOf } from '../../firmware/payments/model/shift.ts';
import { profileNames } from '../../firmware/payments/model/words.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { shiftPage } from '../../firmware/payments/reports/papers/print-page.ts';
import { programCsv, shiftSheet } from '../../firmware/payments/reports/papers/sheet.ts';
import { Shifts } from '../../firmware/payments/reports/shifts/shifts.ts';
import { replaced } from '../replaced.ts';
import { each, fieldsOf, LETTERHEAD, temporaryFolder } from '../support.ts';
import { callerNamed, HandClock, type Lane, onLane, report, settled, unreachable, until } from './harness.ts';
import { NO_CARE } from './ledger-rig.ts';
import { FindingBank, pay } from './refund-rig.ts';

const test = suite('terminal: shifts');
const it = each(test, onLane);

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const BY = { till: 'till', cashier: 'Anna' };

const figures = ({ report }: Shift): number[] => {
  const { accepted, refunds, net } = turnoverOf(report.groups);
  return [accepted.count, accepted.sum, refunds.count, refunds.sum, net];
};
const close = (l: Lane, key: string) => l.terminal.shifts.close(BY, key).shift;
const current = (l: Lane) => l.terminal.shifts.current();
const today = (l: Lane, till: string | null = null) => l.terminal.accounts.dayReport(localDayOf(l.clock.wall()), till);
const at = (cashier: string) => ({ caller: { ...callerNamed('till'), cashier } });
const requester = (cashier: string) => ({ till: 'till', cashier, answeredBy: null });

const en = profileNames(await bankWords('en'));
const ru = profileNames(await bankWords('ru'));

it('accepted, refunded and net, by profile and cashier; the next shift begins with nothing', async (l) => {
  l.bank.refund = async () => REFUND_DONE;
  const first = await pay(l, 1000, at('Anna'));
  await pay(l, 2000, at('Boris'));
  await pay(l, 500, { ...at('Anna'), profileName: 'q' });
  await l.refunds.refund({ orderId: first, tillId: 'a', amount: 300, requester: requester('Boris') });
  assert.equal([current(l).number, current(l).closedAt, ...figures(current(l))], [1, null, 3, 3500, 1, 300, 3200]);
  const closed = close(l, 'evening');
  assert.equal([closed.number, closed.closedBy, ...figures(closed)], [1, BY, 3, 3500, 1, 300, 3200]);
  const by = (names: ('profile' | 'cashier')[]) =>
    turnoverBy(closed.report.groups, names).map(({ of, turnover }) => [
      ...names.map((name) => of[name]),
      ...[turnover.accepted.sum, turnover.refunds.sum, turnover.net],
    ]);
  assert.equal(by(['profile']), [
    ['p', 3000, 300, 2700],
    ['q', 500, 0, 500],
  ]);
  assert.equal(by(['cashier']), [
    ['Anna', 1500, 0, 1500],
    ['Boris', 2000, 300, 1700],
  ]);
  assert.equal([current(l).number, ...figures(current(l))], [2, 0, 0, 0, 0, 0]);
  assert.equal(l.ledger.find(first)?.shift, 1);
});

it('what is closed never changes: paid later, it is a line of the next shift, which names it', async (l) => {
  await pay(l, 1000);
  await l.showQR(700, { purpose: 'late' });
  const late = l.bank.registered[1]?.orderId ?? '';
  const closed = close(l, 'one');
  const paper = shiftPage(closed, 'en', 0, en, LETTERHEAD);
  await report(l, 'accepted', 1);
  assert.equal(l.terminal.shifts.find(1), closed);
  assert.equal([figures(closed), closed.report.earlier], [[1, 1000, 0, 0, 1000], []]);
  await pay(l, 50);
  const next = close(l, 'two');
  assert.equal(figures(next), [2, 750, 0, 0, 750]);
  assert.equal(next.report.earlier, [{ id: late, number: 2, amount: 700, till: null, askedShift: 1 }]);
  assert.is(shiftPage(l.terminal.shifts.find(1), 'en', 0, en, LETTERHEAD), paper);
  assert.match(shiftPage(next, 'ru', 0, ru, LETTERHEAD), /начаты раньше<\/h2>.*№ 2, смена 1.*7,00/s);
  assert.match(programCsv(shiftSheet(next)), /,earlier,,,,,,,,,,[^,]+,1,700,,\r\n$/);
  assert.equal(close(l, 'three').report.earlier, []);
});

it('a payment that is touched after its acceptance stays in its shift', async (l) => {
  l.bank.refund = async () => REFUND_DONE;
  const order = await pay(l, 1000);
  close(l, 'one');
  await l.refunds.refund({ orderId: order, tillId: 'a', amount: 400 });
  l.ledger.acknowledge(order, 'seen', l.clock.wall());
  l.ledger.setStatus(order, { ...l.payments.find(order).status, late: true }, l.clock.wall());
  assert.is(l.ledger.find(order)?.shift, 1);
  const second = close(l, 'two');
  assert.equal([figures(second), second.report.returned], [[0, 0, 1, 400, -400], []]);
  assert.equal(figures(close(l, 'three')), [0, 0, 0, 0, 0]);
});

it("a till's key is the same shift for ever, another till's another; with nothing sold too", async (l) => {
  await pay(l, 1000);
  const { shifts } = l.terminal;
  const first = shifts.close(BY, 'evening');
  await pay(l, 2000);
  assert.equal(shifts.close(BY, 'evening'), { shift: first.shift, isAgain: true });
  assert.equal(
    [shifts.close({ ...BY, till: 'other' }, 'evening'), shifts.close(BY, 'again')].map(({ shift, isAgain }) => [
      ...[shift.number, isAgain, figures(shift)[1]],
    ]),
    [
      [2, false, 2000],
      [3, false, 0],
    ],
  );
  assert.equal(
    [shifts.list(3, 10).map(({ number }) => number), shifts.list(99, 1).map(({ number }) => number)],
    [[2, 1], [3]],
  );
  assert.throws(() => shifts.find(5), /there is no shift 5/);
});

it('paid without a receipt is live while the shift is open; a closed one keeps what was so', async (l) => {
  const printed = (order: string) => l.payments.recordReceipt(l.payments.find(order));
  const lacking = ({ report }: Shift) => turnoverOf(report.groups).withoutReceipt;
  printed(await pay(l, 10, at('Anna')));
  assert.equal(lacking(current(l)), { count: 0, sum: 0 });
  const [first, second, back] = [
    await pay(l, 1000, at('Anna')),
    await pay(l, 200, at('Boris')),
    await pay(l, 5, at('Anna')),
  ];
  assert.equal(lacking(current(l)), { count: 3, sum: 1205 });
  printed(second);
  l.payments.recordRefundedSum(back, 5);
  assert.equal(lacking(current(l)), { count: 1, sum: 1000 });
  const closed = close(l, 'one');
  const [paper, csv] = [shiftPage(closed, 'ru', 0, ru, LETTERHEAD), programCsv(shiftSheet(closed))];
  assert.match(paper, /Anna.*<th>Без чека<\/th><td>1<\/td><td>10,00/s);
  assert.match(csv, /,Anna,3,1015,1,5,1010,,,,1,1000\r\n.*,Boris,1,200,0,0,200,,,,0,0\r\n/);
  printed(first);
  await pay(l, 30);
  assert.equal(l.terminal.shifts.find(1), closed, 'a receipt that is printed later changes no closed shift');
  assert.equal(
    [shiftPage(l.terminal.shifts.find(1), 'ru', 0, ru, LETTERHEAD), programCsv(shiftSheet(closed))],
    [paper, csv],
  );
  assert.equal(lacking(close(l, 'two')), { count: 0, sum: 0 }, 'a till that has printed none lacks none');
});

it('a refund counts in the shift in which it is done, and nowhere while it is not decided', async (l) => {
  const order = await pay(l, 1000);
  l.bank.refund = async () => ({ ...REFUND_DONE, state: 'pending' });
  l.bank.refundStatus = async () => ({ ...REFUND_DONE, state: 'pending' });
  await l.refunds.refund({ orderId: order, tillId: 'a', amount: 300 });
  l.payments.recordRefundedSum(order, 300); // the bank has moved the money, and has not said so of the refund
  assert.equal(figures(close(l, 'one')), [1, 1000, 0, 0, 1000]);
  l.bank.refundStatus = async () => REFUND_DONE;
  await until('the refund is done', () => l.refunds.of(order)[0]?.state === 'done');
  const second = close(l, 'two');
  assert.equal([figures(second), second.report.returned], [[0, 0, 1, 300, -300], []]);
  assert.is(l.refunds.of(order)[0]?.shift, 2);
});

it('money returned without a refund counts when found; a refund that explains it is no second', async (l) => {
  const order = await pay(l, 1000);
  close(l, 'one');
  l.payments.recordRefundedSum(order, 400);
  const second = close(l, 'two');
  assert.equal(figures(second), [0, 0, 1, 400, -400]);
  const { refunds } = await l.terminal.shifts.recounted(second);
  assert.equal(refunds, { count: 1, sum: 400 }, 'the rows say the same');
  assert.equal([ofTill(second, 'other').report.returned, figures(ofTill(second, 'other'))], [[], [0, 0, 0, 0, 0]]);
  assert.equal(fieldsOf(second.report.returned, 'id', 'amount'), [[order, 400]]);
  l.ledger.acknowledge(order, 'seen', 1);
  assert.equal(figures(close(l, 'three')), [0, 0, 0, 0, 0], 'it is counted once');
  l.payments.recordRefundedSum(order, 700);
  assert.equal(figures(close(l, 'four')), [0, 0, 1, 300, -300], 'what has come since');
});

test(
  'a refund that a person has refused and the bank has made is counted once',
  onLane(
    async (l) => {
      const bank = l.bank as FindingBank;
      const order = await pay(l, 1000);
      bank.refundAnswers = [unreachable()];
      await l.refunds.refund({ orderId: order, tillId: 'a', amount: 400 });
      l.clock.now += HOUR_MS;
      await l.refunds.decide({ orderId: order, tillId: 'a', outcome: 'refused', note: 'not in the account' });
      l.payments.recordRefundedSum(order, 400);
      assert.equal(figures(close(l, 'one')), [1, 1000, 1, 400, 600]);
      bank.found = REFUND_DONE;
      await l.clock.advance(HOUR_MS);
      assert.is(l.refunds.of(order)[0]?.state, 'done');
      const next = close(l, 'two');
      assert.equal([figures(next), next.report.returned[0]?.amount], [[0, 0, 0, 0, 0], -400]);
    },
    { bank: new FindingBank() },
  ),
);

it('the rows are counted anew beside the report; the payments of a shift add up to it', async (l) => {
  l.bank.refund = async () => REFUND_DONE;
  const order = await pay(l, 1000);
  await l.refunds.refund({ orderId: order, tillId: 'a', amount: 300 });
  await pay(l, 2000);
  const closed = close(l, 'one');
  await pay(l, 4000);
  const counted = { accepted: { count: 2, sum: 3000 }, refunds: { count: 1, sum: 300 } };
  assert.equal(await l.terminal.shifts.recounted(closed), counted);
  assert.equal(fieldsOf([...l.terminal.shifts.payments(closed)].flat(), 'amount'), [1000, 2000]);
  l.db.exec('UPDATE payments SET amount = 999 WHERE amount = 1000');
  await settled();
  const recounted = await l.terminal.shifts.recounted(closed).then(() => 'counted', String);
  assert.match(recounted, /payments 1 are not as they were written/, 'what the storage has changed is seen');
  assert.is(figures(l.terminal.shifts.find(1))[1], 3000);
});

it("a refund's step reads the shift reports from its payment's on, each of them once", async (l) => {
  l.bank.refund = async () => REFUND_DONE;
  const orders: string[] = [];
  for (const key of ['one', 'two', 'three']) {
    orders.push(await pay(l, 1000));
    l.payments.recordRefundedSum(await pay(l, 500), 400);
    close(l, key);
  }
  orders.push(await pay(l, 1000));
  const table = l.terminal.ledger.book.table('shifts');
  const read: unknown[] = [];
  const { rows } = table;
  using _ = replaced(table, 'rows', (...which) => {
    const found = rows.apply(table, which);
    read.push(...found.filter((row) => row.closed_at !== null).map((row) => row.number));
    return found;
  });
  const refund = async (shift: number, tillId: string) => {
    await l.refunds.refund({ orderId: orders[shift - 1] ?? '', tillId, amount: 100 });
    return [figures(current(l)).slice(2, 4), (await today(l)).shifts];
  };
  const shifts = [1, 2, 3, 4];
  assert.equal(await refund(4, 'a'), [[1, 100], shifts]);
  assert.equal(read, [3], 'the closes before have read the others, and the day has payments of all');
  read.length = 0;
  assert.equal(await refund(4, 'b'), [[2, 200], shifts]);
  assert.equal(await refund(2, 'c'), [[3, 300], shifts]);
  assert.equal(read, [], 'they never change');
  assert.equal(close(l, 'four').report.returned, []);
  l.payments.recordRefundedSum(orders[3] ?? '', 500);
  read.length = 0;
  current(l);
  assert.equal(read, [], 'it has no line of a payment');
});

it('a clock set back ends no shift before its beginning; the next begins by the new time', async (l) => {
  const { wall } = l.clock;
  const { openedAt } = current(l);
  l.clock.wall = () => wall() - 5 * DAY_MS;
  const closed = close(l, 'one');
  assert.equal([closed.openedAt, closed.closedAt, current(l).openedAt], [openedAt, openedAt, l.clock.wall()]);
});

it('the day report says which shifts it holds', async (l) => {
  l.bank.refund = async () => REFUND_DONE;
  const order = await pay(l, 1000);
  close(l, 'one');
  close(l, 'two');
  await pay(l, 500);
  assert.equal((await today(l)).shifts, [1, 3]);
  close(l, 'three');
  l.clock.now += DAY_MS;
  await l.refunds.refund({ orderId: order, tillId: 'a', amount: 300 });
  assert.equal([(await today(l)).shifts, (await today(l, 'nobody')).shifts], [[4], []]);
});

it('the day report names a shift that holds only what a bank has returned, open or closed', async (l) => {
  const order = await pay(l, 1000, { caller: callerNamed('till') });
  close(l, 'one');
  close(l, 'two');
  l.payments.recordRefundedSum(order, 400);
  const shiftsOf = async (till: string | null) => (await today(l, till)).shifts;
  assert.equal(
    { all: await shiftsOf(null), till: await shiftsOf('till'), nobody: await shiftsOf('nobody') },
    { all: [1, 3], till: [1, 3], nobody: [] },
    'the open one',
  );
  close(l, 'three');
  close(l, 'four');
  assert.equal(
    { all: await shiftsOf(null), till: await shiftsOf('till'), nobody: await shiftsOf('nobody') },
    { all: [1, 3], till: [1, 3], nobody: [] },
    'a closed one',
  );
  assert.is((await today(l)).totals.refunds.sum, 400);
});

it('a shop that works over midnight has one shift, and two days', async (l) => {
  l.clock.now += new Date(2026, 10, 21).getTime() - l.clock.wall() - 60_000; // a minute to midnight
  await pay(l, 1000);
  l.clock.now += 120_000;
  await pay(l, 2000);
  assert.equal(figures(close(l, 'morning')), [2, 3000, 0, 0, 3000]);
  const sumOn = async (day: string) => (await l.terminal.accounts.dayReport(localDay(day))).totals.accepted.sum;
  assert.equal([await sumOn('2026-11-20'), await sumOn('2026-11-21')], [1000, 2000]);
});

/** The book in a folder, as a process has it. */
function books(folder: string, clock: HandClock, shiftCloseAt: string | null = null) {
  const money = Money.open({ path: join(folder, 'money.db'), secondFolder: null, now: clock.wall });
  const { payments: ledger, refunds, shifts: book } = money;
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const shifts = new Shifts({ config: { shiftCloseAt }, book, ledger, refunds, clock, care: NO_CARE, log });
  return {
    ...{ ledger, refunds, book, shifts, log: lines },
    [Symbol.dispose]: () => {
      shifts.stop();
      money.book.close();
    },
  };
}

test('a close that storage cuts off closes nothing; the same again closes once, after a kill too', () => {
  using folder = temporaryFolder();
  const clock = new HandClock();
  {
    using one = books(folder.path, clock);
    const { table } = one.book;
    const change = table.change.bind(table);
    let writes = 0;
    table.change = (work) =>
      change(() => {
        work();
        writes += 1;
        if (writes === 1) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
      });
    assert.throws(() => one.shifts.close(BY, 'evening'), /full.*nothing was closed/);
    assert.equal([one.shifts.current().number, one.shifts.list(99, 9)], [1, []]);
  }
  using two = books(folder.path, clock);
  assert.is(two.shifts.close(BY, 'evening').shift.number, 1);
  using three = books(folder.path, clock);
  assert.equal([three.shifts.close(BY, 'evening').isAgain, three.shifts.current().number], [true, 2]);
});

const setTo = (clock: HandClock, time: string): void => {
  clock.now += Date.parse(time) - clock.wall();
};

const timeZones = each(test, (run: (inZone: (zone: string) => void) => Promise<void> | void) => async () => {
  const { TZ: before } = process.env;
  try {
    await run((zone) => {
      process.env.TZ = zone;
    });
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

timeZones('the set hour is that of the wall, on the days when the clock is changed, too', (inZone) => {
  inZone('Europe/Berlin');
  const last = (time: string, now: string): string => new Date(lastMomentAt(time, Date.parse(now))).toISOString();
  assert.is(last('23:30', '2026-11-21T22:29:59Z'), '2026-11-20T22:30:00.000Z');
  assert.is(last('23:30', '2026-11-21T22:30:00Z'), '2026-11-21T22:30:00.000Z');
  assert.is(last('02:30', '2026-03-29T03:00:00Z'), '2026-03-29T01:30:00.000Z', 'an hour that is left out');
  assert.is(last('02:30', '2026-10-25T02:00:00Z'), '2026-10-25T00:30:00.000Z', 'the first of two');
  assert.is(last('00:00', '2026-10-25T00:00:00Z'), '2026-10-24T22:00:00.000Z');
});

timeZones('the device closes at the set hour, once; one that was off then at its next start', async (inZone) => {
  inZone('Europe/Berlin');
  using folder = temporaryFolder();
  const clock = new HandClock();
  const numbers = ({ shifts }: ReturnType<typeof books>) => shifts.list(99, 9).map(({ number }) => number);
  setTo(clock, '2026-10-24T20:00:00Z');
  {
    using lane = books(folder.path, clock, '02:30');
    await lane.shifts.closeIfDue();
    assert.equal(numbers(lane), [], 'the hour was before it was opened');
    setTo(clock, '2026-10-25T00:29:59Z');
    await lane.shifts.closeIfDue();
    assert.equal(numbers(lane), []);
    setTo(clock, '2026-10-25T00:30:00Z');
    await lane.shifts.closeIfDue();
    setTo(clock, '2026-10-25T01:30:00Z'); // half past two again
    await lane.shifts.closeIfDue();
    assert.equal([numbers(lane), lane.shifts.find(1).closedBy], [[1], null]);
  }
  setTo(clock, '2026-10-28T09:00:00Z');
  using next = books(folder.path, clock, '02:30');
  await next.shifts.closeIfDue();
  await next.shifts.closeIfDue();
  assert.equal(numbers(next), [2, 1], 'three days off, and one shift');
});

timeZones('a clock that is set back closes no shift amid the day, but at the next set hour', async (inZone) => {
  inZone('UTC');
  for (const back of [DAY_MS, 400 * DAY_MS]) {
    using folder = temporaryFolder();
    const clock = new HandClock();
    setTo(clock, '2026-11-25T12:00:00Z');
    using lane = books(folder.path, clock, '23:30');
    const lookAt = async (time: string): Promise<number> => {
      setTo(clock, time);
      await lane.shifts.closeIfDue();
      return lane.shifts.current().number;
    };
    assert.is(await lookAt('2026-11-25T23:30:00Z'), 2);
    clock.now -= 5000;
    await lane.shifts.closeIfDue();
    clock.now += 5000;
    await lane.shifts.closeIfDue();
    assert.is(lane.shifts.current().number, 2, 'the clock is put right by seconds');
    assert.is(await lookAt('2026-11-26T12:00:00Z'), 2);
    clock.now -= back;
    await lane.shifts.closeIfDue();
    assert.is(lane.shifts.current().number, 2, 'noon');
    clock.now += 11 * HOUR_MS;
    await lane.shifts.closeIfDue();
    assert.is(lane.shifts.current().number, 2);
    clock.now += HOUR_MS / 2;
    await lane.shifts.closeIfDue();
    await lane.shifts.closeIfDue();
    assert.is(lane.shifts.current().number, 3, 'half past eleven');
  }
});

timeZones('a close that the disk does not take is logged once, and tried until it is taken', async (inZone) => {
  inZone('UTC');
  using folder = temporaryFolder();
  const clock = new HandClock();
  using lane = books(folder.path, clock, '23:30');
  const { table } = lane.book;
  const change = table.change.bind(table);
  table.change = () => {
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
  };
  clock.now += 2 * DAY_MS;
  for (let look = 0; look < 3; look++) await lane.shifts.closeIfDue();
  assert.is(lane.log.filter((line) => line === 'the shift cannot be closed at the set hour').length, 1);
  table.change = change;
  await lane.shifts.closeIfDue();
  assert.is(lane.shifts.current().number, 2);
});

test.run();
