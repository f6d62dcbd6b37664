/** Days as programs and people write them in a cell: in digits, with the name of the month, as a number of a spreadsheet. */
import { CALENDAR_DAY } from '../schema/index.ts';
import { type CellOf, emptiness, heldText, misfit } from './cell.ts';
import { momentInWords } from './cells.ts';

/** Which number of a date is the day, where a slash or a dash parts them: `11/12/2026`. */
export type DateOrder = 'day-first' | 'month-first';

/** A day as it is written, `2026-11-30`, or a timestamp, ms since 1970, whose day depends on the zone. */
export type WrittenDay = { readonly day: string } | { readonly moment: number };

/** Beginnings of the months' names: Russian, English, German. */
const MONTH_NAMES = [
  /^(?:янв|jan|jän)/,
  /^(?:фев|feb)/,
  /^(?:мар|mar|mär|mrz)/,
  /^(?:апр|apr)/,
  /^(?:ма[йя]|may|mai)/,
  /^(?:июн|jun)/,
  /^(?:июл|jul)/,
  /^(?:авг|aug)/,
  /^(?:сен|sep)/,
  /^(?:окт|oct|okt)/,
  /^(?:ноя|nov)/,
  /^(?:дек|dec|dez)/,
];
const MONTHS = MONTH_NAMES.length;
const WEEKDAY =
  /^(?:пн|вт|ср|чт|пт|сб|вс|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)[a-z]*\.?,? /;

const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?!\d)/;
const PARTED = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4}|\d\d)(?!\d)/;
const DAY_AND_NAME = /^(\d{1,2})\.?[-./ ]?(\p{L}+)\.?[-./, ]{0,2}(\d{4}|\d\d)(?!\d)/u;
const NAME_AND_DAY = /^(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/u;
/** Digits alone, with a time or without: `20261130`, `20261130T120000Z`. */
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?=$|[t ]|\d{4}(?:\d\d)?(?:$|z|[-+]))/;

/** What may stand behind a day. */
const YEAR_WORD = /^ ?(?:г|год|года)(?![\p{L}])\.?/u;
const TIME = /^[t, ]*(\d{1,2})[:.]?(\d\d)(?:[:.]?(\d\d)(?:[.,](\d{1,3})\d*)?)?(?: ?([ap])\.?m\.?)?/;
const ZONE = /^ ?(?:(z|utc|gmt|мск|msk)(?![\p{L}]))?(?:([-+])(\d\d)(?::?(\d\d))?)?(?: ?\([^()]*\))?$/u;
const MOSCOW_MS = 3 * 3_600_000;

/** The first and the last day of a spreadsheet's calendar that a date in a table can be: 2000 to 2099. */
const SERIAL = /^\d{5}(?:[.,]\d+)?$/;
const [FIRST_SERIAL, LAST_SERIAL] = [36_526, 73_050];
/** Seconds or milliseconds since 1970, from 2001 on. */
const SINCE_1970 = /^[1-9]\d{9}(?:\d{3})?$/;

const DAY = new RegExp(CALENDAR_DAY);

interface Read {
  readonly year: string;
  readonly month: number;
  readonly date: number;
  /** What stands behind the day. */
  readonly rest: string;
}

const monthOf = (name: string): number => MONTH_NAMES.findIndex((beginning) => beginning.test(name)) + 1;
const HALF_DAYS = /\d ?[ap]\.?m\b/;

function inDigits(text: string, order: DateOrder): Read | null {
  const [whole, year, , month, date] = YEAR_FIRST.exec(text) ?? [];
  if (whole !== undefined)
    return { year: year ?? '', month: Number(month), date: Number(date), rest: text.slice(whole.length) };
  const [parted, one, sign, other, inYear = ''] = PARTED.exec(text) ?? [];
  if (parted === undefined) return null;
  if (sign === '-' && inYear.length < 4) return null; // the year may stand first or last
  // a 12-hour clock (am, pm): its writer puts the month first
  const isSurely = sign === '/' && (Number(other) > MONTHS || HALF_DAYS.test(text));
  const isMonthFirst = sign !== '.' && Number(one) <= MONTHS && (order === 'month-first' || isSurely);
  const [day, ofYear] = isMonthFirst ? [other, one] : [one, other];
  return { year: inYear.padStart(4, '20'), month: Number(ofYear), date: Number(day), rest: text.slice(parted.length) };
}

function withName(text: string): Read | null {
  const [whole, date, name = '', year = ''] = DAY_AND_NAME.exec(text) ?? [];
  if (whole !== undefined)
    return { year: year.padStart(4, '20'), month: monthOf(name), date: Number(date), rest: text.slice(whole.length) };
  const [named, month = '', day, inYear = ''] = NAME_AND_DAY.exec(text) ?? [];
  return named === undefined
    ? null
    : { year: inYear, month: monthOf(month), date: Number(day), rest: text.slice(named.length) };
}

function compact(text: string): Read | null {
  const [whole, year = '', month, date] = COMPACT.exec(text) ?? [];
  return whole === undefined ? null : { year, month: Number(month), date: Number(date), rest: text.slice(8) };
}

/** A day with what stands behind it; null where that is no time. */
function judged({ year, month, date, rest }: Read): WrittenDay | null {
  const day = `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
  if (!DAY.test(day)) return null;
  const behind = rest.replace(YEAR_WORD, '');
  const time = TIME.exec(behind);
  const zone = ZONE.exec(behind.slice(time?.[0].length ?? 0).trimEnd());
  if (zone === null) return null;
  const [, name, sign, hours, minutes = '0'] = zone;
  if (time === null || (name === undefined && hours === undefined)) return { day };
  const [, hour, minute, second = '0', fraction = '0', half] = time;
  const inDay = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'p' ? 12 : 0);
  const ahead =
    hours === undefined
      ? name === 'мск' || name === 'msk'
        ? MOSCOW_MS
        : 0
      : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const clock = ((inDay * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(fraction.padEnd(3, '0'));
  return { moment: Date.parse(day) + clock - ahead };
}

/** A number of a spreadsheet, or a timestamp. */
function numbered(text: string): WrittenDay | null {
  if (SINCE_1970.test(text)) return { moment: Number(text.padEnd(13, '0')) };
  const days = SERIAL.test(text) ? Number(text.replace(',', '.')) : 0;
  const day = days >= FIRST_SERIAL && days < LAST_SERIAL ? momentInWords(days, false)?.slice(0, 10) : undefined;
  return day === undefined ? null : { day };
}

const folded = (cell: string): string =>
  heldText(cell.replaceAll(/\p{Cf}/gu, '').trim())
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Whether a date may mean two days: `11/12/2026`, without a time of a 12-hour clock. */
export function isUnclearDay(cell: string): boolean {
  const text = folded(cell);
  const [, one, sign, other] = PARTED.exec(text) ?? [];
  const isLow = Math.max(Number(one), Number(other)) <= MONTHS;
  return sign === '/' && Number(one) !== Number(other) && isLow && !HALF_DAYS.test(text);
}

/** A day, with a time or without. @param order how an unclear one is read */
export function dayCell(cell: string, order: DateOrder = 'day-first'): CellOf<WrittenDay> {
  const empty = emptiness(cell);
  if (empty === 'nothing') return null;
  const text = folded(cell).replace(WEEKDAY, '');
  const read = inDigits(text, order) ?? compact(text) ?? withName(text);
  const found = empty === null ? (read === null ? numbered(text) : judged(read)) : null;
  if (found !== null) return found;
  return empty !== null && empty !== 'absent' ? empty : misfit(cell, 'a day, as 30.11.2026');
}
