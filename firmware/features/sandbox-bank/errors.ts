/** The errors of the sandbox bank, one line each; the message goes to the caller as it is. */
import { CodedError } from '../../../drivers/lib/errors.ts';

export type SandboxErrorCode =
  /** The body or a header does not fit the call. */
  | 'invalid'
  /** The body is not called JSON. */
  | 'not-json'
  /** There is no such payment. */
  | 'unknown'
  /** The payment is declined, paid or expired. */
  | 'not-open'
  /** The order id stands for another payment, or a refund's id for another refund. */
  | 'order-differs'
  /** Nothing can be given back of it. */
  | 'not-paid'
  /** A refund of more than what is left. */
  | 'too-much';

export class SandboxError extends CodedError<SandboxErrorCode> {}
