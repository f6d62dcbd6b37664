/**
 * Payments of which more has gone back than the ledger of refunds explains: a refund was made elsewhere, or that ledger
 * has lost one. No further refund of them is made here. `/health` says so early, before a customer stands at the till.
 */
import type { Clock } from '../../host/index.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import { isGivenBack } from '../payments/payment-failures.ts';
import { sumsOf } from './refund.ts';
import type { RefundLedger } from './refund-ledger.ts';

/** Payments of so many days are compared with their refunds. */
const COMPARED_MS = 7 * 24 * 3_600_000;
/** `/health` is asked for every few seconds, and a week of payments is read for the comparison. */
const COMPARED_EVERY_MS = 60_000;

export interface ComparedLedgers {
  readonly clock: Clock;
  readonly refunds: Pick<RefundLedger, 'isOpen' | 'of'>;
  readonly payments: Pick<Ledger, 'isOpen' | 'takenAndReturned'>;
}

export class Unexplained {
  readonly #ledgers: ComparedLedgers;
  #found: readonly PaymentRow[] = [];
  #comparedAt = -Infinity;

  constructor(ledgers: ComparedLedgers) {
    this.#ledgers = ledgers;
  }

  /** Not older than a minute; none while a ledger is closed. */
  get payments(): readonly PaymentRow[] {
    const { clock, refunds, payments } = this.#ledgers;
    if (!refunds.isOpen || !payments.isOpen) return [];
    if (clock.monotonic() - this.#comparedAt >= COMPARED_EVERY_MS) {
      this.#found = this.#compare();
      this.#comparedAt = clock.monotonic();
    }
    return this.#found;
  }

  /** What a bank has given back by itself is reported with the payment, and has never been a refund. */
  #compare(): readonly PaymentRow[] {
    const { clock, refunds, payments } = this.#ledgers;
    const now = clock.wall();
    return payments.takenAndReturned(now - COMPARED_MS, now + 1).filter(({ orderId, refunded, status }) => {
      const { done, undecided } = sumsOf(refunds.of(orderId));
      return refunded > done + undecided && !isGivenBack(status);
    });
  }
}
