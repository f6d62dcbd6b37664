/** Writes the tables of a day or a shift: as CSV for programs, as CSV for Excel with Russian settings, and as a workbook. Loaded when first asked for. */

import type { Readable } from 'node:stream';
import { begun } from '../../../../drivers/lib/begun.ts';
import { isoTime } from '../../../../drivers/lib/iso-time.ts';
import { type Language, RUSSIAN } from '../../../../drivers/lib/languages.ts';
import { zoneNow } from '../../../core/host/index.ts';
import { CSV_BOM, csvRow, russianRow, type SheetCell } from '../../../core/tables/index.ts';
import { type NamedPayment, type Shift, type ShiftGroup, type Turnover, turnoverBy } from '../../model/shift.ts';
import type { ProfileTotals, Sum } from '../../model/sums.ts';
import { HEADS, LINE_IN, UNITS } from '../../model/words.ts';
import type { DayReport } from '../days/day-report.ts';

export interface Column<Row> {
  readonly head: keyof (typeof HEADS)[Language];
  readonly unit?: keyof (typeof UNITS)[Language];
  /** Width in letters; that of its heading when left out. */
  readonly width?: number;
  readonly value: (row: Row, language: Language | null) => SheetCell;
}

export interface Sheet<Row> {
  /** Name of its file. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly pieces: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/** A table that programs read, too: the names of its columns are a promise, and new columns come last. */
export interface TotalsSheet<Row> extends Sheet<Row> {
  readonly columns: readonly (Column<Row> & { readonly name: string })[];
  readonly pieces: readonly [readonly Row[]];
}

/** Least width of a column without a width, in letters: that of a sum. */
const LEAST_WIDTH = 13;

const headIn = (language: Language, { head, unit }: Pick<Column<never>, 'head' | 'unit'>): string =>
  unit === undefined ? HEADS[language][head] : `${HEADS[language][head]}, ${UNITS[language][unit]}`;

/** Columns of a count and a sum. @param of null where it was not counted */
export const sumColumns = <Row>(name: string, head: Column<Row>['head'], of: (row: Row) => Sum | null) => [
  {
    name: `${name}_count`,
    head,
    unit: 'count' as const,
    value: (row: Row): SheetCell => of(row)?.count ?? null,
  },
  moneyColumn(name, head, (row: Row) => of(row)?.sum ?? null),
];

/** @param of kopecks; null for none */
export const moneyColumn = <Row>(name: string, head: Column<Row>['head'], of: (row: Row) => number | null) => ({
  name: `${name}_kopecks`,
  head,
  unit: 'roubles' as const,
  value: (row: Row): SheetCell => {
    const kopecks = of(row);
    return kopecks === null ? null : { kopecks };
  },
});

function forPrograms(cell: SheetCell) {
  if (cell === null || typeof cell !== 'object') return cell;
  return 'kopecks' in cell ? cell.kopecks : isoTime(cell.timestamp);
}

/** CSV for programs: kopecks, and timestamps in UTC. */
export function programCsv<Row>({ columns, pieces }: TotalsSheet<Row>): string {
  const rows = pieces[0].map((row) => csvRow(columns.map(({ value }) => forPrograms(value(row, null)))));
  return CSV_BOM + csvRow(columns.map(({ name }) => name)) + rows.join('');
}

/** CSV for Excel with Russian settings. */
export async function* russianCsv<Row>({ columns, pieces }: Sheet<Row>): AsyncGenerator<string> {
  yield CSV_BOM + russianRow(columns.map((column) => headIn(RUSSIAN, column)));
  for await (const piece of pieces)
    yield piece.map((row) => russianRow(columns.map(({ value }) => value(row, RUSSIAN)))).join('');
}

async function* cellsOf<Row>({ columns, pieces }: Sheet<Row>, language: Language): AsyncGenerator<SheetCell[][]> {
  for await (const piece of pieces) yield piece.map((row) => columns.map(({ value }) => value(row, language)));
}

/** A workbook of Excel. Its first rows are made before it is returned. @throws what making them throws */
export async function sheetWorkbook<Row>(sheet: Sheet<Row>, language: Language): Promise<Readable> {
  const { workbook } = await import('../../../core/tables/xlsx-writer.ts');
  const columns = sheet.columns.map((column) => {
    const name = headIn(language, column);
    return { name, width: column.width ?? Math.max(LEAST_WIDTH, name.length + 1) };
  });
  return workbook({ name: sheet.name, columns }, await begun(cellsOf(sheet, language), 1));
}

/** A row: a total, or a named payment. */
interface ShiftRow extends Partial<ShiftGroup & Turnover & NamedPayment> {
  readonly shift: Shift;
  readonly line: keyof (typeof LINE_IN)[Language];
}

const timestampOf = (timestamp: number | null) => (timestamp === null ? null : { timestamp });

const SHIFT_COLUMNS: TotalsSheet<ShiftRow>['columns'] = [
  { name: 'shift', head: 'shift', width: 8, value: ({ shift }) => shift.number },
  { name: 'opened_at', head: 'opened', width: 20, value: ({ shift }) => timestampOf(shift.openedAt) },
  { name: 'closed_at', head: 'closed', width: 20, value: ({ shift }) => timestampOf(shift.closedAt) },
  {
    name: 'line',
    head: 'line',
    width: 20,
    value: ({ line }, language) => (language === null ? line : LINE_IN[language][line]),
  },
  { name: 'profile', head: 'profile', width: 14, value: ({ profile = null }) => profile },
  { name: 'bank', head: 'bank', width: 14, value: ({ bank = null }) => bank },
  { name: 'till', head: 'till', width: 14, value: ({ till = null }) => till },
  { name: 'cashier', head: 'cashier', width: 14, value: ({ cashier = null }) => cashier },
  ...sumColumns<ShiftRow>('accepted', 'accepted', ({ accepted = null }) => accepted),
  ...sumColumns<ShiftRow>('refund', 'refunds', ({ refunds = null }) => refunds),
  moneyColumn<ShiftRow>('net', 'net', ({ net = null }) => net),
  { name: 'payment', head: 'order', width: 38, value: ({ id = null }) => id },
  {
    name: 'asked_shift',
    head: 'askedShift',
    width: 15,
    value: ({ askedShift = null }) => askedShift,
  },
  moneyColumn<ShiftRow>('amount', 'amount', ({ amount = null }) => amount),
  ...sumColumns<ShiftRow>('without_receipt', 'withoutReceipt', ({ withoutReceipt = null }) => withoutReceipt),
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
  { name: 'day', head: 'day', width: 11, value: ({ day }) => day },
  { name: 'profile', head: 'profile', width: 14, value: ({ profile }) => profile },
  { name: 'bank', head: 'bank', width: 14, value: ({ bank }) => bank },
  ...sumColumns<DayRow>('accepted', 'accepted', ({ accepted }) => accepted),
  ...sumColumns<DayRow>('refund', 'refunds', ({ refunds }) => refunds),
  moneyColumn<DayRow>('net', 'net', ({ net }) => net),
  { name: 'late_count', head: 'late', unit: 'count', width: 22, value: ({ late }) => late },
  ...sumColumns<DayRow>('open', 'open', ({ open }) => open),
  ...sumColumns<DayRow>('open_refund', 'openRefunds', ({ openRefunds }) => openRefunds),
  ...sumColumns<DayRow>('not_followed', 'notFollowed', ({ notFollowed }) => notFollowed),
  ...sumColumns<DayRow>('open_before', 'openBefore', ({ openBefore }) => openBefore),
  ...sumColumns<DayRow>('without_receipt', 'withoutReceipt', ({ withoutReceipt }) => withoutReceipt),
  { name: 'shifts', head: 'shifts', width: 10, value: ({ shifts }) => shifts.join(' ') },
  { name: 'time_zone', head: 'zone', width: 18, value: () => zoneNow() },
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
