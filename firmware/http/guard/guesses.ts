/**
 * Wrong tokens, and the pauses that they cost. Each address waits for its own, longer each time; a host with one address of
 * IPv6 has millions, so those may together guess only so fast. What was right from an address lately is looked at there in any
 * case, so that no host beside or behind that address can lock its till out, nor a program that goes on sending an old token.
 */
import { isIPv6 } from 'node:net';
import { Allowance } from './allowance.ts';
import { Lockouts, nameOf, remember } from './lockouts.ts';

const LOCKOUT = Object.freeze({ free: 5, firstMs: 1000, longestMs: 60_000, forgivenAfterMs: 3_600_000 });
/** Of all addresses of IPv6: so many at once, and then one for each interval. */
const GUESSES_AT_ONCE = 100;
const GUESS_EVERY_MS = 1000;
/** How long a token that was right is known. */
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

  /** Resets nothing: one who has a token may be guessing the other. */
  right(address: string, token: string): void {
    remember(this.#known, nameOf(address, token), this.#now());
  }
}
