/** The language of a page that the device writes itself: what its address asks for, or else the browser. */
import Type from 'typebox';

const PAGE_LANGUAGES = Object.freeze(['ru', 'en'] as const);
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

export const LangField = Type.Optional(
  Type.Enum([...PAGE_LANGUAGES], {
    title: 'PageLanguage',
    description: 'of html and of a workbook; that of the browser when left out',
  }),
);

const isOurs = (name: string): name is PageLanguage => PAGE_LANGUAGES.some((language) => language === name);

/** The first of the languages that a reader wants and we have, else English. @param accepted header `Accept-Language` */
export function languageOf(accepted: string | undefined): PageLanguage {
  const parts = (accepted ?? '').split(',').filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part)); // wanted on no account
  const wanted = parts.map((part) => part.trim().slice(0, 2).toLowerCase());
  return wanted.find(isOurs) ?? 'en';
}
