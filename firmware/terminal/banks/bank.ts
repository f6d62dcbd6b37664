/** The room of the banks: what a payment needs of any bank, whatever its API. What a bank tells of itself: `adapter.ts`. */

/** What the bank says of a payment, in our words. `pending` is also every state that we do not know. */
export type BankVerdict = 'pending' | 'processing' | 'accepted' | 'rejected' | 'canceled';

/**
 * What the bank says when it is asked. It is believed only where all of it speaks of the payment that was asked about
 * (`askBank`): each list has as many entries as the answer tells it times.
 */
export interface BankReport {
  readonly verdict: BankVerdict;
  /** The bank's ids of the payment. */
  readonly ids: readonly string[];
  /** Kopecks; NaN for one that is no number of them. */
  readonly amounts: readonly number[];
  /** As the bank writes them. */
  readonly currencies: readonly string[];
}

export interface Registration {
  /** Ours, unique, the same for every retry of one payment. */
  readonly orderId: string;
  /** Kopecks. */
  readonly amount: number;
  readonly purpose: string | null;
  /** Minutes, 1 to `MAX_TTL_MINUTES`. */
  readonly ttl: number;
}

export interface RegisteredPayment {
  /** The bank's own id of the payment. */
  readonly bankId: string;
  /** What the QR code carries; see `payloadProblem`. */
  readonly payload: string;
}

/**
 * - `unreachable`: no answer came (network, deadline, 5xx, 429): the outcome is unknown, the same call may be repeated
 * - `refused`: the bank understood and said no; repeating will not help
 * - `contradiction`: the answer cannot be true (another amount, no id, nonsense)
 */
export type BankErrorCode = 'unreachable' | 'refused' | 'contradiction';

export class BankError extends Error {
  readonly code: BankErrorCode;
  /** The bank's own code and text, where it gave them; never a secret. */
  readonly bankCode: string | null;
  /** Milliseconds that the bank asked us to wait (429), where it did. */
  readonly retryAfterMs: number | null;

  constructor(
    code: BankErrorCode,
    message: string,
    details: { bankCode?: string | null; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'BankError';
    this.code = code;
    this.bankCode = details.bankCode ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** What a bank's failure says, with the bank's own code. */
export const bankMessage = ({ message, bankCode }: BankError): string =>
  bankCode === null ? message : `${message} (bank code ${bankCode})`;

/** What the bank knows the shop by. */
export interface ClientCertificate {
  /** The field that names its file. */
  readonly field: 'pfxPath' | 'certPath';
  /** Milliseconds since 1970. */
  readonly validFrom: number;
  readonly validTo: number;
}

export interface OnlineBank {
  readonly kind: 'online';
  /** What the bank knows us by; null, or absent, where it needs none. */
  readonly certificate?: ClientCertificate | null;
  /** @throws {BankError} */
  register(payment: Registration, signal: AbortSignal): Promise<RegisteredPayment>;
  /** @throws {BankError} */
  status(bankId: string, signal: AbortSignal): Promise<BankReport>;
  /** Takes an unpaid code out of use; absent where the bank cannot. @throws {BankError} */
  readonly cancel?: (bankId: string, signal: AbortSignal) => Promise<void>;
  /** Gives connections back; calls under way are heard out. */
  close(): Promise<void>;
}

/** A fixed code: nothing is registered, no outcome can be known. */
export interface StaticBank {
  readonly kind: 'static';
  readonly payload: string;
}

export type Bank = OnlineBank | StaticBank;
