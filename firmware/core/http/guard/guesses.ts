/**
 * Wrong tokens, and their pauses. Each address has its own growing pauses. A host with one IPv6 address has millions of
 * them, so all IPv6 addresses share a limit on guesses. A token that was right from an address lately is always checked
 * there: no host behind the same address, and no program with an old token, can lock its till out.
 */
import { isIPv6 } from 'node:net';
import { Lockouts, nameOf, remember } from './lockouts.ts';

/** An allowance of guesses: a number at once, then one each interval, shared by many. */
export class Allowance {
  readonly #now: () => number;
  readonly #atOnce: number;
  readonly #everyMs: number;
  #left: number;
  #at: number;

  /** @param now milliseconds that no clock setting changes */
  constructor(now: () => number, atOnce: number, everyMs: number) {
    this.#now = now;
    this.#atOnce = atOnce;
    this.#everyMs = everyMs;
    this.#left = atOnce;
    this.#at = now();
  }

  /** Milliseconds until a guess is allowed. */
  wait(): number {
    return Math.max(0, Math.ceil((1 - this.#refilled()) * this.#everyMs));
  }

  take(): void {
    this.#left = Math.max(0, this.#refilled() - 1);
  }

  get left(): number {
    return this.#refilled();
  }

  /** @param left guesses left at a timestamp */
  restore(left: number, at: number): void {
    this.#left = Math.min(this.#left, left);
    this.#at = at;
  }

  #refilled(): number {
    const now = this.#now();
    this.#left = Math.min(this.#atOnce, this.#left + (now - this.#at) / this.#everyMs);
    this.#at = now;
    return this.#left;
  }
}

const LOCKOUT = Object.freeze({ free: 5, firstMs: 1000, longestMs: 60_000, forgivenAfterMs: 3_600_000 });
/** Guesses of all IPv6 addresses at once; then one for each interval. */
const GUESSES_AT_ONCE = 100;
const GUESS_EVERY_MS = 1000;
/** How long a right token is remembered. */
const KNOWN_FOR_MS = 86_400_000;

export class Guesses {
  readonly #now: () => number;
  readonly #lockouts: Lockouts;
  readonly #common: Allowance;
  readonly #known = new Map<string, number>();

  /** @param now milliseconds that no clock setting changes */
  constructor(now: () => number) {
    this.#now = now;
    this.#lockouts = new Lockouts(now, LOCKOUT);
    this.#common = new Allowance(now, GUESSES_AT_ONCE, GUESS_EVERY_MS);
  }

  /**
   * Milliseconds for which this token is not checked, right or wrong; 0 where it is checked now. The pause shows
   * whether a token was right lately: that does not help an attacker, since a token is too long to guess.
   */
  pause(address: string, token: string): number {
    const right = this.#known.get(nameOf(address, token)) ?? Number.NEGATIVE_INFINITY;
    if (this.#now() - right < KNOWN_FOR_MS) return 0;
    const left = this.#lockouts.left(address);
    return left > 0 || !isIPv6(address) ? left : this.#common.wait();
  }

  wrong(address: string, token: string): void {
    if (this.#lockouts.wrong(address, token) && isIPv6(address)) this.#common.take();
  }

  /** Resets no pause: a caller who has one token may be guessing another. */
  right(address: string, token: string): void {
    remember(this.#known, nameOf(address, token), this.#now());
  }
}
