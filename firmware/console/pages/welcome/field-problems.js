/**
 * The problems of a form: the words for each field, which a person reads beside it.
 * @import { Said } from '../../../core/pages/app/outcome.js'
 */
import { CallError, wordsOf } from '../../../core/pages/app/api.js';

/** The last word of a field's path, as `password` of `bankProfiles.shop.password`. @param {string | null} path */
const lastOf = (path) => path?.split('.').at(-1) ?? null;

/**
 * @param {unknown} error
 * @returns {Readonly<Record<string, Said>>} the error's words by the name of its field; empty where it names none
 */
export function problemsOfFields(error) {
  const field = error instanceof CallError ? lastOf(error.field) : null;
  return field === null ? {} : { [field]: (words) => wordsOf(words, error) };
}

/**
 * Problems of the other fields.
 * @param {Readonly<Record<string, Said>>} problems
 * @param {string} name of a field that is being typed into
 */
export const withoutProblemOf = (problems, name) =>
  Object.fromEntries(Object.entries(problems).filter(([marked]) => marked !== name));

/**
 * Unfolds the first field with a problem and moves the focus to it, once it is drawn.
 * @param {Readonly<Record<string, Said>>} problems
 */
export function focusFirstProblem(problems) {
  const [name] = Object.keys(problems);
  if (name === undefined) return;
  requestAnimationFrame(() => {
    const field = document.getElementById(`field-${name}`);
    field?.closest('details')?.setAttribute('open', '');
    field?.focus();
  });
}
