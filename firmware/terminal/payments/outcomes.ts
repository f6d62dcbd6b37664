/** Reports the end of a payment to the log, the counter and the customer; logs what the ledger could not take. */
import type { LogLine } from '../../host/index.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import type { PaymentBook } from './book.ts';
import type { CustomerView } from './customer-view.ts';
import type { BookEvent } from './events.ts';
import type { PaymentFigures } from './payment-figures.ts';

export interface OutcomesOptions {
  readonly book: Pick<PaymentBook, 'isShownAccepted'>;
  readonly view: Pick<CustomerView, 'shown' | 'showEnd' | 'removeCode'>;
  readonly log: LogLine;
  readonly figures: Pick<PaymentFigures, 'hasEnded'>;
  /** Called each time that the ledger could not take something. */
  readonly onUnwritten: () => void;
}

export class Outcomes {
  readonly #options: OutcomesOptions;

  constructor(options: OutcomesOptions) {
    this.#options = options;
  }

  /** Of a payment whose end is in the ledger. Never throws. */
  reportEnd(payment: PaymentRow): void {
    const { log, figures } = this.#options;
    const { orderId, amount, status } = payment;
    log('a payment has ended', { orderId, state: status.state, amount, late: status.late });
    figures.hasEnded(payment);
    this.#show(payment);
  }

  reportUnwritten({ what, orderId, error }: Extract<BookEvent, { readonly type: 'unwritten' }>): void {
    const { log, onUnwritten } = this.#options;
    log(what, { ...(orderId !== null && { orderId }), reason: String(error) });
    onUnwritten();
  }

  #show(payment: PaymentRow): void {
    const { book, log, view } = this.#options;
    const { orderId, status } = payment;
    try {
      const isShown = view.showEnd(payment);
      // no customer watched a late one
      if (isShown && status.state === 'ACCEPTED' && !status.late) book.isShownAccepted(orderId);
    } catch (error) {
      // its end is in the ledger: a failure to show it must not fail the part that wrote it
      log('the end of a payment could not be shown', { orderId, reason: String(error) });
      if (view.shown === orderId) view.removeCode(); // it must not be paid again
    }
  }
}
