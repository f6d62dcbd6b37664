/** Which pieces say a payment, in their order: the grammar of sums, for every language of `words.ts`. */
import { inEachLanguage, type Language, LOCALES } from '../../../drivers/lib/languages.ts';
import { type PieceKey, VOICE_WORDS } from './words.ts';

/** The chime is made by a formula: no voice has a file of it. */
export const CHIME: PieceKey = 'chime';
/** Below this many roubles a sum can be said. */
const SAYABLE_ROUBLES = 1_000_000_000;

const PLURALS = inEachLanguage((language) => new Intl.PluralRules(LOCALES[language]));
/** The feminine nouns, where a language has genders. */
const FEMININE: ReadonlySet<string> = new Set(['thousand', 'kopeck']);

/** The hundreds, tens and units of 1 to 999, in the gender of their noun. */
function numerals(language: Language, count: number, noun: string): PieceKey[] {
  const isFeminine = FEMININE.has(noun);
  const teens = count % 100 < 20;
  const parts = [count - (count % 100), teens ? 0 : (count % 100) - (count % 10), count % (teens ? 100 : 10)];
  return parts
    .filter((part) => part > 0)
    .map((part) => (isFeminine && `${part}-feminine` in VOICE_WORDS[language] ? `${part}-feminine` : String(part)));
}

/** The form of a noun after a number. */
function nounForm(language: Language, name: string, count: number): PieceKey {
  return name in VOICE_WORDS[language] ? name : `${name}-${PLURALS[language].select(count)}`;
}

/** A number with its noun; nothing for 0. */
function counted(language: Language, name: string, count: number): PieceKey[] {
  if (count === 0) return [];
  const [millions, thousands, rest] = [Math.floor(count / 1e6), Math.floor(count / 1000) % 1000, count % 1000];
  return [
    ...(millions > 0 ? [...numerals(language, millions, 'million'), nounForm(language, 'million', millions)] : []),
    ...(thousands > 0 ? [...numerals(language, thousands, 'thousand'), nounForm(language, 'thousand', thousands)] : []),
    ...numerals(language, rest, name),
    nounForm(language, name, count),
  ];
}

/** Says a sum in roubles and kopecks, without a part that is zero. Throws a RangeError for what is no sum, and from a milliard roubles on. */
export function sumInPieces(language: Language, kopecks: number): readonly PieceKey[] {
  if (!Number.isSafeInteger(kopecks) || kopecks < 1 || kopecks >= SAYABLE_ROUBLES * 100)
    throw new RangeError(`no sum that can be said: ${kopecks} kopecks`);
  return [...counted(language, 'rouble', Math.floor(kopecks / 100)), ...counted(language, 'kopeck', kopecks % 100)];
}

/** Where money is not real, "test" comes first, of a chime too. */
const afterTest = (isTest: boolean, pieces: readonly PieceKey[]): readonly PieceKey[] =>
  isTest ? ['test', ...pieces] : pieces;

/** "Paid", and the sum. */
export const announcement = (
  language: Language,
  kopecks: number,
  { isTest }: { readonly isTest: boolean },
): readonly PieceKey[] => afterTest(isTest, ['paid', ...sumInPieces(language, kopecks)]);

/** The chime alone, where a shop wants no sum said. */
export const chimeAlone = ({ isTest }: { readonly isTest: boolean }): readonly PieceKey[] => afterTest(isTest, [CHIME]);
