/** Events of payments and refunds for other programs: kept in the outbox, followed as a stream, and sent to addresses. */
import type { Config } from '../config/index.ts';
import type { LogLine, Timekeeper } from '../host/index.ts';
import type { DataDir } from '../store/index.ts';
import type { PaymentRow } from './ledger/payment-row.ts';
import type { Ledgers } from './ledgers.ts';
import type { Refund } from './refunds/refund.ts';
import type { AddressQueueOptions } from './webhooks/address-queue.ts';
import { EventFeed } from './webhooks/event-feed.ts';
import { Outbox } from './webhooks/outbox.ts';
import { RefundEvents } from './webhooks/refund-events.ts';
import { Webhooks } from './webhooks/webhooks.ts';

export interface EventDeliveryOptions {
  /** The addresses that events are sent to. */
  readonly addresses: Config['terminal']['webhooks'];
  readonly dataDir: DataDir;
  readonly clock: Timekeeper;
  readonly ledgers: Pick<Ledgers, 'payments' | 'refunds'>;
  /** The events of payments and refunds, in their order. */
  readonly describe: { readonly payment: (payment: PaymentRow) => object; readonly refund: (refund: Refund) => object };
  /** 0 to 1. */
  readonly random: () => number;
  /** How webhooks wait for the next attempt; by the clock when left out. */
  readonly wait: AddressQueueOptions['wait'] | undefined;
  readonly log: LogLine;
}

export class EventDelivery {
  readonly events: EventFeed;
  readonly webhooks: Webhooks;
  /** Further readers of all events; no event is deleted before they have it. */
  readonly #others: { readonly deliveredTo: number }[] = [];

  constructor({ addresses, dataDir, clock, ledgers, describe, random, wait, log }: EventDeliveryOptions) {
    const { payments, refunds } = ledgers;
    const outbox = new Outbox(payments, { clock, describe: describe.payment });
    const refundEvents = new RefundEvents({ refunds, payments, outbox, describe: describe.refund, log });
    this.events = new EventFeed({
      outbox,
      refunds: refundEvents,
      deliveredTo: () => Math.min(...[this.webhooks, ...this.#others].map(({ deliveredTo }) => deliveredTo)),
      log,
    });
    this.webhooks = new Webhooks({
      addresses,
      path: dataDir.file('webhooks.db'),
      outbox,
      feed: this.events,
      clock,
      random,
      log,
      wait,
    });
  }

  keepFor(reader: { readonly deliveredTo: number }): void {
    this.#others.push(reader);
  }

  start(): void {
    this.events.start();
    this.webhooks.start();
  }

  async close(): Promise<void> {
    await this.webhooks.close();
    this.events.close();
  }
}
