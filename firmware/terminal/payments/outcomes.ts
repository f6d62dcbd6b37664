/** Reports the end of a payment to the log, the counter and the customer, and reports what the ledger could not take. */
import type { LogLine } from '../../host/index.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import type { PaymentBook } from './book.ts';
import type { CustomerView } from './customer-view.ts';
import type { BookEvent, LaneEvent } from './events.ts';
import type { PaymentStatus } from './payment.ts';

export interface OutcomesOptions {
  readonly book: Pick<PaymentBook, 'isShownAccepted'>;
  readonly view: Pick<CustomerView, 'shown' | 'showEnd' | 'removeCode'>;
  readonly log: LogLine;
  readonly onOutcome?: (state: PaymentStatus['state']) => void;
  /** Called each time that the ledger could not take something. */
  readonly onUnwritten?: () => void;
}

export class Outcomes {
  readonly #options: OutcomesOptions;

  constructor(options: OutcomesOptions) {
    this.#options = options;
  }

  /** The ledger has its end. Never throws. */
  tellEnd(payment: PaymentRow): readonly LaneEvent[] {
    const { log, onOutcome } = this.#options;
    const { orderId, amount, status } = payment;
    log('a payment has ended', { orderId, state: status.state, amount, late: status.late });
    onOutcome?.(status.state);
    this.#show(payment);
    return [];
  }

  tellUnwritten({ what, orderId, error }: Extract<BookEvent, { readonly type: 'unwritten' }>): readonly LaneEvent[] {
    const { log, onUnwritten } = this.#options;
    log(what, { ...(orderId !== null && { orderId }), reason: String(error) });
    onUnwritten?.();
    return [];
  }

  #show(payment: PaymentRow): void {
    const { book, log, view } = this.#options;
    const { orderId, status } = payment;
    try {
      const isShown = view.showEnd(payment);
      // of a late one nobody was there to watch
      if (isShown && status.state === 'ACCEPTED' && !status.late) book.isShownAccepted(orderId);
    } catch (error) {
      // the ledger has its end, and could not be read: a fault of the display must not fail the part that wrote it
      log('the end of a payment could not be shown', { orderId, reason: String(error) });
      if (view.shown === orderId) view.removeCode(); // nobody is to pay it once more
    }
  }
}
