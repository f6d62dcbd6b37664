/** What a self-test says: the words of all pages, those of its own view, and those of codes. Few ask for them: not read before. */
import { codeWords } from './made-modules.ts';

const WORDS = {
  en: [
    () => import('../../console/pages/words/en/index.js'),
    () => import('../../console/pages/words/en/self-test.js'),
  ],
  ru: [
    () => import('../../console/pages/words/ru/index.js'),
    () => import('../../console/pages/words/ru/self-test.js'),
  ],
} as const;

export async function wordsIn(language: keyof typeof WORDS) {
  const [all, own] = await Promise.all(WORDS[language].map((load) => load()));
  return { ...all?.default, ...own?.default, ...codeWords(language) };
}
