/** Tables of reports, of a day and of a shift: as CSV for programs, as CSV for Excel with Russian settings, and as a workbook. Loaded when one is asked for. */
import type { Readable } from 'node:stream';
import { isoTime } from '../../../drivers/lib/iso-time.ts';
import type { PageLanguage } from '../../core/http/index.ts';
import { CSV_BOM, csvRow, russianRow, type SheetCell } from '../../core/store/index.ts';
import type { DayReport, ProfileTotals, Sum } from './day-report.ts';
import { timeZone } from './local-day.ts';
import { type NamedPayment, type Shift, type ShiftGroup, type Turnover, turnoverBy } from './shift.ts';

export interface Column<Row> {
  readonly ru: string;
  readonly en: string;
  /** Letters. */
  readonly width: number;
  readonly value: (row: Row, language: PageLanguage | null) => SheetCell;
}

export interface Sheet<Row> {
  /** Of its file. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly pieces: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/** What programs read, too: their names of the columns are a promise, and new ones come behind the others. */
export interface TotalsSheet<Row> extends Sheet<Row> {
  readonly columns: readonly (Column<Row> & { readonly name: string })[];
  readonly pieces: readonly [readonly Row[]];
}

/** How many, and how much. @param of null where it was not counted */
export const sumColumns = <Row>(name: string, ru: string, en: string, of: (row: Row) => Sum | null) => [
  {
    name: `${name}_count`,
    ru: `${ru}, шт.`,
    en: `${en}, pcs`,
    width: ru.length + 6,
    value: (row: Row): SheetCell => of(row)?.count ?? null,
  },
  moneyColumn(name, ru, en, (row: Row) => of(row)?.sum ?? null),
];

/** @param of kopecks; null for none */
export const moneyColumn = <Row>(name: string, ru: string, en: string, of: (row: Row) => number | null) => ({
  name: `${name}_kopecks`,
  ru: `${ru}, ₽`,
  en: `${en}, ₽`,
  width: Math.max(13, ru.length + 4),
  value: (row: Row): SheetCell => {
    const kopecks = of(row);
    return kopecks === null ? null : { kopecks };
  },
});

function forPrograms(cell: SheetCell) {
  if (cell === null || typeof cell !== 'object') return cell;
  return 'kopecks' in cell ? cell.kopecks : isoTime(cell.timestamp);
}

/** Kopecks, and timestamps in UTC. */
export function programCsv<Row>({ columns, pieces }: TotalsSheet<Row>): string {
  const rows = pieces[0].map((row) => csvRow(columns.map(({ value }) => forPrograms(value(row, null)))));
  return CSV_BOM + csvRow(columns.map(({ name }) => name)) + rows.join('');
}

/** For Excel with Russian settings. */
export async function* russianCsv<Row>({ columns, pieces }: Sheet<Row>): AsyncGenerator<string> {
  yield CSV_BOM + russianRow(columns.map(({ ru }) => ru));
  for await (const piece of pieces)
    yield piece.map((row) => russianRow(columns.map(({ value }) => value(row, 'ru')))).join('');
}

async function* cellsOf<Row>({ columns, pieces }: Sheet<Row>, language: PageLanguage): AsyncGenerator<SheetCell[][]> {
  for await (const piece of pieces) yield piece.map((row) => columns.map(({ value }) => value(row, language)));
}

/** As a workbook of Excel. */
export async function sheetWorkbook<Row>(sheet: Sheet<Row>, language: PageLanguage): Promise<Readable> {
  const { workbook } = await import('../../core/store/xlsx-writer.ts');
  const columns = sheet.columns.map((column) => ({ name: column[language], width: column.width }));
  return workbook({ name: sheet.name, columns }, cellsOf(sheet, language));
}

const LINES = {
  ru: { total: 'Итог', earlier: 'Начат раньше', returned: 'Вернул банк' },
  en: { total: 'Total', earlier: 'Started earlier', returned: 'Returned by the bank' },
} as const;

/** A total, or a payment that is named. */
interface ShiftRow extends Partial<ShiftGroup & Turnover & NamedPayment> {
  readonly shift: Shift;
  readonly line: keyof (typeof LINES)['ru'];
}

const timestampOf = (timestamp: number | null) => (timestamp === null ? null : { timestamp });

const SHIFT_COLUMNS: TotalsSheet<ShiftRow>['columns'] = [
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
  ...sumColumns<ShiftRow>('accepted', 'Оплачено', 'Paid', ({ accepted = null }) => accepted),
  ...sumColumns<ShiftRow>('refund', 'Возвраты', 'Refunded', ({ refunds = null }) => refunds),
  moneyColumn<ShiftRow>('net', 'Итого', 'Net', ({ net = null }) => net),
  { name: 'payment', ru: 'Номер заказа', en: 'Order', width: 38, value: ({ id = null }) => id },
  {
    name: 'asked_shift',
    ru: 'Начат в смене',
    en: 'Asked in shift',
    width: 15,
    value: ({ askedShift = null }) => askedShift,
  },
  moneyColumn<ShiftRow>('amount', 'Сумма', 'Amount', ({ amount = null }) => amount),
  ...sumColumns<ShiftRow>(
    'without_receipt',
    'Без чека',
    'Without a receipt',
    ({ withoutReceipt = null }) => withoutReceipt,
  ),
];

/** A shift as a table: a line for each profile, till and cashier, and one for each payment that it names. */
export function shiftSheet(shift: Shift): TotalsSheet<ShiftRow> {
  const { groups, earlier, returned } = shift.report;
  const rows: ShiftRow[] = [
    ...turnoverBy(groups, ['profile', 'bank', 'till', 'cashier']).map(({ of, turnover }) => ({
      shift,
      line: 'total' as const,
      ...of,
      ...turnover,
    })),
    ...earlier.map((payment) => ({ shift, line: 'earlier' as const, ...payment })),
    ...returned.map((payment) => ({ shift, line: 'returned' as const, ...payment })),
  ];
  return { name: `shift-${shift.number}`, columns: SHIFT_COLUMNS, pieces: [rows] };
}

interface DayRow extends ProfileTotals {
  readonly day: string;
  readonly shifts: readonly number[];
}

const DAY_COLUMNS: TotalsSheet<DayRow>['columns'] = [
  { name: 'day', ru: 'День', en: 'Day', width: 11, value: ({ day }) => day },
  { name: 'profile', ru: 'Профиль', en: 'Profile', width: 14, value: ({ profile }) => profile },
  { name: 'bank', ru: 'Банк', en: 'Bank', width: 14, value: ({ bank }) => bank },
  ...sumColumns<DayRow>('accepted', 'Оплачено', 'Paid', ({ accepted }) => accepted),
  ...sumColumns<DayRow>('refund', 'Возвраты', 'Refunded', ({ refunds }) => refunds),
  moneyColumn<DayRow>('net', 'Итого', 'Net', ({ net }) => net),
  { name: 'late_count', ru: 'Нужно проверить, шт.', en: 'To review, pcs', width: 22, value: ({ late }) => late },
  ...sumColumns<DayRow>('open', 'Ещё открыты', 'Still open', ({ open }) => open),
  ...sumColumns<DayRow>('open_refund', 'Возвраты ещё идут', 'Refunds in progress', ({ openRefunds }) => openRefunds),
  ...sumColumns<DayRow>('not_followed', 'Показано стат. кодов', 'Static codes shown', ({ notFollowed }) => notFollowed),
  ...sumColumns<DayRow>(
    'open_before',
    'Открыты с прошлых дней',
    'Open from earlier days',
    ({ openBefore }) => openBefore,
  ),
  ...sumColumns<DayRow>('without_receipt', 'Без чека', 'Without a receipt', ({ withoutReceipt }) => withoutReceipt),
  { name: 'shifts', ru: 'Смены', en: 'Shifts', width: 10, value: ({ shifts }) => shifts.join(' ') },
  { name: 'time_zone', ru: 'Часовой пояс', en: 'Time zone', width: 18, value: () => timeZone() },
];

/** The totals of a day as a table: a line for each profile. */
export function daySheet({
  day,
  profiles,
  shifts,
}: Pick<DayReport, 'day' | 'profiles' | 'shifts'>): TotalsSheet<DayRow> {
  const rows = profiles.map((profile) => ({ ...profile, day: day.day, shifts }));
  return { name: `day-${day.day}`, columns: DAY_COLUMNS, pieces: [rows] };
}
