/**
 * Tries a bank with a profile that need not be stored: whether it is reached, trusted, and takes the credentials. It is
 * opened for this only, so that neither a payment nor the health of the banks in use is touched.
 */
import { codeOf } from '../../drivers/lib/errors.ts';
import { isoTime } from '../../drivers/lib/iso-time.ts';
import { type MembersOf, recorded } from '../../drivers/lib/records.ts';
import type { OnlineBank } from './bank.ts';
import { BankError, bankMessage } from './bank-error.ts';
import { BANK_ERRORS } from './error-records.ts';
import { adapterOf, type BankContext, type BankProfile, openBank } from './registry.ts';

type Member = MembersOf<typeof BANK_ERRORS, 'BankTest'>;

/** Why the trial of a bank failed, with the bank's words and the field to look at. */
export class BankTestError extends recorded('BankTest', BANK_ERRORS) {}

interface Found {
  readonly member: Member;
  /** The profile's field to look at first. */
  readonly field?: string;
}

const ADDRESS = 'baseUrl';

/** Findings by the error codes of Node, the system and OpenSSL. */
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

/** HTTP statuses of an address where nothing is. */
const NOTHING_THERE: readonly (number | null)[] = [404, 405, 410];

/** The cause of a failure. Several addresses of one name fail together, each in its own way: the last one counts. */
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
  const isElsewhere = status !== null && status >= 300 && status < 400; // the target is not called: the credentials stay here
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

/** The bank's own words, to put into a sentence of any language. */
function saidBy({ words, bankCode, status }: BankError): string {
  const said = [words, bankCode === null ? null : `(${bankCode})`].filter((part) => part !== null).join(' ');
  return said === '' && status !== null ? `HTTP ${status}` : said;
}

/** Findings that depend on this device's clock. */
const BY_THE_CLOCK: readonly Member[] = ['Expired', 'NotYetValid'];

/** @param isLate whether the trial took longer than allowed @returns an error of `BankTest`, naming the field to look at, if any */
function trialFailure(error: BankError, profile: BankProfile, isLate: boolean, now: number): BankTestError {
  const adapter = adapterOf(profile.bankName);
  const culprit = adapter.trial?.culprit(error, profile) ?? null;
  const { member, field }: Found = isLate ? { member: 'TimedOut' } : foundBy(error, culprit);
  const more = {
    bank: adapter.name,
    said: saidBy(error),
    ...(BY_THE_CLOCK.includes(member) && { clock: isoTime(now) }),
    ...(field !== undefined && { field }),
  };
  return new BankTestError(member, bankMessage(error), { cause: error, more });
}

/** Time limit of all questions of one trial, ms: less than a person waits at a page. */
const TRIAL_LIMIT_MS = 10_000;
/** Most trials in a minute: a bank may lock a login after many wrong passwords. */
const TRIALS_A_MINUTE = 6;
const MINUTE_MS = 60_000;

/** The result of a successful trial. */
export interface Trial {
  readonly bankName: string;
  /** False for a fixed code, whose bank is never asked. */
  readonly isAsked: boolean;
  readonly ms: number;
  /** Fields of the profile that only a payment shows to be right. */
  readonly untried: readonly string[];
}

export interface BankTrialsOptions {
  readonly context: BankContext;
  /** Wall clock, ms since 1970. */
  readonly now: () => number;
  /** Monotonic, ms. */
  readonly uptime?: () => number;
  readonly limitMs?: number;
}

const tooOften = (waitMs: number): BankTestError =>
  new BankTestError(
    'TooOften',
    `a bank was tried out ${TRIALS_A_MINUTE} times within a minute, and may lock the login: nothing was asked`,
    { more: { seconds: Math.ceil(waitMs / 1000) } },
  );

export class BankTrials {
  readonly #options: BankTrialsOptions;
  readonly #uptime: () => number;
  readonly #closing = new AbortController();
  /** When the trials of the last minute began. */
  #startTimes: readonly number[] = [];

  constructor(options: BankTrialsOptions) {
    this.#options = options;
    this.#uptime = options.uptime ?? (() => performance.now());
  }

  /** @throws {BankTestError} @throws {FieldError} */
  async run(profile: BankProfile): Promise<Trial> {
    const begun = this.#uptime();
    const lately = this.#startTimes.filter((each) => begun - each < MINUTE_MS);
    const [first] = lately;
    if (first !== undefined && lately.length >= TRIALS_A_MINUTE) throw tooOften(first + MINUTE_MS - begun);
    this.#startTimes = [...lately, begun];
    return await this.#try(profile);
  }

  /** Ends the trials under way. */
  close(): void {
    this.#closing.abort();
  }

  async #try(profile: BankProfile): Promise<Trial> {
    const adapter = adapterOf(profile.bankName);
    const bank = await openBank(profile, this.#options.context);
    const begun = this.#uptime();
    if (bank.kind === 'online') await this.#ask(bank, profile).finally(() => bank.close());
    const isAsked = bank.kind === 'online' && bank.tryOut !== undefined;
    const untried = (adapter.trial?.untried ?? []).filter((field) => Object.hasOwn(profile, field));
    return { bankName: adapter.name, isAsked, ms: Math.round(this.#uptime() - begun), untried };
  }

  async #ask(bank: OnlineBank, profile: BankProfile): Promise<void> {
    const limit = AbortSignal.timeout(this.#options.limitMs ?? TRIAL_LIMIT_MS);
    try {
      await bank.tryOut?.(AbortSignal.any([limit, this.#closing.signal]));
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      throw trialFailure(error, profile, limit.aborted, this.#options.now());
    }
  }
}
