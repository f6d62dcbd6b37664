/** The payments that were accepted on a day, as CSV with the columns of the export: their amounts add up to the day's totals. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import { CSV_HEAD, csvLine } from './csv.ts';
import type { LocalDay } from './local-day.ts';

/** Read at once: a few milliseconds. */
const PAYMENTS_A_PIECE = 500;

/** @param till only what it has asked for; null for all */
export async function* takenCsv(
  ledger: Pick<Ledger, 'takenBetween'>,
  { from, to }: LocalDay,
  till: string | null,
): AsyncGenerator<string> {
  yield CSV_HEAD;
  let last: PaymentRow | null = null;
  for (;;) {
    const piece: PaymentRow[] = ledger.takenBetween(from, to, PAYMENTS_A_PIECE, last);
    const own = till === null ? piece : piece.filter((payment) => payment.till === till);
    yield own.map((payment) => csvLine({ id: payment.id, payment, isDamaged: false })).join('');
    last = piece.at(-1) ?? null;
    if (piece.length < PAYMENTS_A_PIECE) return;
    await breathe();
  }
}
