/**
 * The pages' words that the device itself needs, for papers and `lanectl`: of codes, banks and the console. They are
 * loaded late.
 */
import type { Language } from '../../drivers/lib/languages.ts';
import { codeWords } from './page-data.ts';

interface Script<Words> {
  readonly default: Readonly<Record<string, Words>>;
}

/** Names of the banks, for papers. */
export async function bankWords(language: Language): Promise<Readonly<Record<string, string>>> {
  const { default: words }: Script<string> = await import(`../banks/pages/words/${language}.js`);
  return words;
}

export async function wordsIn(language: Language) {
  const { default: shell }: Script<string | Readonly<Record<string, string>>> = await import(
    `../core/pages/words/${language}/shell.js`
  );
  return { ...shell, ...(await bankWords(language)), ...codeWords(language) };
}
