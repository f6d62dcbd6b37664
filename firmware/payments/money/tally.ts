/** The sums of the payments of a day or a shift, grouped by all that reports distinguish. */
import type { PaymentMethod } from '../../banks/index.ts';
import { changedWhere, type Values } from '../../core/book/index.ts';
import { isUndecided } from '../model/payment.ts';
import type { PaymentRow } from '../model/payment-row.ts';

const HOUR_MS = 3_600_000;

/** A number of payments, and their sum in kopecks. */
export interface Amount {
  readonly count: number;
  readonly sum: number;
}

/**
 * The kind of a payment in a sum. `open`: it may still be paid, or may have been. `notFollowed`: a static code, of which
 * only the bank knows whether it was paid.
 */
export type Kind = 'accepted' | 'open' | 'notFollowed';

/** What the payments of one sum have in common. */
interface Common extends Pick<PaymentRow, 'profile' | 'bank' | 'merchant' | 'till' | 'cashier' | 'shift'> {
  readonly kind: Kind;
  readonly method: PaymentMethod;
  /** The hour of the day, the first is 0; 0 in a shift. */
  readonly hour: number;
}

/** The sum of all payments that agree in `Common`. */
export interface Group extends Common, Amount {
  /** How many of them a person must look into. */
  readonly late: number;
  /** Without a receipt and not all gone back, at tills that print them. */
  readonly withoutReceipt: Amount;
}

/** Payments that are counted together: of a day, or of a shift. */
export interface Span {
  /** Unique among spans. */
  readonly name: string;
  /** SQL condition that an index answers. It may hold for more rows than those of the span: `kindOf` gives null for these. */
  readonly which: string;
  readonly values: Values;
  /** Null where the payment does not count in this span. */
  kindOf(payment: PaymentRow): Kind | null;
  hourOf(payment: PaymentRow): number;
  /** Whether money of the payment has gone back: reports compare such payments with the refunds. */
  isReturned(payment: PaymentRow): boolean;
  /** Whether an accepted payment stays in the span. Only then the tally records its first and last number. */
  readonly isLasting: boolean;
  /** Whether the payment was asked for in an earlier shift. */
  isEarlier(payment: PaymentRow): boolean;
}

const acceptedAt = ({ paidAt, endedAt }: PaymentRow): number => paidAt ?? endedAt ?? Number.NaN;

/** The condition of payments accepted between two timestamps. */
export const ACCEPTED_BETWEEN = `state = 'ACCEPTED' AND coalesce(paid_at, ended_at) >= :from AND coalesce(paid_at, ended_at) < :to`;

/** @param from ms since 1970, as `to`, which is excluded */
export function daySpan({ from, to }: { readonly from: number; readonly to: number }): Span {
  const isWithin = (timestamp: number): boolean => timestamp >= from && timestamp < to;
  const isAccepted = (payment: PaymentRow): boolean =>
    payment.status.state === 'ACCEPTED' && isWithin(acceptedAt(payment));
  return {
    name: `the day from ${from} to ${to}`,
    which: `id IN (SELECT id FROM payments WHERE ${ACCEPTED_BETWEEN}
      UNION SELECT id FROM payments WHERE created_at >= :from AND created_at < :to)`,
    values: { from, to },
    kindOf(payment) {
      const { status, createdAt, settled } = payment;
      if (status.state === 'ACCEPTED') return isAccepted(payment) ? 'accepted' : null;
      if (!isWithin(createdAt)) return null;
      if (status.state === 'STATIC') return 'notFollowed';
      // a drawing that broke off, or an activation without an answer: the bank may still have the payment
      const isOpen = status.state === 'PENDING' || (status.state === 'ERROR' && !settled && isUndecided(status));
      return isOpen ? 'open' : null;
    },
    hourOf: (payment) =>
      Math.floor(((payment.status.state === 'ACCEPTED' ? acceptedAt(payment) : payment.createdAt) - from) / HOUR_MS),
    isReturned: (payment) => payment.refunded > 0 && isAccepted(payment),
    isLasting: false, // the bank may report the time of payment later, and that may be of another day
    isEarlier: () => false,
  };
}

/** @param sinceChange number of the last commit before it was opened: its rows have changed since */
export function shiftSpan(open: { readonly number: number; readonly sinceChange: number }): Span {
  const isOf = ({ status, shift }: PaymentRow): boolean => status.state === 'ACCEPTED' && shift === open.number;
  return {
    name: `shift ${open.number} behind change ${open.sinceChange}`,
    which: changedWhere('payments', 'change_no > :since'),
    values: { since: open.sinceChange },
    kindOf: (payment) => (isOf(payment) ? 'accepted' : null),
    hourOf: () => 0,
    isReturned: ({ refunded }) => refunded > 0, // of whichever shift: it has gone back in this one
    isLasting: true,
    isEarlier: (payment) => isOf(payment) && payment.askedShift !== null && payment.askedShift < open.number,
  };
}

type Counting = { -readonly [Name in keyof Group]: Group[Name] };

const added = (one: Amount, other: Amount, sign: number): Amount => ({
  count: one.count + sign * other.count,
  sum: one.sum + sign * other.sum,
});

export class Tally {
  readonly span: Span;
  /** Number of the first payment of a till with a receipt; null for none. */
  readonly #printedFrom: (till: string | null) => number | null;
  readonly #groups = new Map<string, Counting>();
  readonly #returned = new Set<string>();
  readonly #earlier = new Set<string>();
  /** Lowest and highest number of an accepted payment, in a span that is lasting; 0 for none. */
  #first = 0;
  #last = 0;
  /** Grows with each payment added of which money has gone back: tells a reader that `returned` may have changed. */
  #returns = 0;

  constructor(span: Span, printedFrom: (till: string | null) => number | null) {
    this.span = span;
    this.#printedFrom = printedFrom;
  }

  /** The sums, sorted by what their payments have in common. */
  get groups(): readonly Group[] {
    return [...this.#groups.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
  }

  /** Order ids of the payments of which money has gone back. */
  get returned(): readonly string[] {
    return [...this.#returned];
  }

  get returns(): number {
    return this.#returns;
  }

  /** Order ids of the payments that were asked for in an earlier shift. */
  get earlier(): readonly string[] {
    return [...this.#earlier];
  }

  get first(): number {
    return this.#first;
  }

  get last(): number {
    return this.#last;
  }

  /** All sums, to compare two tallies. */
  get contents(): unknown {
    return [this.groups, this.returned.toSorted(), this.earlier.toSorted(), this.#first, this.#last];
  }

  add(payment: PaymentRow): void {
    const kind = this.#count(payment, 1);
    if (this.span.isEarlier(payment)) this.#earlier.add(payment.orderId);
    if (this.span.isReturned(payment)) this.#returned.add(payment.orderId);
    if (payment.refunded > 0) this.#returns += 1;
    if (kind !== 'accepted' || !this.span.isLasting) return;
    this.#first = this.#first === 0 ? payment.id : Math.min(this.#first, payment.id);
    this.#last = Math.max(this.#last, payment.id);
  }

  /** Removes a payment, given as it was when it was added. */
  remove(payment: PaymentRow): void {
    this.#count(payment, -1);
    this.#earlier.delete(payment.orderId);
    this.#returned.delete(payment.orderId);
  }

  #count(payment: PaymentRow, sign: 1 | -1): Kind | null {
    const { span } = this;
    const kind = span.kindOf(payment);
    if (kind === null) return null;
    const { profile, bank, merchant, till, cashier, shift, amount, paidBy } = payment;
    const hour = span.hourOf(payment);
    const of: Common = {
      kind,
      profile,
      bank,
      merchant,
      till,
      cashier,
      shift,
      hour,
      method: paidBy?.method ?? 'unknown',
    };
    const key = JSON.stringify(Object.values(of));
    const group = this.#groups.get(key) ?? { ...of, count: 0, sum: 0, late: 0, withoutReceipt: { count: 0, sum: 0 } };
    const one = { count: 1, sum: amount };
    Object.assign(group, added(group, one, sign));
    if (payment.status.late) group.late += sign;
    if (this.#lacksReceipt(payment)) group.withoutReceipt = added(group.withoutReceipt, one, sign);
    if (group.count === 0) this.#groups.delete(key);
    else this.#groups.set(key, group);
    return kind;
  }

  /** Payments lack a receipt only after the first receipt of their till: a till that never prints one lacks none. */
  #lacksReceipt({ id, till, status, receiptAt, refunded, amount }: PaymentRow): boolean {
    if (status.state !== 'ACCEPTED' || receiptAt !== null || refunded >= amount) return false;
    const from = this.#printedFrom(till);
    return from !== null && from < id;
  }
}
