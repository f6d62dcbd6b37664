/** Idempotency keys, by which the device recognises an action that is sent again. */
import { ask, isDecided } from './api.js';
import { useDraft } from './drafts.js';

const BYTES = 12;

/** An id for the path of an action. A page of plain HTTP has no `crypto.randomUUID`. */
export const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const newKey = () => `console/${newId()}`;

/**
 * Sends an action that moves money. Where the outcome is unknown, the next try has the same key, so it is done once.
 * @param {string} name unique: names the action and the thing that it belongs to
 * @returns a POST, which throws a `CallError`
 */
export function useOnce(name) {
  const [key, setKey] = useDraft(`key of ${name}`, newKey);
  /** @template Answer @param {string} path @param {object} json @returns {Promise<Answer>} */
  const send = async (path, json) => {
    try {
      /** @type {Answer} */
      const answer = await ask(path, { method: 'POST', json, headers: { 'idempotency-key': key } });
      setKey(newKey());
      return answer;
    } catch (error) {
      if (isDecided(error)) setKey(newKey());
      throw error;
    }
  };
  return send;
}
