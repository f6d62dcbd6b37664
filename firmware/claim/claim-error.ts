/**
 * Why nobody was let in by a code, or a token was not made.
 * - `NoCode`: no code is shown now; one is called up at the device
 * - `WrongCode`: it is not the one that is shown
 * - `TokenInUse`: the wanted token is another one's
 */
export type ClaimErrorCode = 'NoCode' | 'WrongCode' | 'TokenInUse';

export class ClaimError extends Error {
  readonly code: ClaimErrorCode;

  constructor(code: ClaimErrorCode, message: string) {
    super(message);
    this.name = 'ClaimError';
    this.code = code;
  }
}
