/**
 * What somebody has typed when the session ends under his hands is there again when he signs in again: in this window, until it is
 * closed or left by "Sign out". Signing in with another role finds nothing, and deletes it.
 */
import { useEffect, useRef, useState } from '/console/assets/preact.js';

/** Whose it is; null before a sign-in, and after a sign-out. @type {string | null} */
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
 * `useState` of what is typed.
 * @template Value
 * @param {string} name of the field and of what it belongs to: other than every other one
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
