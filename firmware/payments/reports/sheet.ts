/** A table of a report: as CSV for programs, as CSV for Excel with Russian settings, and as a workbook. Loaded when one is asked for. */
import type { Readable } from 'node:stream';
import { isoTime } from '../../../drivers/lib/iso-time.ts';
import type { PageLanguage } from '../../core/http/index.ts';
import { CSV_BOM, csvRow, russianRow, type SheetCell } from '../../core/store/index.ts';
import type { Sum } from './day-report.ts';

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
