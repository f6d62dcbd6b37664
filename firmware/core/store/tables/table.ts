/** Tables that people have: CSV in any of the usual encodings, with any of the usual separators, what 1C exports, workbooks of Excel. */
import type { CsvError, Parser } from 'csv-parse';
import { beginsWithSeparator, HEAD_LINES, piecesOf, separatorOf } from './dialect.ts';
import {
  LONGEST_LINE,
  TableError,
  type TableFault,
  type TableLine,
  type TableRow,
  type UnreadableRow,
} from './lines.ts';

/** Lines above the table, added by a program, may end differently from those of the table. */
const LINE_ENDS = ['\r\n', '\n', '\r'];
/** What `.xlsx` begins with. */
const ZIP = 'PK\u0003\u0004';
/** What `.xls` begins with, and `.xlsx` with a password. */
const OLD_WORKBOOK = '\u00d0\u00cf\u0011\u00e0';
/** What no table begins with. */
const OTHERS: readonly (readonly [beginning: RegExp, fault: TableFault])[] = [
  [/^\ufeff?\s*<[!?a-z]/i, 'page'],
  [/^\ufeff?\s*1CClientBankExchange/, 'account'],
];

const begins = (bytes: Uint8Array, mark: string): boolean =>
  Buffer.from(bytes.subarray(0, mark.length)).toString('latin1') === mark;
export const isWorkbook = (bytes: Uint8Array): boolean => begins(bytes, ZIP);

/** Its text, a piece at a time. @throws {TableError} */
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

async function parserOf(beginning: string, onSkip: (line: number) => void): Promise<Parser> {
  const { parse } = await import('csv-parse');
  return parse({
    bom: true,
    cast: (cell, { quoting }) => (quoting ? cell : cell.trim()),
    delimiter: separatorOf(beginning), // more than one of them would cut names that hold another
    from_line: beginsWithSeparator(beginning) ? 2 : 1,
    info: true,
    ltrim: true,
    max_record_size: LONGEST_LINE,
    record_delimiter: LINE_ENDS,
    relax_column_count: true,
    relax_quotes: true, // many a program writes ООО "Ромашка" as it is
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    skip_records_with_error: true,
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

/** Records as they are parsed. @param onSkip called with the line of what is no CSV */
async function* recordsOf(bytes: Uint8Array, onSkip: (line: number) => void): AsyncGenerator<TableRow> {
  let parser: Parser | null = null;
  for (const piece of textOf(bytes)) {
    const other = parser === null ? OTHERS.find(([beginning]) => beginning.test(piece)) : undefined;
    if (other !== undefined) throw new TableError(other[1]);
    parser ??= await parserOf(piece, onSkip);
    parser.write(piece);
    yield* readFrom(parser);
  }
  if (parser === null) return;
  parser.end();
  for await (const { record, info } of parser) yield { line: info.lines, cells: record };
}

async function* rowsOfText(bytes: Uint8Array): AsyncGenerator<TableLine> {
  const skipped: number[] = [];
  // it is noticed where it ends, perhaps thousands of lines below
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

/** Every row that holds anything, then the names of other sheets. @throws {TableError} */
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
