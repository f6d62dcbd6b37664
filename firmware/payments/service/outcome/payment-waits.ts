/**
 * Lets callers wait until a payment or a refund changes (long poll). The change of its row wakes them; nothing is
 * polled. Their number is limited, as each holds a connection.
 */

import type { PaymentRow } from '../../model/payment-row.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import type { Ledger } from '../../money/ledger.ts';

/** Most waiting callers of all tills together. */
export const MOST_WAITING = 128;

const tooMany = (): TerminalError =>
  TerminalError.of(
    'RequestParams',
    'TooMany',
    `${MOST_WAITING} calls wait for payments already: ask without wait, or again in a second`,
  );

/** A payment or refund that a caller waits for. */
export interface Watched<T> {
  /** Reads its present state. */
  readonly read: () => T;
  /** @param changed called once it may have changed @returns ends the watch */
  readonly watch: (changed: () => void) => () => void;
}

/** Watches a payment of the ledger. */
export const paymentIn = (ledger: Pick<Ledger, 'find' | 'changes'>, payment: PaymentRow): Watched<PaymentRow> => ({
  read: () => ledger.find(payment.orderId) ?? payment,
  watch: (changed) => ledger.changes.watch(payment.orderId, changed),
});

export class PaymentWaits {
  /** Ends the wait of each caller. */
  readonly #ends = new Set<() => void>();
  #isClosed = false;

  /** How many callers wait now. */
  get waiting(): number {
    return this.#ends.size;
  }

  /**
   * @param isWanted whether the state is the one that the caller waits for
   * @param gone aborts when the caller hangs up
   * @returns the wanted state, or the present one when time is over, the caller is gone or the device closes
   * @throws {TerminalError} where too many wait already
   */
  async until<T>(
    { read, watch }: Watched<T>,
    isWanted: (present: T) => boolean,
    limitMs: number,
    gone: AbortSignal,
  ): Promise<T> {
    const end = performance.now() + limitMs;
    for (;;) {
      const present = read();
      const leftMs = Math.ceil(end - performance.now());
      if (isWanted(present) || leftMs <= 0 || gone.aborted || this.#isClosed) return present;
      // nothing else runs between the reading of the row and the watch: no change is missed
      await this.#change(watch, leftMs, gone);
    }
  }

  /** Ends all waits. */
  close(): void {
    this.#isClosed = true;
    for (const end of [...this.#ends]) end();
  }

  #change(watch: Watched<unknown>['watch'], limitMs: number, gone: AbortSignal): Promise<void> {
    if (this.#ends.size >= MOST_WAITING) throw tooMany();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        unwatch();
        gone.removeEventListener('abort', end);
        this.#ends.delete(end);
        resolve();
      };
      const timer = setTimeout(end, limitMs);
      const unwatch = watch(end);
      gone.addEventListener('abort', end, { once: true });
      this.#ends.add(end);
    });
  }
}
