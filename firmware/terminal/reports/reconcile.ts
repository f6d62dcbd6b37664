/** A bank's registry laid beside the ledgers: what the two say differently, each in a sentence that a person can act on. */
import { setImmediate as breath } from 'node:timers/promises';
import { roublesOf } from '../../../drivers/lib/money.ts';
import { TerminalError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import type { PaymentSearch } from '../ledger/payment-search.ts';
import { isGivenBack } from '../payments/payment-failures.ts';
import type { Refund } from '../refunds/refund.ts';
import type { RefundLedger } from '../refunds/refund-ledger.ts';
import type { RegistryEntry } from './registry-entries.ts';
import type { UnreadableLine } from './registry-file.ts';

/** Payments of the ledger that are compared with one registry. */
const MOST_COMPARED = 100_000;
/** What is read of the ledger between two breaths of the event loop. */
const PAYMENTS_A_PIECE = 50;
/** Where there are more, the wrong days, profile or columns were named, and no person reads them all. */
const MOST_NAMED = 10_000;

export const DIFFERENCES = Object.freeze([
  'not-in-ledger',
  'not-accepted',
  'not-in-registry',
  'other-amount',
  'refund-not-in-ledger',
  'refund-not-in-registry',
  'duplicate-line',
  'unreadable-line',
] as const);

export interface Difference {
  readonly kind: (typeof DIFFERENCES)[number];
  /** Of the registry. */
  readonly line: number | null;
  /** Order id of the payment. */
  readonly payment: string | null;
  /** The till's id of the refund. */
  readonly refund: string | null;
  /** Kopecks, by the registry. */
  readonly registry: number | null;
  /** Kopecks, by the ledger. */
  readonly ledger: number | null;
  readonly sentence: string;
}

export interface Reconciliation {
  /** Lines of the registry that agree with the ledgers. */
  readonly payments: number;
  readonly refunds: number;
  /** The first of them; unreadable lines in front. */
  readonly differences: readonly Difference[];
  /** How many more there are. */
  readonly more: number;
}

export interface ReconciledBooks {
  readonly ledger: Pick<Ledger, 'find' | 'search' | 'takenBetween'>;
  readonly refunds: Pick<RefundLedger, 'of' | 'doneBetween'>;
}

export interface ReconciledRange {
  /** ms since 1970; the second moment is excluded. */
  readonly from: number;
  readonly to: number;
  /** Only what was paid with this profile is looked for in the registry; null: all. */
  readonly profile: string | null;
}

const roubles = (kopecks: number): string => `${roublesOf(kopecks)} ₽`;
const BLANK = { line: null, payment: null, refund: null, registry: null, ledger: null };
const OTHER_DAY = 'it may stand in the registry of the day before or after; else ask the bank';

class Comparison {
  readonly #books: ReconciledBooks;
  readonly #paid = new Map<string, number>();
  readonly #returned = new Map<number, number>();
  readonly #givenBack = new Set<string>();
  readonly #unreadable: Difference[] = [];
  readonly #differences: Difference[] = [];
  #payments = 0;
  #refunds = 0;

  constructor(books: ReconciledBooks) {
    this.#books = books;
  }

  get outcome(): Reconciliation {
    const all = [...this.#unreadable, ...this.#differences];
    const differences = all.slice(0, MOST_NAMED);
    return { payments: this.#payments, refunds: this.#refunds, differences, more: all.length - differences.length };
  }

  take(entry: RegistryEntry | UnreadableLine): void {
    if ('reason' in entry) this.#takeUnreadable(entry);
    else {
      const payment = this.#paymentOf(entry);
      if (payment === null) this.#unknown(entry);
      else if (entry.isRefund) this.#takeRefund(entry, payment);
      else this.#takePayment(entry, payment);
    }
  }

  /** What the ledgers have and no line has named. */
  addMissingPayments(payments: readonly PaymentRow[]): void {
    for (const { orderId, amount, id } of payments.filter((each) => !this.#paid.has(each.orderId))) {
      const sentence = `payment ${id} of ${roubles(amount)} is ACCEPTED in the ledger, and not in the registry: ${OTHER_DAY}`;
      this.#add('not-in-registry', { payment: orderId, ledger: amount, sentence });
    }
  }

  addMissingRefunds(refunds: readonly Refund[]): void {
    for (const { orderId, tillId, amount, id } of refunds.filter((each) => !this.#returned.has(each.id))) {
      const sentence = `refund "${tillId}" (${id}) of ${roubles(amount)} is done in the ledger, and not in the registry: ${OTHER_DAY}`;
      this.#add('refund-not-in-registry', { payment: orderId, refund: tillId, ledger: amount, sentence });
    }
  }

  #takeUnreadable({ line, reason }: UnreadableLine): void {
    const sentence = `line ${line} cannot be read: ${reason}. Look at it by hand`;
    this.#unreadable.push({ ...BLANK, kind: 'unreadable-line', line, sentence });
  }

  /**
   * Finds the payment of a line by our order id where the line has one, else by a transaction or a code that only one
   * payment has. The code does not count where the order id names another payment, nor where it is printed and many
   * payments have it.
   */
  #paymentOf({ order, bank, transaction }: RegistryEntry): PaymentRow | null {
    const { ledger } = this.#books;
    const only = (wanted: PaymentSearch): PaymentRow | null => {
      const { payments } = ledger.search(wanted, Number.MAX_SAFE_INTEGER, 2);
      return payments.length === 1 ? (payments[0] ?? null) : null;
    };
    if (order !== null) return ledger.find(order);
    const ofTransaction = transaction === null ? null : only({ trxId: transaction });
    return ofTransaction ?? (bank === null ? null : only({ qrcId: bank }));
  }

  #takePayment({ line, amount }: RegistryEntry, payment: PaymentRow): void {
    const { orderId, id } = payment;
    const about = { line, payment: orderId, registry: amount, ledger: payment.amount };
    const before = this.#paid.get(orderId);
    if (before !== undefined) {
      const sentence = `line ${line} names payment ${id} again, after line ${before}: ask the bank whether it was charged twice`;
      this.#add('duplicate-line', { ...about, sentence });
      return;
    }
    this.#paid.set(orderId, line);
    const { state } = payment.status;
    if (state !== 'ACCEPTED') {
      const sentence = `line ${line}: payment ${id} of ${roubles(amount)} was paid by the registry, and is ${state} in the ledger: find the sale, and hand the goods out or refund it`;
      this.#add('not-accepted', { ...about, sentence });
      return;
    }
    if (payment.amount !== amount) {
      const sentence = `line ${line}: payment ${id} is ${roubles(amount)} in the registry and ${roubles(payment.amount)} in the ledger: ask the bank`;
      this.#add('other-amount', { ...about, sentence });
      return;
    }
    this.#payments += 1;
  }

  #takeRefund(entry: RegistryEntry, payment: PaymentRow): void {
    const { line, amount } = entry;
    const { orderId, id } = payment;
    const meant = this.#meant(entry, orderId);
    if (meant.length === 0 && isGivenBack(payment.status) && amount === payment.refunded) {
      this.#takeGivenBack(line, payment);
      return;
    }
    const refund = meant.find((each) => !this.#returned.has(each.id));
    const about = { line, payment: orderId, refund: refund?.tillId ?? null, registry: amount };
    if (refund === undefined) {
      if (meant.length > 0) {
        this.#addRefundTwice(line, payment, amount);
        return;
      }
      const sentence = `line ${line}: a refund of ${roubles(amount)} of payment ${id} is not in the ledger as done: was it made in the account at the bank?`;
      this.#add('refund-not-in-ledger', { ...about, sentence });
      return;
    }
    this.#returned.set(refund.id, line);
    if (refund.amount !== amount) {
      const sentence = `line ${line}: refund "${refund.tillId}" is ${roubles(amount)} in the registry and ${roubles(refund.amount)} in the ledger: ask the bank`;
      this.#add('other-amount', { ...about, ledger: refund.amount, sentence });
      return;
    }
    this.#refunds += 1;
  }

  /** What a cancellation gave back, which is no refund of the ledger. */
  #takeGivenBack(line: number, payment: PaymentRow): void {
    if (this.#givenBack.has(payment.orderId)) this.#addRefundTwice(line, payment, payment.refunded);
    else this.#refunds += 1;
    this.#givenBack.add(payment.orderId);
  }

  #addRefundTwice(line: number, { orderId, id }: PaymentRow, amount: number): void {
    const sentence = `line ${line} names a refund of payment ${id} again: ask the bank whether it was made twice`;
    this.#add('duplicate-line', { line, payment: orderId, registry: amount, sentence });
  }

  /**
   * The refunds that a line may mean, which are done: by its id where that is ours or one that the bank gave, else by its
   * amount. Of a refund without an id of the bank, the line's may be it.
   */
  #meant({ refund: id, amount }: RegistryEntry, orderId: string): Refund[] {
    const all = this.#books.refunds.of(orderId);
    const named = all.filter((each) => id !== null && [each.refundId, each.bankRefundId].includes(id));
    const isAlike = (each: Refund): boolean => each.amount === amount && (id === null || each.bankRefundId === null);
    return (named.length > 0 ? named : all.filter(isAlike)).filter(({ state }) => state === 'done');
  }

  #unknown({ line, isRefund, amount, order, bank, transaction }: RegistryEntry): void {
    const id = order ?? bank ?? transaction;
    const what = isRefund ? `a refund of ${roubles(amount)} for` : `a payment of ${roubles(amount)},`;
    const sentence = `line ${line}: ${what} "${id}" is not in this ledger: it may be another device's; else ask the bank`;
    this.#add(isRefund ? 'refund-not-in-ledger' : 'not-in-ledger', { line, registry: amount, sentence });
  }

  #add(kind: Difference['kind'], difference: Partial<Difference> & Pick<Difference, 'sentence'>): void {
    this.#differences.push({ ...BLANK, ...difference, kind });
  }
}

/**
 * Payments go on meanwhile: it is done in pieces of a few milliseconds.
 * @throws {TerminalError} 400 for a range with more payments than are compared at once, and for what `entries` throws
 */
export async function reconcile(
  books: ReconciledBooks,
  entries: AsyncIterable<RegistryEntry | UnreadableLine>,
  { from, to, profile }: ReconciledRange,
): Promise<Reconciliation> {
  const mine = (each: { readonly profile: string }): boolean => profile === null || each.profile === profile;
  const comparison = new Comparison(books);
  for await (const entry of entries) comparison.take(entry);
  let compared = 0;
  for (let last: PaymentRow | undefined | null = null; last !== undefined; ) {
    const piece: PaymentRow[] = books.ledger.takenBetween(from, to, PAYMENTS_A_PIECE, last);
    comparison.addMissingPayments(piece.filter(mine));
    compared += piece.length;
    if (compared > MOST_COMPARED) {
      throw TerminalError.invalid('to', `must be nearer to from: more than ${MOST_COMPARED} payments lie between them`);
    }
    last = piece.at(-1);
    await breath();
  }
  comparison.addMissingRefunds(books.refunds.doneBetween(from, to).filter(mine));
  return comparison.outcome;
}
