/**
 * Sends events to one address in their order: the next event is sent when the address has accepted the one before, or
 * when that was given up after a day. The order is promised: a till gets `payment.accepted` before `payment.refunded`.
 */

import { Backoff, pause } from '../../../drivers/lib/async.ts';
import { isoTime } from '../../../drivers/lib/iso-time.ts';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { type LogLine, pauseBy, type Timekeeper } from '../../core/host/index.ts';
import type { EventFeed, StoredEvent } from '../../payments/index.ts';
import type { Delivery, DeliveryBook, DeliveryState } from './delivery-book.ts';

import { type CallOutcome, type Message, type Receiver, SignedPost } from './signed-post.ts';

/**
 * An event is given up this long after its own first attempt, however long it waited behind another event. After a
 * restart of the board the time begins anew.
 */
export const GIVEN_UP_AFTER_MS = 24 * 3_600_000;
/** The wait between attempts, which doubles each time. */
const RETRY = { minMs: 1000, maxMs: 15 * 60_000 };
/** The wait before events that could not be read are read again. */
const READ_AGAIN_MS = 5000;
const PAGE = 50;

export interface WebhookAddress extends Receiver {
  /** Name of the address, made of its URL without the query. */
  readonly id: string;
  /** Types of events that it gets; null: all. */
  readonly types: ReadonlySet<string> | null;
}

/** What the queues of all addresses share. */
export interface Sending {
  readonly feed: EventFeed;
  readonly clock: Timekeeper;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly log: LogLine;
  /** Time limit of a receiver's answer. */
  readonly answerLimitMs?: number | undefined;
  /** Waits some milliseconds, or until it is aborted; by the clock when left out. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Why the address has not accepted the first waiting event. */
export interface DeliveryFailure {
  /** Problem of the last attempt. */
  readonly problem: string;
  /** Monotonic clock, ms. */
  readonly since: number;
  /** When the next attempt is: monotonic clock, ms; null where nothing is sent any more. */
  readonly againAt: number | null;
}

/** Status by which a receiver refuses all further calls (RFC 9110, 15.5.11). */
const GONE = 410;
const GONE_PROBLEM =
  'it answered HTTP 410: it wants no more events; they wait until a test, or one that is sent again, is taken';

/** Number of a test message. No event has it, so no receiver can mistake the message for a repeated event. */
const NO_EVENT = 0;

/** The address without its query, which may hold a secret. */
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
  /** All events up to this number are finished for this address. */
  #at = 0;
  #wake: () => void = () => undefined;
  #onRedelivered: () => void = () => undefined;
  #failure: DeliveryFailure | null = null;
  /** Whether the last write to the book failed. */
  #isUnwritten = false;
  /** Whether the receiver has refused further calls, to this or an earlier process. */
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

  get failure(): DeliveryFailure | null {
    return this.#failure;
  }

  start(): void {
    this.#at = this.#book.deliveredTo(this.address.url);
    if (this.#book.lastStatus(this.address.url) === GONE) this.#suspend();
    this.#running = this.#run();
  }

  /** Sends an event again, now, ahead of the queue. @returns the delivery after the attempt */
  redeliver(event: StoredEvent, { state }: Delivery): Promise<Delivery | null> {
    return this.#redeliveries.run(async () => {
      const outcome = await this.#send(event);
      this.#recordAttempt(event, outcome, outcome.problem === null ? 'delivered' : state);
      if (outcome.problem === null) this.#release();
      return this.#book.of(this.address.url, event.number);
    });
  }

  /** Sends a test message now, ahead of the queue. It is not recorded as a delivery. */
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
    const detach = feed.follow(() => this.#wake());
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#deliverNext();
      } catch (error) {
        log('events cannot be delivered now', { to: shownUrl(this.address.url), reason: String(error) });
        await pause(READ_AGAIN_MS, signal);
      }
    }
    detach();
  }

  /** Delivers the next events, or waits until there are some. */
  async #deliverNext(): Promise<void> {
    const { feed } = this.#sending;
    const news = this.#nextNews();
    if (this.#isGone) return news;
    const page = feed.read(this.#at, PAGE);
    if (page.length === 0) return news;
    for (const event of page) {
      if (this.address.types?.has(event.type) ?? true) await this.#deliver(event);
      if (this.#closing.signal.aborted || this.#isGone) return;
      this.#at = event.number;
    }
    this.#write(() => this.#book.advance(this.address.url, this.#at));
  }

  /** Resolves when there may be events to send. */
  #nextNews(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  /**
   * Sends an event until it is accepted or given up. Where the queue is closed before, the next start sends it again.
   */
  async #deliver(event: StoredEvent): Promise<void> {
    const { clock, random, log } = this.#sending;
    const backoff = new Backoff(RETRY, random);
    const { signal } = this.#closing;
    const begun = this.#begun(event);
    while (!signal.aborted && !this.#isDelivered(event)) {
      const outcome = await this.#send(event);
      if (outcome.problem === null) {
        this.#failure = null;
        return this.#recordAttempt(event, outcome, 'delivered');
      }
      if (signal.aborted) return;
      if (outcome.status === GONE) {
        this.#recordAttempt(event, outcome, 'waiting');
        return this.#suspend();
      }
      const isTooOld = clock.monotonic() - begun >= GIVEN_UP_AFTER_MS;
      this.#recordAttempt(event, outcome, isTooOld ? 'given-up' : 'waiting');
      if (this.#isDelivered(event)) break; // a person has redelivered it: the next event need not wait
      if (isTooOld)
        return log('an event was given up', {
          to: shownUrl(this.address.url),
          event: event.number,
          reason: outcome.problem,
        });
      const ms = backoff.next();
      const now = clock.monotonic();
      this.#failure = { problem: outcome.problem, since: this.#failure?.since ?? now, againAt: now + ms };
      await this.#pause(ms);
    }
    this.#failure = null;
  }

  /** Stops sending events: the receiver wants no more. */
  #suspend(): void {
    this.#isGone = true;
    this.#failure = { problem: GONE_PROBLEM, since: this.#sending.clock.monotonic(), againAt: null };
    this.#sending.log('an address wants no more events', { to: shownUrl(this.address.url) });
  }

  /** Resumes sending, because the address has accepted a message. */
  #release(): void {
    if (this.#isGone) this.#failure = null;
    this.#isGone = false;
    this.#onRedelivered();
    this.#wake();
  }

  #isDelivered({ number }: StoredEvent): boolean {
    return this.#book.of(this.address.url, number)?.state === 'delivered';
  }

  /** Waits; ends early where a redelivery by a person succeeds. */
  async #pause(ms: number): Promise<void> {
    const { clock, wait = (by: number, signal: AbortSignal) => pauseBy(clock, by, signal) } = this.#sending;
    const redelivered = new AbortController();
    this.#onRedelivered = () => redelivered.abort();
    await wait(ms, AbortSignal.any([redelivered.signal, this.#closing.signal]));
    this.#onRedelivered = () => undefined;
  }

  #send(message: Message): Promise<CallOutcome> {
    return this.#post.send(message, this.#sending.clock.wall(), this.#closing.signal);
  }

  /**
   * When an event was first sent: monotonic clock, ms; now for a new event. For an event of an earlier boot it is when
   * this queue was opened, because it is unknown how long the power was off.
   */
  #begun({ number }: StoredEvent): number {
    const { clock } = this.#sending;
    const before = this.#book.of(this.address.url, number);
    if (before === null) return clock.monotonic();
    return before.begun.bootId === clock.bootId ? before.begun.mono : this.#openedAt;
  }

  #recordAttempt({ number, type, orderId }: StoredEvent, { status, problem }: CallOutcome, state: DeliveryState): void {
    const { clock } = this.#sending;
    const { url } = this.address;
    const now = { at: clock.wall(), mono: clock.monotonic(), bootId: clock.bootId };
    this.#write(() => this.#book.recordAttempt({ url, event: number, type, orderId, state, status, problem, ...now }));
  }

  /** Writes to the book. An event whose record fails, as on a full disk, is delivered again after a restart. */
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
