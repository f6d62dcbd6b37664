/** Reads the lines of a registry or statement as it comes by mail, or says why it is refused. */

import { beginning } from '../../../drivers/lib/text.ts';
import { TerminalError } from '../../banks/index.ts';
import {
  plainCell,
  readTable,
  TableError,
  type TableLine,
  type TableRow,
  type UnreadableRow,
} from '../../core/store/index.ts';
import { dayInZone, isDay } from './local-day.ts';

/** Which number of a date is the day, where a slash parts them: `11/12/2026`. */
export type DateOrder = 'day-first' | 'month-first';

/** How a registry writes days. */
export interface Days {
  readonly zone: string;
  readonly dates: DateOrder | null;
}
const ISO_MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;
const ISO_DAY = /^(\d{4})[-./](\d\d)[-./](\d\d)(?!\d)/;
const WRITTEN_DAY = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4}|\d\d)(?!\d)/;
/** A 12-hour clock (am, pm): its writer puts the month first. */
const HALF_DAYS = /\d\s*[ap]m\b/i;
const MONTHS = 12;

const ifDay = (day: string): string | null => (isDay(day) ? day : null);

function isUnclearDay(cell: string): boolean {
  const [, one, sign, other] = WRITTEN_DAY.exec(cell) ?? [];
  return sign === '/' && Number(one) !== Number(other) && Math.max(Number(one), Number(other)) <= MONTHS;
}

/**
 * The day `2026-11-21` in `21.11.2026 12:00`, `2026-11-21`, `11/21/2026` or a timestamp with its zone; null for no day.
 * @param dates how to read an unclear day
 */
export function dayOf(cell: string, zone: string, dates: DateOrder = 'day-first'): string | null {
  if (ISO_MOMENT.test(cell)) {
    const timestamp = Date.parse(cell.replace(' ', 'T'));
    return Number.isNaN(timestamp) ? null : dayInZone(timestamp, zone);
  }
  const [, year, month = '', date = ''] = ISO_DAY.exec(cell) ?? [];
  if (year !== undefined) return ifDay(`${year}-${month}-${date}`);
  const [, one = '', sign, other = '', inYear = ''] = WRITTEN_DAY.exec(cell) ?? [];
  if (sign === undefined) return null;
  const isMonthFirst = Number(other) > MONTHS || dates === 'month-first' || HALF_DAYS.test(cell);
  const [day, ofYear] = sign === '/' && Number(one) <= MONTHS && isMonthFirst ? [other, one] : [one, other];
  return ifDay(`${inYear.padStart(4, '20')}-${ofYear.padStart(2, '0')}-${day.padStart(2, '0')}`);
}

/** @throws {TerminalError} 400 where a date may mean two days, and the call does not say which */
export function dayIn(cell: string, line: number, { zone, dates }: Days): string | null {
  if (dates !== null || !isUnclearDay(cell) || HALF_DAYS.test(cell)) return dayOf(cell, zone, dates ?? 'day-first');
  const date = beginning(cell, 40);
  const must = `has the date ${date} in line ${line}: say in "dates" whether its day stands first (day-first) or its month (month-first)`;
  throw TerminalError.invalid('file', must, { parameters: { reason: 'unclear-dates', line: String(line), date } });
}

/** Most lines of a registry: a day of a large shop, weeks of a small one. */
const MAX_LINES = 100_000;

/** Reads a file of a call line by line; words its refusals as the call's. */
async function* linesOf(field: 'file' | 'statement', lines: AsyncIterable<TableLine>): AsyncGenerator<TableLine> {
  try {
    yield* lines;
  } catch (cause) {
    if (!(cause instanceof TableError)) throw cause;
    const reason = field === 'statement' ? 'statement-unknown' : cause.code;
    const parameters = { reason, ...(cause.line !== null && { line: String(cause.line) }) };
    throw TerminalError.invalid(field, cause.message, { cause, parameters });
  }
}

/**
 * The lines of a registry, the first of which may be the header.
 * @throws {TerminalError} 400 for a file without lines, with too many, or without a readable table
 */
export async function* registryLines(bytes: Uint8Array): AsyncGenerator<TableRow | UnreadableRow> {
  let count = 0;
  for await (const line of linesOf('file', readTable(bytes))) {
    if ('unread' in line)
      yield { line: 1, reason: `it is of the sheet "${line.unread}", and only the first sheet is read` };
    else if ('reason' in line) yield line;
    else {
      yield { line: line.line, cells: line.cells.map(plainCell) };
      count += 1;
      if (count > MAX_LINES + 1) throw TerminalError.invalid('file', `must have at most ${MAX_LINES} lines`);
    }
  }
  if (count === 0) throw TerminalError.invalid('file', 'must begin with a line that names its columns');
}

/** The lines of a statement. @throws {TerminalError} 400 where it is no text */
export async function* statementLines(bytes: Uint8Array): AsyncGenerator<TableRow> {
  for await (const line of linesOf('statement', readTable(bytes, 'lines'))) if ('cells' in line) yield line;
}
