/** The text of a table in CSV: its encoding, its separator, and lines that a program has drawn around it. */
import { isUtf8 } from 'node:buffer';
import { likeliestEncoding } from './russian-letters.ts';

/** Bytes of most Russian letters in cp866: А to Я and а to п. Not 0xa0, a non-breaking space in windows-1251. */
const isOfCp866 = (byte: number): boolean => byte >= 0x80 && byte <= 0xaf && byte !== 0xa0;
/** Bytes that are letters in windows-1251, and no text in cp866. */
const isOfWindows = (byte: number): boolean => (byte >= 0xb0 && byte <= 0xdf) || byte >= 0xf2;

/** The encoding of one-byte Russian letters: of Windows, DOS, which older shop programs still write, or Unix. */
function encodingOfLetters(bytes: Uint8Array): string {
  let lead = 0;
  for (const byte of bytes) {
    if (isOfCp866(byte)) lead += 1;
    if (isOfWindows(byte)) lead -= 1;
  }
  return lead > 0 ? 'ibm866' : likeliestEncoding(bytes, 'windows-1251', ['koi8-r', 'iso-8859-5']);
}

const isContinued = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte < 0xc0;
/** Bytes of a character of UTF-8, by the first of them; 0 for none. */
function lengthOfUtf8(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Whether a text is UTF-8 that is broken somewhere: most of what is no ASCII in it are whole characters of UTF-8. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  let lead = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOfUtf8(bytes[at] ?? 0);
    const isWhole = length > 0 && bytes.subarray(at + 1, at + length).every(isContinued) && at + length <= bytes.length;
    if (length !== 1) lead += isWhole ? 1 : -1;
    at += isWhole ? length : 1;
  }
  return lead > 0;
}

const MARKS: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xef, 0xbb, 0xbf], 'utf-8'],
];

/**
 * The name of a text's encoding for `TextDecoder`, settled by a byte order mark. A text that is broken at one place is
 * not of another encoding: the decoder leaves � there, which {@link emptiness} finds in the cell.
 */
export function encodingOf(bytes: Uint8Array): string {
  const [, marked] = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [];
  if (marked !== undefined) return marked;
  return isUtf8(bytes) || isMostlyUtf8(bytes) ? 'utf-8' : encodingOfLetters(bytes);
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
  const cut = decoder.decode(); // a character that the file ends within
  if (cut !== '') yield cut;
}

/** Separators; the first counts where two fit: commas occur in amounts and in words, a | between the barcodes of a cell. */
const SEPARATORS = [';', '\t', ',', '|'] as const;
/** Lines checked for the separator: above a table may be a title, dates, an account. */
export const HEAD_LINES = 20;
/** The first line with which Excel names a separator other than the country's. */
const EXCEL_SEPARATOR = /^sep=([^\r\n])(?=[\r\n])/i;
const QUOTED = /"[^"]*"/g;
/** A line that stands in quotation marks as a whole: its own ones are doubled. */
const QUOTED_LINE = /^"((?:[^"\r\n]|"")*)"$/gm;

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
  const bare = beginning.replaceAll(QUOTED_LINE, (_, line: string) => line.replaceAll('""', '"'));
  const lines = bare.replaceAll(QUOTED, '').split(/[\r\n]+/, HEAD_LINES);
  const counted = SEPARATORS.map((separator) => ({ separator, count: agreeing(lines, separator) }));
  return counted.reduce((best, each) => (each.count > best.count ? each : best)).separator;
}

/** The lines that `psql` and `mysql` draw around a table, and the count below it. */
const DRAWN = /^[-+=:\s]*--[-+=:\s]*$|^\(\d+ (?:rows?|строк\p{L}?)\)$/u;
/** Whether a line of a table with a | between its cells is only drawn, and has no values. */
export const isDrawn = (cells: readonly string[]): boolean => DRAWN.test(cells.join(''));
