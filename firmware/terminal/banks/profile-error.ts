/**
 * - `certificate`: a file cannot be read, or its password is wrong
 * - `address`: no address of the bank is known, or one that is not safe to ask
 * - `header`: what no HTTP header can hold
 * - `sandbox-off`: the sandbox bank does not run on this device
 * - `payload`: a fixed code that no display can draw
 */
export type BankProfileErrorCode = 'certificate' | 'address' | 'header' | 'sandbox-off' | 'payload';

/** A profile whose fields are well formed, but that no bank can be opened with on this device. */
export class BankProfileError extends Error {
  readonly code: BankProfileErrorCode;
  /** The field to look at; the message reads after its name and "cannot be used:". */
  readonly field: string;

  constructor(code: BankProfileErrorCode, field: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'BankProfileError';
    this.code = code;
    this.field = field;
  }
}
