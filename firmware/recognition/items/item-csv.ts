/**
 * Items as a table, for spreadsheets: `id,name,plu,price,barcodes,pieceWeight`, the price in kopecks, the barcodes with
 * a | between them, the weight of a piece in grams. And in the form of 1C: `Код;Наименование;Цена`, the price in
 * roubles.
 */

import { kopecksTyped } from '../../../drivers/lib/money.ts';
import { beginning } from '../../../drivers/lib/text.ts';
import {
  amountCell,
  CellFault,
  type CellOf,
  CSV_BOM,
  codeCell,
  csvRow,
  isWorkbook,
  plainCell,
  QUOTED_WITH_EDGES,
  russianRow,
  TableError,
  type TableRow,
  tableRows,
  textCell,
  type UnreadSheet,
  withoutApostrophes,
} from '../../core/tables/index.ts';
import { type Item, type ItemEntry, ItemError } from '../model/item.ts';
import { BARCODE_SEPARATOR, codesIn, SEVERAL_CODES } from './barcodes.ts';

const COLUMNS = ['id', 'name', 'plu', 'price', 'barcodes', 'pieceWeight'] as const;

export const ITEMS_CSV_HEAD = CSV_BOM + csvRow(COLUMNS);

export const itemLine = ({ id, name, plu, price, barcodes, pieceWeight }: Item): string =>
  csvRow([id, name, plu, price, barcodes.join(BARCODE_SEPARATOR), pieceWeight], QUOTED_WITH_EDGES);

const READ_COLUMNS: readonly string[] = [...COLUMNS, 'roubles'];

/** 1C's names of columns; its price in roubles is a separate column. */
const OF_1C: ReadonlyMap<string, string> = new Map([
  ['код', 'id'],
  ['наименование', 'name'],
  ['цена', 'roubles'],
  ['штрихкод', 'barcodes'],
]);

export const ITEMS_1C_HEAD = CSV_BOM + russianRow(['Код', 'Наименование', 'Цена']);

export const itemLineFor1C = ({ id, name, price }: Pick<Item, 'id' | 'name' | 'price'>): string =>
  russianRow([id, name, price === null ? null : { kopecks: price }], QUOTED_WITH_EDGES);

/** Some programs write a whole number with a fraction of one zero. */
const WHOLE_NUMBER = /^(\d{1,9})(?:\.0)?$/;

/**
 * - `value`: a cell holds a value that its column (`field`) does not take
 * - `rounded`: a code (`field`) that a spreadsheet took for a number has lost its digits
 * - `twice`: an earlier line has the same item
 * - `no-id`, `column-twice`: the first line does not name the columns
 * - `too-many`: more lines than one import takes (`most`)
 * - `cells`: a line has more or fewer cells than there are columns
 * - `no-csv`: a line cannot be read
 * - and the faults of a file that is no table
 */
type FileFault =
  | 'value'
  | 'rounded'
  | 'twice'
  | 'no-id'
  | 'column-twice'
  | 'too-many'
  | 'cells'
  | 'no-csv'
  | TableError['code'];

/** @param line its number in the file, the head included */
export const illegal = (
  line: number,
  fault: FileFault,
  what: string,
  more: ItemError['more'] = {},
  cause?: Error,
): ItemError =>
  new ItemError('IllegalFile', `line ${line}: ${what}; nothing was changed`, { line, fault, ...more }, { cause });

/** The units of numbers in a table: what a cell must hold, and how it is read. */
const UNITS = {
  grams: { must: 'grams, a whole number', read: wholeNumber },
  kopecks: { must: 'kopecks, a whole number', read: wholeNumber },
  roubles: { must: 'roubles, as 129,90', read: kopecksTyped },
} as const;
/** The unit of a table's prices. */
export type PriceUnit = 'kopecks' | 'roubles';

function wholeNumber(digits: string): number | null {
  const [, whole] = WHOLE_NUMBER.exec(digits) ?? [];
  return whole === undefined ? null : Number(whole);
}

const numberCell = (unit: keyof typeof UNITS, cell: string): CellOf<number> =>
  amountCell(cell, UNITS[unit].read, UNITS[unit].must);

/** The value of a cell; null where it holds nothing. @throws {ItemError} `IllegalFile` */
function valueIn<T>(field: string, value: CellOf<T>, line: number): T | null {
  if (!(value instanceof CellFault)) return value;
  throw illegal(line, value.kind, `${field} ${value.words}`, { field });
}

/** The first price of a table, in kopecks by either unit; null where it cannot have that unit. */
export interface FirstPrice {
  readonly written: string;
  /** Whether the call or the column names the unit. */
  readonly said: boolean;
  readonly kopecks: number | null;
  readonly roubles: number | null;
}

function firstPrice({ price, roubles }: Readonly<Record<string, string>>, unit: PriceUnit | null): FirstPrice | null {
  const cell = price || roubles || '';
  const [kopecks, inRoubles] = [numberCell('kopecks', cell), numberCell('roubles', cell)];
  if (kopecks === null && inRoubles === null) return null;
  const number = (value: CellOf<number>): number | null => (value instanceof CellFault ? null : value);
  return {
    written: beginning(plainCell(cell), 40),
    said: unit !== null || !price,
    kopecks: number(kopecks),
    roubles: number(inRoubles),
  };
}

/** A code without the apostrophe of an export. @throws {ItemError} `IllegalFile` */
function codeIn(field: string, cell: string, line: number): string | null {
  const code = valueIn(field, codeCell(cell), line);
  return code === null ? null : withoutApostrophes(code);
}

/** @throws {ItemError} `IllegalFile` */
const barcodesOf = (cell: string, line: number): string[] =>
  plainCell(cell)
    .split(BARCODE_SEPARATOR)
    .flatMap((part) => {
      const code = codeIn('barcodes', part, line);
      const codes = code === null ? [] : codesIn(code);
      return codes ?? valueIn<string[]>('barcodes', new CellFault(SEVERAL_CODES), line) ?? [];
    });

/** @throws {ItemError} where the first line names no ids, or names a column twice */
function namesIn(head: readonly string[]): string[] {
  const ownNames = head.map((name) => COLUMNS.find((column) => column.toLowerCase() === name.toLowerCase()) ?? name);
  const names = ownNames.includes('id') ? ownNames : ownNames.map((name) => OF_1C.get(name.toLowerCase()) ?? name);
  const twice = READ_COLUMNS.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) throw illegal(1, 'column-twice', `it names the column ${twice} twice`, { field: twice });
  if (names.includes('price') && names.includes('roubles'))
    throw illegal(1, 'column-twice', 'it names a price twice: in kopecks and in roubles (price, Цена)', {
      field: 'price',
    });
  if (names.includes('id')) return names;
  throw illegal(1, 'no-id', `it must name the columns: ${COLUMNS.join(', ')}, of which only id is needed`);
}

/** Characters that may separate cells: in a line with missing cells, which cell is which is unclear. */
const SEPARATORS = /[,;\t]/;

const otherCells = (line: number): ItemError =>
  illegal(
    line,
    'cells',
    'it must have as many cells as the first line has columns: a name with a separator or a line end in it stands in quotation marks',
  );

/**
 * Refuses a line with empty cells beyond the columns where another line has none: one of its cells was cut in two. A
 * table may have such cells in all its lines.
 */
class Widths {
  #wideLine = 0;
  #hasFitting = false;

  /** @throws {ItemError} `IllegalFile` */
  add({ line, cells }: TableRow, columns: number): void {
    if (cells.length === columns) this.#hasFitting = true;
    else if (cells.length > columns && this.#wideLine === 0) this.#wideLine = line;
    if (this.#hasFitting && this.#wideLine > 0) throw otherCells(this.#wideLine);
  }
}

/** The cells of a line: a missing cell leaves its field unchanged, an empty one clears it. @throws {ItemError} `IllegalFile` */
function cellsOf({ line, cells }: TableRow, names: readonly string[], isText: boolean): Record<string, string> {
  const isShort = cells.length < names.length;
  // one cell alone may be the rest of a name that a line end has cut in two, and would be an item of its own
  const isUnclear = isShort && isText && (cells.length === 1 || SEPARATORS.test(cells.join('')));
  if (isUnclear || cells.slice(names.length).some((cell) => cell !== '')) throw otherCells(line);
  return Object.fromEntries(names.slice(0, cells.length).map((name, at) => [name, cells[at] ?? '']));
}

/** @throws {ItemError} `IllegalFile` */
function entryOf(cells: Readonly<Record<string, string>>, line: number, prices: PriceUnit | null): ItemEntry {
  const { id, name, plu, price, roubles, barcodes, pieceWeight } = cells;
  const number = (field: string, unit: keyof typeof UNITS, cell: string): number | null =>
    valueIn(field, numberCell(unit, cell), line);
  const nameIn = (cell: string): string | null => {
    const text = valueIn('name', textCell(cell), line);
    return text === null ? null : withoutApostrophes(text);
  };
  return {
    id: codeIn('id', id ?? '', line) ?? '',
    ...(name !== undefined && { name: nameIn(name) }),
    ...(plu !== undefined && { plu: codeIn('plu', plu, line) }),
    ...(price !== undefined && { price: number('price', prices ?? 'kopecks', price) }),
    ...(roubles !== undefined && { price: number('price', prices ?? 'roubles', roubles) }),
    ...(barcodes !== undefined && { barcodes: barcodesOf(barcodes, line) }),
    ...(pieceWeight !== undefined && { pieceWeight: number('pieceWeight', 'grams', pieceWeight) }),
  };
}

/** A line below the head. */
export interface ItemLine {
  /** Number of the line in the file, the head included. */
  readonly number: number;
  /** Reads the entry, whose fields are still unchecked. @throws {ItemError} `IllegalFile` */
  readonly entry: () => ItemEntry;
}

export type ItemTableLine = ItemLine | FirstPrice | UnreadSheet;

/** Reads the lines; unknown columns and further sheets are ignored. @throws {TableError} @throws {ItemError} `IllegalFile` */
async function* linesIn(bytes: Uint8Array, prices: PriceUnit | null): AsyncGenerator<ItemTableLine> {
  let isPriced = false;
  const isText = !isWorkbook(bytes);
  let names: readonly string[] | null = null;
  const widths = new Widths();
  for await (const row of tableRows(bytes)) {
    if ('unread' in row) yield row;
    else if ('reason' in row) throw illegal(row.line, 'no-csv', row.reason);
    else if (names === null) {
      names = namesIn(row.cells.map(plainCell));
      for (const name of names) if (name !== '' && !READ_COLUMNS.includes(name)) yield { unread: name };
    } else {
      const cells = cellsOf(row, names, isText);
      if (isText) widths.add(row, names.length);
      const first: FirstPrice | null = isPriced ? null : firstPrice(cells, prices);
      isPriced ||= first !== null;
      if (first !== null) yield first;
      yield { number: row.line, entry: () => entryOf(cells, row.line, prices) };
    }
  }
  if (names === null) namesIn([]);
}

/**
 * Reads a table of items. A missing column leaves its field unchanged; an empty cell clears it.
 * @param prices null: kopecks in a column `price`, roubles in 1C's column
 * @throws {ItemError} `IllegalFile` where it is no table of items
 */
export async function* itemLinesOf(bytes: Uint8Array, prices: PriceUnit | null): AsyncGenerator<ItemTableLine> {
  try {
    yield* linesIn(bytes, prices);
  } catch (cause) {
    if (!(cause instanceof TableError)) throw cause;
    throw illegal(cause.line ?? 1, cause.code, `the file ${cause.message}`, {}, cause);
  }
}
