/** A bank's registry, or a statement of the account, as it comes by mail: its lines, and why it is refused. */

import { beginning } from '../../../drivers/lib/shorten.ts';
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

/** As a registry means them. */
export interface Days {
  readonly zone: string;
  readonly dates: DateOrder | null;
}
const ISO_MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;
const ISO_DAY = /^(\d{4})[-./](\d\d)[-./](\d\d)(?!\d)/;
const WRITTEN_DAY = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4}|\d\d)(?!\d)/;
/** Who counts to twelve twice a day writes the month first. */
const HALF_DAYS = /\d\s*[ap]m\b/i;
const MONTHS = 12;

const ifDay = (day: string): string | null => (isDay(day) ? day : null);

function isUnclearDay(cell: string): boolean {
  const [, one, sign, other] = WRITTEN_DAY.exec(cell) ?? [];
  return sign === '/' && Number(one) !== Number(other) && Math.max(Number(one), Number(other)) <= MONTHS;
}

/**
 * `2026-11-21` of `21.11.2026 12:00`, of `2026-11-21`, of `11/21/2026` and of a timestamp with its zone; null for what is none.
 * @param dates of those that are unclear
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

/** @throws {TerminalError} 400 where it may be two days, and the call does not say which */
export function dayIn(cell: string, line: number, { zone, dates }: Days): string | null {
  if (dates !== null || !isUnclearDay(cell) || HALF_DAYS.test(cell)) return dayOf(cell, zone, dates ?? 'day-first');
  const date = beginning(cell, 40);
  const must = `has the date ${date} in line ${line}: say in "dates" whether its day stands first (day-first) or its month (month-first)`;
  throw TerminalError.invalid('file', must, { parameters: { reason: 'unclear-dates', line: String(line), date } });
}

/** Lines of a registry: a day of a large shop, weeks of a small one. */
const MAX_LINES = 100_000;

/** A file of a call, line by line, in the call's own words where it is refused. */
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
 * Its lines, the first of which may name the columns.
 * @throws {TerminalError} 400 for a file that has none, too many, or is no table that can be read
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
