/** What a bank's registry is laid beside: the ledgers of this device and, at the master of a store, those of the other lanes. */
import { isPlayMoney, type PaymentMethod } from '../../banks/index.ts';
import type { Ledger } from '../money/ledger.ts';
import type { PaymentRow } from '../money/payment-row.ts';
import type { PaymentSearch } from '../money/payment-search.ts';
import type { Refund } from '../refunds/refund.ts';
import type { RefundLedger } from '../refunds/refund-ledger.ts';
import type { PaymentStatus } from '../service/payment.ts';
import type { RegistryEntry } from './registry-entries.ts';

/** Banks write ids of others in letters of their own. */
export const folded = (id: string): string => id.normalize('NFC').toLowerCase();
/** As it stands, then in other letters. */
const spellingsOf = (id: string): Set<string> => new Set([id, id.toUpperCase(), id.toLowerCase()]);

/** What a line names; one that is neither a sale nor a refund may be about either. */
type Names = Pick<RegistryEntry, 'order' | 'bank' | 'transaction'> & Partial<Pick<RegistryEntry, 'isRefund'>>;

/** Which payment of the ledgers a line of a registry names, and which of its refunds. */
export class NamedPayments {
  readonly #books: readonly ReconciledBooks[];

  constructor(books: readonly ReconciledBooks[]) {
    this.#books = books;
  }

  /**
   * Finds the payment of a line by our order id where the line has one, else by a transaction, which may be that of its refund, or
   * by a code, that only one payment has. The code does not count where the order id names another payment, nor where it is
   * printed and many payments have it.
   */
  paymentOf({ order, bank, transaction, isRefund = true }: Names): ComparedPayment | null {
    if (order !== null) return this.find(order);
    return (
      this.#only((trxId) => ({ trxId }), transaction) ??
      (isRefund ? this.#refundedBy(transaction) : null) ??
      this.#only((qrcId) => ({ qrcId }), bank)
    );
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
   * The refunds that a line may mean, which are done: by an id or an operation where that is ours or one that the bank gave, else
   * by its amount. Of a refund without an id of the bank, the line's may be it.
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

  #only(numberOf: (id: string) => BankNumbers, written: string | null): ComparedPayment | null {
    for (const id of written === null ? [] : spellingsOf(written)) {
      const payments = this.#books.flatMap((books) => books.search(numberOf(id), 2));
      if (payments.length > 0) return payments.length === 1 ? (payments[0] ?? null) : null;
    }
    return null;
  }

  #refundedBy(operation: string | null): ComparedPayment | null {
    for (const id of operation === null ? [] : spellingsOf(operation)) {
      const [order, ...others] = new Set(this.#books.flatMap((books) => books.ordersRefundedBy(id, 2)));
      if (order !== undefined) return others.length === 0 ? this.find(order) : null;
    }
    return null;
  }
}

export interface ComparedPayment extends Pick<PaymentRow, 'id' | 'orderId' | 'profile' | 'amount' | 'refunded'> {
  /** Serial number of the device whose ledger has it. */
  readonly lane: string;
  /** Number of its row, for reading on behind it. */
  readonly rowId: number;
  /** When it was accepted, or ended, ms since 1970. */
  readonly at: number | null;
  /** Whether no money moves. */
  readonly isTest: boolean;
  /** How it was paid; null where its bank has not said. */
  readonly method: PaymentMethod | null;
  readonly status: Pick<PaymentStatus, 'state' | 'failure'>;
}

export interface ComparedRefund
  extends Pick<
    Refund,
    'id' | 'refundId' | 'tillId' | 'orderId' | 'profile' | 'amount' | 'state' | 'bankRefundId' | 'trxId'
  > {
  readonly lane: string;
}

/** By what a line of a registry finds a payment that it names by no order id. */
export type BankNumbers = Pick<PaymentSearch, 'trxId' | 'qrcId'>;

export interface ReconciledBooks {
  find(orderId: string): ComparedPayment | null;
  search(wanted: BankNumbers, limit: number): ComparedPayment[];
  /** Accepted ones, in their order, for reading in pieces. ms since 1970; the second timestamp is excluded. */
  takenBetween(from: number, to: number, limit: number, after: ComparedPayment | null): ComparedPayment[];
  /** Order ids of the payments that have a refund with an operation, or with an id of the bank. */
  ordersRefundedBy(operation: string, limit: number): string[];
  refundsOf(payment: ComparedPayment): ComparedRefund[];
  refundsDoneBetween(from: number, to: number): ComparedRefund[];
}

interface OwnBooksOptions {
  /** Serial number of this device. */
  readonly lane: string;
  readonly ledger: Pick<Ledger, 'find' | 'search' | 'takenBetween'>;
  readonly refunds: Pick<RefundLedger, 'of' | 'doneBetween' | 'ordersRefundedBy'>;
}

/** The ledgers of this device. */
export class OwnBooks implements ReconciledBooks {
  readonly #options: OwnBooksOptions;

  constructor(options: OwnBooksOptions) {
    this.#options = options;
  }

  find(orderId: string): ComparedPayment | null {
    const payment = this.#options.ledger.find(orderId);
    return payment === null ? null : this.#compared(payment);
  }

  search(wanted: BankNumbers, limit: number): ComparedPayment[] {
    const { payments } = this.#options.ledger.search(wanted, Number.MAX_SAFE_INTEGER, limit);
    return payments.map((payment) => this.#compared(payment));
  }

  takenBetween(from: number, to: number, limit: number, after: ComparedPayment | null): ComparedPayment[] {
    const behind = after === null ? null : { id: after.id, paidAt: after.at, endedAt: null };
    return this.#options.ledger.takenBetween(from, to, limit, behind).map((payment) => this.#compared(payment));
  }

  ordersRefundedBy(operation: string, limit: number): string[] {
    return this.#options.refunds.ordersRefundedBy(operation, limit);
  }

  refundsOf({ orderId, lane: its }: ComparedPayment): ComparedRefund[] {
    const { lane, refunds } = this.#options;
    return its === lane ? refunds.of(orderId).map((refund) => ({ ...refund, lane })) : [];
  }

  refundsDoneBetween(from: number, to: number): ComparedRefund[] {
    const { lane, refunds } = this.#options;
    return refunds.doneBetween(from, to).map((refund) => ({ ...refund, lane }));
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
