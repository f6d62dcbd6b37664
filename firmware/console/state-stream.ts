/**
 * Server-sent events of one state that changes: a viewer gets the present state first, then each change, and a beat when
 * nothing changes, so that silence means a lost device. A viewer that reads slowly misses states in between, never the last.
 */
import type { Readable } from 'node:stream';
import { EventStreams, type SentEvent } from '../core/http/index.ts';

const BEAT_MS = 2000;
/** How often a list that grows by itself grows on a page: each question of a till is a line of the calls. */
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

  /** @param hello sent once to each viewer, in the greeting @param compose gives the present state */
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

  /** Notifies once a second of a state that changes a thousand times. */
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

  /** A missed state in between is no loss. */
  readonly lostTo = 0;

  read(after: number): readonly SentEvent[] {
    return this.#newest === null || this.#newest.number <= after ? [] : [this.#newest];
  }

  follow(wake: () => void): () => void {
    this.#wakes.add(wake);
    return () => this.#wakes.delete(wake);
  }

  /** Sends the state; where it cannot be read, viewers get nothing and rightly take the device for lost. */
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
