import { CodedError } from '../../../drivers/lib/errors.ts';
import type { MembersOf } from '../../../drivers/lib/records.ts';
import type { ACCESS_ERRORS } from './error-records.ts';

/** Why a code was refused, or a token was not made. */
export type ClaimErrorCode = MembersOf<typeof ACCESS_ERRORS, 'Claim'>;

export class ClaimError extends CodedError<ClaimErrorCode> {
  /** Of a pause; null for any other. */
  readonly seconds: number | null;

  constructor(code: ClaimErrorCode, message: string, seconds: number | null = null) {
    super(code, message);
    this.seconds = seconds;
  }
}
