/** The language of a page that the device writes itself: what its address asks for, or else the browser. */
import Type from 'typebox';
import { DEFAULT_LANGUAGE, isLanguage, LANGUAGES, type Language } from '../../../drivers/lib/languages.ts';

export const LangField = Type.Optional(
  Type.Enum([...LANGUAGES], {
    title: 'PageLanguage',
    description: 'of html and of a workbook; that of the browser when left out',
  }),
);

/** The first of the languages that a reader wants and we have, else the default. @param accepted header `Accept-Language` */
export function languageOf(accepted: string | undefined): Language {
  const parts = (accepted ?? '').split(',').filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part)); // wanted on no account
  const wanted = parts.map((part) => part.trim().slice(0, 2).toLowerCase());
  return wanted.find(isLanguage) ?? DEFAULT_LANGUAGE;
}
