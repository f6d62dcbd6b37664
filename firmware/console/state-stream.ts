/**
 * Server-sent events of one state. A viewer gets the current state first, then each change, and a heartbeat while nothing
 * changes, so that silence means a lost device. A viewer that reads slowly misses states in between, but never the last.
 */
import type { Readable } from 'node:stream';
import { EventStreams, type SentEvent } from '../core/http/index.ts';

const BEAT_MS = 2000;
/** Interval of updates for a state that changes very often, such as the list of calls: each request of a till is a line of it. */
const OFTEN_MS = 1000;

export class StateStream {
  readonly #compose: () => object;
  readonly #onProblem: (error: unknown) => void;
  readonly #streams: EventStreams<SentEvent>;
  readonly #wakes = new Set<() => void>();
  /** The newest event; null: none was made yet, or the state cannot be read. */
  #newest: SentEvent | null = null;
  #last = 0;
  #due = false;
  #pause: NodeJS.Timeout | undefined;
  #failing = false;

  /** @param hello sent once to each viewer, in the greeting @param compose returns the current state */
  constructor(hello: object, compose: () => object, onProblem: (error: unknown) => void) {
    this.#compose = compose;
    this.#onProblem = onProblem;
    const beats = { everyMs: BEAT_MS, mayBeat: () => this.#publish() };
    this.#streams = new EventStreams(this, onProblem, beats, hello);
  }

  /** The stream of one viewer; it ends with the viewer's connection, or with `close`. */
  open(): Readable {
    this.#publish();
    return this.#streams.open({ after: Math.max(0, this.#last - 1) });
  }

  /** Notifies the viewers after the caller's own work, so that they never delay a payment. */
  changed(): void {
    if (this.#due || this.#wakes.size === 0) return;
    this.#due = true;
    setImmediate(() => {
      this.#due = false;
      if (this.#wakes.size > 0) this.#publish();
    });
  }

  /** Notifies the viewers after `OFTEN_MS`, for a state that changes very often. */
  changedOften(): void {
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      this.changed();
    }, OFTEN_MS).unref();
  }

  close(): void {
    clearTimeout(this.#pause);
    this.#streams.close();
  }

  get last(): number {
    return this.#last;
  }

  /** No event counts as lost: only the latest state matters. */
  readonly lostTo = 0;

  read(after: number): readonly SentEvent[] {
    return this.#newest === null || this.#newest.number <= after ? [] : [this.#newest];
  }

  follow(wake: () => void): () => void {
    this.#wakes.add(wake);
    return () => this.#wakes.delete(wake);
  }

  /** Sends the state. Where it cannot be read, viewers get neither event nor heartbeat, and show the device as lost. */
  #publish(): boolean {
    try {
      const text = JSON.stringify(this.#compose());
      this.#failing = false;
      if (text === this.#newest?.text) return true;
      this.#last += 1;
      this.#newest = { number: this.#last, type: 'message', text };
      for (const wake of this.#wakes) wake();
      return true;
    } catch (error) {
      if (!this.#failing) this.#onProblem(error);
      this.#failing = true;
      this.#newest = null;
      return false;
    }
  }
}
