/**
 * The kinds of codes that are read: our names, and the reader's. Trade item numbers (GTIN, GS1 General Specifications
 * 7.9), and when two texts are the same code.
 */
import type { ReadInputBarcodeFormat, ReadOutputBarcodeFormat } from 'zxing-wasm/reader';

/** Lengths of trade item numbers. */
const GTIN_LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14]);
const LONGEST_GTIN = 14;

/** Whether a text has the length and the digits of a trade item number; the check digit is not checked. */
export const isGtinLong = (text: string): boolean => GTIN_LENGTHS.has(text.length) && /^\d+$/.test(text);

/** The check digit of the other digits: weights of 3 and 1 from the right. @param others all digits but the last */
export function checkDigitOf(others: string): number {
  let total = 0;
  for (let at = 0; at < others.length; at++) total += Number(others.at(-1 - at)) * (at % 2 === 0 ? 3 : 1);
  return (10 - (total % 10)) % 10;
}

export const isGtin = (text: string): boolean =>
  isGtinLong(text) && Number(text.at(-1)) === checkDigitOf(text.slice(0, -1));

/** One key for all spellings of a code: zeros before a trade item number change nothing. */
export const keyOf = (text: string): string => (isGtin(text) ? text.padStart(LONGEST_GTIN, '0') : text);

/** All spellings of the text's trade item number; the text alone where it is none. */
export function spellingsOf(text: string): string[] {
  if (!isGtin(text)) return [text];
  const digits = keyOf(text);
  return [...GTIN_LENGTHS]
    .map((length) => digits.slice(-length))
    .filter((spelling) => spelling.padStart(LONGEST_GTIN, '0') === digits);
}

/** Source: GS1 Digital Link Standard, URI syntax: the trade item is named by `01` in the path, on any host. */
const LINK = /^https?:\/\/[^?#]*\/(?:01|gtin)\/(\d+)(?:[/?#]|$)/i;

/** The trade item number that a GS1 Digital Link names; null where there is none. */
export function gtinOfLink(text: string): string | null {
  const [, gtin = ''] = LINK.exec(text) ?? [];
  return isGtin(gtin) ? gtin : null;
}

/** The trade item number within the text of a GS1 symbol, after its application identifier 01; null where there is none. */
export function gtinIn(elements: string): string | null {
  const [, gtin = ''] = /^01(\d{14})/.exec(elements) ?? [];
  return isGtin(gtin) ? gtin : null;
}

export const SYMBOLOGIES = Object.freeze({
  'ean-13': 'EAN-13, and UPC-A, which is one with a 0 before it',
  'ean-8': 'EAN-8',
  'upc-e': 'UPC-E, returned as the number that it stands for',
  'itf-14': 'ITF-14, of a carton',
  'code-128': 'Code 128',
  'gs1-databar': 'GS1 DataBar',
  qr: 'QR',
  datamatrix: 'DataMatrix',
});
export type Symbology = keyof typeof SYMBOLOGIES;

/** Kinds of bar codes that are read. */
export const WANTED_BARS: readonly ReadInputBarcodeFormat[] = Object.freeze([
  'EAN13',
  'EAN8',
  'UPCA',
  'UPCE',
  'ITF14',
  'Code128',
  'DataBarOmni',
  'DataBarStk',
  'DataBarStkOmni',
  'DataBarLtd',
  'DataBarExp',
  'DataBarExpStk',
]);

/** All kinds of codes that are read. */
export const WANTED: readonly ReadInputBarcodeFormat[] = Object.freeze([...WANTED_BARS, 'QRCode', 'DataMatrix']);

const NAMES: Readonly<Partial<Record<ReadOutputBarcodeFormat, Symbology>>> = Object.freeze({
  EAN13: 'ean-13',
  UPCA: 'ean-13',
  EAN8: 'ean-8',
  UPCE: 'upc-e',
  ITF: 'itf-14',
  ITF14: 'itf-14',
  Code128: 'code-128',
  DataBarOmni: 'gs1-databar',
  DataBarStk: 'gs1-databar',
  DataBarStkOmni: 'gs1-databar',
  DataBarLtd: 'gs1-databar',
  DataBarExp: 'gs1-databar',
  DataBarExpStk: 'gs1-databar',
  QRCode: 'qr',
  QRCodeModel2: 'qr',
  DataMatrix: 'datamatrix',
});

/** Our name of a kind; null where it is not one that is read. */
export const symbologyOf = (format: ReadOutputBarcodeFormat): Symbology | null => NAMES[format] ?? null;

/** Whether two different codes of this kind on a tray mean two items. */
export const isOfTrade = (symbology: Symbology): boolean =>
  symbology === 'ean-13' || symbology === 'ean-8' || symbology === 'upc-e' || symbology === 'gs1-databar';
