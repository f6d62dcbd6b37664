/** A key by which the device recognises an action that is sent again. */
import { ask, isDecided } from './api.js';
import { useDraft } from './drafts.js';

const BYTES = 12;

/** An id for the path of an action. `crypto.randomUUID` is not there on a page of plain HTTP. */
export const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const newKey = () => `console/${newId()}`;

/**
 * Sends an action that moves money. One whose outcome is unknown is the same one when it is sent again.
 * @param {string} name of the action and of what it belongs to: other than every other one
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
