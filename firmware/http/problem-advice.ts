/** What codes of problems mean and what a till does about them: `docs/errors.md` is written from it, and the pages that `type` leads to. */
import { CODE_OF_KIND, statusesOf } from './problem.ts';

/**
 * - `no`: the same again gets the same answer
 * - `mended`: once what is wrong with the call, or with the device, is mended
 * - `later`: the same again, with the same key
 * - `unless-used-up`: the same, but where the answer has `repeat: false`
 */
export type Again = 'no' | 'mended' | 'later' | 'unless-used-up';

export interface Advice {
  /** What has happened. */
  readonly meaning: string;
  readonly again: Again;
  /** What there is to do. */
  readonly todo: string;
}

/** Of what any call of either port may be answered before it reaches its route, or where it fails. */
export const COMMON_ADVICE: Readonly<Record<string, Advice>> = Object.freeze({
  'JsonParse.*': { meaning: 'the body is no JSON', again: 'mended', todo: 'mend the call as `detail` says' },
  'RequestParams.InvalidField': {
    meaning: '`field` is missing, wrong or not known',
    again: 'mended',
    todo: 'mend the call as `detail` says: it names what is missing, and for an unknown name the nearest one, or all there are',
  },
  'RequestParams.InvalidRequest': {
    meaning: 'no valid HTTP, not sent whole in time, or the display was cleared before the code was shown',
    again: 'mended',
    todo: 'send it whole; a sale again, where it is still wanted',
  },
  'RequestParams.NotAuthorised': {
    meaning: 'no token was sent, or a wrong one',
    again: 'mended',
    todo: 'send `Authorization: Bearer …`',
  },
  'RequestParams.Forbidden': {
    meaning: 'the token does not open this call, the caller may not come from there, or TLS is missing',
    again: 'mended',
    todo: 'as `detail` says',
  },
  'RequestParams.UnknownPath': {
    meaning: 'there is no such call',
    again: 'mended',
    todo: '`detail` names the nearest call; an unknown payment is `Payments.NotFound`',
  },
  'RequestParams.WrongMethod': {
    meaning: 'the path takes another method',
    again: 'mended',
    todo: '`detail` and the header `Allow` name it',
  },
  'RequestParams.TooLarge': { meaning: 'the body or the headers are too large', again: 'mended', todo: 'send less' },
  'RequestParams.UnsupportedMediaType': {
    meaning: 'the body is of another type than the call takes',
    again: 'mended',
    todo: 'send the `Content-Type` that `detail` names',
  },
  'RequestParams.TooMany': {
    meaning: 'calls before this one take too long, too many wait, or too many wrong tokens were sent',
    again: 'later',
    todo: 'wait for a second, or as long as `Retry-After` says',
  },
  'Internal.UnexpectedError': {
    meaning: 'the device failed; its log says why',
    again: 'unless-used-up',
    todo: 'the same again, with the same key, or after `repeat: false` with a new one; give the technician `Laneware-Request-Id`',
  },
  'Internal.StorageFull': {
    meaning: 'the disk of the device is full',
    again: 'mended',
    todo: 'call the technician; `/health` says more',
  },
});

const AGAIN: Readonly<Record<Again, string>> = {
  no: 'no',
  mended: 'once that is mended',
  later: 'yes',
  'unless-used-up': 'yes, unless `repeat` is `false`',
};

const commonStatuses = (code: string): readonly number[] =>
  code === 'JsonParse.*' ? statusesOf(CODE_OF_KIND.json) : statusesOf(code);

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
