/** A shift as a table: a line for each profile, till and cashier, and one for each payment that it names. */
import { moneyColumn, sumColumns, type TotalsSheet } from './sheet.ts';
import { type NamedPayment, type Shift, type ShiftGroup, type Turnover, turnoverBy } from './shift.ts';

const LINES = {
  ru: { total: 'Итог', earlier: 'Начат раньше', returned: 'Вернул банк' },
  en: { total: 'Total', earlier: 'Started earlier', returned: 'Returned by the bank' },
} as const;

/** A total, or a payment that is named. */
interface Row extends Partial<ShiftGroup & Turnover & NamedPayment> {
  readonly shift: Shift;
  readonly line: keyof (typeof LINES)['ru'];
}

const timestampOf = (timestamp: number | null) => (timestamp === null ? null : { timestamp });

const COLUMNS: TotalsSheet<Row>['columns'] = [
  { name: 'shift', ru: 'Смена', en: 'Shift', width: 8, value: ({ shift }) => shift.number },
  { name: 'opened_at', ru: 'Открыта', en: 'Opened', width: 20, value: ({ shift }) => timestampOf(shift.openedAt) },
  { name: 'closed_at', ru: 'Закрыта', en: 'Closed', width: 20, value: ({ shift }) => timestampOf(shift.closedAt) },
  {
    name: 'line',
    ru: 'Строка',
    en: 'Line',
    width: 20,
    value: ({ line }, language) => (language === null ? line : LINES[language][line]),
  },
  { name: 'profile', ru: 'Профиль', en: 'Profile', width: 14, value: ({ profile = null }) => profile },
  { name: 'bank', ru: 'Банк', en: 'Bank', width: 14, value: ({ bank = null }) => bank },
  { name: 'till', ru: 'Касса', en: 'Till', width: 14, value: ({ till = null }) => till },
  { name: 'cashier', ru: 'Кассир', en: 'Cashier', width: 14, value: ({ cashier = null }) => cashier },
  ...sumColumns<Row>('accepted', 'Оплачено', 'Paid', ({ accepted = null }) => accepted),
  ...sumColumns<Row>('refund', 'Возвраты', 'Refunded', ({ refunds = null }) => refunds),
  moneyColumn<Row>('net', 'Итого', 'Net', ({ net = null }) => net),
  { name: 'payment', ru: 'Номер заказа', en: 'Order', width: 38, value: ({ id = null }) => id },
  {
    name: 'asked_shift',
    ru: 'Начат в смене',
    en: 'Asked in shift',
    width: 15,
    value: ({ askedShift = null }) => askedShift,
  },
  moneyColumn<Row>('amount', 'Сумма', 'Amount', ({ amount = null }) => amount),
  ...sumColumns<Row>('without_receipt', 'Без чека', 'Without a receipt', ({ withoutReceipt = null }) => withoutReceipt),
];

export function shiftSheet(shift: Shift): TotalsSheet<Row> {
  const { groups, earlier, returned } = shift.report;
  const rows: Row[] = [
    ...turnoverBy(groups, ['profile', 'bank', 'till', 'cashier']).map(({ of, turnover }) => ({
      shift,
      line: 'total' as const,
      ...of,
      ...turnover,
    })),
    ...earlier.map((payment) => ({ shift, line: 'earlier' as const, ...payment })),
    ...returned.map((payment) => ({ shift, line: 'returned' as const, ...payment })),
  ];
  return { name: `shift-${shift.number}`, columns: COLUMNS, pieces: [rows] };
}
