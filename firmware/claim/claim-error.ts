/**
 * Why a code was refused, or a token was not made.
 * - `NoCode`: no code is shown now; one is called up at the device
 * - `WrongCode`: it is not the one that is shown
 * - `TooManyTries`: too many wrong ones came from there before; for `seconds` none is looked at
 * - `TokenInUse`: the wanted token is another one's
 */
export type ClaimErrorCode = 'NoCode' | 'WrongCode' | 'TooManyTries' | 'TokenInUse';

export class ClaimError extends Error {
  readonly code: ClaimErrorCode;
  /** Of a pause; null for any other. */
  readonly seconds: number | null;

  constructor(code: ClaimErrorCode, message: string, seconds: number | null = null) {
    super(message);
    this.name = 'ClaimError';
    this.code = code;
    this.seconds = seconds;
  }
}
