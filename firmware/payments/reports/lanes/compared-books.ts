/** Payments and refunds of one lane or of many, as a bank's registry is compared with them. */
import type { PaymentMethod } from '../../../banks/index.ts';
import type { PaymentStatus } from '../../model/payment.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import type { Refund } from '../../model/refund.ts';
import type { PaymentSearch } from '../../money/payment-search.ts';

export interface ComparedPayment extends Pick<PaymentRow, 'id' | 'orderId' | 'profile' | 'amount' | 'refunded'> {
  /** Serial number of the device whose ledger has it. */
  readonly lane: string;
  /** Number of its row, after which the next piece begins. */
  readonly rowId: number;
  /** When the payment was asked for, ms since 1970; null where that is unknown, as for another lane's. */
  readonly createdAt: number | null;
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
  /** As in `ComparedPayment`. */
  readonly createdAt: number | null;
  /** When it was done or refused, ms since 1970. */
  readonly at: number | null;
}

/** The bank's numbers by which a line without an order id finds its payment. */
export type BankNumbers = Pick<PaymentSearch, 'trxId' | 'qrcId'>;

export interface ReconciledBooks {
  find(orderId: string): ComparedPayment | null;
  search(wanted: BankNumbers, limit: number): ComparedPayment[];
  /** Accepted payments in order, to read in pieces. ms since 1970; the second timestamp is excluded. */
  acceptedBetween(from: number, to: number, limit: number, after: ComparedPayment | null): ComparedPayment[];
  /** Order ids of payments with a refund of this operation, or of this id of the bank. */
  ordersRefundedBy(operation: string, limit: number): string[];
  refundsOf(payment: ComparedPayment): ComparedRefund[];
  refundsDoneBetween(from: number, to: number): ComparedRefund[];
}
