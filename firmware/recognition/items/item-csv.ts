/** Items as CSV, for spreadsheets: `id,name,plu,price`, the price in kopecks. */
import { CsvError, parse } from 'csv-parse/sync';
import { CSV_BOM, csvRow, withoutApostrophes } from '../../store/csv.ts';
import { type Item, type ItemEntry, ItemError } from './item.ts';

const COLUMNS = ['id', 'name', 'plu', 'price'] as const;

export const ITEMS_CSV_HEAD = CSV_BOM + csvRow(COLUMNS);

export const itemLine = ({ id, name, plu, price }: Item): string => csvRow([id, name, plu, price]);

const PRICE = /^\d{1,9}$/;

/** Where a line's number is its number in the file, the head included. */
const illegal = (line: number, what: string): ItemError =>
  new ItemError('IllegalFile', `line ${line}: ${what}; nothing was changed`, { line });

function priceOf(text: string, line: number): number | null {
  if (text === '') return null;
  if (!PRICE.test(text))
    throw illegal(line, `price must be kopecks, a whole number, and is ${JSON.stringify(text.slice(0, 40))}`);
  return Number(text);
}

interface Line {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

/** @throws {ItemError} where the first line names no ids */
function namesIn(first: string[]): string[] {
  if (first.includes('id')) return first;
  throw illegal(1, `it must name the columns: ${COLUMNS.join(', ')}, of which only id is needed`);
}

function linesOf(text: string): Line[] {
  try {
    return parse(text, {
      bom: true,
      columns: namesIn,
      info: true,
      skip_empty_lines: true,
      trim: true,
      delimiter: [',', ';', '\t'],
    }) as unknown as Line[];
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new ItemError('IllegalFile', `the file is no CSV: ${cause.message}; nothing was changed`, {}, { cause });
  }
}

/**
 * A column that is left out says nothing; an empty cell says that it is unknown.
 * @returns entries whose fields are still to be checked
 * @throws {ItemError} `IllegalFile` with the line
 */
export function readItems(text: string): ItemEntry[] {
  if (text.trim() === '') namesIn([]);
  return linesOf(text).map(({ record, info: { lines } }) => {
    const { id, name, plu, price } = record;
    const textOf = (cell: string): string | null => (cell === '' ? null : withoutApostrophes(cell));
    return {
      id: withoutApostrophes(id ?? ''), // there is such a column
      ...(name !== undefined && { name: textOf(name) }),
      ...(plu !== undefined && { plu: textOf(plu) }),
      ...(price !== undefined && { price: priceOf(price, lines) }),
    };
  });
}
