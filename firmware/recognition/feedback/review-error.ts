/** What cannot be said of an answer that was not certain. */
import { CodedError } from '../../../drivers/lib/errors.ts';

/** `NotFound`: it is not kept any more; `AnsweredOtherwise`: something else was said of it. */
export class ReviewError extends CodedError<'NotFound' | 'AnsweredOtherwise'> {}
