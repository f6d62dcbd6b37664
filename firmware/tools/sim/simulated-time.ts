/**
 * A clock that runs faster than the machine's and can be moved forward: a code that lives for five minutes is over in
 * seconds.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { after } from '../../../drivers/lib/async.ts';
import { isCode } from '../../../drivers/lib/errors.ts';
import { replaceFile } from '../../core/files/index.ts';
import type { Timekeeper } from '../../core/host/index.ts';

/** The highest speed: with a higher one the bank's answers come too late for a code of one minute. */
export const FASTEST = 1000;
export const SLOWEST = 1;
/** Longest leap, a day: no device has a payment on its display for longer. */
export const LONGEST_LEAP_S = 86_400;

/** The source of time: the machine's time in milliseconds, and its timers. */
export interface Source {
  wall(): number;
  /** Milliseconds with fractions. */
  monotonic(): number;
  /** Calls the task later; may be early by a machine timer's error. @returns the function that cancels it */
  after(ms: number, task: () => void): () => void;
}

const MACHINE: Source = { wall: Date.now, monotonic: () => performance.now(), after };

interface Alarm {
  /** When it is due on this clock, ms. */
  readonly due: number;
  readonly task: () => void;
  callOff: () => void;
}

/** A simulated clock; each process counts as a new boot, so earlier monotonic times are void. */
export class SimulatedTime implements Timekeeper {
  readonly bootId = randomUUID();
  readonly #source: Source;
  readonly #startedAt: number;
  readonly #alarms = new Set<Alarm>();
  #speed: number;
  /** Time that had passed on this clock at `#since` of the machine's, ms. */
  #passed = 0;
  #since: number;

  /**
   * @param speed how many seconds pass here in one second of the machine
   * @param aheadMs how far this clock is ahead of the machine's at the start
   */
  constructor(speed: number, aheadMs = 0, source = MACHINE) {
    this.#speed = speed;
    this.#source = source;
    this.#since = source.monotonic();
    this.#startedAt = source.wall() + aheadMs;
  }

  /** How far this clock is ahead of the machine's, ms; 0 where the machine's was moved forward meanwhile. */
  get ahead(): number {
    return Math.max(0, this.wall() - this.#source.wall());
  }

  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#checkpoint();
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

  /** Lets milliseconds pass at once; tasks due in them run now, in their order. */
  advance(ms: number): void {
    this.#checkpoint();
    this.#passed += ms;
    this.#rearm();
  }

  #now(): number {
    return this.#passed + (this.#source.monotonic() - this.#since) * this.#speed;
  }

  #checkpoint(): void {
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
      // a timer may be early by a part of a millisecond, which is much where time is fast
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

/** Interval at which a faster clock is saved. */
const LOOK_MS = 1000;
/** By how many intervals a faster clock is saved ahead: a busy machine may save it late before a kill. */
const LOOKS_AHEAD = 2;

/** @returns the saved milliseconds; 0 where there are none @throws where the file holds no number */
function savedLead(file: string): number {
  if (!existsSync(file)) return 0;
  const text = readFileSync(file, 'utf8');
  if (/^\d{1,15}\n$/.test(text)) return Number(text);
  throw new Error(`${file} holds no number of milliseconds: delete it, and the lane begins at the time of the machine`);
}

/** The clock of a lane with a lasting data folder, where it saves how far it is ahead of the machine's. */
export class KeptTime extends SimulatedTime {
  readonly #file: string;
  #look: NodeJS.Timeout | null = null;

  /** @param file of the clock; it need not exist yet */
  constructor(speed: number, file: string) {
    super(speed, savedLead(file));
    this.#file = file;
  }

  /** Call it once this process holds the folder: from then on the clock's lead is saved. */
  begin(): void {
    this.#look = setInterval(() => this.speed !== SLOWEST && this.#store(true), LOOK_MS).unref();
    this.#store(true);
  }

  override get speed(): number {
    return super.speed;
  }

  override set speed(speed: number) {
    super.speed = speed;
    this.#store(true);
  }

  override advance(ms: number): void {
    super.advance(ms);
    this.#store(true);
  }

  end(): void {
    clearInterval(this.#look ?? undefined);
    this.#store(false);
    this.#look = null;
  }

  /** @param isRunning whether the clock continues: a faster one is saved ahead, because a kill gives no notice */
  #store(isRunning: boolean): void {
    if (this.#look === null) return; // another process may hold the folder
    const more = isRunning ? LOOKS_AHEAD * LOOK_MS * (this.speed - SLOWEST) : 0;
    try {
      replaceFile(this.#file, `${this.ahead + more}\n`);
    } catch (error) {
      if (!isCode(error, 'ENOSPC')) throw error; // a full disk must not stop the clock: a later save will work
    }
  }
}
