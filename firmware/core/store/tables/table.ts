/**
 * Reads tables that people have: CSV in any of the usual encodings, with any of the usual separators, exports of 1C,
 * workbooks of Excel.
 */

import type { CsvError, Options, Parser } from 'csv-parse';
import {
  LONGEST_LINE,
  TableError,
  type TableFault,
  type TableLine,
  type TableRow,
  type UnreadableRow,
} from './cells.ts';
import { beginsWithSeparator, HEAD_LINES, isBackslashed, isDrawn, piecesOf, separatorOf } from './table-text.ts';

/** Line ends: lines that a program added above the table may end differently from its own. */
const LINE_ENDS = ['\r\n', '\n', '\r'];
/** The beginning of `.xlsx`. */
const ZIP = 'PK\u0003\u0004';
/** The beginning of `.xls`, and of `.xlsx` with a password. */
const OLD_WORKBOOK = '\u00d0\u00cf\u0011\u00e0';
/** Beginnings of files that are no tables. */
const OTHERS: readonly (readonly [beginning: RegExp, fault: TableFault])[] = [
  [/^\ufeff?\s*<[!?a-z]/i, 'page'],
  [/^\ufeff?\s*1CClientBankExchange/, 'account'],
];

const begins = (bytes: Uint8Array, mark: string): boolean =>
  Buffer.from(bytes.subarray(0, mark.length)).toString('latin1') === mark;
export const isWorkbook = (bytes: Uint8Array): boolean => begins(bytes, ZIP);

/** The text of a file, in pieces. @throws {TableError} */
function* textOf(bytes: Uint8Array): Generator<string> {
  if (begins(bytes, OLD_WORKBOOK)) throw new TableError('old-workbook');
  let line = 1;
  let length = 0;
  for (const piece of piecesOf(bytes)) {
    if (piece.includes('\0')) throw new TableError('binary');
    for (const [at, part] of piece.split(/\r\n|\r|\n/).entries()) {
      if (at > 0) line += 1;
      length = at > 0 ? part.length : length + part.length;
      if (length > LONGEST_LINE) throw new TableError('too-long', undefined, line);
    }
    yield piece;
  }
}

/** How the cells of a text are told apart. */
interface Manner {
  readonly separator: string;
  /** What stands before a quotation mark within a cell. */
  readonly mark: '"' | '\\';
}

const optionsOf = ({ separator, mark }: Manner): Options => ({
  bom: true,
  cast: (cell, { quoting }) => (quoting ? cell : cell.trim()),
  delimiter: separator, // more than one of them would cut names that hold another
  escape: mark,
  ltrim: true,
  max_record_size: LONGEST_LINE,
  record_delimiter: LINE_ENDS,
  relax_column_count: true,
  relax_quotes: true, // many a program writes ООО "Ромашка" as it is
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  skip_records_with_error: true,
});

async function parserOf(beginning: string, manner: Manner, onSkip: (line: number) => void): Promise<Parser> {
  const { parse } = await import('csv-parse');
  return parse({
    ...optionsOf(manner),
    from_line: beginsWithSeparator(beginning) ? 2 : 1,
    info: true,
    on_skip: (error) => {
      onSkip(Number((error as CsvError | undefined)?.lines ?? 0));
      return undefined;
    },
  });
}

function* readFrom(parser: Parser): Generator<TableRow> {
  for (let parsed = parser.read(); parsed !== null; parsed = parser.read())
    yield { line: parsed.info.lines, cells: parsed.record };
}

/** Records as they are parsed. @param onSkip called with the line of invalid CSV */
async function* recordsOf(bytes: Uint8Array, onSkip: (line: number) => void): AsyncGenerator<TableRow> {
  let parser: Parser | null = null;
  const lines = new Lines();
  for (const piece of textOf(bytes)) {
    const other = parser === null ? OTHERS.find(([beginning]) => beginning.test(piece)) : undefined;
    if (other !== undefined) throw new TableError(other[1]);
    if (parser === null) {
      const separator = separatorOf(piece);
      const manner: Manner = { separator, mark: isBackslashed(bytes, separator) ? '\\' : '"' };
      await lines.begin(manner);
      parser = await parserOf(piece, manner, onSkip);
    }
    parser.write(piece);
    for (const row of readFrom(parser)) yield* lines.of(row);
  }
  if (parser === null) return;
  parser.end();
  for await (const { record, info } of parser) yield* lines.of({ line: info.lines, cells: record });
}

/** Takes off what stands around cells: quotation marks around a whole line, and what a program has drawn. */
class Lines {
  #manner: Manner = { separator: ';', mark: '"' };
  #parse: ((line: string, options: Options) => string[][]) | null = null;
  /** Most cells of a line of the head. */
  #width = 0;
  #count = 0;

  async begin(manner: Manner): Promise<void> {
    this.#manner = manner;
    this.#parse = (await import('csv-parse/sync')).parse;
  }

  *of(row: TableRow): Generator<TableRow> {
    if (this.#manner.separator === '|' && isDrawn(row.cells)) return;
    const cells = this.#unquoted(row.cells);
    if (this.#count < HEAD_LINES) this.#width = Math.max(this.#width, cells.length);
    this.#count += 1;
    yield { ...row, cells };
  }

  /** A spreadsheet that kept a line in its first cell saves all of it in quotation marks. */
  #unquoted(cells: readonly string[]): readonly string[] {
    const [line = '', other] = cells;
    if (other !== undefined || !line.includes(this.#manner.separator) || this.#parse === null) return cells;
    const [within = []] = this.#parse(line, optionsOf(this.#manner));
    const isTable = this.#count === 0 ? within.length > 1 : this.#width > 1 && within.length === this.#width;
    return isTable ? within : cells;
  }
}

async function* rowsOfText(bytes: Uint8Array): AsyncGenerator<TableLine> {
  const skipped: number[] = [];
  // an open quotation mark is noticed where the record ends, perhaps thousands of lines below
  const unreadable = ({ line }: TableRow): UnreadableRow => ({
    line: line + 1,
    reason: 'a quotation mark in it is stray or not closed',
  });
  let columns = 0;
  let last: TableRow | null = null;
  let count = 0;
  for await (const row of recordsOf(bytes, (line) => skipped.push(line))) {
    // the parser is a piece ahead of what is read from it
    const before = skipped.splice(0, skipped.filter((line) => line < row.line).length);
    if (last === null && before.length > 0) return;
    if (count < HEAD_LINES) columns = Math.max(columns, row.cells.length);
    if (last !== null) yield last;
    if (last !== null && before.length > 0) yield unreadable(last);
    last = row;
    count += 1;
  }
  if (last === null) return;
  const isCut = last.cells.length < columns && !/[\r\n]/.test(String.fromCharCode(bytes.at(-1) ?? 0));
  yield isCut ? { line: last.line, reason: 'the file ends within it: ask for the whole file' } : last;
  if (skipped.length > 0) yield unreadable(last);
}

/** Every row with content, then the names of other sheets. @throws {TableError} */
export async function* tableRows(bytes: Uint8Array): AsyncGenerator<TableLine> {
  if (isWorkbook(bytes)) yield* (await import('./workbook.ts')).sheetRows(bytes);
  else yield* rowsOfText(bytes);
}

/** The lines of a text that is no table. @throws {TableError} */
export function* textLines(bytes: Uint8Array): Generator<TableRow> {
  let line = 0;
  let rest = '';
  for (const piece of textOf(bytes)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      line += 1;
      yield { line, cells: [text] };
    }
  }
  if (rest !== '') yield { line: line + 1, cells: [rest] };
}
