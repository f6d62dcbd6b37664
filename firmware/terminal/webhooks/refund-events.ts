/**
 * One ordered stream of events over both ledgers. The events of a refund are marked in its row, in the commit that
 * changes it, and taken from there into the outbox of the payments' ledger. Where the process ends in between, the next
 * one finds the mark and takes them again: each is reported at least once.
 */
import type { LogLine } from '../../host/index.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Refund } from '../refunds/refund.ts';
import type { RefundLedger } from '../refunds/refund-ledger.ts';
import type { Outbox } from './outbox.ts';

const AT_ONCE = 100;

export interface RefundEventsOptions {
  readonly refunds: RefundLedger;
  readonly payments: Ledger;
  readonly outbox: Outbox;
  /** A refund as events have it. */
  readonly describe: (refund: Refund) => object;
  readonly log: LogLine;
}

export class RefundEvents {
  readonly #options: RefundEventsOptions;

  constructor(options: RefundEventsOptions) {
    this.#options = options;
    options.refunds.onAnnounced(() => this.take());
  }

  /** Takes what is marked into the outbox; what cannot be taken stays marked. Never throws. */
  take(): void {
    const { refunds, payments, log } = this.#options;
    if (!refunds.isOpen || !payments.isOpen) return;
    try {
      for (const { refund, types } of refunds.unannounced(AT_ONCE)) {
        const payment = payments.find(refund.orderId);
        if (payment === null) log('a refund is not reported: its payment is lost', { refundId: refund.refundId });
        else this.#options.outbox.appendRefund(types, payment, this.#options.describe(refund));
        refunds.isAnnounced(refund.refundId);
      }
    } catch (error) {
      log('the events of a refund cannot be written yet', { reason: String(error) });
    }
  }
}
