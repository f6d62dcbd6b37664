/** Keeps the last time known to have passed, for a board whose clock starts anywhere after a power cut. */
import { KeptFile } from '../store/index.ts';
import type { SystemClock } from './clock.ts';

/** One small write an hour: the clock falls back by an hour at most, and the card is spared. */
const SAVE_EVERY_MS = 3_600_000;

/** Most bytes of the file: many times those of a timestamp. */
const MAX_BYTES = 1024;

function momentIn(bytes: Buffer): number {
  const saved = Date.parse(bytes.toString().trim());
  if (Number.isNaN(saved)) throw new Error('it holds no moment');
  return saved;
}

export class LastTime {
  readonly #clock: SystemClock;
  readonly #file: KeptFile<number>;
  readonly #onFailure: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** Stored timestamps count up to here: the time was saved every hour, so no more can have passed since. */
  readonly #believedUntil: number;

  /** Raises the clock to the saved time, and keeps saving. */
  constructor(clock: SystemClock, file: string, onFailure: (error: unknown) => void) {
    this.#clock = clock;
    this.#file = new KeptFile(file, MAX_BYTES, momentIn);
    this.#onFailure = onFailure;
    const { value: saved, problem } = this.#file;
    if (problem !== null) onFailure(new Error(`the last time: ${problem}`));
    this.#believedUntil = saved === null ? Number.POSITIVE_INFINITY : saved + SAVE_EVERY_MS;
    if (saved !== null) clock.raiseFloor(saved);
    this.#timer = setInterval(() => this.save(), SAVE_EVERY_MS);
    this.#timer.unref();
  }

  /**
   * Takes a timestamp of stored data (a payment, a template). One beyond the saved time was stored while the clock was
   * wrong, and somebody has corrected the clock since: it must not come back with each start.
   */
  take(stored: number): void {
    if (stored <= this.#believedUntil) this.#clock.raiseFloor(stored);
  }

  save(): void {
    try {
      this.#file.write(`${new Date(this.#clock.wall()).toISOString()}\n`);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** Saves a last time and stops. */
  close(): void {
    clearInterval(this.#timer);
    this.save();
  }
}
