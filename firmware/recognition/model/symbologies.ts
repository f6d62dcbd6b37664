/**
 * The kinds of codes that are read: our names, and the reader's. Trade item numbers (GTIN, GS1 General Specifications
 * 7.9): when two texts are the same number, and which number a scanned text means.
 */
import type { ReadInputBarcodeFormat, ReadOutputBarcodeFormat } from 'zxing-wasm/reader';

/** Lengths of trade item numbers. */
const GTIN_LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14]);
export const LONGEST_GTIN = 14;

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

/** GS1's separator, which ends an element of variable length. */
const SEPARATOR = '\u001d';
/** Lengths of elements of a fixed length, their identifiers included: GS1 General Specifications, figure 7.8.5-2. */
const FIXED_LENGTHS: readonly (readonly [beginning: RegExp, length: number])[] = [
  [/^00/, 20],
  [/^0[123]/, 16],
  [/^04/, 18],
  [/^1[1-9]/, 8],
  [/^20/, 4],
  [/^3[1-6]/, 10],
  [/^41/, 16],
];

/** The trade item number within the text of a GS1 symbol, after its application identifier 01; null where there is none. */
export function gtinIn(elements: string): string | null {
  for (let rest = elements; rest !== ''; ) {
    if (rest.startsWith(SEPARATOR)) rest = rest.slice(1);
    const [, gtin = ''] = /^01(\d{14})/.exec(rest) ?? [];
    if (gtin !== '') return isGtin(gtin) ? gtin : null;
    const [, fixed] = FIXED_LENGTHS.find(([beginning]) => beginning.test(rest)) ?? [];
    const end = rest.indexOf(SEPARATOR);
    if (fixed === undefined && end < 0) return null;
    rest = rest.slice(fixed ?? end);
  }
  return null;
}

/** The trade item number of a text with identifiers in brackets, as printed below a symbol; null where there is none. */
const gtinInBrackets = (text: string): string | null => {
  const [, gtin = ''] = /^(?:\(\d{2,4}\)[^()]*)*?\(01\)(\d{14})(?!\d)/.exec(text) ?? [];
  return isGtin(gtin) ? gtin : null;
};

const UPC_E = /^([01])(\d)(\d)(\d)(\d)(\d)(\d)(\d)$/;
/** The long form of a UPC-E: the last digit before the check digit says which zeros (GS1 General Specifications 5.2.2.4.2). */
function longOf(first: string, digits: readonly string[], check: string): string {
  const [a = '', b = '', c = '', d = '', e = '', last = ''] = digits;
  if (last <= '2') return `${first}${a}${b}${last}0000${c}${d}${e}${check}`;
  if (last === '3') return `${first}${a}${b}${c}00000${d}${e}${check}`;
  if (last === '4') return `${first}${a}${b}${c}${d}00000${e}${check}`;
  return `${first}${a}${b}${c}${d}${e}0000${last}${check}`;
}

/** The trade item number of the short form of UPC; null where the text is none. Eight digits of a valid EAN-8 are none. */
export function gtinOfShort(text: string): string | null {
  const [, first, ...rest] = UPC_E.exec(text) ?? [];
  if (first === undefined || isGtin(text)) return null;
  const long = longOf(first, rest.slice(0, -1), rest.at(-1) ?? '');
  return isGtin(long) ? long : null;
}

/** The prefix by which a hand scanner names a code's symbology (ISO/IEC 15424), and the blanks around a code. */
const SYMBOLOGY = /^\]([A-Za-z][0-9A-Za-z])/;
const EDGES = /^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu;
/** Identifiers of GS1's symbols (ISO/IEC 15424). */
export const GS1_SYMBOLS: ReadonlySet<string> = new Set([']C1', ']e0', ']d2', ']Q3']);
/** EAN-13 with an add-on behind it, as of a magazine. */
const WITH_ADD_ON = ']E3';
const EAN_13_LENGTH = 13;
/** Elements without their symbology: the number comes first, and other elements follow it. */
const BARE_ELEMENTS = new RegExp(`^${SEPARATOR}?01\\d{14}(?:${SEPARATOR}|\\d\\d|$)`);

/**
 * What a code means that a hand scanner has typed, a person has copied, or the camera has read: the trade item number of
 * its GS1 elements, its link or its short form, else the code without what the scanner has added.
 * @param isGs1 whether the symbol says that the text is GS1's elements; null where only the text can tell
 */
export function codeMeant(text: string, isGs1: boolean | null = null): string {
  const typed = text.replaceAll(EDGES, '');
  const symbol = SYMBOLOGY.exec(typed)?.[0] ?? '';
  const code = typed.slice(symbol.length).replaceAll(/\p{Cf}/gu, '');
  if (symbol === WITH_ADD_ON && isGtin(code.slice(0, EAN_13_LENGTH))) return code.slice(0, EAN_13_LENGTH);
  const areElements = isGs1 ?? (GS1_SYMBOLS.has(symbol) || BARE_ELEMENTS.test(code));
  const gtin = (areElements ? gtinIn(code) : null) ?? gtinOfLink(code) ?? gtinInBrackets(code) ?? gtinOfShort(code);
  return gtin ?? (code === '' ? typed : code);
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
