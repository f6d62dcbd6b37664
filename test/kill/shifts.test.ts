/**
 * Sales over three shifts, with refunds, late payments, a midnight, a change of summer time and kills: the shifts, the days, the
 * export and the bank's book agree to the kopeck. SALES=1000 sells more, KILLS=200 kills more often.
 */

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { messageOf } from '../../drivers/lib/errors.ts';
import { openFile } from '../../firmware/core/files/database.ts';
import { localDay } from '../../firmware/payments/model/local-day.ts';
import { turnoverBy, turnoverOf } from '../../firmware/payments/model/shift.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { DayReports } from '../../firmware/payments/reports/days/day-report.ts';
import { CSV_HEAD, csvLine } from '../../firmware/payments/reports/papers/export.ts';
import { Shifts } from '../../firmware/payments/reports/shifts/shifts.ts';
import type { SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import { startSandboxBank } from '../../firmware/tools/sandbox-bank/server.ts';
import { Program } from '../process.ts';
import { temporaryFolder, until } from '../support.ts';
import { NO_CARE } from '../terminal/ledger-rig.ts';
import { paymentsAfter } from '../terminal/ledger-rows.ts';
import { draw } from './killable.ts';
import { kindOf, SHIFTS } from './shift-plan.ts';

const { kills, random, label } = draw(30);
const SALES = Number(process.env.SALES ?? 300);
const ALL = 10_000;
/** What a failure shows of the output of the lane, in letters. */
const LAST_WORDS = 2000;
const HOUR_MS = 3_600_000;
const ZONE = 'Europe/Berlin';
/** Midnight follows, and two hours later the clock goes on to three. */
const BEGINS = Date.parse('2026-03-28T22:30:00+01:00');
const DAYS = ['2026-03-28', '2026-03-29', '2026-03-30'];

const test = suite(`${SALES} sales over ${SHIFTS} shifts, ${kills} kills (${label})`);

function inZone(zone: string): Disposable {
  const { TZ: before } = process.env;
  process.env.TZ = zone;
  return {
    [Symbol.dispose]: () => {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    },
  };
}

const saleOf = (purpose: string | null): number => Number(purpose?.split(' ')[1]);
const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

test('shifts, days, export and the book of the bank agree to the kopeck', async () => {
  using zone = inZone(ZONE);
  assert.ok(zone);
  using folder = temporaryFolder();
  const data = join(folder.path, 'device');
  let ahead = BEGINS - Date.now();
  const wall = (): number => Date.now() + ahead;
  const clock = { bootId: 'bank', wall, monotonic: () => Math.round(performance.now()) };
  await using bank = Object.assign(await startSandboxBank({ port: 0, dataFile: join(folder.path, 'bank.db'), clock }), {
    [Symbol.asyncDispose]: () => bank.close(),
  });
  bank.faults.set([{ call: 'cancel', kind: 'error', times: 1_000_000 }]); // so that what is replaced may be paid later
  let sold = 0;
  /** The customers: they pay at once, or when a shift has gone by. */
  const pay = (listed: number): void => {
    const sales = new Set<number>();
    for (const { qrcId, state, purpose, coded } of bank.payments.list(listed)) {
      const [kind, n] = [kindOf(saleOf(purpose)), saleOf(purpose)];
      // the newest comes first; of a lane that was killed before it showed a code the bank has an older one that nobody can pay
      const isNewest = !sales.has(n);
      sales.add(n);
      if (state !== 'open' || !coded) continue;
      const isLate = kind === 'late' && isNewest && sold >= n + SALES / SHIFTS;
      if (kind === 'paid' || isLate) bank.payments.pay(qrcId);
      if (kind === 'declined') bank.payments.decline(qrcId);
    }
  };
  const customers = setInterval(() => pay(4), 3).unref();
  const late = setInterval(() => pay(ALL), 300).unref();
  const closed = new Map<number, Set<number>>();
  let killed = 0;
  const startLane = (): Program =>
    new Program(['test/kill/shifts-process.ts', data, bank.url, String(SALES), String(ahead)], { TZ: ZONE });
  try {
    for (let isOver = false; !isOver; ahead += HOUR_MS) {
      // an order without a code, of a lane that was killed between the two, ends by a cancel alone: nobody can pay it
      for (const { qrcId, state, coded } of bank.payments.list(ALL))
        if (state === 'open' && !coded) bank.payments.cancel(qrcId);
      await using program = startLane();
      const seen = (name: string): number[] =>
        [...program.output.matchAll(new RegExp(`"${name}":(\\d+)`, 'g'))].map(([, n]) => Number(n));
      const before = sold;
      const enough = killed < kills ? before + 1 + random() * ((2 * (SALES - before)) / (kills - killed)) : Infinity;
      const closings = closed.size;
      for (let isEnough = false; !isEnough; )
        // each sale has the limit by itself: a long run has many between two kills
        isEnough = await until(`a sale after ${sold}`, () => {
          if (program.child.exitCode !== null) throw new Error(program.errors);
          const now = Math.max(sold, ...seen('sold'));
          const isNext = now > sold;
          sold = now;
          isOver = program.output.includes('"over":true');
          // each close is cut once where there are kills left: at its beginning, or soon after
          const isClosing = seen('closing').length > 0 && closings < SHIFTS - 1 && killed < kills;
          const reached = isOver || sold >= enough || isClosing;
          return isNext || reached ? { reached } : null;
        }).then(
          ({ reached }) => reached,
          (error: unknown) => {
            throw new Error(`${messageOf(error)}; the lane said last:\n${program.output.slice(-LAST_WORDS)}`);
          },
        );
      if (!isOver) {
        await pause(random() * 12);
        killed += 1;
      }
      await program.kill('SIGKILL');
      for (const [, number, net] of program.output.matchAll(/"closed":(\d+),"net":(-?\d+)/g))
        closed.set(Number(number), (closed.get(Number(number)) ?? new Set()).add(Number(net)));
    }
    clearInterval(late);
    pay(ALL); // nothing is paid after the ledger was looked at
    // a lane asks about an ended payment after minutes, and about each within seconds of its start
    await using lane = startLane();
    await until('what is late', () => isKnown(data, bank.payments.list(ALL)));
    await lane.kill('SIGKILL');
  } finally {
    clearInterval(customers);
    clearInterval(late);
  }
  for (const [number, nets] of closed) assert.is(nets.size, 1, `shift ${number} was closed with ${[...nets]}`);

  using money = Money.open({ path: join(data, 'money.db'), secondFolder: null, now: wall });
  const { payments: ledger, refunds, shifts: book } = money;
  const shifts = new Shifts({
    config: { shiftCloseAt: null },
    book,
    ledger,
    refunds,
    clock,
    care: NO_CARE,
    log: () => undefined,
  });
  const last = shifts.close({ till: 'till-0', cashier: 'Anna' }, 'the end').shift;
  const all = shifts.list(ALL, ALL);
  assert.equal([last.number, all.map(({ number }) => number)], [SHIFTS, [3, 2, 1]]);

  const atBank = bank.payments.list(ALL).filter(({ state }) => state === 'paid');
  const paid = sumOf(atBank.map(({ amount }) => amount));
  const back = sumOf(atBank.map(({ refunded }) => refunded));
  const turnovers = all.map(({ report }) => turnoverOf(report.groups));
  assert.is(sumOf(turnovers.map(({ accepted }) => accepted.sum)), paid, 'shifts and the bank: paid');
  assert.is(sumOf(turnovers.map(({ accepted }) => accepted.count)), atBank.length);
  assert.is(sumOf(turnovers.map((turnover) => turnover.refunds.sum)), back, 'shifts and the bank: refunded');
  const reports = new DayReports({ ledger, refunds, shifts });
  const days = DAYS.map((day) => reports.of(localDay(day)));
  assert.is(sumOf(days.map(({ totals }) => totals.accepted.sum)), paid, 'days and the bank: paid');
  assert.is(sumOf(days.map(({ totals }) => totals.refunds.sum)), back, 'days and the bank: refunded');
  assert.ok(days.filter(({ totals }) => totals.accepted.count > 0).length > 1, 'midnight has passed');
  assert.is(localDay('2026-03-29').to - localDay('2026-03-29').from, 23 * HOUR_MS);
  assert.equal([...new Set(days.flatMap((day) => day.shifts))].sort(), [1, 2, 3]);

  const rows = paymentsAfter(ledger, 0, ALL);
  const head = CSV_HEAD.trim().split(',');
  const exported = rows
    .map((payment) =>
      csvLine({ id: payment.id, payment, isDamaged: false }, () => [])
        .trim()
        .split(','),
    )
    .map((cells) => Object.fromEntries(cells.map((cell, index) => [head[index] ?? '', cell])))
    .filter(({ state }) => state === 'ACCEPTED');
  for (const { number, report } of all) {
    const mine = exported.filter(({ shift }) => shift === String(number));
    const { accepted } = turnoverOf(report.groups);
    assert.is(sumOf(mine.map(({ amount_kopecks }) => Number(amount_kopecks))), accepted.sum, `export of ${number}`);
    for (const { of, turnover } of turnoverBy(report.groups, ['cashier'])) {
      const its = mine.filter(({ cashier }) => cashier === of.cashier);
      assert.is(sumOf(its.map(({ amount_kopecks }) => Number(amount_kopecks))), turnover.accepted.sum, `${of.cashier}`);
    }
    const { accepted: rowsSay, refunds: refundsSay } = await shifts.recounted(
      all.find((each) => each.number === number) ?? last,
    );
    assert.equal([rowsSay, refundsSay], [accepted, turnoverOf(report.groups).refunds], `rows of ${number}`);
  }
  const named = all.flatMap(({ report }) => report.earlier).length;
  assert.ok(named > 0, 'late payments are named');
  process.stdout.write(`  ${killed} kills, ${atBank.length} paid, ${named} of them late, ${back} kopecks back\n`);
});

/** Whether the ledger knows what the bank was paid. */
function isKnown(folder: string, listed: readonly SandboxPayment[]): boolean {
  using db = openFile(join(folder, 'money.db'), { readOnly: true });
  const accepted = db.prepare("SELECT count(*) AS n FROM payments WHERE state = 'ACCEPTED'").get()?.n;
  return accepted === listed.filter(({ state }) => state === 'paid').length;
}

test.run();
