/** The errors of the sandbox bank, one line each; the caller gets the message unchanged. */
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

export class SandboxError extends CodedError<SandboxErrorCode> {}
