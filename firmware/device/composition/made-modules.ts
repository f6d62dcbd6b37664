/**
 * What the pages read of the records of codes: the words of each, by one language. The modules are in no folder: in a clone the
 * device makes them for a browser, a release has them made (`scripts/bundle/pages.mjs`).
 */
import type { ErrorRecord, Texts } from '../../../drivers/lib/records.ts';
import { BANK_ERRORS } from '../../banks/error-records.ts';
import { ORIGINAL_ERRORS } from '../../banks/original-error-records.ts';
import { PAYMENT_ERRORS } from '../../banks/payment-error-records.ts';
import { ACCESS_ERRORS } from '../../core/access/error-records.ts';
import { DEVICE_ERRORS } from '../../core/host/error-records.ts';
import { COMMON_ERRORS } from '../../core/http/error-records.ts';
import { FEATURE_ERRORS } from '../../features.ts';
import { RECOGNITION_ERRORS } from '../../recognition/error-records.ts';

const ERRORS = {
  ...COMMON_ERRORS,
  ...ORIGINAL_ERRORS,
  ...BANK_ERRORS,
  ...PAYMENT_ERRORS,
  ...RECOGNITION_ERRORS,
  ...ACCESS_ERRORS,
  ...FEATURE_ERRORS,
  ...DEVICE_ERRORS,
} satisfies Readonly<Record<string, ErrorRecord>>;

/** What pages say of each code that they meet. */
export const codeWords = (language: keyof Texts): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(ERRORS).flatMap(([code, { page }]) => (page === null ? [] : [[`problem.${code}`, page[language]]])),
  );

const allWords = (language: keyof Texts): string =>
  `import words from './index.js';\nexport default { ...words, ...${JSON.stringify(codeWords(language))} };\n`;

/** By their names among the pages. */
export const MADE_MODULES: ReadonlyMap<string, () => string> = new Map([
  ['words/en/all.js', () => allWords('en')],
  ['words/ru/all.js', () => allWords('ru')],
]);
