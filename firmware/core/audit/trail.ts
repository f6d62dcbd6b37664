/**
 * The audit trail of the device: who changed, deleted or exported what, and who was refused. A call waits for its line
 * only a moment, and never fails because of it: a line that cannot be written is counted, and `/health` reports it.
 */
import { after } from '../../../drivers/lib/async.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { Reason } from '../../../drivers/lib/records.ts';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { type Clock, certainTime, degradedBy, type HealthBoard } from '../host/index.ts';
import { compiled } from '../schema/index.ts';
import { Journal } from './journal.ts';
import { type AuditEvent, type AuditLine, AuditLineSchema, type Book, Refusals } from './line.ts';
import { reasonOf } from './reason-records.ts';

export const KEPT_DAYS = 90;
const MIB = 1024 * 1024;
const ROOM_BYTES: Readonly<Record<Book, number>> = { technician: 8 * MIB, lane: 8 * MIB, refusals: 4 * MIB };
const BOOKS: readonly Book[] = ['technician', 'lane', 'refusals'];
/** Longest wait of an answer for its line: a card may hang. */
const PATIENCE_MS = 1000;
/** Delay before lines that no call waits for are synced, all at once. */
const SYNC_AFTER_MS = 1000;
/** Most lines of a book in memory while the disk is slow. */
const MAX_WAITING = 1000;
/** Pause between searches for old lines. Each new file brings one, too, but a book may get no new lines. */
const SWEEP_EVERY_MS = 86_400_000;
const BOOT_LETTERS = 8;

export interface TrailLimits {
  /** Bytes of all files of each book; the usual ones when left out. */
  readonly roomBytes?: Readonly<Record<Book, number>>;
  /** Time in which refusals of one address become one line. */
  readonly windowMs?: number;
}

/** A page of the trail, newest first. */
export interface TrailPage {
  readonly lines: readonly AuditLine[];
  /** Whether older lines exist. */
  readonly more: boolean;
}

const auditLine = compiled(AuditLineSchema);

function parsed(text: string): AuditLine | null {
  try {
    const line: unknown = JSON.parse(text);
    return auditLine.fits(line) ? line : null;
  } catch {
    return null; // damaged: its neighbours are whole
  }
}

export class AuditTrail {
  readonly #clock: Clock;
  readonly #journals: ReadonlyMap<Book, Journal>;
  readonly #refusals: Refusals;
  /** Failures at the lane, counted separately, so that no stranger takes their places. */
  readonly #failures: Refusals;
  /** Repeatable calls of the lane. */
  readonly #repeated: Refusals;
  readonly #sweep: NodeJS.Timeout;
  #next: number;
  readonly #waiting: Readonly<Record<Book, AuditLine[]>> = { technician: [], lane: [], refusals: [] };
  readonly #queue = new SerialQueue();
  #callOffSync: (() => void) | null = null;
  #lost = 0;
  /** Places in which lines were changed or are missing. */
  #breaks = 0;
  #problem: string | null = null;

  constructor(
    folder: string,
    clock: Clock,
    health: HealthBoard,
    { roomBytes = ROOM_BYTES, windowMs }: TrailLimits = {},
  ) {
    this.#clock = clock;
    this.#journals = new Map(BOOKS.map((name) => [name, new Journal(folder, name, roomBytes[name], KEPT_DAYS)]));
    this.#next = this.#firstNumber();
    const ofRefusals = (): Refusals => new Refusals((event) => this.#enqueue('refusals', event), windowMs);
    this.#refusals = ofRefusals();
    this.#failures = ofRefusals();
    this.#repeated = new Refusals((event) => this.#enqueue('lane', event), windowMs);
    // no search at a start: a device that keeps restarting with a wrong clock would soon have no lines left
    this.#sweep = setInterval(() => this.#dailyCheck(), SWEEP_EVERY_MS);
    this.#sweep.unref();
    health.add('audit', () => degradedBy(...this.#unwritten(), ...this.#damaged()));
    void this.check();
  }

  /** Checks that all lines are as written: at each start, and once a day. Never fails. */
  async check(): Promise<void> {
    await this.#queue.run(async () => {
      let breaks = 0;
      for (const journal of this.#all)
        await this.#try(async () => {
          breaks += await journal.breaks();
        });
      this.#breaks = breaks;
    });
  }

  #unwritten(): Reason[] {
    return this.#problem === null ? [] : [reasonOf('audit-unkept', { n: this.#lost, detail: this.#problem })];
  }

  #damaged(): Reason[] {
    const n = this.#breaks;
    return n === 0 ? [] : [reasonOf('audit-damaged', { n }, `until they are ${KEPT_DAYS} days old`)];
  }

  get #all(): readonly Journal[] {
    return [...this.#journals.values()];
  }

  /** Records an event. Settles when the line is on the disk, lost, or late; at the lane at once. Never fails. */
  async record(book: Exclude<Book, 'refusals'>, event: AuditEvent, isRepeatable = false): Promise<void> {
    // a till that fails on purpose, or exports endlessly, must not push out the lines of its other acts
    if (book === 'lane' && event.outcome === 'failed') return this.#failures.count(event);
    if (book === 'lane' && isRepeatable) return this.#repeated.count(event);
    this.#enqueue(book, event);
    if (book !== 'lane') await orPatience(this.#written());
  }

  /** Records a refusal; no call waits for it. */
  refuse(event: AuditEvent): void {
    this.#refusals.count(event);
  }

  /** Reports that a file beside the lines could not be written. */
  reportTrouble(error: unknown): void {
    this.#problem = messageOf(error);
  }

  /**
   * A page of lines, with all events recorded before the call. @param before only lines with a lower number @throws the
   * file system's error
   */
  async page(before: number, limit: number): Promise<TrailPage> {
    await orPatience(this.#queue.run(() => this.#write()));
    const lines: AuditLine[] = [];
    for (const journal of this.#all) lines.push(...(await newest(journal, before, limit + 1)));
    lines.sort((one, other) => other.n - one.n);
    return { lines: lines.slice(0, limit), more: lines.length > limit };
  }

  /** Writes the remaining lines. Never fails. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#refusals.flush();
    this.#failures.flush();
    this.#repeated.flush();
    await this.#written();
    await Promise.allSettled(this.#all.map((journal) => journal.close()));
  }

  #firstNumber(): number {
    const numberOf = (text: string): number | null => parsed(text)?.n ?? null;
    try {
      return Math.max(...this.#all.map((journal) => journal.next(numberOf)));
    } catch (error) {
      this.reportTrouble(error);
      return 1;
    }
  }

  #enqueue(book: Book, event: AuditEvent): void {
    if (this.#waiting[book].length >= MAX_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting[book].push(this.#lineOf(event));
    void this.#queue.run(() => this.#write());
    this.#callOffSync ??= after(SYNC_AFTER_MS, () => void this.#written());
  }

  #lineOf(event: AuditEvent): AuditLine {
    const clock = this.#clock;
    return {
      n: this.#next++,
      at: new Date(clock.wall()).toISOString(),
      boot: clock.bootId.slice(0, BOOT_LETTERS),
      up: Math.round(clock.monotonic() / 1000),
      ...event,
    };
  }

  /** Hands all waiting lines to the system: they survive the process. Never fails. */
  async #write(): Promise<void> {
    for (const [book, journal] of this.#journals) {
      const lines = this.#waiting[book].splice(0);
      const [first] = lines;
      if (first === undefined) continue;
      const texts = lines.map((line) => JSON.stringify(line));
      const [wall, certain] = [this.#clock.wall(), certainTime(this.#clock)];
      if (await this.#try(() => journal.append(texts, first.n, wall, certain))) this.#endTrouble();
      else this.#lost += lines.length;
    }
  }

  /** Settles when all waiting lines are on the disk, or lost. Never fails. */
  #written(): Promise<void> {
    this.#callOffSync?.();
    this.#callOffSync = null;
    return this.#queue.run(async () => {
      await this.#write();
      for (const journal of this.#all) await this.#try(() => journal.sync());
    });
  }

  #dailyCheck(): void {
    this.#dropOld();
    void this.check();
  }

  #dropOld(): void {
    void this.#queue.run(async () => {
      for (const journal of this.#all) await this.#try(() => journal.dropOld(certainTime(this.#clock)));
    });
  }

  /** Ends a failure of the disk, and records how many lines were lost. */
  #endTrouble(): void {
    this.#problem = null;
    if (this.#lost === 0) return;
    const times = this.#lost;
    this.#lost = 0;
    this.#enqueue('technician', {
      address: null,
      credential: 'device',
      deed: 'lines-lost',
      what: {},
      outcome: 'failed',
      times,
    });
  }

  async #try(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.reportTrouble(error);
      return false;
    }
  }
}

/** Settles with the work, or after the longest wait of an answer. */
async function orPatience(work: Promise<void>): Promise<void> {
  let callOff = (): void => undefined;
  const patience = new Promise<void>((resolve) => {
    callOff = after(PATIENCE_MS, resolve);
  });
  await Promise.race([work, patience]);
  callOff();
}

/** The newest lines, reading no more files than needed: they hold thousands of lines. */
async function newest(journal: Journal, before: number, count: number): Promise<AuditLine[]> {
  const lines: AuditLine[] = [];
  for await (const texts of journal.newestFirst(before)) {
    for (let at = texts.length - 1; at >= 0 && lines.length < count; at--) {
      const line = parsed(texts[at] ?? '');
      if (line !== null && line.n < before) lines.push(line);
    }
    if (lines.length === count) break;
  }
  return lines;
}
