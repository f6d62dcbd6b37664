/** A payment of the sandbox bank, and the errors of its calls. */
import { randomBytes } from 'node:crypto';
import { CodedError } from '../../../drivers/lib/errors.ts';

export type SandboxErrorCode =
  /** The body or a header is invalid for the call. */
  | 'invalid'
  /** The body's content type is not JSON. */
  | 'not-json'
  /** There is no such payment. */
  | 'unknown'
  /** The payment is declined, paid or expired. */
  | 'not-open'
  /** The order id belongs to another payment, or a refund's id to another refund. */
  | 'order-differs'
  /** The payment has no money to give back. */
  | 'not-paid'
  /** The refund is more than what is left of the payment. */
  | 'too-much';

/** An error of the sandbox bank; the caller gets the message unchanged. */
export class SandboxError extends CodedError<SandboxErrorCode> {}

/** Letters and digits that do not look alike; 32 of them, so that random bytes use each equally often. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const ID_LETTERS = 30;

/** 32 letters and digits, as in the payment system's ids. @param prefix two letters: AD for codes of one payment */
export function newSbpId(prefix: string): string {
  return `${prefix}${Array.from(randomBytes(ID_LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

/** - `processing`: the payer has paid, the bank is still busy; `cancelled`: withdrawn by the merchant */
export type PaymentState = 'open' | 'processing' | 'paid' | 'declined' | 'cancelled' | 'expired';

/** Values that an interface keeps with a payment. */
export type Detail = Readonly<Record<string, string>>;

export interface SandboxPayment {
  /** The interface that registered it. */
  readonly dialect: string;
  /** The id by which the till asks; the code's id where the interface has no other. */
  readonly bankId: string;
  readonly qrcId: string;
  /** The till's id of the order, or its `Idempotency-Key`. */
  readonly orderId: string | null;
  /** Kopecks. */
  readonly amount: number;
  readonly purpose: string | null;
  readonly state: PaymentState;
  /** How often money was taken; more than 1 would be a fault of the bank. */
  readonly charges: number;
  /** Kopecks that were refunded, or are about to be. */
  readonly refunded: number;
  /** The link in the QR code. */
  readonly link: string;
  /** Whether the till has received the code. */
  readonly coded: boolean;
  /** The payment system's id of the transfer; null until the payment is paid. */
  readonly trxId: string | null;
  readonly paidAt: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Time until it can no longer be paid; 0 where it is not open. */
  readonly remainingMs: number;
  readonly detail: Detail;
}

export interface NewPayment {
  readonly dialect: string;
  /** The merchant that is paid; others cannot see the payment. */
  readonly merchant: string;
  /** The bank's id; the code's id when left out. */
  readonly bankId?: string;
  readonly orderId: string | null;
  readonly amount: number;
  readonly purpose: string | null;
  readonly ttlMs: number;
  /** False where another call gives the code. */
  readonly coded?: boolean;
  readonly detail?: Detail;
}

/** The stored states; that a payment has expired follows from the clock. */
export type StoredState = Exclude<PaymentState, 'expired'>;
