/** Events of payments and refunds for other programs: kept in the outbox, followed as a stream, and sent to addresses. */
import type { DataDir } from '../../core/store/index.ts';
import type { Ledger } from '../money/ledger.ts';
import type { Described } from '../money/money.ts';
import { EventFeed } from './event-feed.ts';
import { Outbox } from './outbox.ts';
import { Webhooks, type WebhooksOptions } from '../../features/webhooks/webhooks.ts';

export interface EventDeliveryOptions extends Pick<WebhooksOptions, 'addresses' | 'clock' | 'random' | 'wait' | 'log'> {
  readonly dataDir: DataDir;
  readonly ledger: Ledger;
  /** A payment and a refund as events have them. */
  readonly describe: Described;
}

export class EventDelivery {
  readonly events: EventFeed;
  readonly webhooks: Webhooks;
  readonly #outbox: Outbox;
  /** Further readers of all events; no event is deleted before they have it. */
  readonly #others: { readonly deliveredTo: number }[] = [];

  constructor(options: EventDeliveryOptions) {
    const { dataDir, clock, ledger, describe, log } = options;
    this.#outbox = new Outbox(ledger, { clock, describe: describe.payment });
    this.events = new EventFeed({
      outbox: this.#outbox,
      deliveredTo: () => Math.min(...[this.webhooks, ...this.#others].map(({ deliveredTo }) => deliveredTo)),
      log,
    });
    const path = dataDir.file('webhooks.db');
    this.webhooks = new Webhooks({ ...options, path, outbox: this.#outbox, feed: this.events });
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
