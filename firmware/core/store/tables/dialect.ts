/** How a table of text is written: spreadsheets of different countries write it differently, and few say so. */
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

/** What is decoded at once. */
const PIECE_BYTES = 64 * 1024;
/** What DOS ends a text with, and what stands behind it in records of one length. */
const isFilling = (byte: number | undefined): boolean => byte === 0x1a || byte === 0;

/** Its text, a piece at a time. */
export function* piecesOf(bytes: Uint8Array): Generator<string> {
  const encoding = encodingOf(bytes);
  let end = bytes.length;
  while (!encoding.startsWith('utf-16') && isFilling(bytes[end - 1])) end -= 1;
  const decoder = new TextDecoder(encoding);
  for (let at = 0; at < end; at += PIECE_BYTES)
    yield decoder.decode(bytes.subarray(at, Math.min(end, at + PIECE_BYTES)), { stream: true });
}
