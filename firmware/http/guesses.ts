/**
 * Wrong tokens, and the pauses that they cost. Each address waits for its own, longer each time; all together may guess
 * only so fast. An address that has shown a right token lately is not held up by the others, so that nobody can lock the
 * till out from elsewhere.
 */

/** Wrong tokens of an address that cost no pause: people mistype. */
const FREE_GUESSES = 5;
/** Then it doubles with each. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** After so long without a wrong token an address begins anew. */
const FORGIVEN_AFTER_MS = 3_600_000;
/** Of all addresses that were never right: so many at once, and then one for each interval. */
const GUESSES_AT_ONCE = 100;
const GUESS_EVERY_MS = 1000;
/** How long an address that was right is known. */
const KNOWN_FOR_MS = 86_400_000;
/** Addresses that are remembered of each kind; the oldest is forgotten for a new one. */
const REMEMBERED = 1024;

interface Record {
  readonly wrong: number;
  readonly last: number;
}

function remember<Value>(map: Map<string, Value>, address: string, value: Value): void {
  map.delete(address);
  map.set(address, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED && oldest !== undefined) map.delete(oldest);
}

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

  /** Milliseconds for which no token of this address is looked at, be it right or wrong; 0 where it is looked at now. */
  pause(address: string): number {
    const now = this.#now();
    const { wrong, last } = this.#recordOf(address, now);
    const own = wrong < FREE_GUESSES ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (wrong - FREE_GUESSES), LONGEST_PAUSE_MS);
    const left = Math.max(0, last + own - now);
    if (left > 0 || this.#isKnown(address, now)) return left;
    return this.#refilled(now) >= 1 ? 0 : GUESS_EVERY_MS;
  }

  wrong(address: string): void {
    const now = this.#now();
    remember(this.#records, address, { wrong: this.#recordOf(address, now).wrong + 1, last: now });
    if (!this.#isKnown(address, now)) this.#common = Math.max(0, this.#refilled(now) - 1);
  }

  /** Forgives nothing: whoever has one token may be guessing the other. */
  right(address: string): void {
    remember(this.#known, address, this.#now());
  }

  #recordOf(address: string, now: number): Record {
    const record = this.#records.get(address);
    return record === undefined || now - record.last > FORGIVEN_AFTER_MS ? { wrong: 0, last: now } : record;
  }

  #isKnown(address: string, now: number): boolean {
    const at = this.#known.get(address);
    return at !== undefined && now - at < KNOWN_FOR_MS;
  }

  #refilled(now: number): number {
    this.#common = Math.min(GUESSES_AT_ONCE, this.#common + (now - this.#commonAt) / GUESS_EVERY_MS);
    this.#commonAt = now;
    return this.#common;
  }
}
