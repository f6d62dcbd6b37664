/** Payments as lines of CSV: RFC 4180 with a byte order mark. */
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import type { CheckedPayment, PaymentRow } from '../ledger/payment-row.ts';

/** What a spreadsheet knows UTF-8 by. */
export const CSV_BOM = '\uFEFF';
const END_OF_LINE = '\r\n';

type Cell = string | number | null;

const COLUMNS = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => isoTime(createdAt)],
  ['state', ({ status }) => status.state],
  ['amount_kopecks', ({ amount }) => amount],
  ['purpose', ({ purpose }) => purpose],
  ['profile', ({ profile }) => profile],
  ['bank', ({ bank }) => bank],
  ['order_id', ({ orderId }) => orderId],
  ['bank_id', ({ ref }) => ref?.id ?? null],
  ['payload', ({ payload }) => payload],
  ['ttl_minutes', ({ ttl }) => ttl],
  ['ended_at', ({ endedAt }) => isoTimeOrNull(endedAt)],
  ['late', ({ status }) => (status.late ? 'yes' : 'no')],
  ['error', ({ status }) => status.failure?.message ?? null],
  // added later: whoever reads the columns before by their place goes on doing so
  ['trxId', ({ trxId }) => trxId],
  ['paid_at', ({ paidAt }) => isoTimeOrNull(paidAt)],
  ['refunded', ({ refunded }) => refunded],
  ['note', ({ note }) => note],
  ['acknowledged_at', ({ acknowledgedAt }) => isoTimeOrNull(acknowledgedAt)],
] as const satisfies readonly (readonly [name: string, value: (payment: PaymentRow) => Cell])[];

/** What every export begins with. */
export const CSV_HEAD = `${CSV_BOM}${COLUMNS.map(([name]) => name).join(',')}${END_OF_LINE}`;

/** What a spreadsheet begins a cell at: its separator goes by the country, and ours is text to one that has another. */
const CELL_START = /(^|[;|\t\r\n])(?=[\s"]*[=+\-@\t\r＝＋－＠])/g;

/** A spreadsheet runs a cell that begins like a formula: an apostrophe makes it text. */
const defused = (text: string): string => text.replaceAll(CELL_START, "$1'");

function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = defused(value);
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a line of cells, with its end. */
export const csvRow = (cells: readonly Cell[]): string => cells.map(cell).join(',') + END_OF_LINE;

type Column = (typeof COLUMNS)[number][0];

/** What is known of a payment that is lost, or whose row is damaged: no figure that may be another than it was. */
function cellsOfDamaged({ id, payment }: CheckedPayment): Partial<Record<Column, Cell>> {
  if (payment === null) return { id, error: 'LOST: this payment was in the ledger, and is not any more. Ask the bank' };
  const { orderId, ref, bank, profile } = payment;
  const error = 'DAMAGED: the storage has changed this payment. Ask the bank what it was, and what became of it';
  return { id, order_id: orderId, bank_id: ref?.id ?? null, bank, profile, error };
}

/** Returns the line of a payment, with its end. */
export function csvLine(checked: CheckedPayment): string {
  const { payment, isDamaged } = checked;
  const damaged = payment === null || isDamaged ? cellsOfDamaged(checked) : null;
  const cells = COLUMNS.map(([name, value]) => {
    if (damaged !== null) return damaged[name] ?? null;
    return payment === null ? null : value(payment);
  });
  return csvRow(cells);
}
