/**
 * Messages about the outcome of an action. Each is stored as its key and values: the language may change while it is shown.
 * @import { Translator, WordKey } from './language.js'
 */
import { useState } from '/console/assets/preact.js';
import { useWords } from './language.js';

/** @typedef {WordKey | ((words: Translator) => string)} Said a message; a function where the words have parameters */

/** @param {Translator} words @param {Said | null | undefined} said @returns {string} empty where there is no message */
export function messageFor(words, said) {
  if (said == null) return '';
  return typeof said === 'string' ? words.t(said) : said(words);
}

/** @returns {[string, (said: Said | null) => void]} the message in the present language, and a setter */
export function useMessage() {
  const words = useWords();
  const [message, setMessage] = useState(/** @type {{said: Said | null}} */ ({ said: null }));
  return [messageFor(words, message.said), (said) => setMessage({ said })];
}
