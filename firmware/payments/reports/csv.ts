/** Payments as lines of CSV. */

import { isoTime, isoTimeOrNull } from '../../../drivers/lib/iso-time.ts';
import { type Cell, CSV_BOM, csvRow } from '../../core/store/index.ts';
import type { CheckedPayment, PaymentRow } from '../money/payment-row.ts';
import { reportedBank } from './bank-names.ts';
import { ownPieces, reasonsIn, type Taken } from './taken-sheet.ts';

/** The payment method; null until it is paid. */
const methodOf = ({ status, paidBy }: PaymentRow): string | null =>
  status.state === 'ACCEPTED' ? (paidBy?.method ?? 'unknown') : null;

const COLUMNS = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => isoTime(createdAt)],
  ['state', ({ status }) => status.state],
  ['amount_kopecks', ({ amount }) => amount],
  ['purpose', ({ purpose }) => purpose],
  ['profile', ({ profile }) => profile],
  ['bank', (payment) => reportedBank(payment)],
  ['order_id', ({ orderId }) => orderId],
  ['bank_id', ({ ref }) => ref?.id ?? null],
  ['payload', ({ payload }) => payload],
  ['ttl_minutes', ({ ttl }) => ttl],
  ['ended_at', ({ endedAt }) => isoTimeOrNull(endedAt)],
  ['late', ({ status }) => (status.late ? 'yes' : 'no')],
  ['error', ({ status }) => status.failure?.message ?? null],
  // added later: programs that read the earlier columns by their place go on doing so
  ['trxId', ({ trxId }) => trxId],
  ['paid_at', ({ paidAt }) => isoTimeOrNull(paidAt)],
  ['refunded', ({ refunded }) => refunded],
  ['note', ({ note }) => note],
  ['acknowledged_at', ({ acknowledgedAt }) => isoTimeOrNull(acknowledgedAt)],
  ['till', ({ till }) => till],
  ['reference', ({ sale }) => sale?.reference ?? null],
  ['cashier', ({ cashier }) => cashier],
  ['shift', ({ shift }) => shift],
  ['method', methodOf],
  ['method_word', ({ paidBy }) => paidBy?.word ?? null],
  ['why', ({ orderId, refunded }, refundsOf) => (refunded === 0 ? null : reasonsIn(refundsOf(orderId)))],
] as const satisfies readonly (readonly [
  name: string,
  value: (payment: PaymentRow, refundsOf: Taken['refundsOf']) => Cell,
])[];

const NAMES = COLUMNS.map(([name]) => name);
export const CSV_HEAD = CSV_BOM + csvRow(NAMES);
/** The beginning of every export, also of earlier releases. */
export const CSV_START = CSV_BOM + csvRow(NAMES.slice(0, NAMES.indexOf('trxId'))).trimEnd();

type Column = (typeof COLUMNS)[number][0];

/** The cells of a lost or damaged payment: no figure that may differ from the real one. */
function cellsOfDamaged({ id, payment }: CheckedPayment): Partial<Record<Column, Cell>> {
  if (payment === null) return { id, error: 'LOST: this payment was in the ledger, and is not any more. Ask the bank' };
  const { orderId, ref, profile } = payment;
  const error = 'DAMAGED: the storage has changed this payment. Ask the bank what it was, and what became of it';
  return { id, order_id: orderId, bank_id: ref?.id ?? null, bank: reportedBank(payment), profile, error };
}

/** The line of a payment, with its line end. */
export function csvLine(checked: CheckedPayment, refundsOf: Taken['refundsOf']): string {
  const { payment, isDamaged } = checked;
  const damaged = payment === null || isDamaged ? cellsOfDamaged(checked) : null;
  const cells = COLUMNS.map(([name, value]) => {
    if (damaged !== null) return damaged[name] ?? null;
    return payment === null ? null : value(payment, refundsOf);
  });
  return csvRow(cells);
}

/** CSV of accepted payments only. */
export async function* takenCsv(taken: Taken): AsyncGenerator<string> {
  yield CSV_HEAD;
  for await (const piece of ownPieces(taken))
    yield piece.map((payment) => csvLine({ id: payment.id, payment, isDamaged: false }, taken.refundsOf)).join('');
}
