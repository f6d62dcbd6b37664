/** What all pages say of codes, banks and the device. Few ask for them: not read before. */
import { codeWords } from './page-data.ts';

const WORDS = {
  en: () => Promise.all([import('../../core/pages/words/en/shell.js'), import('../../banks/pages/words/en.js')]),
  ru: () => Promise.all([import('../../core/pages/words/ru/shell.js'), import('../../banks/pages/words/ru.js')]),
} as const;

export async function wordsIn(language: keyof typeof WORDS) {
  const [shell, banks] = await WORDS[language]();
  return { ...shell.default, ...banks.default, ...codeWords(language) };
}
