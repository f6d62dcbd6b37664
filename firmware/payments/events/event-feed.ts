/** Gives readers the events of the outbox, wakes them for new ones, and deletes old ones. */
import { nextTurn } from '../../../drivers/lib/turns.ts';
import type { LogLine } from '../../core/host/index.ts';
import type { Outbox, StoredEvent } from './outbox.ts';

/** How often it deletes old events: each write wears a card. */
const PRUNE_EVERY_MS = 10 * 60_000;
/** The wait after maintenance that failed: events that are written before the book's are begun leave out its last day. */
const MAINTAIN_AGAIN_MS = 5000;
/**
 * How long new events wait before readers get them: the call that caused them is answered first, and events of one
 * moment go out together.
 */
export const GATHER_MS = 20;

/** A recipient that must get every event, and reports up to which number it has them. */
interface EventRecipient {
  readonly deliveredTo: number;
}

export class EventFeed {
  readonly #outbox: Outbox;
  readonly #log: LogLine;
  readonly #gatherMs: number;
  readonly #maintainAgainMs: number;
  readonly #readers = new Set<() => void>();
  /** No event is deleted before all of these have it. */
  readonly #recipients: EventRecipient[] = [];
  /** Timer of the next delivery to readers; null where none is due. */
  #due: NodeJS.Timeout | null = null;
  /** Null until the start, and after the close. */
  #timer: NodeJS.Timeout | null = null;
  #isTidying = false;
  #again: NodeJS.Timeout | undefined;

  /** @param gatherMs between writing and sending */
  constructor(outbox: Outbox, log: LogLine, gatherMs = GATHER_MS, maintainAgainMs = MAINTAIN_AGAIN_MS) {
    this.#outbox = outbox;
    this.#log = log;
    this.#gatherMs = gatherMs;
    this.#maintainAgainMs = maintainAgainMs;
    outbox.onAppended(() => this.#appended());
  }

  /** Keeps each event until this recipient has it. */
  addRecipient(recipient: EventRecipient): void {
    this.#recipients.push(recipient);
  }

  start(): void {
    this.#timer = setInterval(() => this.maintain(), PRUNE_EVERY_MS).unref();
    this.maintain();
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
  maintain(): void {
    clearTimeout(this.#again);
    if (!this.#outbox.isOpen) return;
    try {
      this.#outbox.begin();
    } catch (error) {
      this.#log('events cannot be kept', { reason: String(error) });
      this.#again = setTimeout(() => this.maintain(), this.#maintainAgainMs).unref();
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
    const deliveredTo = Math.min(
      Number.MAX_SAFE_INTEGER,
      ...this.#recipients.map((recipient) => recipient.deliveredTo),
    );
    return this.#outbox.pruneOutdated(deliveredTo);
  }
}
