/** What a bank owes for each of its days, by its own registry, beside what it says it pays: a line of the shop's account. */
import { roublesOf } from '../../../drivers/lib/money.ts';
import type { Credit } from './bank-statement.ts';
import type { RegistryEntry, RegistryItem, RegistryTotal } from './registry-entries.ts';
import type { UnreadableLine } from './registry-file.ts';

export interface Payout {
  /** Kopecks of its payments. */
  readonly sum: number;
  readonly refunds: number;
  /** Null where the registry does not have it for each line. */
  readonly commission: number | null;
  /** Sum without refunds and commission. */
  readonly payout: number | null;
  /** What the bank says it pays; null where it does not. */
  readonly stated: number | null;
  /** `stated` beyond `payout`. */
  readonly difference: number | null;
}

export interface DayPayout extends Payout {
  /** `2026-11-21`, of the bank; null for lines without a date in a registry of several days. */
  readonly day: string | null;
}

/**
 * - `arrived`: one line of the account is it, alone or with the days beside it
 * - `missing`: no line is
 * - `unclear`: several lines may be it, or one line may be that of several days
 * - `outside`: no line is, and the statement ends too early or begins too late to have it
 * - `unknown`: the registry does not say what is to come, or nothing is
 */
export const ARRIVALS = Object.freeze(['arrived', 'missing', 'unclear', 'outside', 'unknown'] as const);

export interface Arrival {
  readonly state: (typeof ARRIVALS)[number];
  /** Lines of the account that it is, or may be. */
  readonly credits: readonly Credit[];
}

/** A day of the bank, and what has become of it; null where no statement was given. */
export interface PaidDay extends DayPayout {
  readonly arrival: Arrival | null;
}

/** Of some lines. */
class Tally {
  readonly day: string | null;
  sum = 0;
  refunds = 0;
  /** Of payments, then of refunds with their sign: of some banks a refund returns it. */
  readonly commissions = { paid: 0, back: 0, areKnown: true };
  stated: number | null = 0;

  constructor(day: string | null) {
    this.day = day;
  }

  add({ isRefund, amount, commission, payout }: RegistryEntry): void {
    this[isRefund ? 'refunds' : 'sum'] += amount;
    if (commission === null) this.commissions.areKnown = false;
    else if (isRefund) this.commissions.back += commission;
    else this.commissions.paid += Math.abs(commission);
    if (this.stated !== null)
      this.stated = payout === null ? null : this.stated + (isRefund ? -Math.abs(payout) : payout);
  }

  payout(sign: 1 | -1, stated: number | null): Payout {
    const { sum, refunds, commissions } = this;
    const commission = commissions.areKnown ? commissions.paid + sign * commissions.back : null;
    const payout = commission === null ? null : sum - refunds - commission;
    const difference = payout === null || stated === null ? null : stated - payout;
    return { sum, refunds, commission, payout, stated, difference };
  }
}

/** Behind all days. */
const LAST = '9999';

/** Reads a registry on its way to be compared. */
export class Payouts {
  readonly #onlyDay: string | null;
  readonly #days = new Map<string | null, Tally>();
  readonly #all = new Tally(null);
  /** Since the total line before: a registry may have one for each part. */
  #part = new Tally(null);
  /** Of a bank that writes what it keeps as negative, a refund that returns some writes it as positive. */
  #sign: 1 | -1 = 1;
  #stated: number | null = null;

  /** @param onlyDay the day of a registry of one day, for lines without a date */
  constructor(onlyDay: string | null) {
    this.#onlyDay = onlyDay;
  }

  /** Passes on what is compared line by line; a total that its lines do not make is one of them. */
  async *read(items: AsyncIterable<RegistryItem>): AsyncGenerator<RegistryEntry | UnreadableLine> {
    for await (const item of items) {
      if ('isTotal' in item) {
        const problem = this.#takeTotal(item);
        if (problem !== null) yield { line: item.line, reason: problem };
        continue;
      }
      if (!('reason' in item)) this.#take(item);
      yield item;
    }
  }

  get days(): readonly DayPayout[] {
    const days = [...this.#days.values()].sort((one, other) => (one.day ?? LAST).localeCompare(other.day ?? LAST));
    return days.map((tally) => {
      const stated = tally.stated ?? (days.length === 1 ? this.#stated : null);
      return { day: tally.day, ...tally.payout(this.#sign, stated) };
    });
  }

  get total(): Payout {
    return this.#all.payout(this.#sign, this.#days.size === 0 ? this.#stated : (this.#all.stated ?? this.#stated));
  }

  #take(entry: RegistryEntry): void {
    if (!entry.isRefund && (entry.commission ?? 0) < 0) this.#sign = -1;
    const day = entry.day ?? this.#onlyDay;
    const tally = this.#days.get(day) ?? new Tally(day);
    this.#days.set(day, tally);
    for (const each of [tally, this.#all, this.#part]) each.add(entry);
  }

  /** @returns why it cannot be the total of the lines above it */
  #takeTotal({ amount, payout }: RegistryTotal): string | null {
    if (payout !== null) this.#stated = payout;
    if (amount === null) return null;
    const made = [this.#part, this.#all].flatMap(({ sum, refunds }) => [sum, sum - refunds, sum + refunds]);
    this.#part = new Tally(null);
    if (made.includes(amount)) return null;
    return `its total is ${roublesOf(amount)} ₽, and the lines above make ${roublesOf(this.#all.sum - this.#all.refunds)} ₽`;
  }
}
