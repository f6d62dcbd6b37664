/** Sums in words as two packages and this say them: what a voice says is compared with them. */
import { toCardinal } from 'n2words/en-US';
import { toCurrency } from 'n2words/ru-RU';
import numberToWordsRu from 'number-to-words-ru';
import type { Language } from '../../../drivers/lib/languages.ts';
import { sumInPieces } from '../../../firmware/features/voice/announcement.ts';
import { VOICE_WORDS } from '../../../firmware/features/voice/words.ts';

/** What is heard of a sum. */
export const heard = (language: Language, kopecks: number): string =>
  sumInPieces(language, kopecks)
    .map((key) => VOICE_WORDS[language][key] ?? `(no piece ${key})`)
    .join(' ');

const inRoubles = (kopecks: number): string => `${Math.floor(kopecks / 100)}.${String(kopecks % 100).padStart(2, '0')}`;

export const byN2words = (kopecks: number): string => toCurrency(inRoubles(kopecks), { and: false });

/** This package says "ноль рублей" and "ноль копеек", too, which a voice leaves out. */
export const byNumberToWordsRu = (kopecks: number): string =>
  numberToWordsRu
    .convert(inRoubles(kopecks), { convertNumberToWords: { fractional: true } })
    .toLowerCase()
    .replace(/^ноль рублей /, '')
    .replace(/ ноль копеек$/, '');

/** English packages know no roubles. */
export const inEnglish = (kopecks: number): string =>
  [[Math.floor(kopecks / 100), 'rouble'] as const, [kopecks % 100, 'kopeck'] as const]
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${toCardinal(count).replaceAll('-', ' ')} ${noun}${count === 1 ? '' : 's'}`)
    .join(' ');
