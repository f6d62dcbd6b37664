/**
 * Server-sent events of one state that changes: a viewer gets the present state first, then each change, and a beat when
 * nothing changes, so that silence means a lost device. A viewer that reads slowly misses states in between, never the last.
 */
import { Readable } from 'node:stream';

const BEAT_MS = 2000;
/** A viewer that has taken nothing for so long is gone. */
const STALLED_AFTER_BEATS = 10;
/** How long a browser waits before it connects again by itself (its own script is faster where there is one). */
const RETRY_MS = 1000;

const BEAT = 'event: beat\ndata: {}\n\n';

/** Holds at most one event beside those in the socket. */
class Viewer extends Readable {
  #pending: string | null = null;
  #wanting = false;
  #missedBeats = 0;

  constructor(greeting: string) {
    super({ highWaterMark: 1 });
    this.push(greeting);
  }

  get isStalled(): boolean {
    return this.#missedBeats >= STALLED_AFTER_BEATS;
  }

  override _read(): void {
    this.#wanting = true;
    this.#missedBeats = 0;
    this.#flush();
  }

  /** Takes the place of an event that has not gone out yet. */
  offer(event: string): void {
    this.#pending = event;
    this.#flush();
  }

  beat(): void {
    if (!this.#wanting) this.#missedBeats += 1;
    else if (this.#pending === null) this.offer(BEAT);
  }

  #flush(): void {
    if (!this.#wanting || this.#pending === null) return;
    const event = this.#pending;
    this.#pending = null;
    this.#wanting = false;
    this.push(event);
  }
}

export interface EventStreamOptions {
  /** Sent once to each viewer, as an event of the name `hello`. */
  readonly hello: object;
  /** The state of this moment. */
  readonly compose: () => object;
  readonly onProblem: (error: unknown) => void;
  readonly beatMs?: number;
}

export class EventStream {
  readonly #options: EventStreamOptions;
  readonly #beatMs: number;
  readonly #viewers = new Set<Viewer>();
  #last = '';
  #timer: NodeJS.Timeout | null = null;
  #due = false;
  #closed = false;
  #failing = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#beatMs = options.beatMs ?? BEAT_MS;
  }

  /** The stream of one viewer; it ends with the viewer's connection, or with `close`. */
  open(): Readable {
    const hello = JSON.stringify({ ...this.#options.hello, beatMs: this.#beatMs });
    const viewer = new Viewer(`retry: ${RETRY_MS}\nevent: hello\ndata: ${hello}\n\n`);
    if (this.#closed) {
      viewer.push(null);
      return viewer;
    }
    viewer.once('close', () => this.#leave(viewer));
    this.#publish();
    this.#viewers.add(viewer);
    this.#timer ??= setInterval(() => this.#beat(), this.#beatMs);
    if (this.#last !== '') viewer.offer(this.#last);
    return viewer;
  }

  /** Notifies the viewers after the caller's own work: what they see never delays a payment. */
  changed(): void {
    if (this.#due || this.#viewers.size === 0) return;
    this.#due = true;
    setImmediate(() => {
      this.#due = false;
      if (this.#viewers.size > 0) this.#publish();
    });
  }

  close(): void {
    this.#closed = true;
    for (const viewer of this.#viewers) viewer.push(null);
    this.#viewers.clear();
    this.#stopBeating();
  }

  /** Viewers get nothing of a state that cannot be read, and take the device for lost: rightly so. */
  #publish(): boolean {
    try {
      const event = `data: ${JSON.stringify(this.#options.compose())}\n\n`;
      this.#failing = false;
      if (event === this.#last) return true;
      this.#last = event;
      for (const viewer of this.#viewers) viewer.offer(event);
      return true;
    } catch (error) {
      if (!this.#failing) this.#options.onProblem(error);
      this.#failing = true;
      this.#last = '';
      return false;
    }
  }

  #beat(): void {
    if (!this.#publish()) return;
    for (const viewer of this.#viewers) {
      viewer.beat();
      if (viewer.isStalled) viewer.destroy();
    }
  }

  #leave(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    if (this.#viewers.size === 0) this.#stopBeating();
  }

  #stopBeating(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}
