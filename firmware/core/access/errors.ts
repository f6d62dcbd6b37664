/** Errors of a person who wants to get in by a display's code, a PIN or a token. */
import { type MembersOf, RecordedError } from '../../../drivers/lib/records.ts';
import { ACCESS_ERRORS } from './records.ts';

/** Why a code was refused, or a token was not made. */
type ClaimErrorCode = MembersOf<typeof ACCESS_ERRORS, 'Claim'>;

export class ClaimError extends RecordedError<ClaimErrorCode> {
  /** Seconds of a pause; null for other errors. */
  readonly seconds: number | null;

  constructor(code: ClaimErrorCode, message: string, seconds: number | null = null) {
    super(['Claim', ACCESS_ERRORS], code, message, { more: seconds === null ? {} : { seconds } });
    this.seconds = seconds;
  }
}

/** Why a sign-in failed, or a PIN was refused. */
export type SignInErrorCode = MembersOf<typeof ACCESS_ERRORS, 'SignIn'>;

export class SignInError extends RecordedError<SignInErrorCode> {
  constructor(code: SignInErrorCode, message: string, more: Readonly<Record<string, string | number>> = {}) {
    super(['SignIn', ACCESS_ERRORS], code, message, { more });
  }
}

export const tooManyTries = (seconds: number): SignInError =>
  new SignInError('TooManyTries', `too many wrong PINs were sent: the next one is checked in ${seconds} s`, {
    seconds,
  });
