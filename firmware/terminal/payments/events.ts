/**
 * What happens to the payments of a lane. The part that notices it returns an event, and does not know what follows:
 * that stands in `Dispatcher`, in one place.
 */
import type { BankRef, BankVerdict } from '../banks/bank.ts';
import type { AtBank, Transaction } from '../ledger/ledger.ts';
import type { NewPayment, PaymentRow } from '../ledger/payment-row.ts';
import type { PaymentEvent } from './payment.ts';
import type { Sale } from './sale.ts';

/** What has happened whatever the ledger says to it: where it cannot take it (a full disk), it is tried again at the next call. */
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
      | 'told'
      | 'acknowledged';
  }
>;

/** The bank's answer about a payment. */
export interface BankAnswer {
  /** As it was when it was taken up. */
  readonly payment: PaymentRow;
  /** Null for nothing. */
  readonly verdict: BankVerdict | null;
  /** What that means to the payment. */
  readonly event: PaymentEvent;
  /** Null where the answer had no state. */
  readonly transaction: Transaction | null;
}

/** What came of something that the book took in. */
export type BookEvent =
  /** The ledger has it. */
  | { readonly type: 'ended'; readonly payment: PaymentRow }
  /** The ledger could not take something, which goes on all the same. */
  | { readonly type: 'unwritten'; readonly what: string; readonly orderId: string | null; readonly error: unknown };

export type FollowerEvent =
  /** The bank is asked about this payment no more. */
  { readonly type: 'settled'; readonly orderId: string };

/** What becomes of a call, which is known by its number. */
export type CallEvent =
  /** It is being answered from now on. */
  | { readonly type: 'call-begun'; readonly call: number; readonly sale: Sale }
  /** The last call may take a while: after a restart meanwhile it will have failed. */
  | { readonly type: 'call-foreseen' }
  /** It is answered with the code of a payment. `isOnce`: a new one, for no other call. */
  | { readonly type: 'call-answered'; readonly orderId: string; readonly isOnce: boolean }
  /** `always`: whether also where a payment of its own has become something else. */
  | { readonly type: 'call-failed'; readonly call: number; readonly error: unknown; readonly always: boolean }
  /** It is refused, and the status speaks of a payment for the same sale. */
  | { readonly type: 'call-held-back'; readonly call: number; readonly orderId: string }
  /** It is refused, and the customer is shown that an earlier payment was paid. */
  | { readonly type: 'call-paid-before'; readonly orderId: string }
  /** That refusal has reached a till. */
  | {
      readonly type: 'paid-told';
      readonly call: number;
      readonly payments: readonly PaymentRow[];
      /** Name of its credential. */
      readonly till: string | null;
    };

export type LaneEvent =
  | BookEvent
  | FollowerEvent
  | CallEvent
  /** A new payment takes the place of the one before. Thrown back where the ledger cannot take it. */
  | { readonly type: 'entered'; readonly payment: NewPayment; readonly payload: string | null }
  /** The same with one that the bank has known since before the ledger lost it: a customer may have seen its code. */
  | { readonly type: 'adopted'; readonly payment: NewPayment; readonly known: AtBank }
  /** The bank knows the payment by this, and may give its code. Thrown back where the ledger cannot take it. */
  | { readonly type: 'bank-knows'; readonly orderId: string; readonly ref: BankRef }
  /** The bank has given the code, whose bytes are about to go out. Thrown back where the ledger cannot take it. */
  | { readonly type: 'registered'; readonly orderId: string; readonly payload: string; readonly ref: BankRef }
  /** Its code is about to be shown for another call. Thrown back where the ledger cannot take it. */
  | { readonly type: 'called-again'; readonly orderId: string }
  /** Something has happened to a payment. Thrown back where the ledger cannot take it. */
  | {
      readonly type: 'changed';
      readonly orderId: string;
      readonly event: PaymentEvent;
      /** What the bank has reported about the money with it. */
      readonly transaction?: Transaction | null;
    }
  /** The same, whether the ledger can take it or not. */
  | { readonly type: 'recorded'; readonly orderId: string; readonly event: RetriedEvent }
  /** A person has looked into it. Thrown back where the ledger cannot take it. */
  | { readonly type: 'looked-into'; readonly orderId: string; readonly note: string | null }
  /** So many kopecks of it have gone back. Thrown back where the ledger cannot take it. */
  | { readonly type: 'money-returned'; readonly orderId: string; readonly refunded: number }
  /** The process before left a payment whose code nobody has seen, as the ledger has it. */
  | { readonly type: 'left-unshown'; readonly orderId: string }
  /** The bank has answered about a payment that is followed. Throws where the ledger cannot take it. */
  | { readonly type: 'bank-answered'; readonly answer: BankAnswer }
  /** The bank's answer is in the ledger. */
  | { readonly type: 'answer-recorded'; readonly answer: BankAnswer };

/** Takes an event in, with all that comes of it. */
export type Dispatch = (event: LaneEvent) => void;
