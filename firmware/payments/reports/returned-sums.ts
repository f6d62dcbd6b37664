/**
 * A cache of what has gone back on a day or in a shift, as reports derive it from rows of refunds and their payments. Few
 * sales change it: it is derived once for a state of these rows.
 */

import type { RefundLedger } from '../money/refund-ledger.ts';
import type { Tally } from '../money/tally.ts';

/** Calls of `make`, which runs again where rows were restored meanwhile. */
const MOST_TRIES = 3;

export class ReturnedSums<Made> {
  readonly #refunds: Pick<RefundLedger, 'book' | 'table'>;
  readonly #made = new WeakMap<Tally, { readonly state: string; readonly byTill: Map<string | null, Made> }>();

  constructor(refunds: Pick<RefundLedger, 'book' | 'table'>) {
    this.#refunds = refunds;
  }

  /**
   * @param till the till whose payments count; null for all @param make reads the rows, and derives the result
   * @throws {StoreError} `ROWS_UNSOUND`
   */
  of(tally: Tally, till: string | null, make: () => Made): Made {
    for (let tries = 1; ; tries += 1) {
      const state = this.#stateOf(tally);
      const known = this.#made.get(tally);
      const byTill = known?.state === state ? known.byTill : new Map<string | null, Made>();
      const made = byTill.get(till) ?? this.#refunds.book.readSound(make);
      this.#made.set(tally, { state, byTill: byTill.set(till, made) });
      // a row that was restored meanwhile may change the result
      if (this.#stateOf(tally) === state || tries === MOST_TRIES) return made;
    }
  }

  #stateOf(tally: Tally): string {
    const { book, table } = this.#refunds;
    return [tally.returns, table.ownVersion, book.table('shifts').ownVersion].join();
  }
}
