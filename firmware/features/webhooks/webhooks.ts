/** Delivers events to the addresses of the configuration: to each address in order, and independently of the others. */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { pause } from '../../../drivers/lib/async.ts';
import { type Reason, recorded } from '../../../drivers/lib/records.ts';
import type { Outbox } from '../../payments/index.ts';
import { AddressQueue, type Sending, shownUrl } from './address-queue.ts';
import type { WebhooksConfig } from './config.ts';
import { type Delivery, DeliveryBook } from './delivery-book.ts';
import { reasonOf, WEBHOOK_ERRORS } from './records.ts';
import type { CallOutcome } from './signed-post.ts';

/** The wait before the start is tried again: the ledger may be closed, or the delivery book may not open. */
const BEGIN_AGAIN_MS = 5000;
/** Where the delivery book was lost, events of this last period are delivered again. */
const AGAIN_MS = 24 * 3_600_000;
/** How long an address may accept nothing before `/health` reports it. */
const NOTICE_AFTER_MS = 10 * 60_000;
/** How long given-up events are reported, unless they have been redelivered. */
const GIVEN_UP_REPORTED_MS = 7 * 24 * 3_600_000;

/** Why a redelivery or a test is refused. */
class WebhookError extends recorded('Webhooks', WEBHOOK_ERRORS) {}

/** The state of an address. */
export interface WebhookState {
  readonly id: string;
  /** The address without its query. */
  readonly url: string;
  /** Types of events that it gets; null: all. */
  readonly types: readonly string[] | null;
  /** Number of the event up to which all were delivered or given up. */
  readonly toldTo: number;
  /** Number of later events, of any type. */
  readonly waiting: number;
  /** When it last accepted an event: wall clock, ms since 1970; null where unknown. */
  readonly deliveredAt: number | null;
  /** Why the first waiting event is not accepted; null where nothing is wrong. */
  readonly problem: string | null;
  /** For how many milliseconds all attempts have failed. */
  readonly failingMs: number;
  /** Milliseconds until the next attempt; null where none is planned. */
  readonly againMs: number | null;
  /** How many events were given up within `GIVEN_UP_REPORTED_MS`. */
  readonly givenUp: number;
}

/** The answer of a receiver to a test message. */
export interface TestOutcome extends CallOutcome {
  readonly id: string;
  /** The address without its query. */
  readonly url: string;
  /** Duration of the call, ms. */
  readonly tookMs: number;
}

/** Makes ids of addresses that stay the same after a restart. A query may hold a secret, so it is no part of the id. */
function idsOf(urls: readonly string[]): string[] {
  const shown = urls.map(shownUrl);
  return shown.map((url, index) => {
    const before = shown.slice(0, index).filter((other) => other === url).length;
    return createHash('sha256').update(`${before} ${url}`).digest('hex').slice(0, 12);
  });
}

export class Webhooks {
  readonly #addresses: WebhooksConfig;
  readonly #path: string;
  readonly #outbox: Outbox;
  readonly #sending: Sending;
  readonly #closing = new AbortController();
  #queues: readonly AddressQueue[] = [];
  #book: DeliveryBook | null = null;
  /** Why nothing is delivered, as where the book cannot be opened; else null. */
  #problem: string | null = null;
  #starting: Promise<void> = Promise.resolve();

  /** @param addresses those of the configuration @param path file of the delivery book */
  constructor(addresses: WebhooksConfig, path: string, outbox: Outbox, sending: Sending) {
    this.#addresses = addresses;
    this.#path = path;
    this.#outbox = outbox;
    this.#sending = sending;
  }

  get isConfigured(): boolean {
    return this.#addresses.length > 0;
  }

  /** Number of the event up to which all events are finished for all addresses; the outbox may drop these. */
  get deliveredTo(): number {
    if (!this.isConfigured) return Number.MAX_SAFE_INTEGER;
    return this.#queues.length === 0 ? 0 : Math.min(...this.#queues.map(({ at }) => at));
  }

  start(): void {
    if (this.isConfigured) this.#starting = this.#start();
    else this.#forgetAll();
  }

  get states(): WebhookState[] {
    const { clock } = this.#sending;
    const now = clock.monotonic();
    return this.#queues.map(({ address, at, failure }) => ({
      id: address.id,
      url: shownUrl(address.url),
      types: address.types === null ? null : [...address.types],
      toldTo: at,
      waiting: this.#outbox.countAfter(at),
      deliveredAt: this.#book?.lastDelivered(address.url) ?? null,
      problem: failure?.problem ?? null,
      failingMs: failure === null ? 0 : now - failure.since,
      againMs: failure === null || failure.againAt === null ? null : Math.max(0, failure.againAt - now),
      givenUp: this.#book?.givenUp(address.url, clock.wall() - GIVEN_UP_REPORTED_MS) ?? 0,
    }));
  }

  /** Deliveries, newest first. @param before only those with a lower id */
  deliveries(before: number, limit: number): Delivery[] {
    return this.#book?.list(before, limit) ?? [];
  }

  /**
   * Sends an event again, now, outside of the order.
   * @returns the delivery after the attempt
   * @throws {WebhookError} where the delivery, event or address no longer exists
   */
  async redeliver(id: number): Promise<Delivery> {
    const delivery = this.#book?.byId(id) ?? null;
    if (delivery === null) throw new WebhookError('DeliveryNotFound', `there is no delivery ${id}`);
    const queue = this.#queues.find(({ address }) => address.url === delivery.url);
    if (queue === undefined) {
      const message = 'the address of this delivery is not in terminal.webhooks of the configuration any more';
      throw new WebhookError('NotConfigured', message);
    }
    const event = this.#outbox.find(delivery.event);
    if (event === null) {
      const message = `the event ${delivery.event} is kept no more: read the payment with GET /v1/payments/${delivery.orderId}`;
      throw new WebhookError('EventGone', message);
    }
    return (await queue.redeliver(event, delivery)) ?? delivery;
  }

  /** Id of a delivery's address; null where the address is no longer configured. */
  idOf({ url }: Pick<Delivery, 'url'>): string | null {
    return this.#queues.find(({ address }) => address.url === url)?.address.id ?? null;
  }

  /**
   * Sends a test message to an address, now, to see whether the receiver answers and accepts the signature.
   * @throws {WebhookError} where there is no such address
   */
  async test(id: string): Promise<TestOutcome> {
    const queue = this.#queues.find(({ address }) => address.id === id);
    if (queue === undefined) {
      const message = `there is no address ${id}: GET /v1/webhooks lists those of the configuration`;
      throw new WebhookError('AddressNotFound', message);
    }
    const { clock } = this.#sending;
    const began = clock.monotonic();
    const outcome = await queue.test();
    return { id, url: shownUrl(queue.address.url), ...outcome, tookMs: clock.monotonic() - began };
  }

  /** Reasons in `/health`. */
  get problems(): Reason[] {
    if (!this.#outbox.isOpen) return [];
    return [
      ...(this.#problem === null ? [] : [reasonOf('webhooks-unkept', { detail: this.#problem })]),
      ...this.states.flatMap((state) => [...failing(state), ...givenUp(state)]),
    ];
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#starting;
    await Promise.all(this.#queues.map((queue) => queue.close()));
    this.#book?.close();
    this.#book = null;
  }

  /** Starts delivering, and retries until the ledger and the delivery book are open. */
  async #start(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted && this.#queues.length === 0) {
      try {
        this.#begin();
        this.#problem = null;
      } catch (error) {
        this.#problem = String(error);
        this.#sending.log('events cannot be delivered yet', { reason: this.#problem });
        await pause(BEGIN_AGAIN_MS, signal);
      }
    }
  }

  #begin(): void {
    const { last, lostTo } = this.#outbox;
    this.#book ??= DeliveryBook.open(this.#path, this.#sending.clock.wall());
    const book = this.#book;
    const from = book.isLost ? Math.max(lostTo, Math.min(last, this.#sending.clock.wall() - AGAIN_MS)) : last;
    book.know(
      this.#addresses.map(({ url }) => url),
      { from, last, lostTo },
    );
    const ids = idsOf(this.#addresses.map(({ url }) => url));
    this.#queues = this.#addresses.map(({ types, ...receiver }, index) => {
      const named = { ...receiver, id: ids[index] ?? '' };
      const address = { ...named, types: types === undefined ? null : new Set<string>(types) };
      return new AddressQueue(address, book, this.#sending);
    });
    for (const queue of this.#queues) queue.start();
  }

  /** Forgets all addresses, so that one that is configured again later counts as new and gets no earlier events. */
  #forgetAll(): void {
    if (!existsSync(this.#path)) return;
    const { clock, log } = this.#sending;
    try {
      const book = DeliveryBook.open(this.#path, clock.wall());
      book.know([], { from: 0, last: 0, lostTo: 0 });
      book.close();
    } catch (error) {
      log('addresses that are configured no more cannot be forgotten', { reason: String(error) });
    }
  }
}

function failing({ url, failingMs, problem, waiting }: WebhookState): Reason[] {
  if (problem === null || failingMs < NOTICE_AFTER_MS) return [];
  const minutes = Math.round(failingMs / 60_000);
  return [reasonOf('webhook-failing', { url, minutes, n: waiting, detail: problem })];
}

const givenUp = ({ url, givenUp: n }: WebhookState): Reason[] =>
  n === 0 ? [] : [reasonOf('webhook-given-up', { url, n }, 'GET /v1/webhooks/deliveries names them')];
