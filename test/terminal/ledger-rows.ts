/** Reads payments of a ledger in the order in which they were entered. */

import type { PaymentRow } from '../../firmware/payments/model/payment-row.ts';
import type { Ledger } from '../../firmware/payments/money/ledger.ts';
import { paymentsWhere } from '../../firmware/payments/money/payment-queries.ts';

/** The next payments after an id. */
export const paymentsAfter = (ledger: Pick<Ledger, 'table'>, id: number, limit: number): PaymentRow[] =>
  paymentsWhere(ledger.table, 'id > :id ORDER BY id LIMIT :limit', { id, limit });
