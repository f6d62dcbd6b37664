/**
 * The words of the pages, in the reader's language. The device sends codes and numbers; the pages have the words, and
 * write numbers and times by `Intl`. Each language's words are a script, as most people read one language.
 */
import { DEFAULT_LANGUAGE, LANGUAGES, LOCALES } from '/console/assets/languages.js';
import { html } from '/console/assets/preact.js';
import { keep, kept } from './browser-parts.js';
import { Signal, useSignal } from './signal.js';
import { writerOf } from './writing.js';

/** @import { Language, Texts } from '../../../../drivers/lib/languages.ts' */
/** @template Script @typedef {Script extends {default: infer Words} ? keyof Words : never} KeysOf */
/**
 * `npm run generate` names the keys of all folders of pages.
 * @typedef {KeysOf<PageWords> | `problem.${string}` | `reason.${string}`} WordKey
 */
/** @typedef {Readonly<Record<string, string | number>>} Parameters */
/**
 * A text, or a text for each plural form of `n`. In Russian `one` is also the form of 21; `single` is for 1 alone.
 * @typedef {string | Readonly<Partial<Record<Intl.LDMLPluralRule | 'single', string>> & { other: string }>} Words
 */

/** @typedef {Readonly<Partial<Record<WordKey, Words>>>} Dictionary */
/** @typedef {(language: Language) => Promise<{default: Dictionary}>} Script */

/** Loads the words of all pages. @type {Script} */
const SCRIPT = (language) => import(`/console/assets/words/${language}.js`);
/** Words of the languages that were loaded. @type {Partial<Record<Language, Dictionary>>} */
const WORDS = {};
/** @template Made @param {(language: Language) => Made} of */
const inEach = (of) =>
  /** @type {Texts<Made>} */ (Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])));
/** Made once, as making them is slow. */
const RULES = inEach((language) => new Intl.PluralRules(LOCALES[language]));
const STORED_AS = 'laneware.language';

/** @param {string | null | undefined} name @returns {name is Language} */
const isLanguage = (name) => LANGUAGES.some((language) => language === name);

/** The language chosen in this browser, else the browser's own. @returns {Language} */
function firstLanguage() {
  const before = kept(STORED_AS);
  if (isLanguage(before)) return before;
  const wanted = navigator.languages.map((name) => name.slice(0, 2)).find(isLanguage);
  return wanted ?? DEFAULT_LANGUAGE;
}

/** @param {Language} of */
export async function loadWords(of) {
  WORDS[of] ??= (await SCRIPT(of)).default;
}

const language = new Signal(firstLanguage());
document.documentElement.lang = language.value;
/** Settles when the first words are loaded; nothing can be drawn before. */
export const firstWords = loadWords(language.value);

let chosen = language.value;

/** @param {Language} wanted */
export async function chooseLanguage(wanted) {
  chosen = wanted;
  keep(STORED_AS, wanted);
  await loadWords(wanted);
  // another language may have been chosen meanwhile
  if (chosen !== wanted) return;
  document.documentElement.lang = wanted;
  language.set(wanted);
}

/** @param {string} text @param {Parameters} parameters */
const filled = (text, parameters) =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name) => (name in parameters ? String(parameters[name]) : whole));

/** @param {Language} of @param {WordKey} key @param {Parameters} parameters `n` chooses the form of a number */
function textFor(of, key, parameters) {
  const words = WORDS[of]?.[key] ?? '';
  if (typeof words === 'string') return filled(words, parameters);
  const n = Number(parameters.n);
  const single = n === 1 ? words.single : undefined;
  return filled(single ?? words[RULES[of].select(n)] ?? words.other, parameters);
}

/**
 * @typedef {object} Speaker
 * @property {(key: WordKey, parameters?: Parameters) => string} t
 * @property {(key: string) => key is WordKey} has for keys that are made of the device's codes
 * @property {(kind: string, code: string) => string} nameOf the words for a code; the code itself where it has none, as
 *   one of a later release
 */

/** @param {() => Language} of */
function translatorOf(of) {
  const localeOf = () => LOCALES[of()];
  /** @type {Speaker} */
  const speaker = {
    t: (key, parameters = {}) => textFor(of(), key, parameters),
    /** @returns {key is WordKey} */
    has: (key) => Object.hasOwn(WORDS[of()] ?? {}, key),
    nameOf(kind, code) {
      const key = `${kind}.${code}`;
      return speaker.has(key) ? speaker.t(key) : code;
    },
  };
  return {
    get language() {
      return of();
    },
    get locale() {
      return localeOf();
    },
    ...speaker,
    ...writerOf(localeOf, speaker.t),
  };
}
export const TRANSLATORS = inEach((language) => translatorOf(() => language));

/** @typedef {ReturnType<typeof translatorOf>} Translator */

/** @returns {Translator} */
export const useWords = () => TRANSLATORS[useSignal(language)];

/** Functions that write in the present language: a change of the language redraws the whole page. */
const { t, has, nameOf, roubles, number, size, time, countdown, uptime } = translatorOf(() => language.value);

export { countdown, has, nameOf, number, roubles, size, t, time, uptime };

/** The buttons that choose the language, on every page. */
export function Languages() {
  const { language } = useWords();
  return html`<div class="languages" role="group" aria-label=${t('language')}>
    ${[...LANGUAGES].sort().map(
      (name) =>
        html`<button
          type="button"
          key=${name}
          lang=${name}
          aria-pressed=${String(name === language)}
          onClick=${() => chooseLanguage(name)}
        >${name.toUpperCase()}</button>`,
    )}
  </div>`;
}
