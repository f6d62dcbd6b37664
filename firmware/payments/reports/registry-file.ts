/** A bank's registry as it comes by mail: a workbook, or CSV of any of the usual encodings and separators, read a piece at a time. */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { CsvError, type Info, type Parser, parse } from 'csv-parse';
import { TerminalError } from '../../banks/index.ts';
import { encodingOf, HEAD_LINES, separatorOf } from '../../core/store/index.ts';

/** Lines of a registry: a day of a large shop, weeks of a small one. */
export const MAX_LINES = 100_000;
/** Where a quote is never closed, its line would go on to the end of the file. */
export const LONGEST_LINE = 16 * 1024;
/** What is read between two breaths of the event loop: a few milliseconds' worth, with what is looked up for its lines. */
const PIECE_BYTES = 8 * 1024;
/** Lines above the table, added by a program, may end differently from those of the table. */
const LINE_ENDS = ['\r\n', '\n', '\r'];
/** What `.xlsx` begins with. */
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
/** What `.xls` begins with, and `.xlsx` with a password. */
const OLD_WORKBOOK = Buffer.from('d0cf11e0', 'hex');

export interface RegistryLine {
  /** Of the file; the first is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A line that is no CSV, or that says nothing that could be compared. */
export interface UnreadableLine {
  readonly line: number;
  readonly reason: string;
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: Info;
}

export function* piecesOf(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder(encodingOf(bytes));
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true });
}

function* readFrom(parser: Parser): Generator<Parsed> {
  for (let parsed: Parsed | null = parser.read(); parsed !== null; parsed = parser.read()) yield parsed;
}

/** Records as they are parsed; the event loop has its turn after each piece. @param onSkip called with what is no CSV */
async function* recordsOf(bytes: Uint8Array, onSkip: (unreadable: UnreadableLine) => void): AsyncGenerator<Parsed> {
  let parser: Parser | null = null;
  for (const piece of piecesOf(bytes)) {
    parser ??= parse({
      delimiter: separatorOf(piece),
      info: true,
      record_delimiter: LINE_ENDS,
      relax_column_count: true,
      relax_quotes: true, // many a bank writes ООО "Ромашка" as it is
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      skip_records_with_error: true,
      max_record_size: LONGEST_LINE,
      on_skip: (error) => {
        if (error instanceof CsvError) onSkip({ line: Number(error.lines ?? 0), reason: error.message });
        return undefined;
      },
    });
    parser.write(piece);
    yield* readFrom(parser);
    await yieldToEventLoop();
  }
  if (parser === null) return;
  parser.end();
  for await (const parsed of parser) yield parsed as Parsed;
}

const begins = (bytes: Uint8Array, mark: Buffer): boolean => mark.equals(bytes.subarray(0, mark.length));

/** @throws {TerminalError} 400 */
async function* linesOfWorkbook(bytes: Uint8Array): AsyncGenerator<RegistryLine | UnreadableLine> {
  const { sheetRows, WorkbookError } = await import('../../core/store/xlsx-reader.ts');
  try {
    for await (const row of sheetRows(bytes)) {
      if ('unread' in row)
        yield { line: 1, reason: `it is of the sheet "${row.unread}", and only the first sheet is read` };
      else yield { line: row.line, cells: row.cells.map((cell) => cell.trim()) };
    }
  } catch (cause) {
    if (!(cause instanceof WorkbookError)) throw cause;
    throw TerminalError.invalid('file', cause.message, { cause });
  }
}

async function* linesOfCsv(bytes: Uint8Array): AsyncGenerator<RegistryLine | UnreadableLine> {
  const skipped: UnreadableLine[] = [];
  let columns = 0;
  let last: RegistryLine | null = null;
  let count = 0;
  for await (const { record, info } of recordsOf(bytes, (unreadable) => skipped.push(unreadable))) {
    if (last === null && skipped.length > 0) break;
    if (count < HEAD_LINES) columns = Math.max(columns, record.length);
    if (last !== null) yield last;
    yield* skipped.splice(0);
    last = { line: info.lines, cells: record.map((cell) => cell.trim()) };
    count += 1;
  }
  if (last === null) return;
  const isCut = last.cells.length < columns && !/[\r\n]/.test(String.fromCharCode(bytes.at(-1) ?? 0));
  yield isCut ? { line: last.line, reason: 'the file ends within it: ask for the whole file' } : last;
  yield* skipped;
}

/**
 * The line that names the columns, then all others.
 * @throws {TerminalError} 400 for a file that has no header, too many lines, or is neither text nor a workbook that can be read
 */
export async function* registryLines(bytes: Uint8Array): AsyncGenerator<RegistryLine | UnreadableLine> {
  if (begins(bytes, OLD_WORKBOOK)) {
    throw TerminalError.invalid(
      'file',
      'is a workbook with a password, or an old one: save it as .xlsx without, and send that',
    );
  }
  let count = 0;
  for await (const line of begins(bytes, ZIP) ? linesOfWorkbook(bytes) : linesOfCsv(bytes)) {
    yield line;
    if ('cells' in line) count += 1;
    if (count > MAX_LINES + 1) throw TerminalError.invalid('file', `must have at most ${MAX_LINES} lines`);
  }
  if (count === 0) throw TerminalError.invalid('file', 'must begin with a line that names its columns');
}
