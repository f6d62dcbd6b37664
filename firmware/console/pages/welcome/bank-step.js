/** The bank of the shop: a form made of what the bank asks for. @import { Forms, Settings } from './types.js' */
import { html, useState } from '/console/assets/preact.js';
import { ask, CallError } from '../app/api.js';
import { useWords } from '../app/language.js';
import { Button, Outcome, useDeed } from '../parts/deed.js';
import { Field } from '../parts/parts.js';
import { AskedField } from './asked-fields.js';

const FIRST_PROFILE = 'shop';
const SCREEN = { connectionType: 'Screen' };

/** @param {Settings} settings @param {string} profile @returns {Readonly<Record<string, unknown>>} */
const profileIn = ({ bankProfiles }, profile) => {
  const found = bankProfiles[profile];
  return typeof found === 'object' && found !== null ? /** @type {Record<string, unknown>} */ (found) : {};
};

/** The last word of a field's path, as `password` of `bankProfiles.shop.password`. @param {string | null} path */
const lastOf = (path) => path?.split('.').at(-1) ?? null;

/** @param {{forms: Forms, settings: Settings, onSaved: () => void}} properties */
export function BankStep({ forms, settings, onSaved }) {
  const { t } = useWords();
  const isSet = settings.bankProfile !== '' && profileIn(settings, settings.bankProfile).bankName !== 'Sandbox';
  const [profile, setProfile] = useState(isSet ? settings.bankProfile : FIRST_PROFILE);
  const known = profileIn(settings, profile);
  const [bank, setBank] = useState(String(known.bankName ?? ''));
  const [typed, setTyped] = useState(/** @type {Readonly<Record<string, string>>} */ ({}));
  const [problems, setProblems] = useState(/** @type {Readonly<Record<string, string>>} */ ({}));
  const { deed, run } = useDeed();
  const form = forms.banks.find(({ name }) => name === bank);
  const isSame = known.bankName === bank;
  /** @param {string} name @param {boolean} secret */
  const textOf = (name, secret) => typed[name] ?? (isSame && !secret ? String(known[name] ?? '') : '');
  /** @param {string} name */
  const isKept = (name) => isSame && known[name] !== undefined;

  /** @param {Event} event */
  const save = async (event) => {
    event.preventDefault();
    if (form === undefined) return;
    const lacking = form.fields.filter(
      ({ name, required, secret }) => required && textOf(name, secret) === '' && !(secret && isKept(name)),
    );
    setProblems(Object.fromEntries(lacking.map(({ name }) => [name, t('welcome.needed')])));
    const [first] = lacking;
    if (first !== undefined) {
      document.getElementById(`field-${first.name}`)?.focus();
      return;
    }
    const fields = form.fields.flatMap(({ name, secret }) => {
      const value = textOf(name, secret);
      if (value !== '') return [[name, value]];
      return secret && isKept(name) ? [[name, known[name]]] : [];
    });
    const isDisplaySet = settings.deviceConnection.connectionType !== '';
    const json = {
      ...settings,
      bankProfile: profile,
      bankProfiles: { ...settings.bankProfiles, [profile]: { bankName: bank, ...Object.fromEntries(fields) } },
      deviceConnection: isDisplaySet ? settings.deviceConnection : SCREEN,
    };
    await run(async () => {
      try {
        await ask('/v1/settings', { method: 'PUT', json });
      } catch (error) {
        const field = error instanceof CallError ? lastOf(error.field) : null;
        if (error instanceof CallError && field !== null) setProblems({ [field]: error.detail });
        throw error;
      }
      setTyped({});
      onSaved();
    }, t('welcome.saved'));
  };

  return html`<form novalidate onSubmit=${save}>
    <${Field} id="bank-name" label=${t('welcome.bankName')}>
      ${(/** @type {object} */ wires) => html`<select ...${wires} value=${bank}
        onChange=${(/** @type {{currentTarget: HTMLSelectElement}} */ { currentTarget }) => {
          setBank(currentTarget.value);
          setTyped({});
          setProblems({});
        }}>
        <option value="">${t('welcome.choose')}</option>
        ${forms.banks.filter(({ play }) => !play).map(({ name }) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select>`}
    </${Field}>
    ${
      form !== undefined &&
      html`<${Field} id="profile-name" label=${t('welcome.profile')} help=${t('welcome.profileHelp')}>
          ${(/** @type {object} */ wires) => html`<input ...${wires} autocomplete="off" maxlength="64" value=${profile}
            onInput=${(/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) => setProfile(currentTarget.value)} />`}
        </${Field}>
        ${form.fields.map(
          (field) => html`<${AskedField}
            key=${`${bank} ${field.name}`}
            field=${field}
            value=${textOf(field.name, field.secret)}
            problem=${problems[field.name] ?? ''}
            isKept=${field.secret && isKept(field.name)}
            onValue=${(/** @type {string} */ value) => setTyped((before) => ({ ...before, [field.name]: value }))}
          />`,
        )}
        <${Button} type="submit" kind="primary" disabled=${deed.stage === 'busy' || profile.trim() === ''}>${t('welcome.save')}</${Button}>`
    }
    <${Outcome} deed=${deed} />
  </form>`;
}
