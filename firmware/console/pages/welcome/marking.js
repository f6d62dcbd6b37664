/** The field that the device has found fault with is marked, with the fault beside it. @import { Said } from '../app/said.js' */
import { CallError, wordsOf } from '../app/api.js';

/** The last word of a field's path, as `password` of `bankProfiles.shop.password`. @param {string | null} path */
const lastOf = (path) => path?.split('.').at(-1) ?? null;

/** @param {unknown} error @returns {Readonly<Record<string, Said>>} what is wrong, by the names of fields */
export function faultsOf(error) {
  const field = error instanceof CallError ? lastOf(error.field) : null;
  return field === null ? {} : { [field]: (words) => wordsOf(words, error) };
}

/** Moves the focus to the first field that is marked, once it is drawn, and unfolds it. @param {Readonly<Record<string, Said>>} problems */
export function focusFault(problems) {
  const [name] = Object.keys(problems);
  if (name === undefined) return;
  requestAnimationFrame(() => {
    const field = document.getElementById(`field-${name}`);
    field?.closest('details')?.setAttribute('open', '');
    field?.focus();
  });
}
