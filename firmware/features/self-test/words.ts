/** What the report says, and `lanectl` while it walks: the texts of its page, beside those that all pages share. */
import type { Language } from '../../../drivers/lib/records.ts';
import type { Dictionary } from './report.ts';

const OWN = { en: () => import('./page/late-words/en.js'), ru: () => import('./page/late-words/ru.js') };

export async function wordsIn(
  language: Language,
  shared: (language: Language) => Promise<Dictionary>,
): Promise<Dictionary> {
  return { ...(await shared(language)), ...(await OWN[language]()).default };
}
