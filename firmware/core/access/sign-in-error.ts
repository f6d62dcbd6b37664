import { CodedError } from '../../../drivers/lib/errors.ts';

/**
 * Why a sign-in failed, or a PIN was refused.
 * - `WrongPin`, `WrongToken`: no one has it
 * - `TooManyTries`: too many wrong ones came before; `more.seconds` is how long none is checked
 * - `EasyPin`: somebody would guess it
 * - `PinInUse`: it is the other role's: a PIN alone says who signs in
 * - `TechnicianFirst`: no one could sign in as technician any more
 */
export type SignInErrorCode = 'WrongPin' | 'WrongToken' | 'TooManyTries' | 'EasyPin' | 'PinInUse' | 'TechnicianFirst';

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
