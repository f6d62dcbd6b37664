/**
 * What a payment needs from any bank, independent of the bank's API. What a bank declares about itself: `adapter.ts`.
 */

import { CodedError } from '../../drivers/lib/errors.ts';
import type { PaidBy, Payer } from './method.ts';
import type { LinkRule } from './payment-link.ts';

/** What the bank says of a payment, in our words. `pending`: not paid yet; an unknown state is `processing`. */
export type BankVerdict = 'pending' | 'processing' | 'accepted' | 'rejected' | 'canceled';

/**
 * What the bank needs to know a payment by, as it gave it: kept in the ledger after each step of a registration. Only the
 * adapter reads more of it than `id`.
 */
export interface BankRef {
  /** The bank's own id of the payment, which no other payment has. */
  readonly id: string;
  /** `no-amount` where the link that was shown says nothing of the payment but its id: only the bank's amount counts then. */
  readonly link?: 'no-amount';
  readonly [more: string]: string;
}

/**
 * What the bank says when it is asked. It is believed only where all of it speaks of the payment that was asked about
 * (`bank-calls.ts`): each list has an entry for each place of the answer that names it.
 */
export interface BankReport {
  readonly verdict: BankVerdict;
  /** The bank's ids of the payment, as in `BankRef.id`. */
  readonly ids: readonly string[];
  /** Kopecks that were asked for; NaN for one that is no number of them. */
  readonly amounts: readonly number[];
  /** As the bank writes them. */
  readonly currencies: readonly string[];
  /** Ours, where the bank repeats it. */
  readonly orderIds: readonly string[];
  /** Id of the operation: of the payment system (trxId), of the platform of digital roubles, or an RRN; null where the bank gives none. */
  readonly trxId: string | null;
  /** When it was paid by the bank's clock, ms since 1970; null where the bank does not say. */
  readonly paidAt: number | null;
  /** Kopecks that the bank has refunded; null where it does not say. */
  readonly refunded: number | null;
  /** Who has paid; null where the bank does not say. */
  readonly payer: Payer | null;
  /** How it was paid; null until it is, and where the bank does not say. */
  readonly paidBy: PaidBy | null;
  /** Whether a refund is under way, of an amount that the bank does not report. */
  readonly isGoingBack?: boolean;
}

/** The fields of a report, as of a bank that reports none of them. */
export const UNREPORTED = Object.freeze({
  amounts: [],
  currencies: [],
  orderIds: [],
  trxId: null,
  paidAt: null,
  refunded: null,
  payer: null,
  paidBy: null,
} as const satisfies Omit<BankReport, 'verdict' | 'ids'>);

/** A payment that is to be registered. */
export interface Order {
  /** Ours, unique, the same for every retry of one payment. */
  readonly orderId: string;
  /** Kopecks. */
  readonly amount: number;
  /** No longer than the bank takes. */
  readonly purpose: string | null;
  /** Minutes, within what the bank takes; not whole ones for a printed code. */
  readonly ttl: number;
}

/** An order that a bank may have. */
export type SoughtOrder = Pick<Order, 'orderId' | 'amount'>;

/** What the QR code carries. */
export interface BankCode {
  /** A link that is checked (`payment-link.ts`) before anybody sees it. */
  readonly payload: string;
  /** The id that a link of the payment system must have; null where the bank gives none. */
  readonly linkId: string | null;
  /** True for the address of the bank's own page, which a customer's phone opens in place of a bank's app. */
  readonly isPage?: boolean;
  /** True for the printed code that the payment was put on: it is the shop's own, and was looked at when it was set up. */
  readonly isPrinted?: boolean;
}

/** What one step of a registration has come to. */
export interface Registering {
  readonly ref: BankRef;
  /** Null where the bank gives the code only when it is asked for it (`code`). */
  readonly code: BankCode | null;
}

/**
 * - `withdrawn`: it cannot be paid any more
 * - `already-paid`: it had been paid, or is being paid: nothing has changed
 * - `refunded`: it had been paid, and what was paid goes back
 * - `not-possible`: the bank cannot, and it may still be paid
 */
export type CancelOutcome = 'withdrawn' | 'already-paid' | 'refunded' | 'not-possible';

/** What a cancellation that a bank does not decide has come to, by what the bank says of the payment then. */
export const CANCEL_OUTCOMES: Readonly<Record<BankVerdict, CancelOutcome>> = Object.freeze({
  pending: 'not-possible',
  processing: 'already-paid',
  accepted: 'already-paid',
  rejected: 'withdrawn',
  canceled: 'withdrawn',
});

/** A part of a paid payment, or the whole of it, that is to go back. */
export interface RefundOrder {
  readonly ref: BankRef;
  /** Of the payment. */
  readonly orderId: string;
  /** In the bank's words; null where it gave none. */
  readonly trxId: string | null;
  /** How the payment was paid; left out where nothing says. */
  readonly paidBy?: PaidBy | null;
  /** Kopecks that were paid. */
  readonly paid: number;
  /** Kopecks that had gone back before this refund was asked for. */
  readonly refundedBefore: number;
  /** Ours, unique, the same for every retry of one refund: at most 30 letters, digits and hyphens. */
  readonly refundId: string;
  /** Kopecks. */
  readonly amount: number;
  /** What the bank called this refund in an earlier answer, which may have been lost; null where there was none. */
  readonly bankRefundId: string | null;
  /** Kopecks of each earlier refund of the payment that the ledger has, whatever became of it. */
  readonly earlierAmounts: readonly number[];
  /** Kopecks of each refund of the payment that was refused before: the bank's word of a refusal may be about that one. */
  readonly refusedAmounts?: readonly number[];
  /** Whether the bank may have heard of it before: one that would refund twice looks first. */
  readonly isRepeated: boolean;
}

/**
 * - `done`: the bank has given the money back, or says that it will for certain
 * - `pending`: it is under way: ask again (`refundStatus`)
 * - `refused`: it does not, and nothing has gone back by this refund
 */
export interface RefundReport {
  readonly state: 'done' | 'pending' | 'refused';
  /** What the bank calls the refund; null where it calls it nothing. */
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

/**
 * - `unreachable`: no answer came (network, deadline, 5xx, 429): the outcome is unknown, the same call may be repeated
 * - `refused`: the bank understood and said no; repeating will not help
 * - `contradiction`: the answer cannot be true (another amount, no id, nonsense)
 */
export type BankErrorCode = 'unreachable' | 'refused' | 'contradiction';

export class BankError extends CodedError<BankErrorCode> {
  /** The bank's own code and text, where it gave them; never a secret. */
  readonly bankCode: string | null;
  /** Milliseconds that the bank asked us to wait (429), where it did. */
  readonly retryAfterMs: number | null;
  /** The bank knows a payment of this order id already: the answer to an earlier attempt was lost (`find`). */
  readonly isDuplicate: boolean;
  /** The bank does not take what it was asked with (a password, a certificate): it has done nothing, and said nothing of a payment. */
  readonly isUnauthorized: boolean;
  /**
   * The bank does not know the payment and has never confirmed its registration: the request may not have arrived, or
   * not yet. Once the time of the payment is over, it cannot be paid.
   */
  readonly isUnheardOf: boolean;
  /** An earlier attempt was lost. The bank may have received it, or may still receive it, in spite of this failure. */
  readonly mayHaveArrived: boolean;
  /** Of HTTP; null where no answer came. */
  readonly status: number | null;
  /** The bank's own words; null where it gave none. */
  readonly words: string | null;

  constructor(
    code: BankErrorCode,
    message: string,
    details: {
      bankCode?: string | null;
      retryAfterMs?: number | null;
      isDuplicate?: boolean;
      isUnauthorized?: boolean;
      isUnheardOf?: boolean;
      mayHaveArrived?: boolean;
      status?: number | null;
      words?: string | null;
      cause?: unknown;
    } = {},
  ) {
    super(code, message, details.cause === undefined ? undefined : { cause: details.cause });
    this.bankCode = details.bankCode ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.isDuplicate = details.isDuplicate ?? false;
    this.isUnauthorized = details.isUnauthorized ?? false;
    this.isUnheardOf = details.isUnheardOf ?? false;
    this.mayHaveArrived = details.mayHaveArrived ?? false;
    this.status = details.status ?? null;
    this.words = details.words ?? null;
  }

  /** Whether it has the bank's code or words: an error page of something in between has neither. */
  get isWorded(): boolean {
    return this.words !== null || this.bankCode !== null;
  }
}

/** Whether a bank has said no to what it was asked: not where it does not know who asks. */
export const isRefused = (error: unknown): error is BankError =>
  error instanceof BankError && error.code === 'refused' && !error.isUnauthorized;

/** What a bank's failure says, with the bank's own code. */
export const bankMessage = ({ message, bankCode }: BankError): string =>
  bankCode === null ? message : `${message} (bank code ${bankCode})`;

/** A code that the shop has printed once; each sale is put on it for a while (кассовая ссылка). */
export interface CashLink {
  /** The bank's id of the printed code. */
  readonly id: string;
  /** What is printed. */
  readonly payload: string;
}

/** What a bank offers for cash links. */
export interface CashLinks {
  /** Makes a code to be printed. @throws {BankError} */
  create(description: string, signal: AbortSignal): Promise<CashLink>;
}

/** The printed code that every payment of a profile is put on. */
export interface PrintedCode {
  readonly payload: string;
  /** What the bank will know a payment by: kept before it hears of it, since it may be paid from that moment on. */
  refOf(orderId: string): BankRef;
  /** Whether the bank has confirmed that it has the payment: the ref is one that a registration gave. */
  isConfirmed(ref: BankRef): boolean;
}

export interface OnlineBank {
  readonly kind: 'online';
  /** Absent where each payment gets a code of its own, which is shown. */
  readonly printed?: PrintedCode | null;
  /** Whether what a payment is known by stands on the printed code that the profile has now; absent where there are none. */
  readonly isOnPresentCode?: (ref: BankRef) => boolean;
  /** What links the bank may give (`payment-link.ts`). */
  readonly linkRule: LinkRule;
  /**
   * Registers a payment. What a lost answer leaves behind is found by `find`, or is a code that was never shown.
   * @throws {BankError} with `isDuplicate` where the bank has it already
   */
  begin(order: Order, signal: AbortSignal): Promise<Registering>;
  /** Asks for the code of a payment whose `begin` gave none; may be repeated. @throws {BankError} */
  readonly code?: (ref: BankRef, order: Order, signal: AbortSignal) => Promise<Registering>;
  /**
   * Looks for a payment by our order id, after an answer was lost; null where the bank has none. Absent where a repeated
   * `begin` gives the same, or the bank cannot look for it. @throws {BankError}
   */
  readonly find?: (order: SoughtOrder, signal: AbortSignal) => Promise<FoundPayment | null>;
  /** @throws {BankError} */
  status(ref: BankRef, signal: AbortSignal): Promise<BankReport>;
  /** Takes an unpaid code out of use; absent where the bank cannot. @throws {BankError} where it does not answer */
  readonly cancel?: (ref: BankRef, signal: AbortSignal) => Promise<CancelOutcome>;
  /** Gives money back; absent where the bank cannot. The same again with the same `refundId` refunds once. @throws {BankError} */
  readonly refund?: (refund: RefundOrder, signal: AbortSignal) => Promise<RefundReport>;
  /** Reads the state of a refund that was under way; absent where `refund` returns it at once. @throws {BankError} */
  readonly refundStatus?: (refund: RefundOrder, signal: AbortSignal) => Promise<RefundReport>;
  /**
   * Reads what the bank has of a refund, and never makes it, even where the outcome of the call for it is unknown; null
   * where the bank has nothing of it, `unreported` where it does not list what has gone back of this payment. Absent where no
   * bank of the kind does. @throws {BankError}
   */
  readonly findRefund?: (refund: RefundOrder, signal: AbortSignal) => Promise<RefundReport | 'unreported' | null>;
  /** Absent where the bank has none. */
  readonly cashLinks?: CashLinks;
  /**
   * Asks what only the right bank answers, and only to a known caller: about a payment that does not exist. Nothing is registered by it,
   * and nothing changed. Absent where nothing of the kind can be asked. @throws {BankError}
   */
  readonly tryOut?: (signal: AbortSignal) => Promise<void>;
  /** Gives connections back; calls under way are heard out. */
  close(): Promise<void>;
}

/** A payment that the bank has under our order id, with what it says of it: believed only where that fits. */
export interface FoundPayment {
  readonly ref: BankRef;
  readonly report: BankReport;
}

/** A fixed code: nothing is registered, no outcome can be known. */
export interface StaticBank {
  readonly kind: 'static';
  readonly payload: string;
}

export type Bank = OnlineBank | StaticBank;
