/** A bank's registry as it comes by mail: CSV of any of the usual encodings and separators, line by line. */
import { CsvError, parse } from 'csv-parse/sync';
import { TerminalError } from '../errors.ts';

/** Lines of a registry; weeks of a shop. */
export const MAX_LINES = 10_000;
/** Where a quote is never closed, its line would go on to the end of the file. */
const LONGEST_LINE = 16 * 1024;
const SEPARATORS = [';', ',', '\t'] as const;

export interface RegistryLine {
  /** Of the file; the first is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface RegistryFile {
  readonly header: readonly string[];
  readonly lines: readonly RegistryLine[];
  /** Lines that are no CSV, with why. */
  readonly unreadable: readonly { readonly line: number; readonly reason: string }[];
}

/** UTF-8 where all of it is so, else windows-1251, in which any bytes are letters. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder('windows-1251').decode(bytes);
    throw error;
  }
}

/** What the first line is cut by most often. */
function separatorOf(text: string): string {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const counted = SEPARATORS.map((separator) => ({ separator, count: first.split(separator).length }));
  return counted.reduce((best, each) => (each.count > best.count ? each : best)).separator;
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** @throws {TerminalError} 400 for a file that has no header, or too many lines */
export function readRegistry(bytes: Uint8Array): RegistryFile {
  const text = decoded(bytes).replace(/^\s*[\r\n]+/, '');
  const unreadable: { line: number; reason: string }[] = [];
  const records = parse(text, {
    delimiter: separatorOf(text),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: LONGEST_LINE,
    to: MAX_LINES + 2,
    on_skip: (error) => {
      if (error instanceof CsvError) unreadable.push({ line: Number(error.lines ?? 0), reason: error.message });
      return undefined;
    },
  }) as unknown as Parsed[];
  const [head, ...lines] = records;
  if (head === undefined) throw TerminalError.invalid('file', 'must begin with a line that names its columns');
  if (lines.length > MAX_LINES) throw TerminalError.invalid('file', `must have at most ${MAX_LINES} lines`);
  return {
    header: head.record.map((name) => name.trim()),
    lines: lines.map(({ record, info }) => ({ line: info.lines, cells: record.map((cell) => cell.trim()) })),
    unreadable,
  };
}
