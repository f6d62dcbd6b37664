/**
 * The layout of the codes that a scale of the shop prints: EAN-13 of the prefixes 20 to 29, which GS1 leaves to each
 * shop (GS1 General Specifications, restricted circulation numbers). A layout names each of the 13 digits by a letter.
 */
import Type from 'typebox';
import { GRAMS, KOPECKS, patternWithMessage } from '../../core/schema/index.ts';
import { checkDigitOf, isGtin } from './symbologies.ts';

/** Number of digits of a code. */
const LENGTH = 13;
/** The numbers of digits that a PLU, a weight or a price may have. */
const RUNS = [4, 5, 6] as const;
/** The largest number that the longest run holds; a label of 0 says nothing. */
const PRINTED = { minimum: 1, maximum: 10 ** Math.max(...RUNS) - 1 };
export const GRAMS_PRINTED = Object.freeze({ ...GRAMS, ...PRINTED });
export const KOPECKS_PRINTED = Object.freeze({ ...KOPECKS, ...PRINTED });
/** The part between prefix and check digit: PLU and amount, and before either of them the rest of the ten digits. */
const MIDDLES = RUNS.flatMap((plu) =>
  RUNS.flatMap((amount) =>
    [0, 1, 2]
      .filter((before) => plu + amount + before <= LENGTH - 3)
      .map((before) => {
        const between = LENGTH - 3 - plu - amount - before;
        return `[0-9X]{${before}}I{${plu}}[0-9XV]{${between}}(?:W{${amount}}|P{${amount}})`;
      }),
  ),
);
const LAYOUT = `^2[0-9X](?:${MIDDLES.join('|')})C$`;

export const PrintedLayout = Type.String({
  title: 'PrintedLayout',
  pattern: patternWithMessage(
    LAYOUT,
    'must have 13 characters, as 21IIIIIWWWWWC: a 2 and the next digit of the codes, I for the PLU, W for grams or P for kopecks, C for the check digit at the end; X is any digit, V a check digit of weight or price',
  ),
  description:
    'digits as they are; I: the PLU; W: grams, or P: kopecks; X: any digit; V: the check digit of weight or price, which is not checked; C: the check digit',
});

/** The content of a code. */
export interface Printed {
  /** Digits of the PLU with its leading zeros. */
  readonly plu: string;
  /** Grams; null where the code has a price. */
  readonly weight: number | null;
  /** Kopecks for the whole label; null where the code has a weight. */
  readonly price: number | null;
}

export const hasCheckDigit = (text: string): boolean => text.length === LENGTH && isGtin(text);

const fits = (layout: string, code: string): boolean =>
  [...layout].every((letter, at) => !/\d/.test(letter) || letter === code[at]);

const digitsOf = (layout: string, code: string, letter: string): string =>
  [...code].filter((_, at) => layout[at] === letter).join('');

/** Reads a code; null where it is of another layout. @param code 13 digits */
export function readPrinted(layout: string, code: string): Printed | null {
  if (!fits(layout, code)) return null;
  const numberOf = (letter: 'W' | 'P'): number | null => {
    const digits = digitsOf(layout, code, letter);
    return digits === '' ? null : Number(digits);
  };
  return { plu: digitsOf(layout, code, 'I'), weight: numberOf('W'), price: numberOf('P') };
}

/** A code of the layout; null where the PLU is no number, or too long for it. @param amount grams or kopecks */
export function printedAs(layout: string, plu: string, amount: number): string | null {
  const runOf = (letter: string): number => [...layout].filter((one) => one === letter).length;
  if (!/^\d+$/.test(plu) || plu.length > runOf('I')) return null;
  const filled = layout
    .slice(0, -1)
    .replace(/I+/, (run) => plu.padStart(run.length, '0'))
    .replace(/[WP]+/, (run) => String(amount).padStart(run.length, '0').slice(-run.length))
    .replaceAll(/[XV]/g, '0');
  return `${filled}${checkDigitOf(filled)}`;
}
