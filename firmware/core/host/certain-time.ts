/**
 * Stores the time that has certainly passed (`SystemClock.certain`), for the next start. So a clock that is years ahead,
 * by a bad battery or by a person, has nothing deleted as old.
 */
import { TwoCopyFile } from '../files/index.ts';
import type { SystemClock } from './clock.ts';

const SAVE_EVERY_MS = 3_600_000;
/** Most bytes of the file: many times those of its line. */
const MAX_BYTES = 1024;

interface Saved {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly bootId: string;
  /** Monotonic clock of that boot, ms. */
  readonly at: number;
}

function savedIn(bytes: Buffer): Saved {
  const [time = '', bootId = '', at = ''] = bytes.toString().trim().split(' ');
  const saved = { time: Date.parse(time), bootId, at: Number(at) };
  if (Number.isNaN(saved.time) || Number.isNaN(saved.at)) throw new Error('it holds no moment');
  return saved;
}

export class CertainTime {
  readonly #clock: SystemClock;
  readonly #file: TwoCopyFile<Saved>;
  readonly #onFailure: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;

  /**
   * Continues from the saved time.
   * @param isVouched whether a time server vouches for the clock now
   */
  constructor(clock: SystemClock, file: string, isVouched: () => boolean, onFailure: (error: unknown) => void) {
    this.#clock = clock;
    this.#file = new TwoCopyFile(file, MAX_BYTES, savedIn);
    this.#onFailure = onFailure;
    const { value: saved, problem } = this.#file;
    if (problem !== null) onFailure(new Error(`the certain time: ${problem}`));
    // how long the machine was off nobody knows
    const passed = saved?.bootId === clock.bootId ? Math.max(0, clock.monotonic() - saved.at) : 0;
    clock.setCertainTime(saved === null ? null : saved.time + passed, isVouched);
    this.#timer = setInterval(() => this.save(), SAVE_EVERY_MS).unref();
  }

  save(): void {
    const { bootId } = this.#clock;
    const time = new Date(this.#clock.certain()).toISOString();
    try {
      this.#file.write(`${time} ${bootId} ${this.#clock.monotonic()}\n`);
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
