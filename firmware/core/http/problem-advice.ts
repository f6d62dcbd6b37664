/** What codes of problems mean and what a till does about them: `docs/errors.md` is written from it, and the pages that `type` leads to. */
import { codeOfKind } from './failure.ts';
import { statusesOf } from './problem.ts';

/**
 * - `no`: the same again gets the same answer
 * - `mended`: once what is wrong with the call, or with the device, is mended
 * - `later`: the same again, with the same key
 * - `unless-used-up`: the same, but where the answer has `repeat: false`
 */
export type Again = 'no' | 'mended' | 'later' | 'unless-used-up';

export interface Advice {
  readonly meaning: string;
  readonly again: Again;
  readonly todo: string;
}

/** Of what any call of either port may be answered before it reaches its route, or where it fails. */
export const COMMON_ADVICE: Readonly<Record<string, Advice>> = Object.freeze({
  'JsonParse.*': { meaning: 'the body is not JSON', again: 'mended', todo: 'correct the call as `detail` says' },
  'RequestParams.InvalidField': {
    meaning: '`field` is missing, wrong or unknown',
    again: 'mended',
    todo: 'correct the call as `detail` says: it names what is missing, and for an unknown name the nearest or all',
  },
  'RequestParams.InvalidRequest': {
    meaning: 'invalid HTTP, not complete in time, or the display was cleared before the code was shown',
    again: 'mended',
    todo: 'send it complete; a sale again, if it is still wanted',
  },
  'RequestParams.NotAuthorised': {
    meaning: 'no token, or a wrong one',
    again: 'mended',
    todo: 'send `Authorization: Bearer …`',
  },
  'RequestParams.Forbidden': {
    meaning: 'the token does not allow this call, the caller’s address is not allowed, or TLS is missing',
    again: 'mended',
    todo: 'as `detail` says',
  },
  'RequestParams.UnknownPath': {
    meaning: 'this call does not exist',
    again: 'mended',
    todo: '`/reference` shows the calls; an unknown payment is `Payments.NotFound`',
  },
  'RequestParams.WrongMethod': {
    meaning: 'the path needs another method',
    again: 'mended',
    todo: '`detail` and the header `Allow` name it',
  },
  'RequestParams.TooLarge': { meaning: 'the body or the headers are too large', again: 'mended', todo: 'send less' },
  'RequestParams.UnsupportedMediaType': {
    meaning: 'the call does not accept a body of this type',
    again: 'mended',
    todo: 'send the `Content-Type` that `detail` names',
  },
  'RequestParams.TooMany': {
    meaning: 'earlier calls take too long, too many wait, or too many wrong tokens were sent',
    again: 'later',
    todo: 'wait a second, or as long as `Retry-After` says',
  },
  'Internal.UnexpectedError': {
    meaning: 'the device failed; its log says why',
    again: 'unless-used-up',
    todo: 'retry with the same key, or after `repeat: false` with a new one; give the technician `Laneware-Request-Id`',
  },
  'Internal.StorageFull': {
    meaning: 'no space left on the device',
    again: 'mended',
    todo: 'call the technician; see `/health`',
  },
  'Internal.StorageRefused': {
    meaning: 'the device cannot write to its storage',
    again: 'later',
    todo: 'call the technician; see `/health`',
  },
});

const AGAIN: Readonly<Record<Again, string>> = {
  no: 'no',
  mended: 'once that is corrected',
  later: 'yes',
  'unless-used-up': 'yes, unless `repeat` is `false`',
};

const commonStatuses = (code: string): readonly number[] =>
  code === 'JsonParse.*' ? statusesOf(codeOfKind('json')) : statusesOf(code);

/** What is known of the codes of one port. */
export interface OwnAdvice {
  readonly advices: Readonly<Record<string, Advice>>;
  readonly statuses: Readonly<Record<string, number>>;
  /** Whether something is a code, though nothing more is known of it. */
  readonly isOther: (code: string) => boolean;
}

/** The description of one code, for people; between backticks stands what a program reads. */
export interface AdviceRow {
  readonly code: string;
  readonly statuses: string;
  readonly meaning: string;
  readonly again: string;
  readonly todo: string;
}

/** @param statuses null for what is common to both ports */
export const adviceRows = (
  advices: Readonly<Record<string, Advice>>,
  statuses: Readonly<Record<string, number>> | null,
): AdviceRow[] =>
  Object.entries(advices)
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([code, { again, ...rest }]) => ({
      code,
      statuses: statuses === null ? commonStatuses(code).join(', ') : String(statuses[code]),
      ...rest,
      again: AGAIN[again],
    }));
