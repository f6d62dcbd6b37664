/** A payment as the sandbox bank knows it. */
import { randomBytes } from 'node:crypto';

// Ids as the payment system gives them.

/** Without letters and digits that look alike; 32 of them, so a random byte falls on each equally often. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const ID_LETTERS = 30;

/** 32 letters and digits, as the payment system's ids have. @param prefix two letters: AD for codes of one payment */
export function newSbpId(prefix: string): string {
  return `${prefix}${Array.from(randomBytes(ID_LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

/** - `processing`: the payer has paid, and the bank is not done; `cancelled`: withdrawn by the merchant */
export type PaymentState = 'open' | 'processing' | 'paid' | 'declined' | 'cancelled' | 'expired';

/** What an interface keeps beside a payment. */
export type Detail = Readonly<Record<string, string>>;

export interface SandboxPayment {
  /** The interface that it came by. */
  readonly dialect: string;
  /** The id that the till asks by; the code's where the interface has no other. */
  readonly bankId: string;
  readonly qrcId: string;
  /** The till's id of the order, or its `Idempotency-Key`. */
  readonly orderId: string | null;
  /** Kopecks. */
  readonly amount: number;
  readonly purpose: string | null;
  readonly state: PaymentState;
  /** How often money was taken; more than 1 would be a defect of the bank. */
  readonly charges: number;
  /** Kopecks that have gone back to the payer, or are about to. */
  readonly refunded: number;
  /** What the QR code carries. */
  readonly link: string;
  /** Whether the till was given its code. */
  readonly coded: boolean;
  /** The payment system's id of the transfer; null until it is paid. */
  readonly trxId: string | null;
  readonly paidAt: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Until it can no longer be paid; 0 for one that is not open. */
  readonly remainingMs: number;
  readonly detail: Detail;
}

export interface NewPayment {
  readonly dialect: string;
  /** Who is paid: other merchants cannot see it. */
  readonly merchant: string;
  /** The code's id unless given. */
  readonly bankId?: string;
  readonly orderId: string | null;
  readonly amount: number;
  readonly purpose: string | null;
  readonly ttlMs: number;
  /** False where the code is given by another call. */
  readonly coded?: boolean;
  readonly detail?: Detail;
}

/** What is stored: that its time is over is seen by the clock. */
export type StoredState = Exclude<PaymentState, 'expired'>;
