/** Compares the lines of registries with the ledgers, and words each difference as a sentence that says what to do. */
import { roublesOf } from '../../../drivers/lib/money.ts';
import type { PaymentMethod } from '../../banks/index.ts';
import {
  type ComparedPayment,
  type ComparedRefund,
  dayInZone,
  isGivenBack,
  type ReconciledBooks,
} from '../../payments/index.ts';
import { CountedLines } from './counted-lines.ts';
import { DayRanges } from './day-ranges.ts';
import {
  type Difference,
  Differences,
  type LaneState,
  type LanesOfStore,
  momentOf,
  type Reconciliation,
} from './differences.ts';
import type { Payouts } from './payouts.ts';
import { folded, NamedPayments } from './reconciled-books.ts';
import type { RegistryLine } from './registry-entries.ts';
import type { RegistryEntry, UnknownOperation } from './registry-line.ts';

const roubles = (kopecks: number): string => `${roublesOf(kopecks)} ₽`;
const OTHER_DAY = 'it may stand in the registry of the day before or after; else ask the bank';

/** A key that is unique over all ledgers: order ids are unique in one ledger only. */
const keyOf = ({ lane, orderId }: Pick<ComparedPayment, 'lane' | 'orderId'>): string => `${lane} ${orderId}`;
const refundKeyOf = ({ lane, id }: Pick<ComparedRefund, 'lane' | 'id'>): string => `${lane} ${id}`;

/** A registry to compare. */
export interface RegistrySource {
  readonly entries: AsyncIterable<RegistryLine>;
  /** Sums up the lines. */
  readonly counts: Pick<Payouts, 'count' | 'countOther'>;
  /** Payment method of lines that name none; null: that of the payment in the ledger. */
  readonly method: PaymentMethod | null;
  /** Time zone of the registry's days. */
  readonly timeZone: string;
}

/** A name of the payment of a line, the same in each file: the payment's key, else an id of the bank. */
const nameOf = (entry: RegistryEntry | UnknownOperation, payment: ComparedPayment | null): string =>
  payment === null ? folded(entry.order ?? entry.bank ?? entry.transaction ?? '') : keyOf(payment);

/** Compares the lines of the registries with the ledgers, and remembers which payments and refunds they name. */
export class Comparison {
  readonly #days = new DayRanges();
  #zone = '';
  readonly #payments: NamedPayments;
  readonly #store: LanesOfStore;
  readonly #differences: Differences;
  /** The line that has named each payment, by the payment's key. */
  readonly #paid = new Map<string, string>();
  /** Keys of refunds that a line names. */
  readonly #returned = new Set<string>();
  /** Keys of payments whose cancellation a line names. */
  readonly #givenBack = new Set<string>();
  /** Keys of payments of which a line names a refund. */
  readonly #withRefund = new Set<string>();
  /** Number of the file that has named an operation first. */
  readonly #operations = new Map<string, number>();
  /** The operations that were counted. */
  readonly #counted = new CountedLines();

  constructor(books: readonly ReconciledBooks[], store: LanesOfStore) {
    this.#payments = new NamedPayments(books);
    this.#store = store;
    this.#differences = new Differences(store);
  }

  get outcome(): Reconciliation {
    return this.#differences.outcome;
  }

  async read({ entries, counts, method, timeZone }: RegistrySource): Promise<void> {
    this.#zone = timeZone;
    this.#differences.beginFile();
    this.#counted.beginFile();
    for await (const entry of entries)
      if ('reason' in entry) this.#differences.addUnreadable(entry);
      else if ('unread' in entry) this.#differences.addUnreadCell(entry);
      else if ('operation' in entry) {
        const payment = this.#payments.paymentOf(entry);
        if (!this.#counted.has(nameOf(entry, payment), entry)) counts.countOther(entry);
        this.#addUnknown(entry);
      } else {
        const payment = this.#payments.paymentOf(entry);
        if (this.#isOfOtherFile(entry, payment)) continue;
        if (!this.#counted.has(nameOf(entry, payment), entry))
          counts.count(entry, entry.method ?? method ?? payment?.method ?? 'unknown');
        if (payment === null) this.#unknown(entry);
        else if (entry.isRefund) this.#compareRefund(entry, payment);
        else this.#comparePayment(entry, payment);
      }
  }

  /**
   * Whether an earlier file has the same operation, by its id: two files, such as a registry and a statement, may both
   * have it.
   */
  #isOfOtherFile({ isRefund, refund, transaction, amount }: RegistryEntry, payment: ComparedPayment | null): boolean {
    const id = (isRefund ? refund : null) ?? transaction;
    if (id === null) return false;
    const key = JSON.stringify([folded(id), isRefund, amount, payment && keyOf(payment)]);
    const first = this.#operations.get(key) ?? this.#differences.file;
    this.#operations.set(key, first);
    return first !== this.#differences.file;
  }

  /** Adds accepted payments that no line names as differences; payments in test mode are only counted. */
  addMissingPayments(payments: readonly ComparedPayment[]): void {
    for (const payment of payments.filter((each) => !this.#paid.has(keyOf(each)))) {
      const { orderId, amount, lane, isTest } = payment;
      if (isTest) {
        this.#differences.addTest(amount);
        continue;
      }
      const sentence = `payment ${this.#nameOf(payment)} of ${roubles(amount)} is ACCEPTED in the ledger, and not in the registry: ${OTHER_DAY}`;
      this.#differences.add('not-in-registry', { payment: orderId, ledger: amount, lane, sentence });
    }
  }

  /**
   * Adds cancellations that the registry lacks although it has the payment. A registry without either is right: nothing
   * is to be paid.
   */
  addMissingReturns(payments: readonly ComparedPayment[]): void {
    for (const payment of payments) {
      const key = keyOf(payment);
      if (!isGivenBack(payment.status) || !this.#paid.has(key) || this.#withRefund.has(key)) continue;
      const { orderId, refunded, lane } = payment;
      const sentence = `payment ${this.#nameOf(payment)} was cancelled and ${roubles(refunded)} given back by the ledger, and no refund of it is in the registry: ${OTHER_DAY}`;
      this.#differences.add('refund-not-in-registry', { payment: orderId, ledger: refunded, lane, sentence });
    }
  }

  addMissingRefunds(refunds: readonly ComparedRefund[]): void {
    for (const refund of refunds.filter((each) => !this.#returned.has(refundKeyOf(each)))) {
      const { orderId, tillId, amount, lane } = refund;
      if (this.#payments.find(orderId)?.isTest) continue;
      const sentence = `refund "${tillId}" (${this.#nameOf(refund)}) of ${roubles(amount)} is done in the ledger, and not in the registry: ${OTHER_DAY}`;
      this.#differences.add('refund-not-in-registry', {
        payment: orderId,
        refund: tillId,
        ledger: amount,
        lane,
        sentence,
      });
    }
  }

  #comparePayment(entry: RegistryEntry, payment: ComparedPayment): void {
    const { line, amount } = entry;
    const { orderId, lane } = payment;
    const id = this.#nameOf(payment);
    const about = { line, payment: orderId, registry: amount, ledger: payment.amount, lane };
    const before = this.#paid.get(keyOf(payment));
    if (before !== undefined) {
      const sentence = `${this.#differences.where(line)} names payment ${id} again, after ${before}: ask the bank whether it was charged twice${this.#differences.file > 1 ? ', or whether both files have it' : ''}`;
      this.#differences.add('duplicate-line', { ...about, sentence });
      return;
    }
    this.#paid.set(keyOf(payment), this.#differences.where(line));
    const { state } = payment.status;
    if (state !== 'ACCEPTED') {
      const sentence = `${this.#differences.where(line)}: payment ${id} of ${roubles(amount)} was paid by the registry, and is ${state} in the ledger: find the sale, and hand the goods out or refund it`;
      this.#differences.add('not-accepted', { ...about, sentence });
      return;
    }
    if (payment.amount !== amount) {
      const sentence = `${this.#differences.where(line)}: payment ${id} is ${roubles(amount)} in the registry and ${roubles(payment.amount)} in the ledger: ask the bank`;
      this.#differences.add('other-amount', { ...about, sentence });
      return;
    }
    if (this.#isOfAnother(entry, payment, about) || this.#isOfOtherDay(entry, `payment ${id}`, payment, about)) return;
    this.#differences.agreeOnPayment(lane, amount);
  }

  #compareRefund(entry: RegistryEntry, payment: ComparedPayment): void {
    const { line, amount } = entry;
    const { orderId, lane } = payment;
    const id = this.#nameOf(payment);
    const candidates = this.#payments.refundsMeant(entry, payment);
    this.#withRefund.add(keyOf(payment));
    if (candidates.length === 0 && isGivenBack(payment.status) && amount === payment.refunded) {
      this.#compareCancellation(entry, payment);
      return;
    }
    const refund = candidates.find((each) => !this.#returned.has(refundKeyOf(each)));
    const about = { line, payment: orderId, refund: refund?.tillId ?? null, registry: amount, lane };
    if (refund === undefined) {
      if (candidates.length > 0) {
        this.#addRefundTwice(line, payment, amount);
        return;
      }
      const sentence = `${this.#differences.where(line)}: a refund of ${roubles(amount)} of payment ${id} is not in the ledger as done: was it made in the account at the bank?`;
      this.#differences.add('refund-not-in-ledger', { ...about, sentence });
      return;
    }
    this.#returned.add(refundKeyOf(refund));
    if (refund.amount !== amount) {
      const sentence = `${this.#differences.where(line)}: refund "${refund.tillId}" is ${roubles(amount)} in the registry and ${roubles(refund.amount)} in the ledger: ask the bank`;
      this.#differences.add('other-amount', { ...about, ledger: refund.amount, sentence });
      return;
    }
    const both = { ...about, ledger: refund.amount };
    if (this.#isOfAnother(entry, payment, both)) return;
    if (this.#isOfOtherDay(entry, `refund "${refund.tillId}"`, refund, both)) return;
    this.#differences.agreeOnRefund(lane, amount);
  }

  /** Compares a refund line with a cancellation, which is no refund in the ledger. */
  #compareCancellation(entry: RegistryEntry, payment: ComparedPayment): void {
    const { line, amount } = entry;
    const { orderId, lane, refunded } = payment;
    const isAgain = this.#givenBack.has(keyOf(payment));
    this.#givenBack.add(keyOf(payment));
    if (isAgain) this.#addRefundTwice(line, payment, refunded);
    else if (!this.#isOfAnother(entry, payment, { line, payment: orderId, registry: amount, ledger: refunded, lane }))
      this.#differences.agreeOnRefund(lane, refunded);
  }

  /** Whether a line that names this payment has the code or operation of another payment; adds that as a difference. */
  #isOfAnother(entry: RegistryEntry, payment: ComparedPayment, about: Partial<Difference>): boolean {
    const names = [entry.order, entry.transaction, entry.bank].filter((name) => name !== null);
    const other = names.length < 2 ? null : this.#payments.otherOf(entry, payment);
    if (other === null) return false;
    const id = this.#nameOf(payment);
    const sentence = `${this.#differences.where(entry.line)} names payment ${id}, and has the code or operation of payment ${this.#nameOf(other)}: ask the bank which of them it is`;
    this.#differences.add('other-payment', { ...about, sentence });
    return true;
  }

  /**
   * Whether the line has a day that cannot be right; adds that as a difference.
   * @param what the payment or refund, for the sentence
   */
  #isOfOtherDay(
    { line, day }: RegistryEntry,
    what: string,
    moments: Pick<ComparedPayment, 'createdAt' | 'at'>,
    about: Partial<Difference>,
  ): boolean {
    if (day === null || moments.at === null || !this.#days.isOther(day, this.#zone, moments)) return false;
    const own = dayInZone(moments.at, this.#zone);
    const sentence = `${this.#differences.where(line)}: ${what} is of ${day} in the registry and of ${own} in the ledger: ask the bank, and look whether the clock of the device was right`;
    this.#differences.add('other-day', { ...about, sentence });
    return true;
  }

  #addRefundTwice(line: number, payment: ComparedPayment, amount: number): void {
    const { orderId, lane } = payment;
    const id = this.#nameOf(payment);
    const sentence = `${this.#differences.where(line)} names a refund of payment ${id} again: ask the bank whether it was made twice`;
    this.#differences.add('duplicate-line', { line, payment: orderId, registry: amount, lane, sentence });
  }

  /** The payment's number; in a store, with its lane. */
  #nameOf({ id, lane }: Pick<ComparedPayment, 'id' | 'lane'>): string {
    return this.#store.lanes.length > 1 ? `${id} of lane ${lane}` : String(id);
  }

  #addUnknown(entry: UnknownOperation): void {
    const { line, operation, amount } = entry;
    const payment = this.#payments.paymentOf(entry);
    const about = payment === null ? '' : ` for payment ${this.#nameOf(payment)}`;
    const sentence = `${this.#differences.where(line)}: "${operation}" of ${roubles(amount)}${about} is neither a sale nor a refund that this device knows: look at it by hand; if it is one, say so in "operations"`;
    const [orderId, lane] = [payment?.orderId ?? null, payment?.lane ?? null];
    this.#differences.addUnknown({ line, payment: orderId, registry: amount, operation, lane, sentence });
  }

  #unknown({ line, isRefund, amount, order, bank, transaction }: RegistryEntry): void {
    const id = order ?? bank ?? transaction;
    const what = isRefund ? `a refund of ${roubles(amount)} for` : `a payment of ${roubles(amount)},`;
    const missing = this.#store.lanes.filter((each) => each.isMissing);
    const kind = isRefund ? 'refund-not-in-ledger' : 'not-in-ledger';
    const sentence = `${this.#differences.where(line)}: ${what} "${id}" ${this.#whereElse(missing)}`;
    this.#differences.add(missing.length > 0 ? 'lane-missing' : kind, { line, registry: amount, sentence });
  }

  #whereElse(missing: readonly LaneState[]): string {
    const { lanes, master } = this.#store;
    if (missing.length > 0) {
      const named = missing.map(({ lane, reportedAt }) => `${lane} (last report: ${momentOf(reportedAt)})`);
      return `may be of a lane whose payments may be missing here: ${named.join(', ')}. Reconcile again when it has reported`;
    }
    if (master !== null) return `is not in this ledger: reconcile at ${master}, the master of the store`;
    if (lanes.length > 1) return 'is in no ledger of the store: ask the bank';
    return "is not in this ledger: it may be another device's; else ask the bank";
  }
}
