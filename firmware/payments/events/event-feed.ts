/** Gives readers the events of the outbox, wakes them for new ones, and deletes old ones. */
import { nextTurn } from '../../../drivers/lib/turns.ts';
import type { LogLine } from '../../core/host/index.ts';
import type { Outbox, StoredEvent } from './outbox.ts';

/** How often it deletes old events: each write wears a card. */
const PRUNE_EVERY_MS = 10 * 60_000;
/** The wait after a look that failed: events that are written before the book's are begun leave out its last day. */
const LOOK_AGAIN_MS = 5000;
/**
 * How long new events wait before readers get them: the call that caused them is answered first, and events of one
 * moment go out together.
 */
export const GATHER_MS = 20;

/** A reader that must get every event, and says up to which number it has them. */
interface EventTaker {
  readonly deliveredTo: number;
}

export class EventFeed {
  readonly #outbox: Outbox;
  readonly #log: LogLine;
  readonly #gatherMs: number;
  readonly #lookAgainMs: number;
  readonly #readers = new Set<() => void>();
  /** No event is deleted before all of these have it. */
  readonly #takers: EventTaker[] = [];
  /** Timer of the next delivery to readers; null where none is due. */
  #due: NodeJS.Timeout | null = null;
  /** Null until the start, and after the close. */
  #timer: NodeJS.Timeout | null = null;
  #isTidying = false;
  #again: NodeJS.Timeout | undefined;

  /** @param gatherMs between writing and sending */
  constructor(outbox: Outbox, log: LogLine, gatherMs = GATHER_MS, lookAgainMs = LOOK_AGAIN_MS) {
    this.#outbox = outbox;
    this.#log = log;
    this.#gatherMs = gatherMs;
    this.#lookAgainMs = lookAgainMs;
    outbox.onAppended(() => this.#appended());
  }

  /** Keeps each event until this reader has it. */
  keepFor(taker: EventTaker): void {
    this.#takers.push(taker);
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), PRUNE_EVERY_MS).unref();
    this.look();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    if (this.#due !== null) clearTimeout(this.#due);
    clearTimeout(this.#again);
    this.#readers.clear();
  }

  /** The next events after a number, in order. @throws {Error} of the database */
  read(after: number, limit: number): StoredEvent[] {
    return this.#outbox.after(after, limit);
  }

  /** Number of the last event, kept or not. @throws {Error} of the database */
  get last(): number {
    return this.#outbox.last;
  }

  /** No event up to this number is kept. @throws {Error} of the database */
  get lostTo(): number {
    return this.#outbox.lostTo;
  }

  /**
   * @param wake called when there are events to be read, a moment after they were written: no sale waits for it. Many may
   *   follow: it should read in a turn of its own
   * @returns what ends that
   */
  follow(wake: () => void): () => void {
    this.#readers.add(wake);
    return () => this.#readers.delete(wake);
  }

  #appended(): void {
    if (this.#due !== null || this.#readers.size === 0) return;
    this.#due = setTimeout(() => {
      this.#due = null;
      for (const wake of this.#readers) wake();
    }, this.#gatherMs);
  }

  /**
   * Begins the events of a book that was opened or rebuilt, counts them, and deletes old ones; soon again where the disk
   * is full. Never throws.
   */
  look(): void {
    clearTimeout(this.#again);
    if (!this.#outbox.isOpen) return;
    try {
      this.#outbox.begin();
    } catch (error) {
      this.#log('events cannot be kept', { reason: String(error) });
      this.#again = setTimeout(() => this.look(), this.#lookAgainMs).unref();
      return;
    }
    void this.#tidy();
  }

  /** Counts and deletes, each piece in its own turn. */
  async #tidy(): Promise<void> {
    if (this.#isTidying) return;
    this.#isTidying = true;
    try {
      do await nextTurn();
      while (this.#timer !== null && this.#outbox.isOpen && this.#prune());
    } catch (error) {
      this.#log('old events cannot be let go', { reason: String(error) });
    } finally {
      this.#isTidying = false;
    }
  }

  /** @returns whether more is to be done */
  #prune(): boolean {
    const deliveredTo = Math.min(Number.MAX_SAFE_INTEGER, ...this.#takers.map((taker) => taker.deliveredTo));
    return this.#outbox.pruneOutdated(deliveredTo);
  }
}
