/** The errors of a bank's call: no answer, a refusal, an answer that cannot be true. */

import { CodedError } from '../../drivers/lib/errors.ts';

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
