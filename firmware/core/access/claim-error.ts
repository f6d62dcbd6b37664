import { CodedError } from '../../../drivers/lib/errors.ts';

/**
 * Why a code was refused, or a token was not made.
 * - `NoCode`: no code is shown now; one is called up at the device
 * - `WrongCode`: it is not the one that is shown
 * - `TooManyTries`: too many wrong ones came from there before; for `seconds` none is looked at
 * - `TokenInUse`: the wanted token is another one's
 */
export type ClaimErrorCode = 'NoCode' | 'WrongCode' | 'TooManyTries' | 'TokenInUse';

export class ClaimError extends CodedError<ClaimErrorCode> {
  /** Of a pause; null for any other. */
  readonly seconds: number | null;

  constructor(code: ClaimErrorCode, message: string, seconds: number | null = null) {
    super(code, message);
    this.seconds = seconds;
  }
}
