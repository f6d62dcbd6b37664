import { CodedError } from '../../../drivers/lib/errors.ts';
import type { MembersOf } from '../../../drivers/lib/records.ts';
import type { ACCESS_ERRORS } from './error-records.ts';

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
