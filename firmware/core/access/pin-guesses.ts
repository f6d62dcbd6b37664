/**
 * Limits guesses of PINs. A PIN is short: one guess a second finds it within three hours. So the whole network shares
 * one slow allowance, and each address is slower still, so that one alone does not use it up. Addresses where somebody
 * signed in lately share an allowance that no stranger can use up; the machine's own screen only has pauses.
 */
import Type, { type Static } from 'typebox';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { JsonStore } from '../files/index.ts';
import type { Timekeeper } from '../host/index.ts';
import { Allowance, BRIEF_PAUSES, Lockouts, networkOf, remember } from './lockouts.ts';

// Spent guesses are stored on the disk: else a restart would give all of them anew. The file holds no PIN, and nothing
// that shows one.

/** Most addresses stored, the latest ones: for the others the common allowance counts. */
export const MOST_PLACES = 256;

const Places = Type.Array(
  Type.Object({
    place: Type.String({ maxLength: 64 }),
    wrong: Type.Integer({ minimum: 0 }),
    /** Time of the last wrong PIN, on the clock that no setting changes. */
    last: Type.Number(),
  }),
  { maxItems: MOST_PLACES },
);
const Schema = Type.Object({
  /** Id of the boot in which the times of this file were measured. */
  boot: Type.String({ maxLength: 64 }),
  at: Type.Number(),
  screen: Places,
  addresses: Places,
  /** Guesses that each allowance had left at the time `at`. */
  strangers: Type.Number(),
  familiar: Type.Number(),
  /** Networks where somebody has signed in. */
  signedIn: Type.Array(Type.Object({ place: Type.String({ maxLength: 64 }), last: Type.Number() }), {
    maxItems: MOST_PLACES,
  }),
});
export type StoredGuesses = Readonly<Static<typeof Schema>>;

export class GuessFile {
  readonly #store: JsonStore<StoredGuesses | null>;
  readonly #onProblem: (problem: string) => void;

  /** @param onProblem called with the reason why guesses could not be read or stored */
  constructor(path: string, onProblem: (problem: string) => void) {
    this.#store = JsonStore.open(path, Type.Union([Schema, Type.Null()]), null);
    this.#onProblem = onProblem;
  }

  /** The stored guesses; null before the first. */
  read(): StoredGuesses | null {
    const { problem, value } = this.#store;
    if (problem !== null) this.#onProblem(problem);
    return value;
  }

  write(guesses: StoredGuesses): void {
    try {
      this.#store.write(guesses);
    } catch (error) {
      this.#onProblem(messageOf(error)); // the guesses count until the end of the process
    }
  }
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OF_ADDRESS = Object.freeze({ free: 5, firstMs: 1000, longestMs: HOUR_MS, forgivenAfterMs: DAY_MS });
/**
 * Guesses at once of all strangers, and of all familiar addresses. docs/decisions/0042-pin-guess-limits.md says how long
 * a PIN then lasts.
 */
const GUESSES_AT_ONCE = 20;
const GUESS_EVERY_MS = 10 * 60_000;
/** How long an address stays familiar: longer than a shop is closed. */
const FAMILIAR_FOR_MS = 7 * DAY_MS;
/** How often running pauses are stored: a power cut forgets at most this much of their time. */
const WRITE_EVERY_MS = HOUR_MS;
const SCREEN = 'screen';
/** Where a PIN is typed. */
export interface Place {
  /** Whether it is the machine itself. */
  readonly isHere: boolean;
  readonly address: string;
}

const keyOf = ({ isHere, address }: Place): string => (isHere ? SCREEN : networkOf(address));

export type GuessClock = Pick<Timekeeper, 'monotonic' | 'bootId' | 'after'>;

export class PinGuesses {
  readonly #now: () => number;
  readonly #screen: Lockouts;
  readonly #addresses: Lockouts;
  readonly #strangers: Allowance;
  readonly #familiar: Allowance;
  /** Networks where somebody has signed in, and when. */
  readonly #signedIn = new Map<string, number>();

  readonly #clock: GuessClock;
  #callOff: (() => void) | null = null;
  readonly #file: Pick<GuessFile, 'read' | 'write'>;

  /** @param file stores the guesses made before this process */
  constructor(clock: GuessClock, file: Pick<GuessFile, 'read' | 'write'>) {
    const now = (): number => clock.monotonic();
    this.#now = now;
    this.#clock = clock;
    this.#file = file;
    this.#screen = new Lockouts(now, BRIEF_PAUSES);
    this.#addresses = new Lockouts(now, OF_ADDRESS);
    this.#strangers = new Allowance(now, GUESSES_AT_ONCE, GUESS_EVERY_MS);
    this.#familiar = new Allowance(now, GUESSES_AT_ONCE, GUESS_EVERY_MS);
    this.#restore(file.read());
    this.#writeLater();
  }

  close(): void {
    this.#callOff?.();
    this.#callOff = () => undefined; // a PIN still being checked must set no new timer
  }

  /**
   * Restores stored guesses. After another boot nobody knows how long the device was off: pauses only get shorter by time
   * while it was on.
   */
  #restore(stored: StoredGuesses | null): void {
    if (stored === null) return;
    const isSame = stored.boot === this.#clock.bootId;
    const from = (then: number): number =>
      isSame ? Math.min(then, this.#now()) : this.#now() - Math.max(0, stored.at - then);
    for (const each of stored.screen) this.#screen.restore(each, from(each.last));
    for (const each of stored.addresses) this.#addresses.restore(each, from(each.last));
    for (const { place, last } of stored.signedIn) remember(this.#signedIn, place, from(last), MOST_PLACES);
    this.#strangers.restore(stored.strangers, from(stored.at));
    this.#familiar.restore(stored.familiar, from(stored.at));
  }

  #write(): void {
    this.#file.write({
      boot: this.#clock.bootId,
      at: this.#now(),
      screen: this.#screen.places.slice(-MOST_PLACES),
      addresses: this.#addresses.places.slice(-MOST_PLACES),
      strangers: this.#strangers.left,
      familiar: this.#familiar.left,
      signedIn: [...this.#signedIn].map(([place, last]) => ({ place, last })),
    });
    this.#writeLater();
  }

  /**
   * Writes the guesses again from time to time: where power is cut each night, a pause of a whole day would otherwise
   * never end.
   */
  #writeLater(): void {
    if (this.#screen.places.length + this.#addresses.places.length === 0) return;
    this.#callOff ??= this.#clock.after(WRITE_EVERY_MS, () => {
      this.#callOff = null;
      this.#write();
    });
  }

  /** Milliseconds for which no PIN is checked there, right or wrong: different waits would show which one is right. */
  pause(place: Place): number {
    const own = this.#lockoutsOf(place).left(keyOf(place));
    return place.isHere ? own : Math.max(own, this.#allowanceOf(place).wait());
  }

  /** Whether this PIN is one of the last wrong ones there, and needs no second check. */
  wasTried(place: Place, pin: string): boolean {
    return this.#lockoutsOf(place).wasTried(keyOf(place), pin);
  }

  wrong(place: Place, pin: string): void {
    if (!this.#lockoutsOf(place).wrong(keyOf(place), pin)) return;
    if (!place.isHere) this.#allowanceOf(place).consume();
    this.#write();
  }

  /** Records a right PIN. Resets nothing: a person with one PIN may be guessing another. */
  right(place: Place): void {
    if (place.isHere) return;
    remember(this.#signedIn, keyOf(place), this.#now(), MOST_PLACES);
    this.#write(); // else all would be strangers after a restart, and strangers could lock them out
  }

  #lockoutsOf({ isHere }: Place): Lockouts {
    return isHere ? this.#screen : this.#addresses;
  }

  #allowanceOf(place: Place): Allowance {
    const at = this.#signedIn.get(keyOf(place)) ?? Number.NEGATIVE_INFINITY;
    return this.#now() - at < FAMILIAR_FOR_MS ? this.#familiar : this.#strangers;
  }
}
