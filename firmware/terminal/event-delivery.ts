/** Events of payments and refunds for other programs: kept in the outbox, followed as a stream, and sent to addresses. */
import type { DataDir } from '../store/index.ts';
import type { PaymentRow } from './ledger/payment-row.ts';
import type { Ledgers } from './ledgers.ts';
import type { Refund } from './refunds/refund.ts';
import { EventFeed } from './webhooks/event-feed.ts';
import { Outbox } from './webhooks/outbox.ts';
import { Webhooks, type WebhooksOptions } from './webhooks/webhooks.ts';

/** Refunds whose events are taken at once. */
const REFUNDS_AT_ONCE = 100;

export interface EventDeliveryOptions extends Pick<WebhooksOptions, 'addresses' | 'clock' | 'random' | 'wait' | 'log'> {
  readonly dataDir: DataDir;
  readonly ledgers: Pick<Ledgers, 'payments' | 'refunds'>;
  /** A payment and a refund as events have them. */
  readonly describe: { readonly payment: (payment: PaymentRow) => object; readonly refund: (refund: Refund) => object };
}

export class EventDelivery {
  readonly events: EventFeed;
  readonly webhooks: Webhooks;
  readonly #options: EventDeliveryOptions;
  readonly #outbox: Outbox;
  /** Further readers of all events; no event is deleted before they have it. */
  readonly #others: { readonly deliveredTo: number }[] = [];

  constructor(options: EventDeliveryOptions) {
    const { dataDir, clock, ledgers, describe, log } = options;
    this.#options = options;
    this.#outbox = new Outbox(ledgers.payments, { clock, describe: describe.payment });
    this.events = new EventFeed({
      outbox: this.#outbox,
      takeRefunds: () => this.#takeRefunds(),
      deliveredTo: () => Math.min(...[this.webhooks, ...this.#others].map(({ deliveredTo }) => deliveredTo)),
      log,
    });
    const path = dataDir.file('webhooks.db');
    this.webhooks = new Webhooks({ ...options, path, outbox: this.#outbox, feed: this.events });
    ledgers.refunds.onAnnounced(() => this.#takeRefunds());
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

  /**
   * Takes the events of refunds into the outbox of the payments' ledger, so that there is one ordered stream over both
   * ledgers. They are marked in the row of the refund, in the commit that changes it. Where the process ends in between,
   * the next one finds the mark and takes them again: each is reported at least once. What cannot be taken stays marked.
   * Never throws.
   */
  #takeRefunds(): void {
    const { ledgers, describe, log } = this.#options;
    const { refunds, payments } = ledgers;
    if (!refunds.isOpen || !payments.isOpen) return;
    try {
      for (const { refund, types } of refunds.unannounced(REFUNDS_AT_ONCE)) {
        const payment = payments.find(refund.orderId);
        if (payment === null) log('a refund is not reported: its payment is lost', { refundId: refund.refundId });
        else this.#outbox.appendRefund(types, payment, describe.refund(refund));
        refunds.isAnnounced(refund.refundId);
      }
    } catch (error) {
      log('the events of a refund cannot be written yet', { reason: String(error) });
    }
  }
}
