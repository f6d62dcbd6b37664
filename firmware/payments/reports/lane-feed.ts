/**
 * What a lane sends to the master of its store: payments and refunds by the numbers of their changes, read beside the sales.
 * Nothing is kept here of how far it was sent; the master knows.
 */
import { fits } from '../../core/store/index.ts';
import type { Ledger } from '../money/ledger.ts';
import type { RefundLedger } from '../refunds/refund-ledger.ts';
import {
  FIRST_PLACE,
  type LaneBatch,
  LanePayment,
  type LanePlace,
  LaneRefund,
  lanePaymentOf,
  laneRefundOf,
  RECORDS_AT_ONCE,
} from './lane-records.ts';

/** Those of one commit come together: a few more than that, and never more than the master takes. */
const READ_AT_ONCE = RECORDS_AT_ONCE / 2;
/** Raised with what a record says: the master gets all of them anew. */
const RECORDS = 2;

export interface LaneFeedOptions {
  readonly ledger: Pick<Ledger, 'book' | 'table' | 'changedAfter'>;
  readonly refunds: Pick<RefundLedger, 'changedAfter'>;
  /** When a backup was restored last: the numbers of the changes go back then. 0: never. */
  readonly restoredAt: number;
}

export class LaneFeed {
  readonly #options: LaneFeedOptions;

  constructor(options: LaneFeedOptions) {
    this.#options = options;
  }

  /** Another one whenever there may be something to send; asking reads nothing. */
  get version(): string {
    return String(this.#options.ledger.table.version);
  }

  /**
   * The next changes behind a place.
   * @param place null: asks where the master stands
   * @throws {Error} of SQLite, or of a ledger that is closed
   */
  read(place: LanePlace | null): LaneBatch {
    const { ledger, refunds, restoredAt } = this.#options;
    const head = { ledger: `${ledger.book.name} ${restoredAt} ${RECORDS}`, after: place };
    if (place === null) return { ...head, to: FIRST_PLACE, isAll: false, payments: [], refunds: [] };
    // what was put back to an earlier state by hand has other changes under the same numbers
    const isAhead = Math.max(place.payments, place.refunds) > ledger.book.head;
    const after = isAhead ? FIRST_PLACE : place;
    const paid = ledger.changedAfter(after.payments, READ_AT_ONCE);
    const returned = refunds.changedAfter(after.refunds, READ_AT_ONCE);
    return {
      ...head,
      after,
      to: {
        payments: paid.at(-1)?.change ?? after.payments,
        refunds: returned.at(-1)?.change ?? after.refunds,
      },
      isAll: paid.length < READ_AT_ONCE && returned.length < READ_AT_ONCE,
      // a row that is damaged may hold what no master takes: it must not keep back those behind it
      payments: paid.map(({ payment }) => lanePaymentOf(payment)).filter((each) => fits(LanePayment, each)),
      refunds: returned.map(({ refund }) => laneRefundOf(refund)).filter((each) => fits(LaneRefund, each)),
    };
  }
}
