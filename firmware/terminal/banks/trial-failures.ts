/** What has kept a bank from answering when it was tried out, by the code that says what to do. */
import { codeOf } from '../../../drivers/lib/errors.ts';
import { type ErrorMember, TerminalError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import type { BankAdapter } from './adapter.ts';
import { type BankError, bankMessage } from './bank.ts';
import type { BankProfile } from './registry.ts';

type Member = Exclude<ErrorMember<'BankTest'>, 'NoError'>;

interface Found {
  readonly member: Member;
  /** Of the profile: where to look first. */
  readonly field?: string;
}

const ADDRESS = 'baseUrl';

/** By the codes of Node, of the system and of OpenSSL. */
const BY_CODE: readonly [RegExp, Found][] = [
  [/^(ENOTFOUND|EAI_\w+)$/, { member: 'NameNotFound', field: ADDRESS }],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL)$/, { member: 'NoConnection' }],
  [/^(ETIMEDOUT|ESOCKETTIMEDOUT)$/, { member: 'TimedOut' }],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, { member: 'Interrupted' }],
  [/^CERT_HAS_EXPIRED$/, { member: 'Expired' }],
  [/^CERT_NOT_YET_VALID$/, { member: 'NotYetValid' }],
  [/^ERR_TLS_CERT_ALTNAME_\w+$/, { member: 'WrongName', field: ADDRESS }],
  [
    /^(UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|CERT_\w+|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/,
    { member: 'Untrusted', field: 'caPath' },
  ],
  [/^(EPROTO|ERR_SSL_\w+|ERR_TLS_\w+)$/, { member: 'NoEncryption', field: ADDRESS }],
  [/^HPE_\w+$/, { member: 'NotABank', field: ADDRESS }],
];

/** Of HTTP: nothing is there. */
const NOTHING_THERE: readonly (number | null)[] = [404, 405, 410];

/** Several addresses of one name fail together, each in a way of its own: the last word counts. */
function causeOf(error: unknown): string {
  const last = error instanceof AggregateError ? (error.errors as unknown[]).at(-1) : error;
  return codeOf(error) ?? codeOf(last) ?? '';
}

function unanswered({ cause, code }: BankError): Found {
  if (code === 'contradiction') return { member: 'NotABank', field: ADDRESS };
  const name = causeOf(cause);
  return BY_CODE.find(([pattern]) => pattern.test(name))?.[1] ?? { member: 'NoConnection' };
}

function answered({ code, status, isWorded }: BankError): Found {
  const isElsewhere = status !== null && status >= 300 && status < 400; // where to is not asked: the credentials stay here
  if (code === 'contradiction' || isElsewhere || NOTHING_THERE.includes(status)) {
    return { member: 'NotABank', field: ADDRESS };
  }
  if (code === 'unreachable') return { member: 'Unavailable' };
  return isWorded ? { member: 'Refused' } : { member: 'NotABank', field: ADDRESS };
}

function foundBy(error: BankError, field: string | null): Found {
  if (field !== null && error.code !== 'contradiction') return { member: 'WrongCredentials', field };
  return error.status === null ? unanswered(error) : answered(error);
}

/** The bank's own words, for a sentence of any language. */
function saidBy({ words, bankCode, status }: BankError): string {
  const said = [words, bankCode === null ? null : `(${bankCode})`].filter((part) => part !== null).join(' ');
  return said === '' && status !== null ? `HTTP ${status}` : said;
}

/** Codes that hang on the time of this device. */
const BY_THE_CLOCK: readonly Member[] = ['Expired', 'NotYetValid'];

/** What a trial was about, for the sentence. */
export interface Tried {
  readonly adapter: BankAdapter;
  readonly profile: BankProfile;
  /** Whether it has taken longer than it may. */
  readonly isLate: boolean;
  /** Wall clock, ms since 1970. */
  readonly now: number;
}

/** @returns an error of `BankTest`, which names the field to look at where one is */
export function trialFailure(error: BankError, { adapter, profile, isLate, now }: Tried): TerminalError {
  const culprit = adapter.trial?.culprit(error, profile) ?? null;
  const { member, field }: Found = isLate ? { member: 'TimedOut' } : foundBy(error, culprit);
  const parameters = {
    bank: adapter.name,
    said: saidBy(error),
    ...(BY_THE_CLOCK.includes(member) && { clock: isoTime(now) }),
  };
  return TerminalError.of('BankTest', member, bankMessage(error), {
    ...{ cause: error, parameters },
    ...(field !== undefined && { field }),
  });
}
