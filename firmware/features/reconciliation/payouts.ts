/** Sums up what a bank owes, by its own registry: for each day, each payment method and in total. Also the schemas of payouts. */

import Type, { type Static } from 'typebox';
import { roublesOf } from '../../../drivers/lib/money.ts';
import type { PaymentMethod } from '../../banks/index.ts';
import { orNull } from '../../core/schema/index.ts';
import { PaymentMethodName } from '../../payments/index.ts';
import type { RegistryItem, RegistryLine, RegistryTotal } from './registry-entries.ts';
import type { RegistryEntry, UnknownOperation } from './registry-line.ts';

const kopecks = (description: string) => Type.Integer({ description: `kopecks: ${description}` });
const kopecksOrNull = (description: string) => orNull(Type.Integer(), `kopecks: ${description}`);
const amounts = {
  sum: kopecks('payments of the registry'),
  refunds: kopecks('its refunds'),
  commission: kopecksOrNull('what the bank keeps; null where not every line says it'),
  payout: kopecksOrNull('sum without refunds and commission'),
  stated: kopecksOrNull('what the registry says that the bank pays, line by line or in its total'),
  difference: kopecksOrNull('stated beyond payout'),
};
export const Payout = Type.Object(amounts, { title: 'Payout' });
export type Payout = Static<typeof Payout>;

/** A document of the shop's account statement that brought money. */
const Credit = Type.Object(
  {
    line: Type.Integer({ description: 'of the statement, where its document begins' }),
    number: Type.String({ description: "the bank's number of the document" }),
    day: Type.String({ description: 'on which it came in' }),
    amount: Type.Integer({ description: 'kopecks' }),
    purpose: Type.String(),
  },
  { title: 'Credit' },
);
export type Credit = Static<typeof Credit>;

const Arrival = Type.Object(
  {
    state: Type.Enum(['arrived', 'missing', 'unclear', 'outside', 'unknown'], {
      description:
        'arrived: one line of the account is this payout, alone or together with the days beside it; missing: none is; unclear: several may be, the line may be that of another day, or a line of the statement cannot be read; outside: none is, and the statement ends too early or begins too late; unknown: the registry does not say what is to come, or nothing is',
    }),
    credits: Type.Array(Credit, { description: 'lines of the account that it is, or may be' }),
  },
  { title: 'Arrival' },
);
export type Arrival = Static<typeof Arrival>;

/** A day's payout before it is compared with the account. */
export const OwedDay = Type.Object(
  {
    day: orNull(Type.String(), 'of the bank; null for lines without a date in a registry of several days'),
    ...amounts,
  },
  { title: 'OwedDay' },
);
export type OwedDay = Static<typeof OwedDay>;

export const DayPayout = Type.Object(
  {
    ...OwedDay.properties,
    arrival: orNull(Arrival, "whether it has come to the shop's account; null where no statement was sent"),
  },
  { title: 'DayPayout' },
);
export type DayPayout = Static<typeof DayPayout>;

export const MethodPayout = Type.Object(
  { method: PaymentMethodName, count: Type.Integer({ description: 'payments' }), ...amounts },
  { title: 'MethodPayout' },
);
export type MethodPayout = Static<typeof MethodPayout>;

/** Sums up lines of a registry, in kopecks. */
class Tally {
  count = 0;
  sum = 0;
  refunds = 0;
  /** Commissions of payments, and those of refunds with the bank's sign: some banks return the commission with a refund. */
  readonly commissions = { paid: 0, back: 0, areKnown: true };
  stated: number | null = 0;
  /** Sum of operations that are neither payments nor refunds. */
  others = 0;

  add({ isRefund, amount, commission, payout }: RegistryEntry): void {
    this[isRefund ? 'refunds' : 'sum'] += amount;
    if (!isRefund) this.count += 1;
    if (commission === null) this.commissions.areKnown = false;
    else if (isRefund) this.commissions.back += commission;
    else this.commissions.paid += Math.abs(commission);
    this.#state(payout !== null && isRefund ? -Math.abs(payout) : payout);
  }

  /** Adds an operation that the bank pays or deducts, and that is neither a payment nor a refund. */
  addOther({ amount, payout }: UnknownOperation): void {
    this.others += amount;
    this.#state(payout);
  }

  payout(sign: 1 | -1, stated: number | null): Payout {
    const { sum, refunds, commissions } = this;
    const commission = commissions.areKnown ? commissions.paid + sign * commissions.back : null;
    const payout = commission === null ? null : sum - refunds - commission;
    const difference = payout === null || stated === null ? null : stated - payout;
    return { sum, refunds, commission, payout, stated, difference };
  }

  #state(payout: number | null): void {
    if (this.stated !== null) this.stated = payout === null ? null : this.stated + payout;
  }
}

/** Stands for a missing day in sorting: it comes after all days. */
const LAST = '9999';

/** The tally of a key in a map, which is added where it is missing. */
function tallyOf<Key>(tallies: Map<Key, Tally>, key: Key): Tally {
  const tally = tallies.get(key) ?? new Tally();
  tallies.set(key, tally);
  return tally;
}

/** Passes the lines of a registry on to the comparison; checks its total lines, and sums up the lines that are counted. */
export class Payouts {
  readonly #onlyDay: string | null;
  readonly #days = new Map<string | null, Tally>();
  readonly #methods = new Map<PaymentMethod, Tally>();
  readonly #all = new Tally();
  /** Sums of all lines that were read so far, counted or not. */
  readonly #above = new Tally();
  /** Sums since the last total line: a registry may have a total line for each of its parts. */
  #part = new Tally();
  /** Sign of commissions. A bank may write its commission as negative, and the part that a refund returns as positive. */
  #sign: 1 | -1 = 1;
  #stated: number | null = null;

  /** @param onlyDay the day of a registry of one day, for lines without a date */
  constructor(onlyDay: string | null) {
    this.#onlyDay = onlyDay;
  }

  /** Passes on the lines to compare. A total line that does not fit the lines above it becomes an unreadable line. */
  async *read(items: AsyncIterable<RegistryItem>): AsyncGenerator<RegistryLine> {
    for await (const item of items) {
      if ('isTotal' in item) {
        const problem = this.#checkTotal(item);
        if (problem !== null) yield { line: item.line, reason: problem };
        continue;
      }
      if ('operation' in item) for (const each of [this.#above, this.#part]) each.addOther(item);
      else if ('isRefund' in item) for (const each of [this.#above, this.#part]) each.add(item);
      yield item;
    }
  }

  /** Adds a payment or refund to the sums; the comparison calls it for each operation once. */
  count(entry: RegistryEntry, method: PaymentMethod): void {
    if (!entry.isRefund && (entry.commission ?? 0) < 0) this.#sign = -1;
    for (const each of [this.#dayOf(entry), this.#all, tallyOf(this.#methods, method)]) each.add(entry);
  }

  /** Adds an operation that is neither a payment nor a refund. */
  countOther(entry: UnknownOperation): void {
    for (const each of [this.#dayOf(entry), this.#all]) each.addOther(entry);
  }

  get days(): readonly OwedDay[] {
    const days = [...this.#days].sort(([one], [other]) => (one ?? LAST).localeCompare(other ?? LAST));
    return days.map(([day, tally]) => {
      const stated = tally.stated ?? (days.length === 1 ? this.#stated : null);
      return { day, ...tally.payout(this.#sign, stated) };
    });
  }

  get methods(): MethodPayout[] {
    return [...this.#methods].map(([method, tally]) => ({
      method,
      count: tally.count,
      ...tally.payout(this.#sign, tally.stated),
    }));
  }

  get total(): Payout {
    return this.#all.payout(this.#sign, this.#days.size === 0 ? this.#stated : (this.#all.stated ?? this.#stated));
  }

  #dayOf({ day }: Pick<RegistryEntry, 'day'>): Tally {
    return tallyOf(this.#days, day ?? this.#onlyDay);
  }

  /**
   * Checks a total line. Banks count differently, so the total may be of the part or of all lines above, with or without refunds
   * and other operations. @returns why it is none of these, or null
   */
  #checkTotal({ amount, payout }: RegistryTotal): string | null {
    if (payout !== null) this.#stated = payout;
    if (amount === null) return null;
    const possible = [this.#part, this.#above].flatMap(({ sum, refunds, others }) =>
      [sum, sum - refunds, sum + refunds].flatMap((each) => [each, each + others, each + Math.abs(others)]),
    );
    this.#part = new Tally();
    if (possible.includes(amount)) return null;
    return `its total is ${roublesOf(amount)} ₽, and the lines above make ${roublesOf(this.#above.sum - this.#above.refunds)} ₽`;
  }
}

const SUMS = Object.keys(amounts) as (keyof Payout)[];
const plus = (one: Payout, other: Payout): Payout => {
  const sums = SUMS.map((name) => {
    const [a, b] = [one[name], other[name]];
    return [name, a === null || b === null ? null : a + b];
  });
  return { ...one, ...Object.fromEntries(sums) };
};

/** The sum of the payouts of several files. */
export const totalOf = (files: readonly Payouts[]): Payout => files.map(({ total }) => total).reduce(plus);

/** The payouts of several files by payment method, the largest sum first. */
export function methodsOf(files: readonly Payouts[]): MethodPayout[] {
  const byMethod = Map.groupBy(
    files.flatMap(({ methods }) => methods),
    ({ method }) => method,
  );
  const added = [...byMethod].map(([method, its]) => {
    const count = its.reduce((all, each) => all + each.count, 0);
    return { method, count, ...its.map(({ method: _method, count: _count, ...sums }) => sums).reduce(plus) };
  });
  return added.sort((one, other) => other.sum - one.sum);
}
