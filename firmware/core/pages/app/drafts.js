/**
 * What a person has typed or begun at a page: texts that outlive the session, texts that are not saved yet, and actions
 * that are sent again with the same key.
 */
import { useEffect, useLayoutEffect, useRef, useState } from '/console/assets/preact.js';
import { ask, isDecided } from './api.js';

// Texts stay in this window only, until it is closed or the person signs out. Another role's sign-in deletes them.

/** Role to which the stored texts belong; null before a sign-in, and after a sign-out. @type {string | null} */
let owner = null;
let isOver = false;
/** @type {Map<string, unknown>} */
const values = new Map();

/** @param {string | null} role who is signed in @param {boolean} isOut whether a sign-in is needed and missing */
export function assignDraftsTo(role, isOut) {
  isOver = isOut;
  if (role === null || role === owner) return;
  values.clear();
  owner = role;
}

export function dropDrafts() {
  values.clear();
  owner = null;
}

/** @template Value @param {string} name @param {Value | (() => Value)} first @returns {Value} */
function restored(name, first) {
  if (!values.has(name)) return first instanceof Function ? first() : first;
  const value = /** @type {Value} */ (values.get(name));
  values.delete(name);
  return value;
}

/**
 * `useState` for typed text, which outlives the session: when the person signs in again, the text is restored.
 * @template Value
 * @param {string} name unique: names the field and the thing that it belongs to
 * @param {Value | (() => Value)} first
 * @returns {[Value, (value: Value | ((before: Value) => Value)) => void]}
 */
export function useDraft(name, first) {
  const [value, setValue] = useState(() => restored(name, first));
  const latest = useRef(value);
  latest.current = value;
  useEffect(
    () => () => {
      if (isOver && owner !== null) values.set(name, latest.current);
    },
    [name],
  );
  return [value, setValue];
}

/** How many forms have unsaved text. */
let forms = 0;

/** @param {Event} event */
const askFirst = (event) => event.preventDefault();

/** @param {number} by */
function count(by) {
  forms += by;
  // only while there is unsaved text: the browser does not keep a page with this listener for "Back"
  if (forms === 0) removeEventListener('beforeunload', askFirst);
  else addEventListener('beforeunload', askFirst);
}

export const isUnsaved = () => forms > 0;

/**
 * The page asks before a person leaves unsaved text, and the browser before it is closed.
 * @param {boolean} isTyped whether this form has unsaved text
 */
export function useUnsaved(isTyped) {
  useLayoutEffect(() => {
    if (!isTyped) return;
    count(1);
    return () => count(-1);
  }, [isTyped]);
}

const ID_BYTES = 12;

/** An id for the path of an action. A page of plain HTTP has no `crypto.randomUUID`. */
export const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** An idempotency key, by which the device recognises an action that is sent again. */
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
