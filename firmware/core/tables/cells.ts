/** What is read from a table: its lines, why one is refused, and a workbook's numbers as Excel shows them. */
import { CodedError } from '../../../drivers/lib/errors.ts';

export interface TableRow {
  /** Line of the file, or of the sheet; the first is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A row that cannot be read. */
export interface UnreadableRow {
  readonly line: number;
  readonly reason: string;
}

/** Another sheet with rows, which is not read. */
export interface UnreadSheet {
  readonly unread: string;
}

export type TableLine = TableRow | UnreadableRow | UnreadSheet;

/** Longest line in characters. With a quotation mark never closed, a line would reach to the end of the file. */
export const LONGEST_LINE = 16 * 1024;

/** Sentences about faults. None repeats bytes of the file, which may hold anything. */
const SENTENCES = {
  'old-workbook': 'is a workbook with a password, or an old one: save it as .xlsx without, and send that',
  page: 'is a page (HTML or XML) with the name of a table: open it in a spreadsheet, save it as .xlsx or CSV, and send that',
  account: 'is a statement of an account for 1C, where a table was expected',
  binary: 'is neither text nor a workbook of Excel (.xlsx): save the table as .xlsx or CSV, and send that',
  'too-long': `has a line of more than ${LONGEST_LINE} characters: is a quotation mark not closed?`,
  workbook: 'is a damaged workbook: open it in a spreadsheet, save it again as .xlsx, and send that',
  slow: 'takes too long or too much memory to read: send a part of it',
} as const;
export type TableFault = keyof typeof SENTENCES;

/** The table cannot be read. The message follows the name of the file. */
export class TableError extends CodedError<TableFault> {
  /** Line of the file, the first is 1; null where the fault is not in one line. */
  readonly line: number | null;

  constructor(code: TableFault, message: string = SENTENCES[code], line: number | null = null, options?: ErrorOptions) {
    super(code, message, options);
    this.line = line;
  }
}

/** Numbers of date formats that every program knows: ECMA-376, 18.8.30. */
const KNOWN_DATES: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];
/** Parts of a format that are shown literally, and parts in brackets other than elapsed hours, minutes and seconds. */
const SHOWN = /"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^[\]]*\]/gi;
/** Longest format of Excel; a longer one is none. */
const LONGEST_FORMAT = 255;

/** Whether a format shows a date or a time. @param code the format's text, where the workbook itself defines it */
export const isDateFormat = (id: number, code: string | undefined): boolean =>
  code === undefined
    ? KNOWN_DATES.some(([first, last]) => id >= first && id <= last)
    : code.length <= LONGEST_FORMAT && /[dmyhs]/i.test(code.replaceAll(SHOWN, '').replaceAll(/general/gi, ''));

const SECONDS_A_DAY = 86_400;
const DAYS_TO_1970 = 25_569;
/** Offset of days in a workbook whose calendar begins in 1904. */
const DAYS_TO_1904 = 1462;
/** The last day of the year 9999. */
const LAST_DAY = 2_958_465;

/** A day of a workbook: `2026-11-21 12:00:00`. @param days in the workbook's calendar @returns null for no day */
export function momentInWords(days: number, is1904: boolean): string | null {
  const day = is1904 ? days + DAYS_TO_1904 : days;
  if (!(day >= 1 && day <= LAST_DAY)) return null;
  const seconds = Math.round((day - DAYS_TO_1970) * SECONDS_A_DAY);
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Digits that a spreadsheet keeps of a number. */
const MOST_DIGITS = 15;

/**
 * A number as Excel shows it: rounded to fifteen digits, not with the digits of its binary form. A whole number stays
 * as the workbook writes it, as it may be an id, and so does one with more digits than Excel keeps.
 */
export function inDigits(value: string): string {
  const number = Number(value);
  if (/^-?\d+$/.test(value) || !(Math.abs(number) < 10 ** MOST_DIGITS)) return value;
  return String(Number(number.toPrecision(MOST_DIGITS)));
}
