/** A payment at any bank: its registration, its code, the bank's report, its cancellation. */

import type { PaidBy, Payer } from './method.ts';

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
