/** Compares a bank's registry with the ledgers, and states each difference in a sentence that a person can act on. */

import { roublesOf } from '../../../drivers/lib/money.ts';
import { nextTurn } from '../../../drivers/lib/turns.ts';
import type { PaymentMethod } from '../../banks/index.ts';
import {
  type ComparedPayment,
  type ComparedRefund,
  dayInZone,
  isGivenBack,
  type LocalDay,
  type ReconciledBooks,
  TerminalError,
  zoneDay,
} from '../../payments/index.ts';
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

/**
 * A line may say the day before or after so near to its end: the zones of Russia lie ten hours apart, and the day of a bank
 * may end in the evening.
 */
const NEAR_MIDNIGHT_MS = 12 * 3_600_000;
/** Of a payment of another lane it is not known when it was asked for; it may have learned so late that it was paid. */
const LEARNED_WITHIN_MS = 48 * 3_600_000;
/** Most payments of the ledgers compared with one registry. */
const MOST_COMPARED = 100_000;
/** Payments read in one turn of the event loop. */
const PAYMENTS_A_PIECE = 50;
interface ReconciledRange {
  /** ms since 1970; the second timestamp is excluded. */
  readonly from: number;
  readonly to: number;
  /** Expects only payments of this profile in the registry; null: all. */
  readonly profile: string | null;
}

const roubles = (kopecks: number): string => `${roublesOf(kopecks)} ₽`;
const OTHER_DAY = 'it may stand in the registry of the day before or after; else ask the bank';

/** A key over all ledgers: order ids and numbers belong to one ledger. */
const keyOf = ({ lane, orderId }: Pick<ComparedPayment, 'lane' | 'orderId'>): string => `${lane} ${orderId}`;
const refundKeyOf = ({ lane, id }: Pick<ComparedRefund, 'lane' | 'id'>): string => `${lane} ${id}`;

/** A registry to compare. */
export interface Source {
  readonly entries: AsyncIterable<RegistryLine>;
  /** Sums up its lines. */
  readonly counts: Pick<Payouts, 'count' | 'countOther'>;
  /** How a line was paid that does not say so; null: take the ledger's word. */
  readonly method: PaymentMethod | null;
  /** The time zone of its days. */
  readonly timeZone: string;
}

/** What a line is about, whichever file names it: the payment of a ledger, else the id by which the bank names it. */
const nameOf = (entry: RegistryEntry | UnknownOperation, payment: ComparedPayment | null): string =>
  payment === null ? folded(entry.order ?? entry.bank ?? entry.transaction ?? '') : keyOf(payment);

/**
 * Lines that were counted, file by file. Where one of two lines lacks the id of its operation, the same amount of the same
 * payment in two files is taken for one operation: a sum must not count it twice. Two lines with ids of their own are two.
 */
class CountedLines {
  readonly #ofFiles = new Map<string, (string | null)[]>();
  readonly #ofFile = new Map<string, (string | null)[]>();

  beginFile(): void {
    for (const [key, ids] of this.#ofFile) this.#ofFiles.set(key, [...(this.#ofFiles.get(key) ?? []), ...ids]);
    this.#ofFile.clear();
  }

  /** Whether a file before has it. Each of its lines stands for one of a later file. */
  has(name: string, entry: RegistryEntry | UnknownOperation): boolean {
    const { amount, transaction } = entry;
    const kind = 'operation' in entry ? folded(entry.operation) : entry.isRefund;
    const id = (('refund' in entry && entry.isRefund ? entry.refund : null) ?? transaction) || null;
    const key = JSON.stringify([name, kind, amount]);
    const known = this.#ofFiles.get(key) ?? [];
    const at = known.findIndex((each) => id === null || each === null || each === folded(id));
    if (at >= 0) known.splice(at, 1);
    else {
      const own = this.#ofFile.get(key) ?? []; // not a new list each time: a file may name one payment in all of its lines
      own.push(id === null ? null : folded(id));
      this.#ofFile.set(key, own);
    }
    return at >= 0;
  }
}

/** Days of registries, as ranges in ms since 1970: thousands of lines have the same few. */
class DayRanges {
  readonly #known = new Map<string, LocalDay>();

  /** Whether something that was asked for and done at these moments cannot be of this day. */
  isOther(day: string, zone: string, { createdAt, at }: Pick<ComparedPayment, 'createdAt' | 'at'>): boolean {
    if (at === null) return false;
    const key = `${zone} ${day}`;
    const range = this.#known.get(key) ?? zoneDay(day, zone);
    this.#known.set(key, range);
    const earliest = Math.min(createdAt ?? at - LEARNED_WITHIN_MS, at);
    return earliest - NEAR_MIDNIGHT_MS >= range.to || at + NEAR_MIDNIGHT_MS < range.from;
  }
}

class Comparison {
  readonly #days = new DayRanges();
  #zone = '';
  readonly #named: NamedPayments;
  readonly #store: LanesOfStore;
  readonly #found: Differences;
  /** The line that named each payment. */
  readonly #paid = new Map<string, string>();
  readonly #returned = new Set<string>();
  readonly #givenBack = new Set<string>();
  /** Payments of which a line names a refund. */
  readonly #withRefund = new Set<string>();
  /** The file that has named an operation first. */
  readonly #operations = new Map<string, number>();
  /** Counted lines of files before, and of this one, by what they say of which payment. */
  readonly #before = new CountedLines();

  constructor(books: readonly ReconciledBooks[], store: LanesOfStore) {
    this.#named = new NamedPayments(books);
    this.#store = store;
    this.#found = new Differences(store);
  }

  get outcome(): Reconciliation {
    return this.#found.outcome;
  }

  async read({ entries, counts, method, timeZone }: Source): Promise<void> {
    this.#zone = timeZone;
    this.#found.beginFile();
    this.#before.beginFile();
    for await (const entry of entries)
      if ('reason' in entry) this.#found.addUnreadable(entry);
      else if ('unread' in entry) this.#found.addUnreadCell(entry);
      else if ('operation' in entry) {
        const payment = this.#named.paymentOf(entry);
        if (!this.#before.has(nameOf(entry, payment), entry)) counts.countOther(entry);
        this.#takeUnknown(entry);
      } else {
        const payment = this.#named.paymentOf(entry);
        if (this.#isOfOtherFile(entry, payment)) continue;
        if (!this.#before.has(nameOf(entry, payment), entry))
          counts.count(entry, entry.method ?? method ?? payment?.method ?? 'unknown');
        if (payment === null) this.#unknown(entry);
        else if (entry.isRefund) this.#takeRefund(entry, payment);
        else this.#takePayment(entry, payment);
      }
  }

  /** Whether a line of an earlier file is the same operation, by its id: a registry and a statement may both have it. */
  #isOfOtherFile({ isRefund, refund, transaction, amount }: RegistryEntry, payment: ComparedPayment | null): boolean {
    const id = (isRefund ? refund : null) ?? transaction;
    if (id === null) return false;
    const key = JSON.stringify([folded(id), isRefund, amount, payment && keyOf(payment)]);
    const first = this.#operations.get(key) ?? this.#found.file;
    this.#operations.set(key, first);
    return first !== this.#found.file;
  }

  /** Adds the payments of the ledgers that no line names: each that moved money is a difference. */
  addMissingPayments(payments: readonly ComparedPayment[]): void {
    for (const payment of payments.filter((each) => !this.#paid.has(keyOf(each)))) {
      const { orderId, amount, lane, isTest } = payment;
      if (isTest) {
        this.#found.addTest(amount);
        continue;
      }
      const sentence = `payment ${this.#nameOf(payment)} of ${roubles(amount)} is ACCEPTED in the ledger, and not in the registry: ${OTHER_DAY}`;
      this.#found.add('not-in-registry', { payment: orderId, ledger: amount, lane, sentence });
    }
  }

  /** Adds cancellations that the registry lacks though it has the payment: a bank that leaves out both has nothing to pay. */
  addMissingReturns(payments: readonly ComparedPayment[]): void {
    for (const payment of payments) {
      const key = keyOf(payment);
      if (!isGivenBack(payment.status) || !this.#paid.has(key) || this.#withRefund.has(key)) continue;
      const { orderId, refunded, lane } = payment;
      const sentence = `payment ${this.#nameOf(payment)} was cancelled and ${roubles(refunded)} given back by the ledger, and no refund of it is in the registry: ${OTHER_DAY}`;
      this.#found.add('refund-not-in-registry', { payment: orderId, ledger: refunded, lane, sentence });
    }
  }

  addMissingRefunds(refunds: readonly ComparedRefund[]): void {
    for (const refund of refunds.filter((each) => !this.#returned.has(refundKeyOf(each)))) {
      const { orderId, tillId, amount, lane } = refund;
      if (this.#named.find(orderId)?.isTest) continue;
      const sentence = `refund "${tillId}" (${this.#nameOf(refund)}) of ${roubles(amount)} is done in the ledger, and not in the registry: ${OTHER_DAY}`;
      this.#found.add('refund-not-in-registry', { payment: orderId, refund: tillId, ledger: amount, lane, sentence });
    }
  }

  #takePayment(entry: RegistryEntry, payment: ComparedPayment): void {
    const { line, amount } = entry;
    const { orderId, lane } = payment;
    const id = this.#nameOf(payment);
    const about = { line, payment: orderId, registry: amount, ledger: payment.amount, lane };
    const before = this.#paid.get(keyOf(payment));
    if (before !== undefined) {
      const sentence = `${this.#found.where(line)} names payment ${id} again, after ${before}: ask the bank whether it was charged twice${this.#found.file > 1 ? ', or whether both files have it' : ''}`;
      this.#found.add('duplicate-line', { ...about, sentence });
      return;
    }
    this.#paid.set(keyOf(payment), this.#found.where(line));
    const { state } = payment.status;
    if (state !== 'ACCEPTED') {
      const sentence = `${this.#found.where(line)}: payment ${id} of ${roubles(amount)} was paid by the registry, and is ${state} in the ledger: find the sale, and hand the goods out or refund it`;
      this.#found.add('not-accepted', { ...about, sentence });
      return;
    }
    if (payment.amount !== amount) {
      const sentence = `${this.#found.where(line)}: payment ${id} is ${roubles(amount)} in the registry and ${roubles(payment.amount)} in the ledger: ask the bank`;
      this.#found.add('other-amount', { ...about, sentence });
      return;
    }
    if (this.#isOfAnother(entry, payment, about) || this.#isOfOtherDay(entry, `payment ${id}`, payment, about)) return;
    this.#found.agreeOnPayment(lane, amount);
  }

  #takeRefund(entry: RegistryEntry, payment: ComparedPayment): void {
    const { line, amount } = entry;
    const { orderId, lane } = payment;
    const id = this.#nameOf(payment);
    const meant = this.#named.refundsMeant(entry, payment);
    this.#withRefund.add(keyOf(payment));
    if (meant.length === 0 && isGivenBack(payment.status) && amount === payment.refunded) {
      this.#takeGivenBack(entry, payment);
      return;
    }
    const refund = meant.find((each) => !this.#returned.has(refundKeyOf(each)));
    const about = { line, payment: orderId, refund: refund?.tillId ?? null, registry: amount, lane };
    if (refund === undefined) {
      if (meant.length > 0) {
        this.#addRefundTwice(line, payment, amount);
        return;
      }
      const sentence = `${this.#found.where(line)}: a refund of ${roubles(amount)} of payment ${id} is not in the ledger as done: was it made in the account at the bank?`;
      this.#found.add('refund-not-in-ledger', { ...about, sentence });
      return;
    }
    this.#returned.add(refundKeyOf(refund));
    if (refund.amount !== amount) {
      const sentence = `${this.#found.where(line)}: refund "${refund.tillId}" is ${roubles(amount)} in the registry and ${roubles(refund.amount)} in the ledger: ask the bank`;
      this.#found.add('other-amount', { ...about, ledger: refund.amount, sentence });
      return;
    }
    const both = { ...about, ledger: refund.amount };
    if (this.#isOfAnother(entry, payment, both)) return;
    if (this.#isOfOtherDay(entry, `refund "${refund.tillId}"`, refund, both)) return;
    this.#found.agreeOnRefund(lane, amount);
  }

  /** Takes a line as money that a cancellation gave back, which is no refund of the ledger. */
  #takeGivenBack(entry: RegistryEntry, payment: ComparedPayment): void {
    const { line, amount } = entry;
    const { orderId, lane, refunded } = payment;
    const isAgain = this.#givenBack.has(keyOf(payment));
    this.#givenBack.add(keyOf(payment));
    if (isAgain) this.#addRefundTwice(line, payment, refunded);
    else if (!this.#isOfAnother(entry, payment, { line, payment: orderId, registry: amount, ledger: refunded, lane }))
      this.#found.agreeOnRefund(lane, refunded);
  }

  /** Whether a line that names this payment has the code or operation of another: that is then a difference. */
  #isOfAnother(entry: RegistryEntry, payment: ComparedPayment, about: Partial<Difference>): boolean {
    const names = [entry.order, entry.transaction, entry.bank].filter((name) => name !== null);
    const other = names.length < 2 ? null : this.#named.otherOf(entry, payment);
    if (other === null) return false;
    const id = this.#nameOf(payment);
    const sentence = `${this.#found.where(entry.line)} names payment ${id}, and has the code or operation of payment ${this.#nameOf(other)}: ask the bank which of them it is`;
    this.#found.add('other-payment', { ...about, sentence });
    return true;
  }

  /** @param what the payment or refund, as a sentence names it */
  #isOfOtherDay(
    { line, day }: RegistryEntry,
    what: string,
    moments: Pick<ComparedPayment, 'createdAt' | 'at'>,
    about: Partial<Difference>,
  ): boolean {
    if (day === null || moments.at === null || !this.#days.isOther(day, this.#zone, moments)) return false;
    const own = dayInZone(moments.at, this.#zone);
    const sentence = `${this.#found.where(line)}: ${what} is of ${day} in the registry and of ${own} in the ledger: ask the bank, and look whether the clock of the device was right`;
    this.#found.add('other-day', { ...about, sentence });
    return true;
  }

  #addRefundTwice(line: number, payment: ComparedPayment, amount: number): void {
    const { orderId, lane } = payment;
    const id = this.#nameOf(payment);
    const sentence = `${this.#found.where(line)} names a refund of payment ${id} again: ask the bank whether it was made twice`;
    this.#found.add('duplicate-line', { line, payment: orderId, registry: amount, lane, sentence });
  }

  /** The payment's number; in a store, with its lane. */
  #nameOf({ id, lane }: Pick<ComparedPayment, 'id' | 'lane'>): string {
    return this.#store.lanes.length > 1 ? `${id} of lane ${lane}` : String(id);
  }

  #takeUnknown(entry: UnknownOperation): void {
    const { line, operation, amount } = entry;
    const payment = this.#named.paymentOf(entry);
    const about = payment === null ? '' : ` for payment ${this.#nameOf(payment)}`;
    const sentence = `${this.#found.where(line)}: "${operation}" of ${roubles(amount)}${about} is neither a sale nor a refund that this device knows: look at it by hand; if it is one, say so in "operations"`;
    const [orderId, lane] = [payment?.orderId ?? null, payment?.lane ?? null];
    this.#found.addUnknown({ line, payment: orderId, registry: amount, operation, lane, sentence });
  }

  #unknown({ line, isRefund, amount, order, bank, transaction }: RegistryEntry): void {
    const id = order ?? bank ?? transaction;
    const what = isRefund ? `a refund of ${roubles(amount)} for` : `a payment of ${roubles(amount)},`;
    const missing = this.#store.lanes.filter((each) => each.isMissing);
    const kind = isRefund ? 'refund-not-in-ledger' : 'not-in-ledger';
    const sentence = `${this.#found.where(line)}: ${what} "${id}" ${this.#whereElse(missing)}`;
    this.#found.add(missing.length > 0 ? 'lane-missing' : kind, { line, registry: amount, sentence });
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

/**
 * Compares in pieces of a few milliseconds, as sales go on meanwhile.
 * @param books the ledgers of this device first, then of others
 * @param sources registries of one period, one after the other
 * @throws {TerminalError} 400 for a range with more payments than are compared at once, and the errors of `sources`
 */
export async function reconcile(
  books: readonly ReconciledBooks[],
  sources: AsyncIterable<Source>,
  { from, to, profile }: ReconciledRange,
  store: LanesOfStore,
): Promise<Reconciliation> {
  const mine = (each: { readonly profile: string }): boolean => profile === null || each.profile === profile;
  const comparison = new Comparison(books, store);
  for await (const source of sources) await comparison.read(source);
  let compared = 0;
  for (const each of books)
    for (let last: ComparedPayment | undefined | null = null; last !== undefined; ) {
      const piece: ComparedPayment[] = each.acceptedBetween(from, to, PAYMENTS_A_PIECE, last);
      comparison.addMissingPayments(piece.filter(mine));
      comparison.addMissingReturns(piece.filter(mine));
      compared += piece.length;
      if (compared > MOST_COMPARED) {
        throw TerminalError.invalid(
          'to',
          `must be nearer to from: more than ${MOST_COMPARED} payments lie between them`,
        );
      }
      last = piece.at(-1);
      await nextTurn();
    }
  for (const each of books) comparison.addMissingRefunds(each.refundsDoneBetween(from, to).filter(mine));
  return comparison.outcome;
}
