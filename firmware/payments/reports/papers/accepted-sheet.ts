/**
 * Accepted payments as a person's spreadsheet (for programs: `acceptedCsv`). Their amounts add up to the totals of the day
 * or the shift.
 */

import { type Language, RUSSIAN } from '../../../../drivers/lib/languages.ts';
import { nextTurn } from '../../../../drivers/lib/turns.ts';
import { zoneNow } from '../../../core/host/index.ts';
import type { SheetCell } from '../../../core/tables/index.ts';
import type { LocalDay } from '../../model/local-day.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import type { Refund } from '../../model/refund.ts';
import { METHOD_IN, reportedBank } from '../../model/words.ts';
import type { AcceptedPayments } from '../../money/accepted-payments.ts';
import type { Column, Sheet } from './sheet.ts';

/** Payments read in one turn of the event loop: about a millisecond, as several exports may run beside a sale. */
const PAYMENTS_A_PIECE = 100;

export interface AcceptedReport {
  /** Reads the accepted payments, anew with each call. @throws {StoreError} `ROWS_UNSOUND` */
  readonly pieces: () => Iterable<readonly PaymentRow[]>;
  /** Only payments that this till asked for; null for all. */
  readonly till: string | null;
  /** Name of the day or the shift. */
  readonly name: string;
  readonly refundsOf: (orderId: string) => readonly Refund[];
  /** The name of a bank for people. */
  readonly bankNamed: (bank: string) => string;
}

/** Accepted payments of a day, in pieces. */
export function* acceptedOn(
  { accepted }: { readonly accepted: Pick<AcceptedPayments, 'between'> },
  { from, to }: LocalDay,
): Generator<readonly PaymentRow[]> {
  let last: PaymentRow | null = null;
  do {
    const piece: PaymentRow[] = accepted.between(from, to, PAYMENTS_A_PIECE, last);
    last = piece.length < PAYMENTS_A_PIECE ? null : (piece.at(-1) ?? null);
    yield piece;
  } while (last !== null);
}

/** Reads all before the first payment is sent: an answer that has begun cannot be refused. @throws {StoreError} `ROWS_UNSOUND` */
export async function requireSound({ pieces }: AcceptedReport): Promise<void> {
  for (const _ of pieces()) await nextTurn();
}

/** The payments of the report's till, in pieces. */
export async function* ownPieces({ pieces, till }: AcceptedReport): AsyncGenerator<readonly PaymentRow[]> {
  for (const piece of pieces()) {
    yield till === null ? piece : piece.filter((payment) => payment.till === till);
    await nextTurn();
  }
}

const timestampOf = (timestamp: number | null): SheetCell => (timestamp === null ? null : { timestamp });

const methodIn = ({ paidBy }: PaymentRow, language: Language | null): SheetCell =>
  METHOD_IN[language ?? RUSSIAN][paidBy?.method ?? 'unknown'];

const COLUMNS: readonly Column<PaymentRow>[] = [
  { head: 'number', width: 9, value: ({ id }) => id },
  { head: 'asked', width: 20, value: ({ createdAt }) => timestampOf(createdAt) },
  { head: 'paid', width: 20, value: ({ paidAt, endedAt }) => timestampOf(paidAt ?? endedAt) },
  { head: 'amount', unit: 'roubles', width: 13, value: ({ amount }) => ({ kopecks: amount }) },
  { head: 'refunded', unit: 'roubles', width: 15, value: ({ refunded }) => ({ kopecks: refunded }) },
  { head: 'purpose', width: 30, value: ({ purpose }) => purpose },
  { head: 'receipt', width: 16, value: ({ sale }) => sale?.reference ?? null },
  { head: 'printed', width: 20, value: ({ receiptAt }) => timestampOf(receiptAt) },
  { head: 'till', width: 14, value: ({ till }) => till },
  { head: 'profile', width: 14, value: ({ profile }) => profile },
  { head: 'order', width: 38, value: ({ orderId }) => orderId },
  { head: 'bankId', width: 38, value: ({ ref }) => ref?.id ?? null },
  { head: 'transaction', width: 34, value: ({ trxId }) => trxId },
  { head: 'method', width: 16, value: methodIn },
  { head: 'review', width: 30, value: ({ note }) => note },
  { head: 'cashier', width: 16, value: ({ cashier }) => cashier },
  { head: 'shift', width: 8, value: ({ shift }) => shift },
  { head: 'zone', width: 18, value: () => zoneNow() },
];

const bankColumn = ({ bankNamed }: AcceptedReport): Column<PaymentRow> => ({
  head: 'bank',
  width: 20,
  value: (payment) => bankNamed(reportedBank(payment)),
});

const whyColumn = ({ refundsOf }: AcceptedReport): Column<PaymentRow> => ({
  head: 'why',
  width: 30,
  value: ({ orderId, refunded }) => (refunded === 0 ? null : reasonsIn(refundsOf(orderId))),
});

/** Reasons of done refunds; null where none was given. */
export const reasonsIn = (refunds: readonly Refund[]): string | null =>
  refunds.flatMap(({ state, why }) => (state === 'done' && why !== null ? [why] : [])).join('; ') || null;

/** The spreadsheet for a person. */
export const acceptedSheet = (accepted: AcceptedReport): Sheet<PaymentRow> => ({
  name: `payments-${accepted.name}`,
  columns: [...COLUMNS, bankColumn(accepted), whyColumn(accepted)],
  pieces: ownPieces(accepted),
});
