/** Pauses after wrong PINs and codes, and a limit on guesses that many share. */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';

/** A token bucket of guesses, which many addresses share: a number at once, then one each interval. */
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

  consume(): void {
    this.#left = Math.max(0, this.#refilled() - 1);
  }

  get left(): number {
    return this.#refilled();
  }

  /** @param left guesses left at the time `at` */
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

interface LockoutRules {
  /** Wrong secrets without a pause: people mistype. */
  readonly free: number;
  readonly firstMs: number;
  readonly longestMs: number;
  /** After this time without a wrong secret a place starts at zero again. */
  readonly forgivenAfterMs: number;
}

/** Pauses up to a minute: for a person who types with a finger, and for a secret that lives for minutes. */
export const BRIEF_PAUSES: LockoutRules = Object.freeze({
  free: 5,
  firstMs: 1000,
  longestMs: 60_000,
  forgivenAfterMs: 3_600_000,
});

/** Most places remembered, each a network or the machine's screen; a new one replaces the oldest. */
const REMEMBERED = 8192;
/** How many of the last wrong secrets of a place are no new guess when repeated. */
const REPEATED = 4;

interface Tries {
  readonly wrong: number;
  readonly last: number;
  /** Names of the last wrong secrets. */
  readonly tried: readonly string[];
}

export function remember<Value>(map: Map<string, Value>, key: string, value: Value, most = REMEMBERED): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/** Distinguishes secrets of a place without storing them. */
const nameOf = (place: string, secret: string): string =>
  createHash('sha256').update(`${place}\n${secret}`).digest('base64');

/** Pauses of a place after wrong secrets: after a few free tries, each is twice as long as the one before. */
export class Lockouts {
  readonly #now: () => number;
  readonly #rules: LockoutRules;
  readonly #records = new Map<string, Tries>();

  /** @param now milliseconds that no clock setting changes */
  constructor(now: () => number, rules: LockoutRules) {
    this.#now = now;
    this.#rules = rules;
  }

  /** Milliseconds that a place still waits. */
  left(place: string): number {
    const { free, firstMs, longestMs } = this.#rules;
    const now = this.#now();
    const { wrong, last } = this.#recordOf(place, now);
    const pause = wrong < free ? 0 : Math.min(firstMs * 2 ** (wrong - free), longestMs);
    return Math.max(0, last + pause - now);
  }

  /** Whether this secret is one of the last wrong ones of the place. */
  wasTried(place: string, secret: string): boolean {
    return this.#recordOf(place, this.#now()).tried.includes(nameOf(place, secret));
  }

  /** Counts a wrong secret. @returns whether it is a new guess */
  wrong(place: string, secret: string): boolean {
    const now = this.#now();
    const { wrong, tried } = this.#recordOf(place, now);
    const name = nameOf(place, secret);
    if (tried.includes(name)) return false;
    remember(this.#records, place, { wrong: wrong + 1, last: now, tried: [name, ...tried].slice(0, REPEATED) });
    return true;
  }

  /** Places not forgiven yet, the latest last. */
  get places(): { place: string; wrong: number; last: number }[] {
    const since = this.#now() - this.#rules.forgivenAfterMs;
    return [...this.#records].flatMap(([place, { wrong, last }]) => (last < since ? [] : [{ place, wrong, last }]));
  }

  /** Restores a place as `places` gave it. @param last when the last wrong secret came */
  restore({ place, wrong }: { readonly place: string; readonly wrong: number }, last: number): void {
    remember(this.#records, place, { wrong, last, tried: [] });
  }

  #recordOf(place: string, now: number): Tries {
    const record = this.#records.get(place);
    const isForgiven = record === undefined || now - record.last > this.#rules.forgivenAfterMs;
    return isForgiven ? { wrong: 0, last: now, tried: [] } : record;
  }
}

/** Words of an IPv6 address that name the network: a host may use every address in it. */
const NETWORK_WORDS = 4;
const WORDS = 8;

/** The network that pays for wrong guesses: an IPv4 address, or a /64 of IPv6. @param address as `plainAddress` spells it */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [left = [], right = []] = address.split('::').map((part) => part.split(':').filter((word) => word !== ''));
  const between = Array.from({ length: WORDS - left.length - right.length }, () => '0');
  return [...left, ...between, ...right].slice(0, NETWORK_WORDS).join(':');
}
