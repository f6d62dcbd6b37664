/**
 * Finds the payments and refunds that lines of a registry name, in ledgers; and gives this device's ledgers that form.
 */

import { isPlayMoney } from '../../banks/index.ts';
import type {
  BankNumbers,
  ComparedPayment,
  ComparedRefund,
  Ledger,
  PaymentRow,
  ReconciledBooks,
  Refund,
  RefundLedger,
} from '../../payments/index.ts';
import type { RegistryEntry } from './registry-line.ts';

/** An id in one spelling, for comparison: banks change the case of other banks' ids. */
export const folded = (id: string): string => id.normalize('NFC').toLowerCase();
/** Spellings to search for: the id as written, then in upper and in lower case. */
const spellingsOf = (id: string): Set<string> => new Set([id, id.toUpperCase(), id.toLowerCase()]);

/** The ids in a line; without `isRefund` for a line that is neither a sale nor a refund, and may be about either. */
type Names = Pick<RegistryEntry, 'order' | 'bank' | 'transaction'> & Partial<Pick<RegistryEntry, 'isRefund'>>;

/** Finds the payment, and the refund, that a line of a registry names. */
export class NamedPayments {
  readonly #books: readonly ReconciledBooks[];

  constructor(books: readonly ReconciledBooks[]) {
    this.#books = books;
  }

  /**
   * Finds the payment of a line: by our order id, where the line has one; else by the transaction, of the payment or of
   * a refund of it; else by a code that only one payment has. A printed code, which has many payments, identifies none.
   */
  paymentOf({ order, bank, transaction, isRefund = true }: Names): ComparedPayment | null {
    if (order !== null) return this.find(order);
    return (
      this.#only((trxId) => ({ trxId }), transaction) ??
      (isRefund ? this.#refundedBy(transaction) : null) ??
      this.#only((qrcId) => ({ qrcId }), bank)
    );
  }

  /**
   * Another payment whose code or transaction a line has, beside an id of this payment; null for none. A code of many
   * payments and an id that no ledger has are ignored.
   */
  otherOf({ bank, transaction, isRefund }: RegistryEntry, { orderId }: ComparedPayment): ComparedPayment | null {
    const named = [
      this.#only((trxId) => ({ trxId }), transaction),
      isRefund ? this.#refundedBy(transaction) : null,
      this.#only((qrcId) => ({ qrcId }), bank),
    ];
    return named.find((each) => each !== null && each.orderId !== orderId) ?? null;
  }

  find(order: string): ComparedPayment | null {
    for (const id of spellingsOf(order))
      for (const books of this.#books) {
        const payment = books.find(id);
        if (payment !== null) return payment;
      }
    return null;
  }

  /**
   * The done refunds that a line may mean: those with an id of the line, else those of its amount. By amount, a refund
   * with another bank's id than the line's is left out.
   */
  refundsMeant({ refund: id, transaction, amount }: RegistryEntry, payment: ComparedPayment): ComparedRefund[] {
    const all = this.#books.flatMap((books) => books.refundsOf(payment));
    const names = [id, transaction].filter((name) => name !== null).map(folded);
    const isNamed = ({ refundId, bankRefundId, trxId }: ComparedRefund): boolean =>
      [refundId, bankRefundId, trxId].some((each) => each !== null && names.includes(folded(each)));
    const named = all.filter(isNamed);
    const isAlike = (each: ComparedRefund): boolean =>
      each.amount === amount && (id === null || each.bankRefundId === null);
    return (named.length > 0 ? named : all.filter(isAlike)).filter(({ state }) => state === 'done');
  }

  /** The payment with a number of the bank; null where no payment has it, or several have. */
  #only(numberOf: (id: string) => BankNumbers, written: string | null): ComparedPayment | null {
    for (const id of written === null ? [] : spellingsOf(written)) {
      const payments = this.#books.flatMap((books) => books.search(numberOf(id), 2));
      if (payments.length > 0) return payments.length === 1 ? (payments[0] ?? null) : null;
    }
    return null;
  }

  /** The payment that an operation has refunded; null for none, or several. */
  #refundedBy(operation: string | null): ComparedPayment | null {
    for (const id of operation === null ? [] : spellingsOf(operation)) {
      const [order, ...others] = new Set(this.#books.flatMap((books) => books.ordersRefundedBy(id, 2)));
      if (order !== undefined) return others.length === 0 ? this.find(order) : null;
    }
    return null;
  }
}

export interface OwnBooksOptions {
  /** Serial number of this device. */
  readonly lane: string;
  readonly ledger: Pick<Ledger, 'book' | 'find'> & {
    readonly queries: Pick<Ledger['queries'], 'search'>;
    readonly accepted: Pick<Ledger['accepted'], 'between'>;
  };
  readonly refunds: Pick<RefundLedger, 'of' | 'doneBetween' | 'ordersRefundedBy'>;
}

/** The ledgers of this device. Each method @throws {StoreError} `ROWS_UNSOUND`. */
export class OwnBooks implements ReconciledBooks {
  readonly #options: OwnBooksOptions;

  constructor(options: OwnBooksOptions) {
    this.#options = options;
  }

  find(orderId: string): ComparedPayment | null {
    const payment = this.#readSound(() => this.#options.ledger.find(orderId));
    return payment === null ? null : this.#compared(payment);
  }

  search(wanted: BankNumbers, limit: number): ComparedPayment[] {
    const { payments } = this.#readSound(() =>
      this.#options.ledger.queries.search(wanted, Number.MAX_SAFE_INTEGER, limit),
    );
    return payments.map((payment) => this.#compared(payment));
  }

  acceptedBetween(from: number, to: number, limit: number, after: ComparedPayment | null): ComparedPayment[] {
    const cursor = after === null ? null : { id: after.id, paidAt: after.at, endedAt: null };
    return this.#options.ledger.accepted.between(from, to, limit, cursor).map((payment) => this.#compared(payment));
  }

  ordersRefundedBy(operation: string, limit: number): string[] {
    return this.#options.refunds.ordersRefundedBy(operation, limit);
  }

  refundsOf({ orderId, lane: its }: ComparedPayment): ComparedRefund[] {
    const { lane, refunds } = this.#options;
    return its === lane ? this.#readSound(() => refunds.of(orderId)).map((refund) => this.#comparedRefund(refund)) : [];
  }

  refundsDoneBetween(from: number, to: number): ComparedRefund[] {
    const { refunds } = this.#options;
    return this.#readSound(() => refunds.doneBetween(from, to)).map((refund) => this.#comparedRefund(refund));
  }

  #readSound<T>(read: () => T): T {
    return this.#options.ledger.book.readSound(read);
  }

  #comparedRefund(refund: Refund): ComparedRefund {
    return { ...refund, lane: this.#options.lane, at: refund.endedAt };
  }

  #compared(payment: PaymentRow): ComparedPayment {
    return {
      ...payment,
      lane: this.#options.lane,
      rowId: payment.id,
      at: payment.paidAt ?? payment.endedAt,
      isTest: isPlayMoney(payment.merchant),
      method: payment.paidBy?.method ?? null,
    };
  }
}
