/**
 * A bank is tried out with a profile that need not be kept: whether it is reached, trusted, and takes the credentials. It is opened for this
 * alone, so that no payment, and nothing that is known of the banks in use, has to do with it.
 */
import { TerminalError } from '../errors.ts';
import { terminalFailure } from '../failures.ts';
import { BankError, type OnlineBank } from './bank.ts';
import { adapterOf, type BankContext, type BankProfile, openBank } from './registry.ts';
import { trialFailure } from './trial-failures.ts';

/** What all questions of one trial may take, ms: less than a person who waits at a page. */
const TRIAL_LIMIT_MS = 10_000;
/** Trials within a minute: a bank may lock a login that is tried more often with a wrong password. */
const TRIALS_A_MINUTE = 6;
const MINUTE_MS = 60_000;

/** What has come of one that has gone well. */
export interface Trial {
  readonly bankName: string;
  /** False for a bank that is never asked: a fixed code. */
  readonly isAsked: boolean;
  readonly ms: number;
  /** Fields of the profile that a payment alone shows to be right. */
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

const isBusy = (): TerminalError =>
  TerminalError.of('RequestParams', 'TooMany', 'a bank is being tried out now: nothing was asked');

const tooOften = (waitMs: number): TerminalError =>
  TerminalError.of(
    'BankTest',
    'TooOften',
    `a bank was tried out ${TRIALS_A_MINUTE} times within a minute, and may lock the login: nothing was asked`,
    { extra: { seconds: Math.ceil(waitMs / 1000) } },
  );

export class BankTrials {
  readonly #context: BankContext;
  readonly #options: BankTrialsOptions;
  readonly #uptime: () => number;
  readonly #closing = new AbortController();
  #isBusy = false;
  /** When the trials of the last minute began. */
  #begun: readonly number[] = [];

  constructor(options: BankTrialsOptions) {
    const { cftBaseUrl, sandboxBaseUrl, caPath = null, readFile } = options.context;
    this.#options = options;
    this.#context = { cftBaseUrl, sandboxBaseUrl, caPath, ...(readFile !== undefined && { readFile }) }; // who watches the banks in use hears nothing of it
    this.#uptime = options.uptime ?? (() => performance.now());
  }

  /** One at a time. @throws {TerminalError} of `BankTest`, 400 naming a field, or `TooMany` where another one runs */
  async run(profile: BankProfile): Promise<Trial> {
    if (this.#isBusy) throw isBusy();
    const begun = this.#uptime();
    const lately = this.#begun.filter((each) => begun - each < MINUTE_MS);
    const [first] = lately;
    if (first !== undefined && lately.length >= TRIALS_A_MINUTE) throw tooOften(first + MINUTE_MS - begun);
    this.#begun = [...lately, begun];
    this.#isBusy = true;
    try {
      return await this.#try(profile);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Ends one that is under way. */
  close(): void {
    this.#closing.abort();
  }

  async #try(profile: BankProfile): Promise<Trial> {
    const adapter = adapterOf(profile.bankName);
    const bank = await openBank(profile, this.#context).catch((error: unknown) => {
      throw terminalFailure(error);
    });
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
      const adapter = adapterOf(profile.bankName);
      throw trialFailure(error, { adapter, profile, isLate: limit.aborted, now: this.#options.now() });
    }
  }
}
