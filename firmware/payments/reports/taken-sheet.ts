/**
 * Accepted payments, and their columns in a person's spreadsheet (for programs: `takenCsv`). Their amounts add up to the totals of
 * the day or the shift.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { PageLanguage } from '../../core/http/index.ts';
import type { SheetCell } from '../../core/store/index.ts';
import type { Ledger } from '../money/ledger.ts';
import type { PaymentRow } from '../money/payment-row.ts';
import type { Refund } from '../refunds/refund.ts';
import { reportedBank } from './bank-names.ts';
import { type LocalDay, timeZone } from './local-day.ts';
import { METHOD_IN } from './method-totals.ts';
import type { Column, Sheet } from './sheet.ts';

/** Read at once: about a millisecond, for several may be written beside a sale. */
const PAYMENTS_A_PIECE = 100;

export interface Taken {
  readonly pieces: Iterable<readonly PaymentRow[]>;
  /** Only what it has asked for; null for all. */
  readonly till: string | null;
  /** Of the day or the shift. */
  readonly name: string;
  readonly refundsOf: (orderId: string) => readonly Refund[];
  /** What people call a bank. */
  readonly bankNamed: (bank: string) => string;
}

/** Those of a day. */
export function* takenOn(
  ledger: Pick<Ledger, 'takenBetween'>,
  { from, to }: LocalDay,
): Generator<readonly PaymentRow[]> {
  let last: PaymentRow | null = null;
  do {
    const piece: PaymentRow[] = ledger.takenBetween(from, to, PAYMENTS_A_PIECE, last);
    last = piece.length < PAYMENTS_A_PIECE ? null : (piece.at(-1) ?? null);
    yield piece;
  } while (last !== null);
}

/** What was asked for of them. */
export async function* ownPieces({ pieces, till }: Taken): AsyncGenerator<readonly PaymentRow[]> {
  for (const piece of pieces) {
    yield till === null ? piece : piece.filter((payment) => payment.till === till);
    await yieldToEventLoop();
  }
}

const timestampOf = (timestamp: number | null): SheetCell => (timestamp === null ? null : { timestamp });

const methodIn = ({ paidBy }: PaymentRow, language: PageLanguage | null): SheetCell =>
  METHOD_IN[language ?? 'ru'][paidBy?.method ?? 'unknown'];

const COLUMNS: readonly Column<PaymentRow>[] = [
  { ru: 'Номер', en: 'Number', width: 9, value: ({ id }) => id },
  { ru: 'Запрошен', en: 'Asked', width: 20, value: ({ createdAt }) => timestampOf(createdAt) },
  { ru: 'Оплачен', en: 'Paid', width: 20, value: ({ paidAt, endedAt }) => timestampOf(paidAt ?? endedAt) },
  { ru: 'Сумма, ₽', en: 'Amount, ₽', width: 13, value: ({ amount }) => ({ kopecks: amount }) },
  { ru: 'Возвращено, ₽', en: 'Refunded, ₽', width: 15, value: ({ refunded }) => ({ kopecks: refunded }) },
  { ru: 'Назначение', en: 'Purpose', width: 30, value: ({ purpose }) => purpose },
  { ru: 'Номер чека', en: 'Receipt number', width: 16, value: ({ sale }) => sale?.reference ?? null },
  { ru: 'Чек напечатан', en: 'Receipt printed', width: 20, value: ({ receiptAt }) => timestampOf(receiptAt) },
  { ru: 'Касса', en: 'Till', width: 14, value: ({ till }) => till },
  { ru: 'Профиль', en: 'Profile', width: 14, value: ({ profile }) => profile },
  { ru: 'Номер заказа', en: 'Order', width: 38, value: ({ orderId }) => orderId },
  { ru: 'Номер в банке', en: 'Bank’s number', width: 38, value: ({ ref }) => ref?.id ?? null },
  { ru: 'Номер операции', en: 'Transaction', width: 34, value: ({ trxId }) => trxId },
  { ru: 'Способ', en: 'Method', width: 16, value: methodIn },
  { ru: 'Проверка', en: 'Review', width: 30, value: ({ note }) => note },
  { ru: 'Кассир', en: 'Cashier', width: 16, value: ({ cashier }) => cashier },
  { ru: 'Смена', en: 'Shift', width: 8, value: ({ shift }) => shift },
  { ru: 'Часовой пояс', en: 'Time zone', width: 18, value: () => timeZone() },
];

const bankColumn = ({ bankNamed }: Taken): Column<PaymentRow> => ({
  ru: 'Банк',
  en: 'Bank',
  width: 20,
  value: (payment) => bankNamed(reportedBank(payment)),
});

const whyColumn = ({ refundsOf }: Taken): Column<PaymentRow> => ({
  ru: 'Причина возврата',
  en: 'Reason for the refund',
  width: 30,
  value: ({ orderId, refunded }) => (refunded === 0 ? null : reasonsIn(refundsOf(orderId))),
});

/** Of what has gone back; null where nothing was said. */
export const reasonsIn = (refunds: readonly Refund[]): string | null =>
  refunds.flatMap(({ state, why }) => (state === 'done' && why !== null ? [why] : [])).join('; ') || null;

/** For a person's spreadsheet. */
export const takenSheet = (taken: Taken): Sheet<PaymentRow> => ({
  name: `payments-${taken.name}`,
  columns: [...COLUMNS, bankColumn(taken), whyColumn(taken)],
  pieces: ownPieces(taken),
});
