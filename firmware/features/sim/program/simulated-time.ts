/** Time that runs faster than the machine's, and can be moved on: a code that lives for five minutes is over in seconds. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { after } from '../../../../drivers/lib/async.ts';
import { isCode } from '../../../../drivers/lib/errors.ts';
import type { Timekeeper } from '../../../core/host/index.ts';
import { replaceFile } from '../../../core/store/index.ts';

/** Faster, and the answers of the bank come too late for a code of one minute. */
export const FASTEST = 1000;
export const SLOWEST = 1;
/** Longest leap, a day: longer ones are what no device goes through with a payment on its display. */
export const LONGEST_LEAP_S = 86_400;

/** What passes by itself: the machine's time in milliseconds, and its timers. */
export interface Source {
  wall(): number;
  /** With fractions. */
  monotonic(): number;
  /** May wake too early by what a timer of the machine is off. @returns what calls it off */
  after(ms: number, task: () => void): () => void;
}

const MACHINE: Source = { wall: Date.now, monotonic: () => performance.now(), after };

interface Alarm {
  /** On this clock, milliseconds. */
  readonly due: number;
  readonly task: () => void;
  callOff: () => void;
}

/** Each process is a boot of its own: monotonic times of the one before mean nothing. */
export class SimulatedTime implements Timekeeper {
  readonly bootId = randomUUID();
  readonly #source: Source;
  readonly #startedAt: number;
  readonly #alarms = new Set<Alarm>();
  #speed: number;
  /** What had passed on this clock at `#since` of the machine's, milliseconds. */
  #passed = 0;
  #since: number;

  /**
   * @param speed how many seconds pass here in one of the machine's
   * @param aheadMs of the machine's clock, at the start
   */
  constructor(speed: number, aheadMs = 0, source = MACHINE) {
    this.#speed = speed;
    this.#source = source;
    this.#since = source.monotonic();
    this.#startedAt = source.wall() + aheadMs;
  }

  /** Milliseconds between the machine's clock and this one; none where the machine's was put on meanwhile. */
  get ahead(): number {
    return Math.max(0, this.wall() - this.#source.wall());
  }

  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#stopOver();
    this.#speed = speed;
    this.#rearm();
  }

  wall(): number {
    return Math.floor(this.#startedAt + this.#now());
  }

  monotonic(): number {
    return Math.floor(this.#now());
  }

  after(ms: number, task: () => void): () => void {
    const alarm: Alarm = { due: this.#now() + Math.max(0, ms), task, callOff: () => undefined };
    this.#alarms.add(alarm);
    this.#arm(alarm);
    return () => this.#drop(alarm);
  }

  /** Lets so many milliseconds pass at once; what was due in them happens now, in its order. */
  advance(ms: number): void {
    this.#stopOver();
    this.#passed += ms;
    this.#rearm();
  }

  #now(): number {
    return this.#passed + (this.#source.monotonic() - this.#since) * this.#speed;
  }

  #stopOver(): void {
    this.#passed = this.#now();
    this.#since = this.#source.monotonic();
  }

  #rearm(): void {
    for (const alarm of [...this.#alarms].sort((one, other) => one.due - other.due)) {
      alarm.callOff();
      this.#arm(alarm);
    }
  }

  #arm(alarm: Alarm): void {
    const left = Math.max(0, alarm.due - this.#now());
    alarm.callOff = this.#source.after(Math.ceil(left / this.#speed), () => {
      // a timer of the machine may be early by a part of a millisecond, which is much where time is fast
      if (alarm.due > this.#now()) return this.#arm(alarm);
      this.#drop(alarm);
      alarm.task();
    });
  }

  #drop(alarm: Alarm): void {
    alarm.callOff();
    this.#alarms.delete(alarm);
  }
}

/** Between two looks at a clock that runs faster. */
const LOOK_MS = 1000;
/** Looks that a kill may come too late for: a machine that has no time just then. */
const LOOKS_AHEAD = 2;

/** @returns milliseconds; 0 where nothing was kept @throws where the file holds no number */
function kept(file: string): number {
  if (!existsSync(file)) return 0;
  const text = readFileSync(file, 'utf8');
  if (/^\d{1,15}\n$/.test(text)) return Number(text);
  throw new Error(`${file} holds no number of milliseconds: delete it, and the lane begins at the time of the machine`);
}

/** The clock of a lane whose folder is kept. */
export class KeptTime extends SimulatedTime {
  readonly #file: string;
  #look: NodeJS.Timeout | null = null;

  /** @param file that need not be there yet */
  constructor(speed: number, file: string) {
    super(speed, kept(file));
    this.#file = file;
  }

  /** To be called once the folder is this process's own: from then on it is written down how far it is ahead. */
  begin(): void {
    this.#look = setInterval(() => this.speed !== SLOWEST && this.#keep(true), LOOK_MS).unref();
    this.#keep(true);
  }

  override get speed(): number {
    return super.speed;
  }

  override set speed(speed: number) {
    super.speed = speed;
    this.#keep(true);
  }

  override advance(ms: number): void {
    super.advance(ms);
    this.#keep(true);
  }

  end(): void {
    clearInterval(this.#look ?? undefined);
    this.#keep(false);
    this.#look = null;
  }

  /** @param isRunning a faster clock is kept where it will be, for a kill gives no notice */
  #keep(isRunning: boolean): void {
    if (this.#look === null) return; // the folder is another's, or may be
    const more = isRunning ? LOOKS_AHEAD * LOOK_MS * (this.speed - SLOWEST) : 0;
    try {
      replaceFile(this.#file, `${this.ahead + more}\n`);
    } catch (error) {
      if (!isCode(error, 'ENOSPC')) throw error; // a full disk stops no clock: a later look keeps it
    }
  }
}
