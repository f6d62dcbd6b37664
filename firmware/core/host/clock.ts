/**
 * Time on a device without a battery-backed clock. Limits run on the monotonic clock. The wall clock may be years off
 * at boot; it never goes below a timestamp that is stored, or that somebody gave. When the system's clock is set back
 * in a running process, it follows.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after } from '../../../drivers/lib/async.ts';
import type { Reason } from '../../../drivers/lib/records.ts';
import { shortened } from '../../../drivers/lib/text.ts';
import { BUILD_TIME } from '../../../drivers/lib/version.ts';
import { TwoCopyFile } from '../files/index.ts';
import { degradedBy, type HealthBoard } from './health.ts';
import { reasonOf } from './records.ts';
import { zoneNow } from './zone.ts';

export interface Clock {
  /** Milliseconds since 1970, never below the floor. */
  wall(): number;
  /** Milliseconds that no clock setting changes; comparable between processes of one boot. */
  monotonic(): number;
  /** Names the boot that monotonic times belong to. */
  readonly bootId: string;
  /** The time that has certainly passed, ms since 1970: see `certainTime`. */
  certain?(): number;
}

/**
 * The time by which things are old enough to be deleted. It advances while the machine runs, and only a time server moves
 * it further: what only a wrong clock makes old is not deleted. It may be behind the wall clock until a time server
 * answers.
 */
export const certainTime = (clock: Pick<Clock, 'wall' | 'certain'>): number => clock.certain?.() ?? clock.wall();

/** A clock with a timer. */
export interface Timekeeper extends Clock {
  /**
   * Runs `task` once after `ms` of this clock. Use it for time in the world of shop and bank; the silence of a wire is
   * measured by the machine's time (`drivers/lib/async.ts`).
   * @returns cancels the task
   */
  after(ms: number, task: () => void): () => void;
}

/** Settles after `ms` of a clock, or at once when `signal` aborts. Never rejects: the caller checks the signal. */
export function pauseBy(clock: Pick<Timekeeper, 'after'>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      callOff();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const callOff = clock.after(ms, end);
    signal.addEventListener('abort', end, { once: true });
  });
}

const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';

/** No device runs one release for longer: a later time is a mistake, and would stop the clock for good. */
const BELIEVED_YEARS = 20;
const YEAR_MS = 365.25 * 86_400_000;
/** No timestamp after this one is believed, wherever it comes from: milliseconds since 1970. */
export const LATEST_TIME = BUILD_TIME + BELIEVED_YEARS * YEAR_MS;

function readBootId(): string {
  try {
    return readFileSync(BOOT_ID_FILE, 'utf8').trim();
  } catch {
    return randomUUID(); // no such file but on Linux: there each process counts as a boot of its own
  }
}

/** The time of this machine, as the system has it. */
export const machineTime = (): Timekeeper => ({
  bootId: readBootId(),
  wall: Date.now,
  monotonic: () => Number(process.hrtime.bigint() / 1_000_000n),
  after,
});

export class SystemClock implements Timekeeper {
  readonly #lowest: number;
  readonly #onImplausible: (wall: number) => void;
  readonly #source: Timekeeper;
  #floor: number;
  /** A time that had certainly passed at a moment of the monotonic clock. */
  #certain: { readonly time: number; readonly at: number };
  #isVouched: () => boolean = () => false;

  /**
   * @param lowest wall time that has certainly passed (build date), milliseconds since 1970
   * @param onImplausible called for a timestamp that was not believed
   */
  constructor(lowest: number, source = machineTime(), onImplausible: (wall: number) => void = () => undefined) {
    this.#lowest = lowest;
    this.#floor = lowest;
    this.#onImplausible = onImplausible;
    this.#source = source;
    this.#certain = { time: lowest, at: source.monotonic() };
  }

  get bootId(): string {
    return this.#source.bootId;
  }

  /** Raises the floor to a stored timestamp, which has passed. An impossible one changes nothing, and is reported. */
  raiseFloor(wall: number): void {
    if (wall > LATEST_TIME) this.#onImplausible(wall);
    else this.#floor = Math.max(this.#floor, wall);
  }

  /** Sets the floor to the time that somebody gave, even an earlier one. */
  setFloor(wall: number): void {
    this.#floor = Math.max(this.#lowest, wall);
  }

  /**
   * How far the system's clock is behind the floor: the wall clock stands still for this time. 0 when it is not behind.
   */
  get behindMs(): number {
    return Math.max(0, this.#floor - this.#source.wall());
  }

  wall(): number {
    return Math.max(this.#source.wall(), this.#floor);
  }

  monotonic(): number {
    return this.#source.monotonic();
  }

  certain(): number {
    const now = this.monotonic();
    if (this.#isVouched()) this.#certain = { time: this.wall(), at: now };
    return this.#certain.time + now - this.#certain.at;
  }

  /**
   * Continues from a time that has certainly passed.
   * @param time ms since 1970; null: from the build date @param isVouched whether a time server vouches for the clock now
   */
  setCertainTime(time: number | null, isVouched: () => boolean): void {
    this.#certain = { time: Math.max(this.#lowest, time ?? 0), at: this.monotonic() };
    this.#isVouched = isVouched;
  }

  after(ms: number, task: () => void): () => void {
    return this.#source.after(ms, task);
  }
}

/** One small write an hour: the clock falls back by an hour at most, and the card is spared. */
const SAVE_EVERY_MS = 3_600_000;

/** Most bytes of the file of the last time: many times those of a timestamp. */
const MAX_BYTES = 1024;

function momentIn(bytes: Buffer): number {
  const saved = Date.parse(bytes.toString().trim());
  if (Number.isNaN(saved)) throw new Error('it holds no moment');
  return saved;
}

/** Stores the last time known to have passed, for a board whose clock starts anywhere after a power cut. */
export class LastTime {
  readonly #clock: SystemClock;
  readonly #file: TwoCopyFile<number>;
  readonly #onFailure: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** Latest stored timestamp that is believed: the time was saved every hour, so no later one can be right. */
  readonly #believedUntil: number;

  /** Raises the clock to the saved time, and keeps saving. */
  constructor(clock: SystemClock, file: string, onFailure: (error: unknown) => void) {
    this.#clock = clock;
    this.#file = new TwoCopyFile(file, MAX_BYTES, momentIn);
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
  adopt(stored: number): void {
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

/** A smaller lag ends by itself soon: the system's clock catches up. */
const FAR_BEHIND_MS = 3_600_000;

/** What may be wrong with the time zone. */
interface ZoneDoubts {
  /** The value of TZ, where it names no zone; else null. */
  readonly unknown: string | null;
  /** Whether the device takes money, and its zone is not set. */
  readonly isMissed: () => boolean;
}

function zoneReasons({ unknown, isMissed }: ZoneDoubts): Reason[] {
  const zone = zoneNow();
  // a zone that was chosen since is in force until the next start
  if (unknown !== null && zone === 'UTC') return [reasonOf('zone-unknown', { given: shortened(unknown, 40), zone })];
  return isMissed() ? [reasonOf('zone-unset', { zone }, 'or by timedatectl')] : [];
}

/** Reports in `/health` a system clock that is far behind, and a time zone that is unknown or not set. */
export function watchClock(board: HealthBoard, clock: SystemClock, doubts: ZoneDoubts): void {
  board.add('clock', () => {
    const { behindMs } = clock;
    const zone = zoneReasons(doubts);
    if (behindMs < FAR_BEHIND_MS) return degradedBy(...zone);
    const known = clock.wall();
    const about = { says: new Date(known - behindMs).toISOString(), known: new Date(known).toISOString() };
    return degradedBy(reasonOf('clock-behind', about), ...zone);
  });
}
