/**
 * Wrong tokens, and the pauses that they cost. Each address waits for its own, longer each time; whoever has one address of
 * IPv6 has millions, so those may together guess only so fast. What was right from an address lately is looked at there in any
 * case, so that nobody beside or behind that address can lock its till out, nor a program that goes on sending an old token.
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';

/** Wrong tokens of an address that cost no pause: people mistype. */
const FREE_GUESSES = 5;
/** Then it doubles with each. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** After so long without a wrong token an address begins anew. */
const FORGIVEN_AFTER_MS = 3_600_000;
/** Of all addresses of IPv6: so many at once, and then one for each interval. */
const GUESSES_AT_ONCE = 100;
const GUESS_EVERY_MS = 1000;
/** How long a token that was right is known. */
const KNOWN_FOR_MS = 86_400_000;
/** Of each kind; the oldest is forgotten for a new one. */
const REMEMBERED = 8192;
/** Wrong tokens of an address that are no new guess when they come again. */
const REPEATED = 4;

interface Record {
  readonly wrong: number;
  readonly last: number;
  /** Names of the last tokens. */
  readonly tried: readonly string[];
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED && oldest !== undefined) map.delete(oldest);
}

/** Tells tokens of an address apart without keeping them. */
const nameOf = (address: string, token: string): string =>
  createHash('sha256').update(`${address}\n${token}`).digest('base64');

export class Guesses {
  readonly #now: () => number;
  readonly #records = new Map<string, Record>();
  readonly #known = new Map<string, number>();
  #common = GUESSES_AT_ONCE;
  #commonAt: number;

  /** @param now milliseconds that no clock setting changes */
  constructor(now: () => number) {
    this.#now = now;
    this.#commonAt = now();
  }

  /** Milliseconds for which this token is not looked at, be it right or wrong; 0 where it is looked at now. */
  pause(address: string, token: string): number {
    const now = this.#now();
    if (now - (this.#known.get(nameOf(address, token)) ?? Number.NEGATIVE_INFINITY) < KNOWN_FOR_MS) return 0;
    const { wrong, last } = this.#recordOf(address, now);
    const own = wrong < FREE_GUESSES ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (wrong - FREE_GUESSES), LONGEST_PAUSE_MS);
    const left = Math.max(0, last + own - now);
    if (left > 0 || !isIPv6(address)) return left;
    return this.#refilled(now) >= 1 ? 0 : GUESS_EVERY_MS;
  }

  wrong(address: string, token: string): void {
    const now = this.#now();
    const { wrong, tried } = this.#recordOf(address, now);
    const name = nameOf(address, token);
    if (tried.includes(name)) return;
    remember(this.#records, address, { wrong: wrong + 1, last: now, tried: [name, ...tried].slice(0, REPEATED) });
    if (isIPv6(address)) this.#common = Math.max(0, this.#refilled(now) - 1);
  }

  /** Forgives nothing: whoever has one token may be guessing the other. */
  right(address: string, token: string): void {
    remember(this.#known, nameOf(address, token), this.#now());
  }

  #recordOf(address: string, now: number): Record {
    const record = this.#records.get(address);
    return record === undefined || now - record.last > FORGIVEN_AFTER_MS ? { wrong: 0, last: now, tried: [] } : record;
  }

  #refilled(now: number): number {
    this.#common = Math.min(GUESSES_AT_ONCE, this.#common + (now - this.#commonAt) / GUESS_EVERY_MS);
    this.#commonAt = now;
    return this.#common;
  }
}
