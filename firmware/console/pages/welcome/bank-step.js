/**
 * The form of the shop's bank: its fields, saving them, and trying them out.
 * @import { Said } from '../../../core/pages/app/outcome.js'
 * @import { Filling } from './bank-values.js'
 * @import { FieldForm, Forms, Settings } from './settings.js'
 */
import { LIMITS } from '/console/assets/limits.js';
import { html, useEffect, useState } from '/console/assets/preact.js';
import { wordsOf } from '../../../core/pages/app/api.js';
import { useDraft, useUnsaved } from '../../../core/pages/app/drafts.js';
import { nameOf, t, useWords } from '../../../core/pages/app/language.js';
import { messageFor } from '../../../core/pages/app/outcome.js';
import { Button, Choice, Form, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';
import { AskedField } from './asked-fields.js';
import { TrialOutcome, useTrial } from './bank-trial.js';
import { filledProfile, isKept, isTyped, lackingIn, profileIn, profileToSave, textOf, unsent } from './bank-values.js';
import { focusFirstProblem, problemsOfFields, withoutProblemOf } from './field-problems.js';
import { changeSettings } from './settings.js';

const FIRST_PROFILE = 'shop';
const SCREEN = { connectionType: 'Screen' };

/** Name of the profile that the form shows first. @param {Settings} settings */
function firstProfile(settings) {
  const { bankProfile } = settings;
  const isSet = bankProfile !== '' && profileIn(settings, bankProfile).bankName !== 'Sandbox';
  return isSet ? bankProfile : FIRST_PROFILE;
}

/** What is wrong with a form, by its fields. */
function useProblems() {
  const [problems, setProblems] = useState(/** @type {Readonly<Record<string, Said>>} */ ({}));
  return {
    problems,
    /** Replaces all problems and focuses the first. @param {Readonly<Record<string, Said>>} found */
    mark: (found) => {
      setProblems(found);
      focusFirstProblem(found);
    },
    /** Adds a problem and focuses its field. @param {string} name of the field @param {Said} said */
    add: (name, said) => {
      setProblems((before) => ({ ...before, [name]: said }));
      focusFirstProblem({ [name]: said });
    },
    /** Removes a problem. @param {string} name of a field that is being typed into */
    drop: (name) => setProblems((before) => withoutProblemOf(before, name)),
  };
}

/**
 * The fields of a bank; the optional ones are folded away.
 * @param {{filling: Filling, problems: Readonly<Record<string, Said>>, onFault: (name: string, error: unknown) => void,
 * onValue: (name: string, value: string) => void, children?: unknown}} properties `children`: more to fold away
 */
function BankFields({ filling, problems, onFault, onValue, children }) {
  const words = useWords();
  const { name: bank, fields } = filling.form;
  /** @param {FieldForm} field */
  const asked = (field) => html`<${AskedField}
    key=${`${bank} ${field.name}`}
    field=${field}
    value=${textOf(filling, field)}
    problem=${messageFor(words, problems[field.name])}
    isKept=${isKept(filling, field)}
    onFault=${(/** @type {unknown} */ error) => onFault(field.name, error)}
    onValue=${(/** @type {string} */ value) => onValue(field.name, value)}
  />`;
  return html`${fields.filter(({ required }) => required).map(asked)}
    <details key=${bank}>
      <summary>${t('welcome.more')}</summary>
      ${fields.filter(({ required }) => !required).map(asked)}
      ${children}
    </details>`;
}

/**
 * @param {{forms: Forms, settings: Settings, saving: ReturnType<typeof useAction>, onSaved: () => Promise<void>,
 * children?: unknown}} properties `saving` belongs to the caller, because the form is made anew when the saved settings
 * are read back; `onSaved` resolves then; `children` are shown while no bank is chosen
 */
export function BankStep({ forms, settings, saving: { action, isBusy, run }, onSaved, children }) {
  const first = firstProfile(settings);
  const [profileText, setProfile] = useDraft('bank profile', first);
  const profile = profileText.trim();
  const known = profileIn(settings, profile);
  const [bank, setBank] = useDraft('bank', String(known.bankName ?? ''));
  // typed text by bank: it comes back when the bank is chosen again
  const [all, setAll] = useDraft(
    'bank fields',
    /** @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */ ({}),
  );
  const form = forms.banks.find(({ name }) => name === bank);
  /** @type {Filling | null} */
  const filling = form === undefined ? null : { form, known, typed: all[bank] ?? {} };
  const isNew = filling !== null && isTyped(filling);
  useUnsaved(isNew || profile !== first);
  const { problems, mark, add, drop } = useProblems();
  const trial = useTrial((error) => mark(problemsOfFields(error)));

  /** Marks the required fields that are empty. @param {Filling} filling @returns how many they are */
  const markLacking = (filling) => {
    const lacking = lackingIn(filling);
    mark(Object.fromEntries(lacking.map((name) => [name, /** @type {const} */ ('welcome.needed')])));
    return lacking.length;
  };

  const tryOut = async () => {
    if (filling === null || markLacking(filling) > 0) return;
    await trial.start({ bankProfile: profile, profile: filledProfile(filling) });
  };

  const save = async () => {
    if (filling === null || markLacking(filling) > 0) return;
    await run(async () => {
      try {
        await changeSettings((now) => ({
          bankProfile: profile,
          bankProfiles: { ...now.bankProfiles, [profile]: profileToSave(filling, profileIn(now, profile)) },
          deviceConnection: now.deviceConnection.connectionType === '' ? SCREEN : now.deviceConnection,
        }));
      } catch (error) {
        mark(problemsOfFields(error));
        throw error;
      }
      await onSaved();
      const sent = filledProfile(filling);
      setAll((before) => ({ ...before, [bank]: unsent(before[bank] ?? {}, sent) }));
    }, 'welcome.saved');
  };

  useEffect(() => {
    // on a phone, the bar of pages would cover the message below the buttons
    if (action.stage === 'done' || trial.tried !== null)
      document.getElementById('bank-outcome')?.scrollIntoView({ block: 'nearest' });
  }, [action.stage, trial.tried]);

  /** @param {string} value */
  const choose = (value) => {
    setBank(value);
    mark({});
    trial.outdate();
  };
  /** @param {string} name of a field @param {string} value */
  const type = (name, value) => {
    setAll((before) => ({ ...before, [bank]: { ...before[bank], [name]: value } }));
    drop(name);
    trial.outdate();
  };
  /** @param {string} text */
  const rename = (text) => {
    setProfile(text);
    trial.outdate();
  };

  const banks = forms.banks.filter(({ play }) => !play);
  const isChanged = isNew || known.bankName !== bank || settings.bankProfile !== profile;
  return html`<${Form} novalidate onSubmit=${save}>
    <${Choice} id="bank-name" label=${t('welcome.bankName')} value=${bank} onChoose=${choose}
      options=${[['', t('welcome.choose')], ...banks.map(({ name }) => [name, nameOf('bank', name)])]} />
    ${filling === null && children}
    ${
      filling !== null &&
      html`<${BankFields} filling=${filling} problems=${problems} onValue=${type}
          onFault=${(/** @type {string} */ name, /** @type {unknown} */ error) => add(name, (words) => wordsOf(words, error))}>
          <${TextField} id="profile-name" label=${t('welcome.profile')} help=${t('welcome.profileHelp')}
            most=${LIMITS.profileName} value=${profileText} onText=${rename} />
        </${BankFields}>
        <div class="buttons">
          <${Button} type="submit" kind=${isChanged ? 'primary' : 'plain'} disabled=${isBusy || profile === ''}>${t('welcome.save')}</${Button}>
          <${Button} disabled=${trial.isBusy || isBusy || profile === ''} onClick=${tryOut}>${t('bankTest.go')}</${Button}>
        </div>
        <p class="help">${t('bankTest.what')}</p>
        <${TrialOutcome} trial=${trial} isSaved=${!isChanged} />`
    }
    <${Outcome} action=${action} id="bank-outcome" />
  </${Form}>`;
}
