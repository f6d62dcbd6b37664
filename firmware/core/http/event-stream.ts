/**
 * Server-sent events of a feed (https://html.spec.whatwg.org/multipage/server-sent-events.html): first those after the
 * number that a reader names, then each new one. A reader reads them at its own pace, and the pages of all readers go out
 * in turn, so that a quick one stops neither the others nor a sale. No event is missed or sent twice, and a slow reader
 * holds at most one page in memory.
 */
import { Readable } from 'node:stream';
import { nextTurn } from '../../../drivers/lib/turns.ts';

/** Pause between beats while nothing happens. */
const BEAT_MS = 5000;
/** A reader that read nothing for this many beats is disconnected: it can continue later after its last event. */
const STALLED_AFTER_BEATS = 6;
/** How long a reader waits before it connects again by itself. */
const RETRY_MS = 1000;
/** Events sent at once: some 50 KB. */
const PAGE = 50;

/** Why a reader does not get all events that it asked for: old ones are deleted, or its number is ahead of all. */
type GapReason = 'pruned' | 'ahead';

export interface SentEvent {
  readonly number: number;
  readonly type: string;
  /** JSON on one line. */
  readonly text: string;
}

/** Events by their numbers, in the order in which they happened. Each method may throw the errors of its store. */
export interface EventFeed<E extends SentEvent> {
  /** Number of the last event, deleted or not. */
  readonly last: number;
  /** Number of the newest deleted event: all up to it are deleted, and none after it. */
  readonly lostTo: number;
  /** The next events after a number. */
  read(after: number, limit: number): readonly E[];
  /** @param wake called when there are events to read @returns ends the calls */
  follow(wake: () => void): () => void;
}

export interface Wanted<E extends SentEvent> {
  /** The number after which events are wanted; null for future events only. */
  readonly after: number | null;
  /** Whether the reader wants an event; all where left out. */
  readonly isWanted?: (event: E) => boolean;
}

interface Beats {
  readonly everyMs?: number;
  /** Asked before each beat; all are sent where left out. */
  readonly mayBeat?: () => boolean;
}

const eventText = (id: number, name: string, data: string): string => `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;

class Reader<E extends SentEvent> extends Readable {
  readonly #feed: EventFeed<E>;
  readonly #isWanted: (event: E) => boolean;
  readonly #onProblem: (error: unknown) => void;
  /** Number of the last event that was checked. */
  #at: number;
  #isWanting = false;
  #hasAskedForTurn = false;
  #isUpToDate = false;
  #missedBeats = 0;

  /** @throws {Error} of the database */
  constructor(
    { after, isWanted }: Wanted<E>,
    feed: EventFeed<E>,
    onProblem: (error: unknown) => void,
    hello: { readonly beatMs: number },
  ) {
    super({ highWaterMark: 1 });
    this.#feed = feed;
    this.#isWanted = isWanted ?? (() => true);
    this.#onProblem = onProblem;
    const { last } = feed;
    this.#at = after ?? last;
    this.push(`retry: ${RETRY_MS}\n${eventText(this.#at, 'hello', JSON.stringify({ ...hello, last }))}`);
    if (this.#at > last) this.push(this.#gap('ahead', 0));
  }

  get isStalled(): boolean {
    return this.#missedBeats >= STALLED_AFTER_BEATS;
  }

  override _read(): void {
    this.#isWanting = true;
    this.#missedBeats = 0;
    this.wake();
  }

  /** Sends the next events in its turn, if the reader waits for them. */
  wake(): void {
    if (!this.#isWanting || this.#hasAskedForTurn) return;
    this.#hasAskedForTurn = true;
    void nextTurn().then(() => this.#sendInTurn());
  }

  #sendInTurn(): void {
    this.#hasAskedForTurn = false;
    if (!this.#isWanting || this.destroyed) return;
    try {
      const text = this.#next();
      if (text !== null) this.#send(text);
    } catch (error) {
      this.#onProblem(error);
      this.destroy(); // a reader that connects again gets the reason
    }
  }

  beat(): void {
    if (this.#isWanting) this.#send(eventText(this.#at, 'beat', '{}'));
    else this.#missedBeats += 1;
  }

  #send(text: string): void {
    this.#isWanting = false;
    this.push(text);
  }

  /** The next text to send; null for none, or none yet that is wanted. */
  #next(): string | null {
    const { lostTo } = this.#feed;
    if (this.#at > 0 && this.#at < lostTo) return this.#gap('pruned', lostTo);
    const page = this.#feed.read(this.#at, PAGE);
    const last = page.at(-1);
    if (last === undefined) return this.#upToDate();
    this.#at = last.number;
    const wanted = page.filter(this.#isWanted);
    if (wanted.length > 0) return wanted.map(({ number, type, text }) => eventText(number, type, text)).join('');
    this.wake(); // the next page gets a turn of its own: many pages may hold no wanted event
    return null;
  }

  /** The first beat says that all earlier events were sent. */
  #upToDate(): string | null {
    if (this.#isUpToDate) return null;
    this.#isUpToDate = true;
    return eventText(this.#at, 'beat', '{}');
  }

  /** @param from the number after which events follow */
  #gap(reason: GapReason, from: number): string {
    const after = this.#at;
    this.#at = from;
    return eventText(from, 'gap', JSON.stringify({ reason, after, from }));
  }
}

export class EventStreams<E extends SentEvent> {
  readonly #feed: EventFeed<E>;
  readonly #onProblem: (error: unknown) => void;
  readonly #beatMs: number;
  readonly #mayBeat: () => boolean;
  readonly #hello: object;
  readonly #readers = new Set<Reader<E>>();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** @param hello fields of the greeting beside the last number and the pause between beats */
  constructor(feed: EventFeed<E>, onProblem: (error: unknown) => void, beats: Beats = {}, hello: object = {}) {
    this.#feed = feed;
    this.#onProblem = onProblem;
    this.#beatMs = beats.everyMs ?? BEAT_MS;
    this.#mayBeat = beats.mayBeat ?? (() => true);
    this.#hello = hello;
  }

  /** The stream of one reader; it ends with the reader's connection or `close`. @throws {Error} of the database */
  open(wanted: Wanted<E>): Readable {
    let reader: Reader<E> | null = null;
    const leave = this.#feed.follow(() => reader?.wake());
    try {
      reader = new Reader(wanted, this.#feed, this.#onProblem, { ...this.#hello, beatMs: this.#beatMs });
    } catch (error) {
      leave();
      throw error;
    }
    this.#begin(reader, leave);
    return reader;
  }

  close(): void {
    this.#isClosed = true;
    for (const reader of this.#readers) reader.push(null);
    this.#stopBeating();
  }

  #begin(reader: Reader<E>, leave: () => void): void {
    if (this.#isClosed) {
      leave();
      reader.push(null);
      return;
    }
    this.#readers.add(reader);
    reader.once('close', () => {
      leave();
      this.#readers.delete(reader);
      if (this.#readers.size === 0) this.#stopBeating();
    });
    this.#timer ??= setInterval(() => this.#beat(), this.#beatMs).unref(); // the connections keep the process alive, not the timer
  }

  #beat(): void {
    if (!this.#mayBeat()) return;
    for (const reader of this.#readers) {
      reader.beat();
      if (reader.isStalled) reader.destroy();
    }
  }

  #stopBeating(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}
