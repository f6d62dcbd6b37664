/**
 * The languages of pages, papers and the device's messages. A new language is its line in each table here, and the
 * words: the folders `words/` of pages, each `words.ts`, and the records of codes; the type check names what is
 * missing.
 */
export const LANGUAGES = Object.freeze(['ru', 'en'] as const);
export type Language = (typeof LANGUAGES)[number];

/** Languages of the customer's screen. One that the screen alone has needs a line here, its locale and its `picture-words.js`. */
export const SCREEN_LANGUAGES = Object.freeze([...LANGUAGES] as const);
export type ScreenLanguage = (typeof SCREEN_LANGUAGES)[number];

/** What the customer's screen can be set to; both: Russian with English below it. */
export const DISPLAY_LANGUAGES = Object.freeze(['both', ...SCREEN_LANGUAGES] as const);
export type DisplayLanguage = (typeof DISPLAY_LANGUAGES)[number];

/** A text for each language. */
export type Texts<Text = string> = Readonly<Record<Language, Text>>;

/** How people write times and numbers: 24 hours in all. */
export const LOCALES: Readonly<Record<ScreenLanguage, string>> = Object.freeze({ ru: 'ru-RU', en: 'en-GB' });

/** The language for readers who ask for none of these; of logs, of the documents and of `lanectl`. */
export const DEFAULT_LANGUAGE: Language = 'en';

/** The language that the law and Excel in Russia require, whatever a person reads. */
export const RUSSIAN: Language = 'ru';

export const isLanguage = (name: unknown): name is Language => LANGUAGES.some((language) => language === name);

export const inEachLanguage = <Text>(of: (language: Language) => Text): Texts<Text> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Texts<Text>;
