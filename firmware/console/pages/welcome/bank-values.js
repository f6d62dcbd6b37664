/**
 * The values of a bank's form: the text of its fields, which of it is not saved, and the profile that is sent.
 * @import { FieldForm, Forms, Settings } from './settings.js'
 */

/** @typedef {Readonly<Record<string, unknown>>} Profile a bank's profile, as in the settings */

/**
 * @typedef {object} Filling a bank's form with its values
 * @property {Forms['banks'][number]} form
 * @property {Profile} known the saved profile of the chosen name; it may be another bank's
 * @property {Readonly<Record<string, string>>} typed what was typed, by the names of fields
 */

/**
 * The saved profile of a name.
 * @param {Settings} settings
 * @param {string} name
 * @returns {Profile} empty where none is saved
 */
export const profileIn = ({ bankProfiles }, name) => {
  const found = bankProfiles[name];
  return typeof found === 'object' && found !== null ? /** @type {Profile} */ (found) : {};
};

/** Whether the saved profile is of the form's bank. @param {Filling} filling */
export const isSameBank = ({ form, known }) => known.bankName === form.name;

/**
 * Whether the device has this secret stored, so that it stays where nothing is typed.
 * @param {Filling} filling
 * @param {FieldForm} field
 */
export const isKept = (filling, { name, secret }) => secret && isSameBank(filling) && filling.known[name] !== undefined;

/** @param {Filling} filling @param {FieldForm} field */
const savedText = (filling, { name, secret }) =>
  isSameBank(filling) && !secret ? String(filling.known[name] ?? '') : '';

/** The text of a field: typed, or saved. @param {Filling} filling @param {FieldForm} field */
export const textOf = (filling, field) => filling.typed[field.name] ?? savedText(filling, field);

/**
 * Text as it is sent: without spaces at its ends, which pasting adds, except in a secret. Text of spaces alone counts
 * as empty.
 * @param {string} text @param {FieldForm} field
 */
const entered = (text, { secret }) => (secret && text.trim() !== '' ? text : text.trim());

/** Whether a field has text that is not saved. @param {Filling} filling @param {FieldForm} field */
const isNew = (filling, field) => entered(textOf(filling, field), field) !== entered(savedText(filling, field), field);

/** Whether any field has text that is not saved. @param {Filling} filling */
export const isTyped = (filling) => filling.form.fields.some((field) => isNew(filling, field));

/** @param {Filling} filling @returns {readonly string[]} names of the required fields that are empty */
export const lackingIn = (filling) =>
  filling.form.fields
    .filter((field) => field.required && textOf(filling, field).trim() === '' && !isKept(filling, field))
    .map(({ name }) => name);

/**
 * The profile with the form's values; a stored secret that was not typed again is in it as the device masks it.
 * @param {Filling} filling
 * @returns {Profile}
 */
export function filledProfile(filling) {
  const fields = filling.form.fields.flatMap((field) => {
    const value = entered(textOf(filling, field), field);
    if (value !== '') return [[field.name, value]];
    return isKept(filling, field) ? [[field.name, filling.known[field.name]]] : [];
  });
  return { bankName: filling.form.name, ...Object.fromEntries(fields) };
}

/**
 * The profile to save: fields that were not changed here have the device's current values.
 * @param {Filling} filling @param {Profile} now the device's current profile of that name @returns {Profile}
 */
export function profileToSave(filling, now) {
  const filled = filledProfile(filling);
  if (!isSameBank(filling) || now.bankName !== filling.form.name) return filled;
  const unchanged = filling.form.fields.filter((field) => !isNew(filling, field)).map(({ name }) => name);
  const others = Object.entries(filled).filter(([name]) => !unchanged.includes(name));
  const kept = Object.entries(now).filter(([name]) => unchanged.includes(name));
  return Object.fromEntries([...others, ...kept]);
}

/**
 * Text that was typed while a profile was sent, and is not saved yet.
 * @param {Readonly<Record<string, string>>} typed @param {Profile} sent
 */
export const unsent = (typed, sent) =>
  Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => ![value, value.trim()].includes(String(sent[name] ?? ''))),
  );
