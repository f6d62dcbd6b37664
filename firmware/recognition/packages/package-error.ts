/** Why a package is not given. */
import { CodedError } from '../../../drivers/lib/errors.ts';

/** `NotFound`: there is none of that name; `BeyondEnd`: it is shorter than the part that was asked for. */
export class PackageError extends CodedError<'NotFound' | 'BeyondEnd'> {}
