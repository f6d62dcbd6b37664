/** A shift as a table: a line for each profile, till and cashier, and one for each payment that it names. */
import { moneyColumn, sumColumns, type TotalsSheet } from '../reports/sheet.ts';
import { type NamedPayment, type Shift, type ShiftGroup, type Turnover, turnoverBy } from './shift.ts';

const LINES = {
  ru: { total: 'Итог', earlier: 'Начат раньше', returned: 'Вернул банк' },
  en: { total: 'Total', earlier: 'Started earlier', returned: 'Returned by the bank' },
} as const;

interface Row {
  readonly shift: Shift;
  readonly line: keyof (typeof LINES)['ru'];
  readonly till: string | null;
  /** Of a total. */
  readonly of: ShiftGroup | null;
  readonly turnover: Turnover | null;
  /** Of each other line. */
  readonly payment: NamedPayment | null;
}

const momentOf = (moment: number | null) => (moment === null ? null : { moment });

const COLUMNS: TotalsSheet<Row>['columns'] = [
  { name: 'shift', ru: 'Смена', en: 'Shift', width: 8, value: ({ shift }) => shift.number },
  { name: 'opened_at', ru: 'Открыта', en: 'Opened', width: 20, value: ({ shift }) => momentOf(shift.openedAt) },
  { name: 'closed_at', ru: 'Закрыта', en: 'Closed', width: 20, value: ({ shift }) => momentOf(shift.closedAt) },
  {
    ...{ name: 'line', ru: 'Строка', en: 'Line', width: 20 },
    value: ({ line }, language) => (language === null ? line : LINES[language][line]),
  },
  { name: 'profile', ru: 'Профиль', en: 'Profile', width: 14, value: ({ of }) => of?.profile ?? null },
  { name: 'bank', ru: 'Банк', en: 'Bank', width: 14, value: ({ of }) => of?.bank ?? null },
  { name: 'till', ru: 'Касса', en: 'Till', width: 14, value: ({ till }) => till },
  { name: 'cashier', ru: 'Кассир', en: 'Cashier', width: 14, value: ({ of }) => of?.cashier ?? null },
  ...sumColumns<Row>('accepted', 'Оплачено', 'Paid', ({ turnover }) => turnover?.accepted ?? null),
  ...sumColumns<Row>('refund', 'Возвраты', 'Refunded', ({ turnover }) => turnover?.refunds ?? null),
  moneyColumn<Row>('net', 'Итого', 'Net', ({ turnover }) => turnover?.net ?? null),
  { name: 'payment', ru: 'Номер заказа', en: 'Order', width: 38, value: ({ payment }) => payment?.id ?? null },
  {
    ...{ name: 'asked_shift', ru: 'Начат в смене', en: 'Asked in shift', width: 15 },
    value: ({ payment }) => payment?.askedShift ?? null,
  },
  moneyColumn<Row>('amount', 'Сумма', 'Amount', ({ payment }) => payment?.amount ?? null),
  ...sumColumns<Row>(
    'without_receipt',
    'Без чека',
    'Without a receipt',
    ({ turnover }) => turnover?.withoutReceipt ?? null,
  ),
];

export function shiftSheet(shift: Shift): TotalsSheet<Row> {
  const { groups, earlier, returned } = shift.report;
  const totals = turnoverBy(groups, ['profile', 'bank', 'till', 'cashier']).map(({ of, turnover }): Row => {
    return { shift, line: 'total', till: of.till, of, turnover, payment: null };
  });
  const named = (line: Row['line'], payments: readonly NamedPayment[]): Row[] =>
    payments.map((payment) => ({ shift, line, till: payment.till, of: null, turnover: null, payment }));
  const rows = [...totals, ...named('earlier', earlier), ...named('returned', returned)];
  return { name: `shift-${shift.number}`, columns: COLUMNS, pieces: [rows] };
}
