/** Payments that were accepted, as CSV with the columns of the export: their amounts add up to the totals of a day or a shift. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import { CSV_HEAD, csvLine } from './csv.ts';
import type { LocalDay } from './local-day.ts';

/** Read at once: a few milliseconds. */
const PAYMENTS_A_PIECE = 500;

/** @param till only what it has asked for; null for all */
export async function* paymentsCsv(
  pieces: Iterable<readonly PaymentRow[]>,
  till: string | null,
): AsyncGenerator<string> {
  yield CSV_HEAD;
  for (const piece of pieces) {
    const own = till === null ? piece : piece.filter((payment) => payment.till === till);
    yield own.map((payment) => csvLine({ id: payment.id, payment, isDamaged: false })).join('');
    await breathe();
  }
}

function* takenOn(ledger: Pick<Ledger, 'takenBetween'>, { from, to }: LocalDay): Generator<readonly PaymentRow[]> {
  let last: PaymentRow | null = null;
  do {
    const piece: PaymentRow[] = ledger.takenBetween(from, to, PAYMENTS_A_PIECE, last);
    last = piece.length < PAYMENTS_A_PIECE ? null : (piece.at(-1) ?? null);
    yield piece;
  } while (last !== null);
}

/** Those of a day. @param till only what it has asked for; null for all */
export const takenCsv = (
  ledger: Pick<Ledger, 'takenBetween'>,
  day: LocalDay,
  till: string | null,
): AsyncGenerator<string> => paymentsCsv(takenOn(ledger, day), till);
