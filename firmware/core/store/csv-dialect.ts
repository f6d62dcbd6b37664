/** How a CSV file that somebody sends is written: spreadsheets of different countries write it differently, and few say so. */
import { isUtf8 } from 'node:buffer';

/** Where two may be meant, the first: commas stand in amounts, and in words. */
const SEPARATORS = [';', '\t', ','] as const;
/** Lines of a file that are looked at for what separates its cells: above a table may stand a title, dates, an account. */
export const HEAD_LINES = 20;
/** The first line that Excel writes and reads where the separator is not that of the country. */
const EXCEL_SEPARATOR = /^sep=([^\r\n])(?=[\r\n])/i;
const QUOTED = /"[^"]*"/g;
/** Letters of most Russian words, а to п and А to Я, as cp866 has them; a space that does not break is 0xa0 in windows-1251. */
const isOfCp866 = (byte: number): boolean => byte >= 0x80 && byte <= 0xaf && byte !== 0xa0;
/** Letters that windows-1251 has there, and cp866 nothing that stands in a text. */
const isOfWindows = (byte: number): boolean => (byte >= 0xb0 && byte <= 0xdf) || byte >= 0xf2;

/** Russian letters of one byte each are those of Windows, or those of DOS, which older programs of shops still write. */
function encodingOfLetters(bytes: Uint8Array): string {
  let lead = 0;
  for (const byte of bytes) {
    if (isOfCp866(byte)) lead += 1;
    if (isOfWindows(byte)) lead -= 1;
  }
  return lead > 0 ? 'ibm866' : 'windows-1251';
}

/** Returns the name of its encoding, as `TextDecoder` knows it: UTF-8 where all of it is so. */
export function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : encodingOfLetters(bytes);
}

/** Whether the first line only names what separates the cells of the others. */
export const beginsWithSeparator = (text: string): boolean => EXCEL_SEPARATOR.test(text.replace(/^\ufeff/, ''));

/** How many of some lines a sign cuts into as many cells as most of them, and into two at least. */
function agreeing(lines: readonly string[], sign: string): number {
  const counts = lines.map((line) => line.split(sign).length).filter((count) => count > 1);
  return Math.max(0, ...counts.map((count) => counts.filter((other) => other === count).length));
}

/** Returns what its first line names, else what cuts most lines of its beginning alike. */
export function separatorOf(text: string): string {
  const beginning = text.trimStart();
  const [, named] = EXCEL_SEPARATOR.exec(beginning) ?? [];
  if (named !== undefined) return named;
  const lines = beginning.replaceAll(QUOTED, '').split(/[\r\n]+/, HEAD_LINES);
  const counted = SEPARATORS.map((separator) => ({ separator, count: agreeing(lines, separator) }));
  return counted.reduce((best, each) => (each.count > best.count ? each : best)).separator;
}

/** Before an amount, or behind it: `100 р. 50` is none. */
const CURRENCY = /^(?:₽|руб\.?|р\.|RUB|RUR)|(?:₽|руб\.?|р\.|RUB|RUR)$/gi;
const withoutCurrency = (text: string): string => text.trim().replaceAll(CURRENCY, '').trim();
const MINUS = /^[-\u2212\u2013]\s*/;
/** What stands between thousands: a full stop or a comma, a space of any width, an apostrophe; the same all along. */
const GROUPED = /^[1-9]\d{0,2}(?:([., '])\d{3})(?:\1\d{3})*$/;
/** One sign with three digits behind it: `1,500` is one and a half to some, and a thousand and a half to others. */
const IN_TWO_WAYS = /^[1-9]\d{0,2}[.,]\d{3}$/;
const GAPS = /[., ']/g;

/** Whole and fraction, by the sign that stands last; null where either is unclear. */
function parted(digits: string): readonly [whole: string, fraction: string] | null {
  if (IN_TWO_WAYS.test(digits)) return null;
  if (GROUPED.test(digits)) return [digits.replaceAll(GAPS, ''), ''];
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (at < 0) return /^\d+$/.test(digits) ? [digits, ''] : null;
  const [whole, sign, fraction] = [digits.slice(0, at), digits[at] ?? '', digits.slice(at + 1)];
  if (/^\d*$/.test(whole)) return [whole, fraction];
  return GROUPED.test(whole) && !whole.includes(sign) ? [whole.replaceAll(GAPS, ''), fraction] : null;
}

/**
 * An amount as spreadsheets and bookkeepers write it: `1 234,56`, `1'234.56`, `1,234.56`, `1.234,56`, `-5`, and `(5,00)` for what
 * went out. What may be read in two ways is none.
 * @returns digits with a full stop and perhaps a minus, which may still be no amount
 */
export function amountInDigits(cell: string): string | null {
  const plain = withoutCurrency(cell.replaceAll(/\s+/g, ' ').replaceAll(/[’ʼ]/g, "'"));
  const [, inBrackets] = /^\((.*)\)$/.exec(plain) ?? [];
  const bare = withoutCurrency(inBrackets ?? plain);
  const isNegative = inBrackets !== undefined || MINUS.test(bare);
  const parts = parted(withoutCurrency(bare.replace(MINUS, '')));
  if (parts === null) return null;
  const [whole, fraction] = parts;
  return `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
