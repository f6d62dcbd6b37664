/**
 * Reads tables that people have: CSV in any of the usual encodings, with any of the usual separators, exports of 1C,
 * workbooks of Excel.
 */

import { isUtf8 } from 'node:buffer';
import type { CsvError, Parser } from 'csv-parse';
import {
  LONGEST_LINE,
  TableError,
  type TableFault,
  type TableLine,
  type TableRow,
  type UnreadableRow,
} from './cells.ts';

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

/** Records as they are parsed. @param onSkip called with the line of invalid CSV */
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

/** Separators; the first counts where two fit: commas occur in amounts, and in words. */
const SEPARATORS = [';', '\t', ','] as const;
/** Lines checked for the separator: above a table may be a title, dates, an account. */
export const HEAD_LINES = 20;
/** The first line with which Excel names a separator other than the country's. */
const EXCEL_SEPARATOR = /^sep=([^\r\n])(?=[\r\n])/i;
const QUOTED = /"[^"]*"/g;
/** Bytes of most Russian letters in cp866: А to Я and а to п. Not 0xa0, a non-breaking space in windows-1251. */
const isOfCp866 = (byte: number): boolean => byte >= 0x80 && byte <= 0xaf && byte !== 0xa0;
/** Bytes that are letters in windows-1251, and no text in cp866. */
const isOfWindows = (byte: number): boolean => (byte >= 0xb0 && byte <= 0xdf) || byte >= 0xf2;

/** The encoding of one-byte Russian letters: that of Windows, or that of DOS, which older shop programs still write. */
function encodingOfLetters(bytes: Uint8Array): string {
  let lead = 0;
  for (const byte of bytes) {
    if (isOfCp866(byte)) lead += 1;
    if (isOfWindows(byte)) lead -= 1;
  }
  return lead > 0 ? 'ibm866' : 'windows-1251';
}

/** The name of a text's encoding for `TextDecoder`; UTF-8 where all of it is valid. */
export function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : encodingOfLetters(bytes);
}

/** Whether the first line only names the separator. */
export const beginsWithSeparator = (text: string): boolean => EXCEL_SEPARATOR.test(text.replace(/^\ufeff/, ''));

/** The largest number of lines that a sign cuts into the same number of cells, two at least. */
function agreeing(lines: readonly string[], sign: string): number {
  const counts = lines.map((line) => line.split(sign).length).filter((count) => count > 1);
  return Math.max(0, ...counts.map((count) => counts.filter((other) => other === count).length));
}

/** The separator of a text: as its first line names it, else the sign that cuts most first lines alike. */
export function separatorOf(text: string): string {
  const beginning = text.trimStart();
  const [, named] = EXCEL_SEPARATOR.exec(beginning) ?? [];
  if (named !== undefined) return named;
  const lines = beginning.replaceAll(QUOTED, '').split(/[\r\n]+/, HEAD_LINES);
  const counted = SEPARATORS.map((separator) => ({ separator, count: agreeing(lines, separator) }));
  return counted.reduce((best, each) => (each.count > best.count ? each : best)).separator;
}

/** Bytes decoded at once. */
const PIECE_BYTES = 64 * 1024;
/** The end mark of DOS texts, and the filling of fixed-length records. */
const isFilling = (byte: number | undefined): boolean => byte === 0x1a || byte === 0;

/** The text of a file, in pieces. */
export function* piecesOf(bytes: Uint8Array): Generator<string> {
  const encoding = encodingOf(bytes);
  let end = bytes.length;
  while (!encoding.startsWith('utf-16') && isFilling(bytes[end - 1])) end -= 1;
  const decoder = new TextDecoder(encoding);
  for (let at = 0; at < end; at += PIECE_BYTES)
    yield decoder.decode(bytes.subarray(at, Math.min(end, at + PIECE_BYTES)), { stream: true });
}
