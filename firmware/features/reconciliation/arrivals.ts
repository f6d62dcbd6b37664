/** Finds which payouts of a bank have reached the shop's account, by sum, day and purpose; it never guesses between two. */

import { isDay, TerminalError } from '../../payments/index.ts';
import type { BankStatement } from './bank-statement.ts';
import type { Arrival, Credit, DayPayout, OwedDay } from './payouts.ts';

const DAY_MS = 86_400_000;
/** Longest time from a day to its payout. Banks pay on the next working day, which in January is ten days later. */
const PAID_WITHIN_MS = 15 * DAY_MS;
/** Most days that a bank pays in one sum, as over a weekend or holidays. */
const MOST_TOGETHER = 12;
/** Most days that are compared with one statement. */
const MOST_DAYS = 400;
/** Most lines of the statement that are kept for one claim: among more, only a person can tell which is meant. */
const MOST_FITTING = 100;

/** Days that one line of the statement may pay together, and the lines that it may be. */
interface Claim {
  readonly days: readonly string[];
  readonly credits: readonly Credit[];
}

type BySum = ReadonlyMap<number, readonly Credit[]>;
const bySum = (credits: readonly Credit[]): BySum => Map.groupBy(credits, ({ amount }) => amount);

/**
 * The lines of the right amount and time.
 * @param amounts kopecks, any of which fits
 * @param days the days paid together, in order
 */
function claimOf(all: BySum, amounts: readonly number[], days: readonly string[]): Claim {
  const last = days.at(-1) ?? '';
  const until = isDay(last) ? new Date(Date.parse(last) + PAID_WITHIN_MS).toISOString() : '';
  const credits = amounts
    .flatMap((amount) => (amount > 0 ? (all.get(amount) ?? []) : []))
    .filter(({ day }) => day >= last && day <= until);
  return { days, credits: credits.slice(0, MOST_FITTING) };
}

/** Pattern of a day in a purpose: `21.11.2026`, `21/11/26`, `2026-11-21`. */
function writtenForms(day: string): string {
  const [year = '', month, date] = day.split('-');
  return `${date}[./-]${month}[./-](?:20)?${year.slice(2)}|${day}`;
}

/** Narrows the claims by the lines' purposes: a line whose purpose names a day of a claim belongs to that claim alone. */
function narrowed(claims: readonly Claim[]): Claim[] {
  const named = claims.map(({ days, credits }) => {
    const name = new RegExp(`(?<!\\d)(?:${days.map(writtenForms).join('|')})(?!\\d)`);
    return credits.filter(({ purpose }) => name.test(purpose));
  });
  const taken = new Set(named.flat());
  return claims.map(({ days, credits }, at) => {
    const own = named[at] ?? [];
    return { days, credits: own.length > 0 ? own : credits.filter((credit) => !taken.has(credit)) };
  });
}

/** Arrivals by day, without the days that no line fits. A day has arrived where one line fits it, and fits no other claim. */
function decided(claims: readonly Claim[]): Map<string, Arrival> {
  const fitting = narrowed(claims).filter(({ credits }) => credits.length > 0);
  const claimsOf = (credit: Credit): number => counts.get(credit) ?? 0;
  const counts = new Map<Credit, number>();
  for (const credit of fitting.flatMap(({ credits }) => credits)) counts.set(credit, claimsOf(credit) + 1);
  const byDay = Map.groupBy(
    fitting.flatMap(({ days, credits }) => days.map((day) => ({ day, credits }))),
    ({ day }) => day,
  );
  return new Map(
    [...byDay].map(([day, its]) => {
      const credits = [...new Set(its.flatMap((each) => each.credits))];
      const isOne = credits.length === 1 && credits.every((credit) => claimsOf(credit) === 1);
      return [day, { state: isOne ? 'arrived' : 'unclear', credits }];
    }),
  );
}

/** What the bank owes for a day, kopecks: as its registry states it, else as the lines sum up. */
const dueOf = ({ stated, payout }: OwedDay): number | null => stated ?? payout;

/** Runs of at least two days without an arrival of their own, which one line may pay together. */
function* runsOf(days: readonly OwedDay[], isOpen: (day: string) => boolean) {
  for (const [first] of days.entries()) {
    let due = 0;
    const run: string[] = [];
    for (const payout of days.slice(first, first + MOST_TOGETHER)) {
      const owed = dueOf(payout);
      if (payout.day === null || owed === null || !isOpen(payout.day)) break;
      due += owed;
      run.push(payout.day);
      if (run.length > 1) yield { due, days: [...run] };
    }
  }
}

/** The arrival of a day that no line fits. */
function arrivalOf(payout: OwedDay, { from, to, unread }: BankStatement): Arrival {
  const { day } = payout;
  if (day === null || (dueOf(payout) ?? 0) <= 0) return { state: 'unknown', credits: [] };
  const isOutside = (from !== null && day < from) || (to !== null && day >= to);
  if (isOutside) return { state: 'outside', credits: [] };
  return { state: unread.length > 0 ? 'unclear' : 'missing', credits: [] };
}

/**
 * Finds the arrivals: first of single days, then of runs of days by the lines that are left.
 * @param days of the registry, in order @throws {TerminalError} 400 for more than `MOST_DAYS` days
 */
export function withArrivals(days: readonly OwedDay[], statement: BankStatement): DayPayout[] {
  const { credits } = statement;
  if (days.length > MOST_DAYS)
    throw TerminalError.invalid('statement', `can be compared with a registry of at most ${MOST_DAYS} days`);
  const all = bySum(credits);
  const singles = days.flatMap(({ day, payout, stated }) => {
    const sums = new Set([payout, stated].filter((sum) => sum !== null));
    return day === null ? [] : [claimOf(all, [...sums], [day])];
  });
  const alone = decided(singles);
  const used = new Set([...alone.values()].flatMap((arrival) => arrival.credits));
  const rest = bySum(credits.filter((credit) => !used.has(credit)));
  const runs = runsOf(days, (day) => !alone.has(day));
  const together = decided([...runs].map(({ due, days: its }) => claimOf(rest, [due], its)));
  return days.map((payout) => {
    const found = payout.day === null ? undefined : (alone.get(payout.day) ?? together.get(payout.day));
    return { ...payout, arrival: found ?? arrivalOf(payout, statement) };
  });
}
