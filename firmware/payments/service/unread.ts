/** Accepted payments that no till has read: after a while each becomes late, so that `/health` reports it. */
import type { PaymentRow } from '../money/payment-row.ts';
import type { PaymentParts } from './parts.ts';

export class Unread {
  readonly #options: PaymentParts;
  readonly #alarms = new Set<() => void>();

  constructor(options: PaymentParts) {
    this.#options = options;
  }

  /** Watches those that the previous process left, each for its full time: how long the device was off is unknown. */
  recover(): void {
    for (const payment of this.#options.book.untold()) this.watch(payment);
  }

  /** Of a payment that has ended. */
  watch({ orderId, status }: Pick<PaymentRow, 'orderId' | 'status'>): void {
    const { clock, dispatch, unreadMs } = this.#options;
    if (unreadMs === 0 || !status.untold || status.late) return;
    const callOff = clock.after(unreadMs, () => {
      this.#alarms.delete(callOff);
      dispatch({ type: 'recorded', orderId, event: { type: 'unread' } });
    });
    this.#alarms.add(callOff);
  }

  close(): void {
    for (const callOff of this.#alarms) callOff();
    this.#alarms.clear();
  }
}
