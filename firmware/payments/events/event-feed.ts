/**
 * Gives readers the events: old ones from the outbox, the newest from memory, so that many readers do not all query the
 * database. It also deletes old events.
 */
import type { LogLine } from '../../core/host/index.ts';
import type { Outbox, StoredEvent } from './outbox.ts';

/** Events kept in memory; once this many have come, at least half of them stay. */
const MOST_RECENT = 512;
/** How often it checks for new events to read and old ones to delete. */
const LOOK_EVERY_MS = 5000;
/**
 * How long new events wait before readers get them: the call that caused them is answered first, and events of one
 * moment go out together.
 */
export const GATHER_MS = 20;
/** Readers woken in one turn of the event loop, so that sales get turns in between. Fifty made `showQR` a quarter slower. */
const WOKEN_AT_ONCE = 8;
/** Old events are deleted at one check in this many: each write wears a card. */
const LOOKS_A_PRUNING = 120;

/** A reader that must get every event, and says up to which number it has them. */
interface EventTaker {
  readonly deliveredTo: number;
}

export class EventFeed {
  readonly #outbox: Outbox;
  readonly #log: LogLine;
  readonly #gatherMs: number;
  readonly #readers = new Set<() => void>();
  /** No event is deleted before all of these have it. */
  readonly #takers: EventTaker[] = [];
  /** All events after `#from` up to `#to`, as long as somebody reads. */
  #recent: StoredEvent[] = [];
  #from = 0;
  #to = 0;
  /** Timer of the next delivery to readers; null where none is due. */
  #due: NodeJS.Timeout | null = null;
  #looks = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @param gatherMs between writing and sending */
  constructor(outbox: Outbox, log: LogLine, gatherMs = GATHER_MS) {
    this.#outbox = outbox;
    this.#log = log;
    this.#gatherMs = gatherMs;
    outbox.onAppended(() => this.#appended());
  }

  /** Keeps each event until this reader has it. */
  keepFor(taker: EventTaker): void {
    this.#takers.push(taker);
  }

  /** Call it once the ledger is open, or is about to be opened. */
  start(): void {
    this.#look();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#due !== null) clearTimeout(this.#due);
    this.#readers.clear();
  }

  /** The next events after a number, in order. @throws {Error} of the database */
  read(after: number, limit: number): StoredEvent[] {
    if (this.#readers.size === 0 || after < this.#from) return this.#outbox.after(after, limit);
    const first = this.#recent.findIndex(({ number }) => number > after);
    return first < 0 ? [] : this.#recent.slice(first, first + limit);
  }

  /** Number of the last event, kept or not. @throws {Error} of the database */
  get last(): number {
    return this.#outbox.last;
  }

  /** No event up to this number is kept. @throws {Error} of the database */
  get lostTo(): number {
    return this.#outbox.lostTo;
  }

  /** Whether all events after a number are kept. @throws {Error} of the database */
  isKept(after: number): boolean {
    return (this.#readers.size > 0 && after >= this.#from) || after >= this.lostTo;
  }

  /**
   * @param wake called when there are events to be read, a moment after they were written: no sale waits for it
   * @returns what ends that
   * @throws {Error} of the database
   */
  follow(wake: () => void): () => void {
    if (this.#readers.size === 0) this.#forget();
    this.#readers.add(wake);
    return () => this.#readers.delete(wake);
  }

  #forget(): void {
    this.#recent = [];
    this.#from = this.#outbox.last;
    this.#to = this.#from;
  }

  #appended(): void {
    if (this.#due !== null || this.#readers.size === 0) return;
    this.#due = setTimeout(() => {
      this.#due = null;
      this.#catchUp();
    }, this.#gatherMs);
  }

  #catchUp(): void {
    if (this.#readers.size === 0) return;
    try {
      const news = this.#outbox.after(this.#to, MOST_RECENT);
      this.#recent.push(...news);
      this.#to = news.at(-1)?.number ?? this.#to;
      if (news.length === MOST_RECENT) this.#appended();
      if (this.#recent.length > MOST_RECENT) {
        this.#from = this.#recent.splice(0, this.#recent.length - MOST_RECENT / 2).at(-1)?.number ?? this.#from;
      }
    } catch (error) {
      this.#log('events cannot be read', { reason: String(error) });
      return;
    }
    this.#wake([...this.#readers]);
  }

  #wake(readers: readonly (() => void)[]): void {
    for (const wake of readers.slice(0, WOKEN_AT_ONCE)) if (this.#readers.has(wake)) wake();
    const rest = readers.slice(WOKEN_AT_ONCE);
    if (rest.length > 0) setImmediate(() => this.#wake(rest));
  }

  /** Catches up on what a full disk or a closed ledger has delayed. Never throws. */
  #look(): void {
    if (!this.#outbox.isOpen) return;
    try {
      this.#outbox.begin();
      if (this.#readers.size > 0 && this.#outbox.last > this.#to) this.#appended(); // events that could not be read when they came
      if (this.#looks % LOOKS_A_PRUNING === 0) this.#prune();
      this.#looks += 1;
    } catch (error) {
      this.#log('events cannot be kept', { reason: String(error) });
    }
  }

  #prune(): void {
    const deliveredTo = Math.min(Number.MAX_SAFE_INTEGER, ...this.#takers.map((taker) => taker.deliveredTo));
    if (this.#outbox.pruneOutdated(deliveredTo)) setImmediate(() => this.#pruneOn());
  }

  /** Deletes the next batch after other work had its turn. */
  #pruneOn(): void {
    try {
      if (this.#timer !== null && this.#outbox.isOpen) this.#prune();
    } catch (error) {
      this.#log('old events cannot be let go', { reason: String(error) });
    }
  }
}
