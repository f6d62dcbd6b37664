/** Access tokens that expire, as OAuth gives them: asked for once for all who wait, before the one in use ends. */
import { BankError } from '../bank.ts';

/** What the bank gives for the shop's own credentials. */
export interface AccessToken {
  readonly value: string;
  /** Milliseconds that it lives from the moment of the answer (`expires_in`). */
  readonly lifeMs: number;
}

/** Asks the bank for a token. @throws {BankError} */
export type AskForToken = (signal: AbortSignal) => Promise<AccessToken>;

/** How long one question for a token may take, for all that wait for it, ms. */
const ASK_DEADLINE_MS = 10_000;
/** A token is replaced so long before its end, or a tenth of its life where that is shorter, ms. */
const MARGIN_MS = 60_000;

interface Held {
  readonly value: string;
  /** By the monotonic clock, ms. */
  readonly freshUntil: number;
  readonly goodUntil: number;
}

const ABORTED = 'the bank cannot be reached: no answer within the time allowed';

/** @throws {BankError} `unreachable` when the signal says so first; what it waited for goes on */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new BankError('unreachable', ABORTED));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** What a call came to that was made with a token, without that token. */
function withoutToken(error: unknown, token: string): unknown {
  if (!(error instanceof BankError)) return error;
  const texts = [error.message, error.bankCode, error.words];
  const [message, bankCode, words] = texts.map((text) => text?.replaceAll(token, '<TOKEN>') ?? null);
  if (message === error.message && bankCode === error.bankCode) return error;
  const { code, retryAfterMs, isDuplicate, isUnauthorized, status } = error;
  return new BankError(code, message ?? '', {
    ...{ bankCode: bankCode ?? null, words: words ?? null, retryAfterMs, isDuplicate, isUnauthorized },
    ...(status !== null && { status }),
  });
}

export class AccessTokens {
  readonly #ask: AskForToken;
  readonly #closing: AbortSignal;
  readonly #now: () => number;
  #held: Held | null = null;
  #asking: Promise<Held> | null = null;

  /** @param closing ends a question under way @param now a monotonic clock, ms: the device's own may be wrong */
  constructor(ask: AskForToken, closing: AbortSignal, now: () => number = () => performance.now()) {
    this.#ask = ask;
    this.#closing = closing;
    this.#now = now;
  }

  /**
   * Calls the bank with a token, and again with a new one where the bank takes it no longer (HTTP 401): it has done nothing then.
   * @throws {BankError} without the token
   */
  async call<T>(work: (token: string) => Promise<T>, signal: AbortSignal): Promise<T> {
    const token = await this.#token(signal);
    try {
      return await this.#with(token, work);
    } catch (error) {
      if (!(error instanceof BankError && error.status === 401)) throw error;
    }
    // another call may have put a new one in its place meanwhile
    if (this.#held?.value === token) this.#held = null;
    return this.#with(await this.#token(signal), work);
  }

  async #with<T>(token: string, work: (token: string) => Promise<T>): Promise<T> {
    try {
      return await work(token);
    } catch (error) {
      throw withoutToken(error, token);
    }
  }

  async #token(signal: AbortSignal): Promise<string> {
    const held = this.#held;
    if (held !== null && this.#now() < held.freshUntil) return held.value;
    try {
      return (await unlessAborted(this.#renew(), signal)).value;
    } catch (error) {
      // while the old one is good, a bank that gives no new one stops nothing
      if (held !== null && held === this.#held && this.#now() < held.goodUntil) return held.value;
      throw error;
    }
  }

  #renew(): Promise<Held> {
    this.#asking ??= this.#askNow().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #askNow(): Promise<Held> {
    const { value, lifeMs } = await this.#ask(AbortSignal.any([AbortSignal.timeout(ASK_DEADLINE_MS), this.#closing]));
    const now = this.#now();
    this.#held = { value, goodUntil: now + lifeMs, freshUntil: now + lifeMs - Math.min(MARGIN_MS, lifeMs / 10) };
    return this.#held;
  }
}
