/**
 * Items as CSV, for spreadsheets: `id,name,plu,price,barcodes,pieceWeight`, the price in kopecks, the barcodes with a | between them, the
 * weight of a piece in grams. And as 1C exchanges them: `Код;Наименование;Цена`, the price in roubles.
 */

import { CsvError, parse } from 'csv-parse/sync';
import { kopecksTyped } from '../../../drivers/lib/money.ts';
import { beginning } from '../../../drivers/lib/shorten.ts';
import {
  amountInDigits,
  beginsWithSeparator,
  CSV_BOM,
  csvRow,
  encodingOf,
  QUOTED_WITH_EDGES,
  russianRow,
  separatorOf,
  withoutApostrophes,
} from '../../core/store/index.ts';
import { BARCODE_SEPARATOR } from './barcodes.ts';
import { type Item, type ItemEntry, ItemError } from './item.ts';

const COLUMNS = ['id', 'name', 'plu', 'price', 'barcodes', 'pieceWeight'] as const;
/** Where a quote is never closed, its line would go on to the end of the file. */
const LONGEST_LINE = 16 * 1024;

export const ITEMS_CSV_HEAD = CSV_BOM + csvRow(COLUMNS);

export const itemLine = ({ id, name, plu, price, barcodes, pieceWeight }: Item): string =>
  csvRow([id, name, plu, price, barcodes.join(BARCODE_SEPARATOR), pieceWeight], QUOTED_WITH_EDGES);

const READ: readonly string[] = [...COLUMNS, 'roubles'];

/** What 1C calls its columns; a price in roubles is a column of its own. */
const OF_1C: ReadonlyMap<string, string> = new Map([
  ['код', 'id'],
  ['наименование', 'name'],
  ['цена', 'roubles'],
  ['штрихкод', 'barcodes'],
]);

export const ITEMS_1C_HEAD = CSV_BOM + russianRow(['Код', 'Наименование', 'Цена']);

export const itemLineFor1C = ({ id, name, price }: Pick<Item, 'id' | 'name' | 'price'>): string =>
  russianRow([id, name, price === null ? null : { kopecks: price }], QUOTED_WITH_EDGES);

const WHOLE_NUMBER = /^\d{1,9}$/;

/**
 * - `value`: a cell holds what its column (`field`) does not take
 * - `twice`: the item stands in a line before
 * - `no-id`, `column-twice`: the first line does not name the columns
 * - `too-long`: a line that no table has
 * - `too-many`: more lines than are taken at once (`most`)
 * - `cells`: a line has more or fewer of them than there are columns
 * - `no-csv`: it cannot be read
 */
type FileFault = 'value' | 'twice' | 'no-id' | 'column-twice' | 'too-long' | 'too-many' | 'cells' | 'no-csv';

/** @param line its number in the file, the head included */
export const illegal = (
  line: number,
  fault: FileFault,
  what: string,
  more: ItemError['extra'] = {},
  cause?: Error,
): ItemError =>
  new ItemError('IllegalFile', `line ${line}: ${what}; nothing was changed`, { line, fault, ...more }, { cause });

const UNITS = Object.freeze({ price: 'kopecks', pieceWeight: 'grams' });

function numberIn(column: keyof typeof UNITS, text: string, line: number): number | null {
  if (text === '') return null;
  if (!WHOLE_NUMBER.test(text))
    throw illegal(
      line,
      'value',
      `${column} must be ${UNITS[column]}, a whole number, and is ${JSON.stringify(beginning(text, 40))}`,
      { field: column },
    );
  return Number(text);
}

function kopecksIn(roubles: string, line: number): number | null {
  if (roubles === '') return null;
  const kopecks = kopecksTyped(amountInDigits(roubles) ?? '');
  if (kopecks !== null) return kopecks;
  const what = `price must be roubles, as 129,90, and is ${JSON.stringify(beginning(roubles, 40))}`;
  throw illegal(line, 'value', what, { field: 'price' });
}

const barcodesOf = (text: string): string[] =>
  withoutApostrophes(text)
    .split(BARCODE_SEPARATOR)
    .map((barcode) => barcode.trim())
    .filter((barcode) => barcode !== '');

interface Line {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

/** @throws {ItemError} where the first line names no ids, or names a column twice */
function namesIn(head: string[]): string[] {
  const own = head.map((name) => COLUMNS.find((column) => column.toLowerCase() === name.toLowerCase()) ?? name);
  const first = own.includes('id') ? own : own.map((name) => OF_1C.get(name.toLowerCase()) ?? name);
  const twice = READ.find((name) => first.indexOf(name) !== first.lastIndexOf(name));
  if (twice !== undefined) throw illegal(1, 'column-twice', `it names the column ${twice} twice`, { field: twice });
  if (first.includes('id')) return first;
  throw illegal(1, 'no-id', `it must name the columns: ${COLUMNS.join(', ')}, of which only id is needed`);
}

/** The parser takes seconds of a line of nothing but separators. @throws {ItemError} */
function requireLines(text: string): void {
  const long = text.split(/\r\n|\r|\n/).findIndex((line) => line.length > LONGEST_LINE);
  if (long >= 0) throw illegal(long + 1, 'too-long', `it must have at most ${LONGEST_LINE} characters`);
}

/** @param most lines beside the head */
function linesOf(text: string, most: number): Line[] {
  requireLines(text);
  try {
    return parse(text, {
      bom: true,
      columns: namesIn,
      info: true,
      from_line: beginsWithSeparator(text) ? 2 : 1,
      skip_empty_lines: true,
      trim: true,
      delimiter: separatorOf(text), // more than one of them would cut names that hold another
      max_record_size: LONGEST_LINE,
      to: most,
    }) as unknown as Line[];
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const line = Number(cause.lines);
    if (cause.code === 'CSV_RECORD_INCONSISTENT_COLUMNS')
      throw illegal(
        line,
        'cells',
        'it must have as many cells as the first line has columns: a name with a separator in it stands in quotation marks',
        {},
        cause,
      );
    throw illegal(line, 'no-csv', `the file is no CSV: ${cause.message}`, {}, cause);
  }
}

function entryOf({
  record: { id, name, plu, price, roubles, barcodes, pieceWeight },
  info: { lines },
}: Line): ItemEntry {
  const textOf = (cell: string): string | null => (cell === '' ? null : withoutApostrophes(cell));
  return {
    id: withoutApostrophes(id ?? ''), // there is such a column
    ...(name !== undefined && { name: textOf(name) }),
    ...(plu !== undefined && { plu: textOf(plu) }),
    ...(price !== undefined && { price: numberIn('price', price, lines) }),
    ...(roubles !== undefined && { price: kopecksIn(roubles, lines) }),
    ...(barcodes !== undefined && { barcodes: barcodesOf(barcodes) }),
    ...(pieceWeight !== undefined && { pieceWeight: numberIn('pieceWeight', pieceWeight, lines) }),
  };
}

/** A line below the head. */
export interface ItemLine {
  /** In the file, the head included. */
  readonly number: number;
  /** Its fields are still to be checked. @throws {ItemError} `IllegalFile` */
  readonly entry: () => ItemEntry;
}

export interface ItemTable {
  readonly lines: readonly ItemLine[];
  /** Columns of another program, which say nothing of an item. */
  readonly unread: readonly string[];
}

/**
 * A column that is left out says nothing; an empty cell says that it is unknown.
 * @param most lines that are looked for; what comes after them is not read
 * @throws {ItemError} `IllegalFile` where it is no table of items
 */
export function itemLinesOf(bytes: Uint8Array, most: number): ItemTable {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  if (text.trim() === '') namesIn([]);
  const lines = linesOf(text, most);
  return {
    lines: lines.map((line) => ({ number: line.info.lines, entry: () => entryOf(line) })),
    unread: Object.keys(lines[0]?.record ?? {}).filter((name) => name !== '' && !READ.includes(name)),
  };
}
