/**
 * Keeps what a person has typed when the session ends, and puts it back when the person signs in again. Kept in this
 * window only, until the window is closed or the person signs out. Signing in with another role deletes it.
 */
import { useEffect, useRef, useState } from '/console/assets/preact.js';

/** Role whose texts are kept; null before a sign-in, and after a sign-out. @type {string | null} */
let owner = null;
let isOver = false;
/** @type {Map<string, unknown>} */
const values = new Map();

/** @param {string | null} role who is signed in @param {boolean} isOut whether a sign-in is needed and missing */
export function keepFor(role, isOut) {
  isOver = isOut;
  if (role === null || role === owner) return;
  values.clear();
  owner = role;
}

export function keepNothing() {
  values.clear();
  owner = null;
}

/** @template Value @param {string} name @param {Value | (() => Value)} first @returns {Value} */
function taken(name, first) {
  if (!values.has(name)) return first instanceof Function ? first() : first;
  const value = /** @type {Value} */ (values.get(name));
  values.delete(name);
  return value;
}

/**
 * `useState` for typed text, which outlives the session.
 * @template Value
 * @param {string} name unique: names the field and the thing that it belongs to
 * @param {Value | (() => Value)} first
 * @returns {[Value, (value: Value | ((before: Value) => Value)) => void]}
 */
export function useDraft(name, first) {
  const [value, setValue] = useState(() => taken(name, first));
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
