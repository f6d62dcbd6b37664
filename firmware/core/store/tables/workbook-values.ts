/** What a number in a workbook means: an amount, or a timestamp. */

/** Formats of dates that every program knows by their numbers: ECMA-376, 18.8.30. */
const KNOWN_DATES: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];
/** What is shown as it is, and what stands in brackets but for hours, minutes and seconds that go on counting. */
const SHOWN = /"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^[\]]*\]/gi;
/** What Excel takes; a longer one is no format. */
const LONGEST_FORMAT = 255;

/** @param code of a format that the workbook itself describes */
export const isDateFormat = (id: number, code: string | undefined): boolean =>
  code === undefined
    ? KNOWN_DATES.some(([first, last]) => id >= first && id <= last)
    : code.length <= LONGEST_FORMAT && /[dmyhs]/i.test(code.replaceAll(SHOWN, '').replaceAll(/general/gi, ''));

const SECONDS_A_DAY = 86_400;
const DAYS_TO_1970 = 25_569;
/** Of a workbook whose calendar begins in 1904. */
const DAYS_TO_1904 = 1462;
/** The last day of the year 9999. */
const LAST_DAY = 2_958_465;

/** `2026-11-21 12:00:00`. @param days of the calendar of the workbook @returns null for what is no day */
export function momentInWords(days: number, is1904: boolean): string | null {
  const day = is1904 ? days + DAYS_TO_1904 : days;
  if (!(day >= 1 && day <= LAST_DAY)) return null;
  const seconds = Math.round((day - DAYS_TO_1970) * SECONDS_A_DAY);
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Digits that a spreadsheet keeps of a number. */
const MOST_DIGITS = 15;

/**
 * As Excel shows a number: its fifteen digits, not the nearest that a computer has; a whole number as it stands, for it may be an
 * id, and a power of ten where it was one with more digits than are kept.
 */
export function inDigits(value: string): string {
  const number = Number(value);
  if (/^-?\d+$/.test(value) || !(Math.abs(number) < 10 ** MOST_DIGITS)) return value;
  return String(Number(number.toPrecision(MOST_DIGITS)));
}
