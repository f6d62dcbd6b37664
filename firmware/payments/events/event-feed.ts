/** Gives readers the events of the outbox, wakes them for new ones, and deletes old ones. */
import { nextTurn } from '../../../drivers/lib/turns.ts';
import type { LogLine } from '../../core/host/index.ts';
import type { Outbox, StoredEvent } from './outbox.ts';

/** How often the feed deletes old events: rarely, as each write wears a card. */
const PRUNE_EVERY_MS = 10 * 60_000;
/**
 * The pause after maintenance that failed. It is short: an event that is written before `Outbox.begin` has run keeps the
 * last day of a rebuilt book from being reported again.
 */
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
  /** No event is deleted before all of these have it, unless more than `MOST_UNDELIVERED` are stored. */
  readonly #recipients: EventRecipient[] = [];
  /** Timer of the next delivery to readers; null where none is due. */
  #due: NodeJS.Timeout | null = null;
  /** Null until the start, and after the close. */
  #timer: NodeJS.Timeout | null = null;
  #isPruning = false;
  #retry: NodeJS.Timeout | undefined;

  /** @param gatherMs from the commit of an event to the wake of the readers */
  constructor(outbox: Outbox, log: LogLine, gatherMs = GATHER_MS, maintainAgainMs = MAINTAIN_AGAIN_MS) {
    this.#outbox = outbox;
    this.#log = log;
    this.#gatherMs = gatherMs;
    this.#maintainAgainMs = maintainAgainMs;
    outbox.onAppended(() => this.#appended());
  }

  /** Has each event stored until this recipient has it; more than `MOST_UNDELIVERED` are not stored for it. */
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
    clearTimeout(this.#retry);
    this.#readers.clear();
  }

  /** The next events after a number, in order. @throws {Error} of the database */
  read(after: number, limit: number): StoredEvent[] {
    return this.#outbox.after(after, limit);
  }

  /** Number of the last event, deleted or not. @throws {Error} of the database */
  get last(): number {
    return this.#outbox.last;
  }

  /** All events up to this number are deleted. @throws {Error} of the database */
  get lostTo(): number {
    return this.#outbox.lostTo;
  }

  /**
   * @param wake called when there are events to be read, a moment after they were written: no sale waits for it. Many
   *   readers are woken at once: each should read in a turn of its own
   * @returns a function that ends the subscription
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
   * Runs `Outbox.begin`, then counts the events and deletes old ones. Where `begin` fails, as on a full disk, it is tried
   * again soon. Never throws.
   */
  maintain(): void {
    clearTimeout(this.#retry);
    if (!this.#outbox.isOpen) return;
    try {
      this.#outbox.begin();
    } catch (error) {
      this.#log('events cannot be kept', { reason: String(error) });
      this.#retry = setTimeout(() => this.maintain(), this.#maintainAgainMs).unref();
      return;
    }
    void this.#pruneInPieces();
  }

  /** Counts and deletes, each piece in its own turn. */
  async #pruneInPieces(): Promise<void> {
    if (this.#isPruning) return;
    this.#isPruning = true;
    try {
      do await nextTurn();
      while (this.#timer !== null && this.#outbox.isOpen && this.#prune());
    } catch (error) {
      this.#log('old events cannot be let go', { reason: String(error) });
    } finally {
      this.#isPruning = false;
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
