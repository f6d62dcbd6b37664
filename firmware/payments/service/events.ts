/**
 * Events of the payments of a lane. The part that notices something returns or dispatches an event, and does not know
 * what follows from it: that is decided in one place, `Dispatcher`.
 */

import type { BankRef, BankVerdict } from '../../banks/index.ts';
import type { AtBank, Transaction } from '../money/ledger.ts';
import type { NewPayment, PaymentRow } from '../money/payment-row.ts';
import type { PaymentEvent } from './payment.ts';
import type { Sale } from './sale.ts';

/** Events that count even where the ledger cannot be written (a full disk): they are written again at the next call. */
export type RetriedEvent = Extract<
  PaymentEvent,
  {
    readonly type:
      | 'failed'
      | 'left'
      | 'restarted'
      | 'given-up'
      | 'cancelled'
      | 'superseded'
      | 'unread'
      | 'reported'
      | 'acknowledged';
  }
>;

/** The bank's answer about a payment. */
export interface BankAnswer {
  /** Its row from when following began. */
  readonly payment: PaymentRow;
  /** Null where the bank has not answered with a state. */
  readonly verdict: BankVerdict | null;
  /** What the answer means for the payment. */
  readonly event: PaymentEvent;
  /** Null where the answer had no state. */
  readonly transaction: Transaction | null;
}

/** What follows from an event that the book has applied. */
export type BookEvent =
  /** The end of a payment is in the ledger. */
  | { readonly type: 'ended'; readonly payment: PaymentRow }
  /** The ledger could not be written; the payments go on anyway. */
  | { readonly type: 'unwritten'; readonly what: string; readonly orderId: string | null; readonly error: unknown };

export type FollowerEvent =
  /** The bank is not asked about this payment any more. */
  { readonly type: 'settled'; readonly orderId: string };

/** Events of a call, which has a number. */
export type CallEvent =
  /** It is being answered from now on. */
  | { readonly type: 'call-begun'; readonly call: number; readonly sale: Sale }
  /** The last call may take a while: if the process restarts meanwhile, the call counts as failed. */
  | { readonly type: 'call-foreseen' }
  /** It is answered with the code of a payment. `isOnce`: of a new payment, and for no other call. */
  | { readonly type: 'call-answered'; readonly orderId: string; readonly isOnce: boolean }
  /** `always`: the status reports the failure also where the call has a payment. */
  | { readonly type: 'call-failed'; readonly call: number; readonly error: unknown; readonly always: boolean }
  /** It gets no code, and the status is about a payment for the same sale. */
  | { readonly type: 'call-held-back'; readonly call: number; readonly orderId: string }
  /** It is refused, and the customer is shown that an earlier payment was paid. */
  | { readonly type: 'call-paid-before'; readonly orderId: string }
  /** The refusal has reached a till. */
  | {
      readonly type: 'paid-reported';
      readonly call: number;
      readonly payments: readonly PaymentRow[];
      /** Name of its credential. */
      readonly till: string | null;
    };

export type LaneEvent =
  | BookEvent
  | FollowerEvent
  | CallEvent
  /** A new payment replaces the one before. Throws where the ledger cannot be written. */
  | { readonly type: 'entered'; readonly payment: NewPayment; readonly payload: string | null }
  /** The same with a payment that the ledger has lost and the bank still has: a customer may have seen its code. */
  | { readonly type: 'adopted'; readonly payment: NewPayment; readonly known: AtBank }
  /** The bank knows the payment by this reference, and may give its code. Throws where the ledger cannot be written. */
  | { readonly type: 'bank-knows'; readonly orderId: string; readonly ref: BankRef }
  /** The bank has given the code, and it is about to be drawn. Throws where the ledger cannot be written. */
  | { readonly type: 'registered'; readonly orderId: string; readonly payload: string; readonly ref: BankRef }
  /** Its code is about to be shown for another call. Throws where the ledger cannot be written. */
  | { readonly type: 'called-again'; readonly orderId: string }
  /** Something has happened to a payment. Throws where the ledger cannot be written. */
  | {
      readonly type: 'changed';
      readonly orderId: string;
      readonly event: PaymentEvent;
      /** What the bank has reported about the money in the same answer. */
      readonly transaction?: Transaction | null;
    }
  /** The same; where the ledger cannot be written, it is written later. */
  | { readonly type: 'recorded'; readonly orderId: string; readonly event: RetriedEvent }
  /** A person has looked into it. Throws where the ledger cannot be written. */
  | { readonly type: 'looked-into'; readonly orderId: string; readonly note: string | null }
  /** A till has printed its receipt. Throws where the ledger cannot be written. */
  | { readonly type: 'receipt-printed'; readonly orderId: string }
  /** So many kopecks of it have gone back. Throws where the ledger cannot be written. */
  | { readonly type: 'money-returned'; readonly orderId: string; readonly refunded: number }
  /** The previous process left a payment whose code was not shown, as the ledger has it. */
  | { readonly type: 'left-unshown'; readonly orderId: string }
  /** The bank has answered about a payment that is followed. Throws where the ledger cannot be written. */
  | { readonly type: 'bank-answered'; readonly answer: BankAnswer }
  /** The bank's answer is in the ledger. */
  | { readonly type: 'answer-recorded'; readonly answer: BankAnswer };

/** Handles an event, and all that follows from it. */
export type Dispatch = (event: LaneEvent) => void;
