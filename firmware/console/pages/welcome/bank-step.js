/**
 * The step of the shop's bank: a form with the fields that the bank needs.
 * @import { FieldForm, Forms, Settings, Tried } from './settings.js'
 */
import { LIMITS } from '/console/assets/limits.js';
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask, CallError, wordsOf } from '../../../core/pages/app/api.js';
import { useDraft, useUnsaved } from '../../../core/pages/app/drafts.js';
import { nameOf, t, useWords } from '../../../core/pages/app/language.js';
import { messageFor } from '../../../core/pages/app/outcome.js';
import { Button, Choice, Form, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';
import { AskedField, faultsOf, focusFault, without } from './asked-fields.js';
import { changeSettings } from './settings.js';

const FIRST_PROFILE = 'shop';
const SCREEN = { connectionType: 'Screen' };

/** @param {Settings} settings @param {string} profile @returns {Readonly<Record<string, unknown>>} */
const profileIn = ({ bankProfiles }, profile) => {
  const found = bankProfiles[profile];
  return typeof found === 'object' && found !== null ? /** @type {Record<string, unknown>} */ (found) : {};
};

/**
 * The result of trying the bank's settings.
 * @param {{tried: Tried, isSaved: boolean}} properties `isSaved`: the form has no unsaved changes
 */
function BankTried({ tried: { asked, ms, untried }, isSaved }) {
  if (!asked) return html`<p class="outcome done" role="status">${t('bankTest.unasked')}</p>`;
  const fields = untried.map((name) => nameOf('field', name)).join(', ');
  return html`<div role="status">
    <p class="outcome done">${t('bankTest.works', { ms })}</p>
    ${fields !== '' && html`<p class="soft">${t('bankTest.untried', { fields })}</p>`}
    ${!isSaved && html`<p class="advice">${t('bankTest.save')}</p>`}
  </div>`;
}

/**
 * @param {{forms: Forms, settings: Settings, saving: ReturnType<typeof useAction>, onSaved: () => Promise<void>,
 * children?: unknown}} properties `saving` outlives the moment in which the saved settings are read back and make
 * another form; `onSaved` settles then; `children` are shown while no bank is chosen
 */
export function BankStep({ forms, settings, saving: { action, run }, onSaved, children }) {
  const words = useWords();
  const isSet = settings.bankProfile !== '' && profileIn(settings, settings.bankProfile).bankName !== 'Sandbox';
  const first = isSet ? settings.bankProfile : FIRST_PROFILE;
  const [profileText, setProfile] = useDraft('bank profile', first);
  const profile = profileText.trim();
  const known = profileIn(settings, profile);
  const [bank, setBank] = useDraft('bank', String(known.bankName ?? ''));
  // of each bank: what was typed for one is there again when it is chosen again
  const [all, setAll] = useDraft(
    'bank fields',
    /** @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */ ({}),
  );
  const typed = all[bank] ?? {};
  const [problems, setProblems] = useState(
    /** @type {Readonly<Record<string, import('../../../core/pages/app/outcome.js').Said>>} */ ({}),
  );
  const trial = useAction();
  const [tried, setTried] = useState(/** @type {Tried | null} */ (null));
  /** Counts changes: an answer about earlier text is ignored. */
  const changes = useRef(0);
  const form = forms.banks.find(({ name }) => name === bank);
  const isSame = known.bankName === bank;
  /** @param {string} name @param {boolean} secret */
  const savedOf = (name, secret) => (isSame && !secret ? String(known[name] ?? '') : '');
  /** @param {string} name @param {boolean} secret */
  const textOf = (name, secret) => typed[name] ?? savedOf(name, secret);
  /** @param {string} name */
  const isKept = (name) => isSame && known[name] !== undefined;

  /**
   * Text as it is sent: without the spaces that pasting adds, except in a secret; only spaces count as empty.
   * @param {string} text @param {boolean} secret
   */
  const entered = (text, secret) => (secret && text.trim() !== '' ? text : text.trim());

  /** @param {FieldForm} field */
  const isOther = ({ name, secret }) =>
    entered(textOf(name, secret), secret) !== entered(savedOf(name, secret), secret);
  const isTyped = form?.fields.some(isOther) ?? false;
  const isChanged = isTyped || !isSame || settings.bankProfile !== profile;
  useUnsaved(isTyped || profile !== first);

  const changed = () => {
    changes.current += 1;
    setTried(null);
    if (trial.action.stage !== 'busy') trial.forget();
  };
  /** @param {Readonly<Record<string, import('../../../core/pages/app/outcome.js').Said>>} found */
  const mark = (found) => {
    setProblems(found);
    focusFault(found);
  };

  /** The form's values; null where one is missing, which is then marked. */
  const gathered = () => {
    if (form === undefined) return null;
    const lacking = form.fields.filter(
      ({ name, required, secret }) => required && textOf(name, secret).trim() === '' && !(secret && isKept(name)),
    );
    mark(Object.fromEntries(lacking.map(({ name }) => [name, /** @type {const} */ ('welcome.needed')])));
    if (lacking.length > 0) return null;
    const fields = form.fields.flatMap(({ name, secret }) => {
      const value = entered(textOf(name, secret), secret);
      if (value !== '') return [[name, value]];
      return secret && isKept(name) ? [[name, known[name]]] : [];
    });
    return { bankName: bank, ...Object.fromEntries(fields) };
  };

  const tryOut = async () => {
    const filled = gathered();
    if (filled === null) return;
    const own = changes.current;
    setTried(null);
    await trial.run(async () => {
      try {
        const json = { bankProfile: profile, profile: filled };
        const found = await ask('/console/api/settings/bank-test', { method: 'POST', json });
        if (own === changes.current) setTried(found);
      } catch (error) {
        if (own === changes.current) {
          mark(faultsOf(error));
          throw error;
        }
      }
      if (own !== changes.current) throw new CallError('changed');
    });
  };

  /**
   * Takes the device's present values for fields that were not changed here.
   * @param {Readonly<Record<string, unknown>>} filled @param {Readonly<Record<string, unknown>>} now
   */
  const laidOver = (filled, now) => {
    if (form === undefined || !isSame || now.bankName !== bank) return filled;
    const unchanged = form.fields.filter((field) => !isOther(field)).map(({ name }) => name);
    const others = Object.entries(filled).filter(([name]) => !unchanged.includes(name));
    const kept = Object.entries(now).filter(([name]) => unchanged.includes(name));
    return Object.fromEntries([...others, ...kept]);
  };

  const save = async () => {
    const filled = gathered();
    if (filled === null) return;
    await run(async () => {
      try {
        await changeSettings((now) => ({
          bankProfile: profile,
          bankProfiles: { ...now.bankProfiles, [profile]: laidOver(filled, profileIn(now, profile)) },
          deviceConnection: now.deviceConnection.connectionType === '' ? SCREEN : now.deviceConnection,
        }));
      } catch (error) {
        mark(faultsOf(error));
        throw error;
      }
      await onSaved();
      // what was typed meanwhile waits to be saved
      /** @type {Readonly<Record<string, unknown>>} */
      const sent = filled;
      setAll((before) => {
        const rest = Object.entries(before[bank] ?? {}).filter(
          ([name, value]) => ![value, value.trim()].includes(String(sent[name] ?? '')),
        );
        return { ...before, [bank]: Object.fromEntries(rest) };
      });
    }, 'welcome.saved');
  };

  useEffect(() => {
    // a phone's bar of pages lies over what is below the buttons
    if (action.stage === 'done' || tried !== null)
      document.getElementById('bank-outcome')?.scrollIntoView({ block: 'nearest' });
  }, [action.stage, tried]);

  const banks = forms.banks.filter(({ play }) => !play);
  /** @param {string} value */
  const choose = (value) => {
    setBank(value);
    setProblems({});
    changed();
  };

  /** @param {FieldForm} field */
  const asked = (field) => html`<${AskedField}
    key=${`${bank} ${field.name}`}
    field=${field}
    value=${textOf(field.name, field.secret)}
    problem=${messageFor(words, problems[field.name])}
    isKept=${field.secret && isKept(field.name)}
    onFault=${(/** @type {unknown} */ error) => {
      const found = {
        [field.name]: (/** @type {import('../../../core/pages/app/language.js').Sayer} */ sayer) =>
          wordsOf(sayer, error),
      };
      setProblems((before) => ({ ...before, ...found }));
      focusFault(found);
    }}
    onValue=${(/** @type {string} */ value) => {
      setAll((before) => ({ ...before, [bank]: { ...before[bank], [field.name]: value } }));
      setProblems((before) => without(before, field.name));
      changed();
    }}
  />`;

  return html`<${Form} novalidate onSubmit=${save}>
    <${Choice} id="bank-name" label=${t('welcome.bankName')} value=${bank} onChoose=${choose}
      options=${[['', t('welcome.choose')], ...banks.map(({ name }) => [name, nameOf('bank', name)])]} />
    ${form === undefined && children}
    ${
      form !== undefined &&
      html`${form.fields.filter(({ required }) => required).map(asked)}
        <details key=${bank}>
          <summary>${t('welcome.more')}</summary>
          ${form.fields.filter(({ required }) => !required).map(asked)}
          <${TextField} id="profile-name" label=${t('welcome.profile')} help=${t('welcome.profileHelp')}
            most=${LIMITS.profileName} value=${profileText} onText=${(/** @type {string} */ text) => {
              setProfile(text);
              changed();
            }} />
        </details>
        <div class="buttons">
          <${Button} type="submit" kind=${isChanged ? 'primary' : 'plain'} disabled=${action.stage === 'busy' || profile === ''}>${t('welcome.save')}</${Button}>
          <${Button} disabled=${trial.action.stage === 'busy' || action.stage === 'busy' || profile === ''} onClick=${tryOut}>${t('bankTest.go')}</${Button}>
        </div>
        <p class="help">${t('bankTest.what')}</p>
        <${Outcome} action=${trial.action} />
        ${tried !== null && html`<${BankTried} tried=${tried} isSaved=${!isChanged} />`}`
    }
    <${Outcome} action=${action} id="bank-outcome" />
  </${Form}>`;
}
