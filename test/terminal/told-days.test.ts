/** What a running lane tells of drawn days: its figures and its workbooks are those of a book that the test keeps by itself. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import { REFUND_DONE } from '../../firmware/banks/bank-refund.ts';
import { sheetRows } from '../../firmware/core/tables/workbook.ts';
import { localDayOf } from '../../firmware/payments/model/local-day.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { DayReports } from '../../firmware/payments/reports/days/day-report.ts';
import { acceptedOn, acceptedSheet } from '../../firmware/payments/reports/papers/accepted-sheet.ts';
import { daySheet, type Sheet, sheetWorkbook } from '../../firmware/payments/reports/papers/sheet.ts';
import { seeded } from '../tools/seeded.ts';
import { ended, type Lane, MINUTE_MS, onLane, pastTheEnd, report, until } from './harness.ts';

const test = suite('terminal: figures of drawn days');

const STEPS = 120;
/** After so many steps all figures are compared. */
const EVERY = 20;
const HOUR_MS = 60 * MINUTE_MS;
/** An acceptance that no till has read by then is late. */
const UNREAD_MS = 3 * MINUTE_MS;
const PROFILES = ['p', 'q'] as const;

interface Sold {
  readonly orderId: string;
  readonly profileName: string;
  readonly amount: number;
  /** Moment of its acceptance; null while it is not accepted. */
  takenAt: number | null;
  isLate: boolean;
  readonly returned: { readonly amount: number; readonly at: number }[];
}

/** What happened, as a clerk would write it down. */
class Clerk {
  readonly sold: Sold[] = [];
  readonly ends: Record<string, number> = { ACCEPTED: 0, REJECTED: 0, CANCELED: 0, EXPIRED: 0, ERROR: 0 };
  readonly refunds = { done: 0, refused: 0 };
  #closed = [0, 0];

  /** @returns kopecks taken and given back since the last close */
  closeShift(): readonly number[] {
    const taken = this.sold.filter(({ takenAt }) => takenAt !== null);
    const back = this.sold.flatMap(({ returned }) => returned);
    const all = [taken, back].map((each) => each.reduce((sum, { amount }) => sum + amount, 0));
    const own = all.map((sum, at) => sum - (this.#closed[at] ?? 0));
    this.#closed = all;
    return own;
  }

  /** By profile: payments and kopecks taken, refunds and kopecks given back, what is left, late payments. */
  day({ from, to }: { readonly from: number; readonly to: number }): readonly (readonly (string | number)[])[] {
    const isIn = (at: number | null): boolean => at !== null && at >= from && at < to;
    return PROFILES.flatMap((profile) => {
      const own = this.sold.filter(({ profileName }) => profileName === profile);
      const taken = own.filter(({ takenAt }) => isIn(takenAt));
      const back = own.flatMap(({ returned }) => returned).filter(({ at }) => isIn(at));
      if (taken.length + back.length === 0) return [];
      const [sum, gone] = [taken, back].map((all) => all.reduce((of, { amount }) => of + amount, 0));
      const late = taken.filter(({ isLate }) => isLate).length;
      return [[profile, taken.length, sum, back.length, gone, (sum ?? 0) - (gone ?? 0), late].map((each) => each ?? 0)];
    });
  }
}

/** One thing that happens at a lane, drawn. */
async function happen(l: Lane, clerk: Clerk, draw: (below: number) => number): Promise<void> {
  const [kind, n] = [draw(10), l.bank.registered.length];
  if (kind < 6) {
    // no amount comes twice: the same one again might be the same sale
    const [amount, profileName] = [100 + n * 100 + draw(100), PROFILES[draw(2)] ?? 'p'];
    await l.showQR(amount, { purpose: `sale ${n}`, profileName });
    const orderId = l.bank.registered[n]?.orderId ?? '';
    const sold: Sold = { orderId, profileName, amount, takenAt: null, isLate: false, returned: [] };
    clerk.sold.push(sold);
    await outcome(l, clerk, { sold, n, kind, draw });
  } else if (kind < 8) await giveBack(l, clerk, draw);
  else if (kind === 8) {
    const by = { till: null, cashier: null };
    const { shift } = await l.terminal.shifts.closeWhenSound(by, `close ${n} ${draw(1e9)}`);
    const told = shift.report.groups.map(({ accepted, refunds }) => [accepted.sum, refunds.sum]);
    assert.equal(
      [0, 1].map((at) => told.reduce((sum, each) => sum + (each[at] ?? 0), 0)),
      clerk.closeShift(),
    );
  } else await l.clock.advance((1 + draw(7)) * HOUR_MS);
}

interface Shown {
  readonly sold: Sold;
  readonly n: number;
  readonly kind: number;
  readonly draw: (below: number) => number;
}

async function outcome(l: Lane, clerk: Clerk, { sold, n, kind, draw }: Shown): Promise<void> {
  const end = (state: string): void => {
    clerk.ends[state] = (clerk.ends[state] ?? 0) + 1;
  };
  const accepted = (): void => {
    end('ACCEPTED');
    sold.takenAt = l.ledger.find(sold.orderId)?.endedAt ?? null;
    assert.ok(Math.abs((sold.takenAt ?? 0) - l.clock.wall()) < MINUTE_MS, 'it counts when it was accepted');
  };
  if (kind < 3) {
    await report(l, 'accepted', n);
    accepted();
    if (draw(4) === 0) {
      await l.clock.advance(UNREAD_MS);
      sold.isLate = true;
    } else l.payments.markHandled(l.payments.status());
  } else if (kind === 3 && draw(2) === 0) {
    await report(l, 'rejected', n);
    end('REJECTED');
    pastTheEnd(l);
  } else if (kind === 3) {
    l.bank.allowCancel();
    l.payments.endSales();
    await ended(l, 'CANCELED');
    end('CANCELED');
    delete l.bank.cancel;
  } else {
    pastTheEnd(l);
    await until('its end', () => l.ledger.find(sold.orderId)?.status.state === 'CANCELED');
    end('EXPIRED');
    if (kind === 4) return;
    l.bank.verdicts.set(l.bankId(n), 'accepted'); // the customer has paid after all
    await until('it is accepted', () => l.ledger.find(sold.orderId)?.status.state === 'ACCEPTED');
    accepted();
    sold.isLate = true;
  }
}

async function giveBack(l: Lane, clerk: Clerk, draw: (below: number) => number): Promise<void> {
  const left = ({ amount, returned }: Sold): number => returned.reduce((of, each) => of - each.amount, amount);
  const all = clerk.sold.filter((sold) => sold.takenAt !== null && left(sold) > 0);
  const sold = all[draw(Math.max(1, all.length))];
  if (sold === undefined) return;
  const amount = draw(2) === 0 ? left(sold) : 1 + draw(left(sold));
  const isRefused = draw(4) === 0;
  l.bank.refund = async () => {
    if (isRefused) throw new BankError('refused', 'no');
    return REFUND_DONE;
  };
  const { state } = await l.refunds.refund({ orderId: sold.orderId, tillId: `r ${draw(1e9)}`, amount });
  assert.is(state, isRefused ? 'refused' : 'done');
  clerk.refunds[isRefused ? 'refused' : 'done'] += 1;
  if (!isRefused) sold.returned.push({ amount, at: l.clock.wall() });
}

/** The cells of the columns that are counted, without the head. */
async function workbook<Row>(sheet: Sheet<Row>): Promise<readonly string[][]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await sheetWorkbook(sheet, 'en')) pieces.push(piece);
  const rows: string[][] = [];
  for await (const line of sheetRows(Buffer.concat(pieces))) if ('cells' in line) rows.push([...line.cells]);
  return rows.slice(1);
}

const kopecks = (roubles: string | undefined): number => Math.round(Number(roubles) * 100);

async function compare(l: Lane, clerk: Clerk): Promise<void> {
  const text = await l.metrics();
  const figure = (name: string): number =>
    Number(new RegExp(`^laneware_${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1]);
  const { sold, ends, refunds } = clerk;
  assert.equal([figure('payments_asked_total'), figure('payments_shown_total')], [sold.length, sold.length]);
  assert.equal(
    Object.fromEntries(Object.keys(ends).map((end) => [end, figure(`payments_total{state="${end}"}`)])),
    ends,
  );
  assert.is(figure('payments_late'), sold.filter(({ isLate }) => isLate).length);
  assert.is(figure('payments_open'), 0);
  assert.equal(
    [figure('refunds_total{state="done"}'), figure('refunds_total{state="refused"}')],
    Object.values(refunds),
  );

  const ledgers = { ledger: l.ledger, shifts: l.terminal.shifts, refunds: Money.over(l.db).refunds };
  const days = new Map(
    [l.clock.wall(), ...sold.map(({ takenAt }) => takenAt ?? 0)].map((at) => [localDayOf(at).day, at]),
  );
  for (const at of days.values()) {
    const day = localDayOf(at);
    const rows = await workbook(daySheet(new DayReports(ledgers).of(day, null)));
    const told = rows.map(([, profile, , taken, sum, back, gone, net, late]) => [
      ...[profile, Number(taken), kopecks(sum), Number(back), kopecks(gone), kopecks(net), Number(late)],
    ]);
    const kept = told.filter(([, taken, , back]) => Number(taken) + Number(back) > 0);
    assert.equal(kept, clerk.day(day), day.day);
    const taken = { till: null, name: day.day, refundsOf: () => [], bankNamed: (bank: string) => bank };
    const paid = await workbook(acceptedSheet({ ...taken, pieces: () => acceptedOn(l.ledger, day) }));
    const isIn = ({ takenAt }: Sold): boolean => takenAt !== null && takenAt >= day.from && takenAt < day.to;
    const payments = paid.map((cells) => [cells[10], kopecks(cells[3]), kopecks(cells[4])]);
    const written = sold
      .filter(isIn)
      .map(({ orderId, amount, returned }) => [
        ...[orderId, amount, returned.reduce((sum, each) => sum + each.amount, 0)],
      ]);
    assert.equal(payments.toSorted(), written.toSorted(), `the payments of ${day.day}`);
  }
}

for (const seed of [1, 2, 3])
  test(
    `sales, refunds, late payments and closed shifts over midnights (seed ${seed})`,
    onLane(async (l) => {
      const random = seeded(seed);
      const draw = (below: number): number => Math.floor(random() * below);
      const clerk = new Clerk();
      const first = localDayOf(l.clock.wall()).day;
      for (let n = 1; n <= STEPS; n += 1) {
        // once the next sales stand just before a midnight
        if (n === STEPS / 2) await l.clock.advance(localDayOf(l.clock.wall()).to - l.clock.wall() - 1000);
        await happen(l, clerk, draw);
        if (n % EVERY === 0) await compare(l, clerk);
      }
      assert.is.not(localDayOf(l.clock.wall()).day, first, 'a midnight has passed');
    }),
  );

test.run();
