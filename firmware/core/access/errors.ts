/** Errors of a person who wants to get in by a display's code, a PIN or a token. */
import { CodedError } from '../../../drivers/lib/errors.ts';
import type { MembersOf } from '../../../drivers/lib/records.ts';
import type { ACCESS_ERRORS } from './records.ts';

/** Why a code was refused, or a token was not made. */
type ClaimErrorCode = MembersOf<typeof ACCESS_ERRORS, 'Claim'>;

export class ClaimError extends CodedError<ClaimErrorCode> {
  /** Seconds of a pause; null for other errors. */
  readonly seconds: number | null;

  constructor(code: ClaimErrorCode, message: string, seconds: number | null = null) {
    super(code, message);
    this.seconds = seconds;
  }
}

/** Why a sign-in failed, or a PIN was refused. */
export type SignInErrorCode = MembersOf<typeof ACCESS_ERRORS, 'SignIn'>;

export class SignInError extends CodedError<SignInErrorCode> {
  /** Parameters of the sentence, and the field at fault. */
  readonly more: Readonly<Record<string, string | number>>;

  constructor(code: SignInErrorCode, message: string, more: Readonly<Record<string, string | number>> = {}) {
    super(code, message);
    this.more = more;
  }
}

export const tooManyTries = (seconds: number): SignInError =>
  new SignInError('TooManyTries', `too many wrong ones were sent: the next one is looked at in ${seconds} s`, {
    seconds,
  });
