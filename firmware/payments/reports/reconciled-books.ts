/** What a bank's registry is laid beside: the ledgers of this device and, at the master of a store, those of the other lanes. */
import { isPlayMoney, type PaymentMethod } from '../../banks/index.ts';
import type { Ledger } from '../money/ledger.ts';
import type { PaymentRow } from '../money/payment-row.ts';
import type { PaymentSearch } from '../money/payment-search.ts';
import type { Refund } from '../refunds/refund.ts';
import type { RefundLedger } from '../refunds/refund-ledger.ts';
import type { PaymentStatus } from '../service/payment.ts';

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
