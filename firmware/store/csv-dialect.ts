/** How a CSV file that somebody sends is written: spreadsheets of different countries write it differently, and say so nowhere. */
import { isUtf8 } from 'node:buffer';

const SEPARATORS = [';', ',', '\t'] as const;

/** Returns the name of its encoding: UTF-8 where all of it is so, else windows-1251, in which any bytes are letters. */
export function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1251';
}

/** Returns what the first line that says something is cut by most often. */
export function separatorOf(text: string): string {
  const [first = ''] = text.trimStart().split(/[\r\n]/, 1);
  const counted = SEPARATORS.map((separator) => ({ separator, count: first.split(separator).length }));
  return counted.reduce((best, each) => (each.count > best.count ? each : best)).separator;
}
