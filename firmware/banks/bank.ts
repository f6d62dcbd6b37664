/** What a payment needs from any bank, whatever the bank's API. A bank's declaration about itself: `adapter.ts`. */

import { CodedError } from '../../drivers/lib/errors.ts';
import type { PaidBy, Payer } from './method.ts';
import type { LinkRule } from './payment-link.ts';

/** The bank's state of a payment in our words. `pending`: not paid yet; an unknown state is `processing`. */
export type BankVerdict = 'pending' | 'processing' | 'accepted' | 'rejected' | 'canceled';

/**
 * The bank's reference of a payment, as the bank gave it: stored in the ledger after each step of a registration. Only
 * the adapter reads the fields that are not named here.
 */
export interface BankRef {
  /** The bank's own id of the payment, which no other payment has. */
  readonly id: string;
  /** `no-amount` where the shown link contains only the payment's id: only the bank's amount counts then. */
  readonly link?: 'no-amount';
  /** Kopecks paid by the same code beyond the payment, which a person must refund; stored once a bank reports them. */
  readonly paidAgain?: string;
  readonly [more: string]: string;
}

/**
 * The bank's answer about a payment. It is believed only where all of it is about that payment (`bank-calls.ts`): each
 * list has an entry for each place of the answer that names the value.
 */
export interface BankReport {
  readonly verdict: BankVerdict;
  /** The bank's ids of the payment, as in `BankRef.id`. */
  readonly ids: readonly string[];
  /** Kopecks of the payment; NaN for a value that is no amount. */
  readonly amounts: readonly number[];
  /** Currencies as the bank writes them. */
  readonly currencies: readonly string[];
  /** Our order ids, where the bank repeats them. */
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
  /** Kopecks that were paid by the same code beyond the payment; left out where nothing was. */
  readonly paidAgain?: number;
}

/** The fields of a report by a bank that reports none of them. */
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

/** A payment to register. */
export interface Order {
  /** Our order id: unique, the same for every retry of one payment. */
  readonly orderId: string;
  /** Kopecks. */
  readonly amount: number;
  /** The purpose, no longer than the bank takes. */
  readonly purpose: string | null;
  /** Minutes, within the bank's range; not whole ones for a printed code. */
  readonly ttl: number;
}

/** An order that a bank may have. */
export type SoughtOrder = Pick<Order, 'orderId' | 'amount'>;

/** The content of a QR code. */
export interface BankCode {
  /** The link; checked (`payment-link.ts`) before anybody sees it. */
  readonly payload: string;
  /** The id that a link of the payment system must have; null where the bank gives none. */
  readonly linkId: string | null;
  /** True for the address of the bank's own page, which a phone opens instead of a bank's app. */
  readonly isPage?: boolean;
  /** True for the printed code that carries the payment: it is the shop's own, and was checked when set up. */
  readonly isPrinted?: boolean;
}

/** The result of one step of a registration. */
export interface Registering {
  readonly ref: BankRef;
  /** The code; null where the bank gives it only on request (`code`). */
  readonly code: BankCode | null;
}

/**
 * - `withdrawn`: it cannot be paid any more
 * - `already-paid`: it had been paid, or is being paid: nothing has changed
 * - `refunded`: it had been paid, and what was paid goes back
 * - `not-possible`: the bank cannot, and it may still be paid
 */
export type CancelOutcome = 'withdrawn' | 'already-paid' | 'refunded' | 'not-possible';

/** The outcome of a cancellation that a bank does not state, by its state of the payment afterwards. */
export const CANCEL_OUTCOMES: Readonly<Record<BankVerdict, CancelOutcome>> = Object.freeze({
  pending: 'not-possible',
  processing: 'already-paid',
  accepted: 'already-paid',
  rejected: 'withdrawn',
  canceled: 'withdrawn',
});

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

/**
 * - `unreachable`: no answer came (network, deadline, 5xx, 429): the outcome is unknown, the same call may be repeated
 * - `refused`: the bank understood and said no; repeating will not help
 * - `contradiction`: the answer cannot be true (another amount, no id, nonsense)
 */
export type BankErrorCode = 'unreachable' | 'refused' | 'contradiction';

/** The bank of a profile cannot be opened: its settings are at fault, not a call. The cause names the field. */
export class UnopenedBank extends Error {}

const TOO_MANY_REQUESTS = 429;

export class BankError extends CodedError<BankErrorCode> {
  /** The bank's own code and text, where it gave them; never a secret. */
  readonly bankCode: string | null;
  /** Pause that the bank asked for (429), ms; null for none. */
  readonly retryAfterMs: number | null;
  /** The bank has a payment of this order id already: the answer to an earlier attempt was lost (`find`). */
  readonly isDuplicate: boolean;
  /** The bank refuses the credentials (a password, a certificate): it has done nothing, and said nothing about a payment. */
  readonly isUnauthorized: boolean;
  /**
   * The bank does not know the payment and has never confirmed its registration: the request may not have arrived, or
   * not yet. Once the time of the payment is over, it cannot be paid.
   */
  readonly isUnheardOf: boolean;
  /** An earlier attempt was lost. The bank may have received it, or may still receive it, in spite of this failure. */
  readonly mayHaveArrived: boolean;
  /** HTTP status; null without an answer. */
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

  /** Whether the bank refused a call as one too many: nothing was done, and the next may come later. */
  get isTooMany(): boolean {
    return this.status === TOO_MANY_REQUESTS;
  }

  /** Whether it has the bank's code or words: an error page from another server on the way has neither. */
  get isWorded(): boolean {
    return this.words !== null || this.bankCode !== null;
  }
}

/** Whether a bank refused the request itself: not where it refuses the credentials. */
export const isRefused = (error: unknown): error is BankError =>
  error instanceof BankError && error.code === 'refused' && !error.isUnauthorized;

/** The message of a bank's failure, with the bank's own code. */
export const bankMessage = ({ message, bankCode }: BankError): string =>
  bankCode === null ? message : `${message} (bank code ${bankCode})`;

/** A printed code of the shop; each sale is put on it for a while (кассовая ссылка). */
export interface CashLink {
  /** The bank's id of the printed code. */
  readonly id: string;
  /** The link that is printed. */
  readonly payload: string;
}

/** A bank's calls for cash links. */
export interface CashLinks {
  /** Makes a code to be printed. @throws {BankError} */
  create(description: string, signal: AbortSignal): Promise<CashLink>;
}

/** The printed code that carries every payment of a profile. */
export interface PrintedCode {
  readonly payload: string;
  /** The reference of a payment: stored before the bank gets the payment, which may be paid from that moment. */
  refOf(orderId: string): BankRef;
  /** Whether the bank has confirmed the payment: the ref then comes from a registration. */
  isConfirmed(ref: BankRef): boolean;
}

export interface OnlineBank {
  readonly kind: 'online';
  /** Where it is called, an http: or https: URL; absent where it is called in no such way. */
  readonly address?: string;
  /** The profile's printed code; absent where each payment gets a code of its own, which is shown. */
  readonly printed?: PrintedCode | null;
  /** Whether a payment's reference is on the profile's present printed code; absent where the bank prints none. */
  readonly isOnPresentCode?: (ref: BankRef) => boolean;
  /** Which links the bank may give (`payment-link.ts`). */
  readonly linkRule: LinkRule;
  /**
   * Registers a payment. Where the answer is lost, `find` finds the payment; a bank without `find` leaves a payment whose
   * code was never shown, so that nobody pays it.
   * @throws {BankError} with `isDuplicate` where the bank has it already
   */
  begin(order: Order, signal: AbortSignal): Promise<Registering>;
  /**
   * Asks for the code of a payment whose `begin` gave none; may be repeated. Such a bank has `find`: what `begin` gave is
   * in the ledger only with the code. @throws {BankError}
   */
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
  /** Refunds; absent where the bank cannot. Calls with the same `refundId` refund once. @throws {BankError} */
  readonly refund?: (refund: RefundOrder, signal: AbortSignal) => Promise<RefundReport>;
  /** Reads the state of a refund that was under way; absent where `refund` returns it at once. @throws {BankError} */
  readonly refundStatus?: (refund: RefundOrder, signal: AbortSignal) => Promise<RefundReport>;
  /**
   * Reads the bank's report on a refund, and never makes it, even where the outcome of the refund call is unknown. Null
   * where the bank has nothing of it, `unreported` where it does not list the refunds of this payment. Absent where no
   * bank of this kind lists them. @throws {BankError}
   */
  readonly findRefund?: (refund: RefundOrder, signal: AbortSignal) => Promise<RefundReport | 'unreported' | null>;
  /** Calls for cash links; absent where the bank has none. */
  readonly cashLinks?: CashLinks;
  /**
   * Asks about a payment that does not exist, which only the right bank answers, and only to a known caller. Registers
   * nothing: even a code of one kopeck can be paid. Absent where no such question exists. @throws {BankError}
   */
  readonly tryOut?: (signal: AbortSignal) => Promise<void>;
  /** Closes the connections; calls under way may finish. */
  close(): Promise<void>;
}

/** A payment that the bank has under our order id, with its report: believed only where that fits. */
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
