/** A message, kept as its key and values: the language may be changed while it is shown. @import { Sayer, WordKey } from './language.js' */
import { useState } from '/console/assets/preact.js';
import { useWords } from './language.js';

/** @typedef {WordKey | ((words: Sayer) => string)} Said a function where the words have parameters */

/** @param {Sayer} words @param {Said | null | undefined} said @returns {string} empty where nothing is said */
export function messageFor(words, said) {
  if (said == null) return '';
  return typeof said === 'string' ? words.t(said) : said(words);
}

/** @returns {[string, (said: Said | null) => void]} in the language of the moment */
export function useSaid() {
  const words = useWords();
  const [held, setHeld] = useState(/** @type {{said: Said | null}} */ ({ said: null }));
  return [messageFor(words, held.said), (said) => setHeld({ said })];
}
