/** The errors of the sandbox bank, one line each; the message goes to the caller as it is. */
export type SandboxErrorCode =
  /** The body or a header does not fit the call. */
  | 'invalid'
  /** The body is not called JSON. */
  | 'not-json'
  /** There is no such payment. */
  | 'unknown'
  /** The payment is declined, paid or expired. */
  | 'not-open'
  /** The order id stands for another payment. */
  | 'order-differs';

export class SandboxError extends Error {
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string) {
    super(message);
    this.name = 'SandboxError';
    this.code = code;
  }
}
