/** One address gets events, one after the other: the next when one was taken, or given up after a day. */

import { Backoff, pause } from '../../../drivers/lib/async.ts';
import { isoTime } from '../../../drivers/lib/iso-time.ts';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { type LogLine, pauseBy, type Timekeeper } from '../../core/host/index.ts';
import type { EventFeed, StoredEvent } from '../../payments/index.ts';
import type { Delivery, DeliveryBook, DeliveryState } from './delivery-book.ts';

import { type CallOutcome, type Message, type Receiver, SignedPost } from './signed-post.ts';

/**
 * So long after its first attempt an event is given up, and the next one is sent, which has as long: what has waited behind one that
 * is never taken is not to pay for it. After a restart of the board it counts from zero.
 */
export const GIVEN_UP_AFTER_MS = 24 * 3_600_000;
/** Between one attempt and the next: doubling. */
const RETRY = { minMs: 1000, maxMs: 15 * 60_000 };
/** Until events that could not be read are read again. */
const READ_AGAIN_MS = 5000;
const PAGE = 50;

export interface WebhookAddress extends Receiver {
  /** Names it to people, without what stands in its query. */
  readonly id: string;
  /** Null for all. */
  readonly types: ReadonlySet<string> | null;
}

/** What is sent to every address, and how long one waits. */
export interface Sending {
  readonly feed: EventFeed;
  readonly clock: Timekeeper;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: LogLine;
  /** How long a receiver may take. */
  readonly answerLimitMs?: number | undefined;
  /** Settles after so many milliseconds, or when it is aborted; by the clock when left out. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Why the first event that waits has not been taken yet. */
export interface Trouble {
  /** Of the last attempt. */
  readonly problem: string;
  /** Since when, and when it is tried again: monotonic clock, ms; null where nothing is sent any more. */
  readonly since: number;
  readonly againAt: number | null;
}

/** A receiver that answers so wants no more calls (RFC 9110, 15.5.11). */
const GONE = 410;
const GONE_PROBLEM =
  'it answered HTTP 410: it wants no more events; they wait until a test, or one that is sent again, is taken';

/** Of a test message: no event has it, and no receiver takes it for one that it has seen. */
const NO_EVENT = 0;

/** The address as people may see it: what stands in its query may be a secret. */
export const shownUrl = (url: string): string => url.replace(/\?.*$/, '?…');

export class AddressQueue {
  readonly address: WebhookAddress;
  readonly #book: DeliveryBook;
  readonly #sending: Sending;
  readonly #post: SignedPost;
  readonly #openedAt: number;
  readonly #closing = new AbortController();
  readonly #redeliveries = new SerialQueue();
  #running: Promise<void> = Promise.resolve();
  /** All events up to this number are done with. */
  #at = 0;
  #wake: () => void = () => undefined;
  #onRedelivered: () => void = () => undefined;
  #trouble: Trouble | null = null;
  #isUnwritten = false;
  /** It has answered that it wants no more; also to the process before. */
  #isGone = false;

  constructor(address: WebhookAddress, book: DeliveryBook, sending: Sending) {
    this.address = address;
    this.#book = book;
    this.#sending = sending;
    this.#post = new SignedPost(address, sending.answerLimitMs);
    this.#openedAt = sending.clock.monotonic();
  }

  get at(): number {
    return this.#at;
  }

  get trouble(): Trouble | null {
    return this.#trouble;
  }

  start(): void {
    this.#at = this.#book.deliveredTo(this.address.url);
    if (this.#book.lastStatus(this.address.url) === GONE) this.#hold();
    this.#running = this.#run();
  }

  /** Sends an event again, now, ahead of the queue. @returns the delivery after that */
  redeliver(event: StoredEvent, { state }: Delivery): Promise<Delivery | null> {
    return this.#redeliveries.run(async () => {
      const outcome = await this.#send(event);
      this.#keep(event, outcome, outcome.problem === null ? 'delivered' : state);
      if (outcome.problem === null) this.#release();
      return this.#book.of(this.address.url, event.number);
    });
  }

  /** Sends a test message, now, ahead of the queue. It is not recorded. */
  test(): Promise<CallOutcome> {
    const type = 'test';
    const text = JSON.stringify({ number: NO_EVENT, type, at: isoTime(this.#sending.clock.wall()) });
    return this.#redeliveries.run(async () => {
      const outcome = await this.#send({ number: NO_EVENT, type, text });
      if (outcome.problem === null && this.#isGone) this.#release();
      return outcome;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
    await Promise.all([this.#running, this.#redeliveries.idle()]);
    this.#post.close();
  }

  async #run(): Promise<void> {
    const { feed, log } = this.#sending;
    const leave = feed.follow(() => this.#wake());
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#deliverNext();
      } catch (error) {
        log('events cannot be delivered now', { to: shownUrl(this.address.url), reason: String(error) });
        await pause(READ_AGAIN_MS, signal);
      }
    }
    leave();
  }

  /** Delivers what there is, or waits until there is something. */
  async #deliverNext(): Promise<void> {
    const { feed } = this.#sending;
    const news = this.#nextNews();
    if (this.#isGone) return news;
    const page = feed.read(this.#at, PAGE);
    if (page.length === 0) {
      if (feed.last < this.#at)
        this.#at = feed.lostTo; // a ledger that was rebuilt, by a clock that is behind the one before
      else await news;
      return;
    }
    for (const event of page) {
      if (this.address.types?.has(event.type) ?? true) await this.#deliver(event);
      if (this.#closing.signal.aborted || this.#isGone) return;
      this.#at = event.number;
    }
    this.#write(() => this.#book.advance(this.address.url, this.#at));
  }

  /** Settles when something may have to be done. */
  #nextNews(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  /** Until it is taken, given up, or this is closed: then it is sent again after the next start. */
  async #deliver(event: StoredEvent): Promise<void> {
    const { clock, random, log } = this.#sending;
    const backoff = new Backoff(RETRY, random);
    const { signal } = this.#closing;
    const begun = this.#begun(event);
    while (!signal.aborted && !this.#isDelivered(event)) {
      const outcome = await this.#send(event);
      if (outcome.problem === null) {
        this.#trouble = null;
        return this.#keep(event, outcome, 'delivered');
      }
      if (signal.aborted) return;
      if (outcome.status === GONE) {
        this.#keep(event, outcome, 'waiting');
        return this.#hold();
      }
      const isOver = clock.monotonic() - begun >= GIVEN_UP_AFTER_MS;
      this.#keep(event, outcome, isOver ? 'given-up' : 'waiting');
      if (this.#isDelivered(event)) break; // redelivered meanwhile: what comes after it waits for nothing
      if (isOver)
        return log('an event was given up', {
          to: shownUrl(this.address.url),
          event: event.number,
          reason: outcome.problem,
        });
      const ms = backoff.next();
      const now = clock.monotonic();
      this.#trouble = { problem: outcome.problem, since: this.#trouble?.since ?? now, againAt: now + ms };
      await this.#pause(ms);
    }
    this.#trouble = null;
  }

  /** Nothing more is sent by itself. */
  #hold(): void {
    this.#isGone = true;
    this.#trouble = { problem: GONE_PROBLEM, since: this.#sending.clock.monotonic(), againAt: null };
    this.#sending.log('an address wants no more events', { to: shownUrl(this.address.url) });
  }

  /** It takes events: those that wait are sent. */
  #release(): void {
    if (this.#isGone) this.#trouble = null;
    this.#isGone = false;
    this.#onRedelivered();
    this.#wake();
  }

  #isDelivered({ number }: StoredEvent): boolean {
    return this.#book.of(this.address.url, number)?.state === 'delivered';
  }

  /** Ends early where the event was redelivered by hand meanwhile, and was taken. */
  async #pause(ms: number): Promise<void> {
    const { clock, wait = (by: number, signal: AbortSignal) => pauseBy(clock, by, signal) } = this.#sending;
    const early = new AbortController();
    this.#onRedelivered = () => early.abort();
    await wait(ms, AbortSignal.any([early.signal, this.#closing.signal]));
    this.#onRedelivered = () => undefined;
  }

  #send(message: Message): Promise<CallOutcome> {
    return this.#post.send(message, this.#sending.clock.wall(), this.#closing.signal);
  }

  /**
   * When an event was first sent, or is: milliseconds of a clock that cannot be set. After another boot it is unknown how long the power
   * was off.
   */
  #begun({ number }: StoredEvent): number {
    const { clock } = this.#sending;
    const before = this.#book.of(this.address.url, number);
    if (before === null) return clock.monotonic();
    return before.begun.bootId === clock.bootId ? before.begun.mono : this.#openedAt;
  }

  #keep({ number, type, orderId }: StoredEvent, { status, problem }: CallOutcome, state: DeliveryState): void {
    const { clock } = this.#sending;
    const { url } = this.address;
    const now = { at: clock.wall(), mono: clock.monotonic(), bootId: clock.bootId };
    this.#write(() => this.#book.keep({ url, event: number, type, orderId, state, status, problem, ...now }));
  }

  /** What cannot be written (a full disk) is delivered again after a restart. */
  #write(work: () => void): void {
    try {
      work();
      this.#isUnwritten = false;
    } catch (error) {
      if (!this.#isUnwritten) this.#sending.log('what was delivered cannot be kept', { reason: String(error) });
      this.#isUnwritten = true;
    }
  }
}
