/** What a refund needs from any bank. */

import type { BankRef } from './bank-payment.ts';
import type { PaidBy } from './method.ts';

/** A refund: a part of a paid payment, or the whole of it. */
export interface RefundOrder {
  readonly ref: BankRef;
  /** Order id of the payment. */
  readonly orderId: string;
  /** The bank's id of the operation; null where it gave none. */
  readonly trxId: string | null;
  /** How the payment was paid; left out where unknown. */
  readonly paidBy?: PaidBy | null;
  /** Kopecks that were paid. */
  readonly paid: number;
  /** Kopecks that had gone back before this refund was asked for. */
  readonly refundedBefore: number;
  /** Our id of the refund: unique, the same for every retry, at most 30 letters, digits and hyphens. */
  readonly refundId: string;
  /** Kopecks. */
  readonly amount: number;
  /** The bank's id of this refund from an earlier answer, which may have been lost; null for none. */
  readonly bankRefundId: string | null;
  /** Kopecks of each earlier refund of the payment in the ledger, whatever its outcome. */
  readonly earlierAmounts: readonly number[];
  /** Kopecks of each refund of the payment that was refused before: a refusal by the bank may be about that one. */
  readonly refusedAmounts?: readonly number[];
  /** Whether the bank may have got it before: a bank that would refund twice is asked about it first. */
  readonly isRepeated: boolean;
}

/**
 * - `done`: the bank has given the money back, or says that it will for certain
 * - `pending`: it is under way: ask again (`refundStatus`)
 * - `refused`: it does not, and nothing has gone back by this refund
 */
export interface RefundReport {
  readonly state: 'done' | 'pending' | 'refused';
  /** The bank's id of the refund; null where it has none. */
  readonly bankRefundId: string | null;
  /** The bank's words where it has refused; null otherwise. */
  readonly reason: string | null;
  /** How it goes back; left out where the bank does not say: as it was paid. */
  readonly paidBy?: PaidBy | null;
  /** Id of the operation by which it goes back, as `BankReport.trxId`; left out where the bank gives none. */
  readonly trxId?: string | null;
}

export const REFUND_DONE: RefundReport = Object.freeze({ state: 'done', bankRefundId: null, reason: null });

export const refusedRefund = (reason: string): RefundReport => ({ state: 'refused', bankRefundId: null, reason });
