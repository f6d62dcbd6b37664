/**
 * The values of a bank's form: what stands in its fields, what of it is new, and the profile that is sent.
 * @import { FieldForm, Forms, Settings } from './settings.js'
 */

/** @typedef {Readonly<Record<string, unknown>>} Profile a bank's profile, as in the settings */

/**
 * @typedef {object} Filling a bank's form with what is in it
 * @property {Forms['banks'][number]} form
 * @property {Profile} known the saved profile of the chosen name; it may be another bank's
 * @property {Readonly<Record<string, string>>} typed what was typed, by the names of fields
 */

/** @param {Settings} settings @param {string} name @returns {Profile} an empty one where none is saved */
export const profileIn = ({ bankProfiles }, name) => {
  const found = bankProfiles[name];
  return typeof found === 'object' && found !== null ? /** @type {Profile} */ (found) : {};
};

/** Whether the saved profile is of the form's bank. @param {Filling} filling */
export const isSameBank = ({ form, known }) => known.bankName === form.name;

/** Whether the device has a secret that stays where nothing is typed. @param {Filling} filling @param {FieldForm} field */
export const isKept = (filling, { name, secret }) => secret && isSameBank(filling) && filling.known[name] !== undefined;

/** @param {Filling} filling @param {FieldForm} field */
const savedText = (filling, { name, secret }) =>
  isSameBank(filling) && !secret ? String(filling.known[name] ?? '') : '';

/** The text that stands in a field. @param {Filling} filling @param {FieldForm} field */
export const textOf = (filling, field) => filling.typed[field.name] ?? savedText(filling, field);

/**
 * Text as it is sent: without the spaces that pasting adds, except in a secret; only spaces count as empty.
 * @param {string} text @param {FieldForm} field
 */
const entered = (text, { secret }) => (secret && text.trim() !== '' ? text : text.trim());

/** Whether a field has text that is not saved. @param {Filling} filling @param {FieldForm} field */
const isNew = (filling, field) => entered(textOf(filling, field), field) !== entered(savedText(filling, field), field);

/** Whether any field has text that is not saved. @param {Filling} filling */
export const isTyped = (filling) => filling.form.fields.some((field) => isNew(filling, field));

/** @param {Filling} filling @returns {readonly string[]} the names of fields that are needed and empty */
export const lackingIn = (filling) =>
  filling.form.fields
    .filter((field) => field.required && textOf(filling, field).trim() === '' && !isKept(filling, field))
    .map(({ name }) => name);

/** The profile that the form describes; a kept secret stands in it as the device masks it. @param {Filling} filling @returns {Profile} */
export function filledProfile(filling) {
  const fields = filling.form.fields.flatMap((field) => {
    const value = entered(textOf(filling, field), field);
    if (value !== '') return [[field.name, value]];
    return isKept(filling, field) ? [[field.name, filling.known[field.name]]] : [];
  });
  return { bankName: filling.form.name, ...Object.fromEntries(fields) };
}

/**
 * The profile to save: fields that were not changed here are as the device has them now.
 * @param {Filling} filling @param {Profile} now the device's present profile of that name @returns {Profile}
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
 * What was typed while a profile was sent, and waits to be saved.
 * @param {Readonly<Record<string, string>>} typed @param {Profile} sent
 */
export const unsent = (typed, sent) =>
  Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => ![value, value.trim()].includes(String(sent[name] ?? ''))),
  );
