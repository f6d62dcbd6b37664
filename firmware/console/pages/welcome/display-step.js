/**
 * The form of the customer's display: its kind, its connection, and a test picture, about which the person is asked.
 * @import { Static } from 'typebox'
 * @import { HeardAnswer } from '../../../payments/http/v1/bluetooth-route.ts'
 * @import { Forms, Settings } from './settings.js'
 */
import { LIMITS } from '/console/assets/limits.js';
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useDraft, useUnsaved } from '../../../core/pages/app/drafts.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { nameOf, t, useWords } from '../../../core/pages/app/language.js';
import { messageFor } from '../../../core/pages/app/outcome.js';
import { Button, Choice, Form, Outcome, useAction } from '../../../core/pages/parts/parts.js';
import { AskedField } from './asked-fields.js';
import { focusFirstProblem, problemsOfFields, withoutProblemOf } from './field-problems.js';
import { changeSettings } from './settings.js';

/** @param {{onAnswer: (isSeen: boolean) => void}} properties */
function Seen({ onAnswer }) {
  return html`<div class="advice" role="alert">
    <p>${t('welcome.see')}</p>
    <div class="buttons">
      <button type="button" class="primary" onClick=${() => onAnswer(true)}>${t('welcome.yes')}</button>
      <button type="button" onClick=${() => onAnswer(false)}>${t('welcome.no')}</button>
    </div>
  </div>`;
}

function TestPicture() {
  const [stage, setStage] = useState(/** @type {'rest' | 'asked' | 'seen' | 'not-seen'} */ ('rest'));
  const { action, isBusy, run } = useAction();
  const show = async () => {
    setStage('rest');
    if (await run(() => ask('/console/api/settings/test-picture', { method: 'POST', json: {} }))) setStage('asked');
  };
  return html`<${Button} onClick=${show} disabled=${isBusy}>${t('welcome.test')}</${Button}>
    <${Outcome} action=${action} />
    ${stage === 'asked' && html`<${Seen} onAnswer=${(/** @type {boolean} */ isSeen) => setStage(isSeen ? 'seen' : 'not-seen')} />`}
    ${stage === 'seen' && html`<p class="outcome done" role="status">${t('welcome.well')}</p>`}
    ${stage === 'not-seen' && html`<p class="advice" role="alert">${t('welcome.notSeen')}</p>`}`;
}

/** Displays found over Bluetooth: a press chooses one. @param {{onChosen: (address: string) => void}} properties */
function BluetoothSearch({ onChosen }) {
  const { action, isBusy, run } = useAction();
  const [heard, setHeard] = useState(/** @type {Static<typeof HeardAnswer>['displays'] | null} */ (null));
  const search = () => {
    setHeard(null);
    return run(async () =>
      setHeard((await ask('/console/api/settings/bluetooth-search', { method: 'POST', json: {} })).displays),
    );
  };
  return html`<div class="buttons"><${Button} disabled=${isBusy} onClick=${search}>${t('bluetooth.go')}</${Button}></div>
    ${isBusy ? html`<p class="outcome busy" role="status">${t('bluetooth.searching')}</p>` : html`<${Outcome} action=${action} />`}
    ${heard?.length === 0 && html`<p class="advice" role="status">${t('bluetooth.none')}</p>`}
    ${
      heard !== null &&
      heard.length > 0 &&
      html`<ul class="rows" aria-label=${t('bluetooth.found', { count: String(heard.length) })}>
        ${heard.map(({ address, name, signal }) => {
          const how = signal === null ? t('bluetooth.connected') : t('bluetooth.signal', { signal: String(signal) });
          return html`<li key=${address}><button type="button" onClick=${() => onChosen(address)}>
            ${name ?? t('bluetooth.nameless')} (${address}, ${how})
          </button></li>`;
        })}
      </ul>`
    }`;
}

/**
 * @param {{forms: Forms, settings: Settings, saving: ReturnType<typeof useAction>, onSaved: () => Promise<void>}}
 * properties as of `BankStep`
 */
export function DisplayStep({ forms, settings, saving: { action, run }, onSaved }) {
  const words = useWords();
  const [kind, setKind] = useDraft('display', settings.deviceConnection.connectionType);
  const [typed, setTyped] = useDraft('display fields', /** @type {Readonly<Record<string, string>>} */ ({}));
  const [problems, setProblems] = useState(
    /** @type {Readonly<Record<string, import('../../../core/pages/app/outcome.js').Said>>} */ ({}),
  );
  const fields = forms.displays.find(({ name }) => name === kind)?.fields ?? [];
  const isOnPort = fields.includes('portName');
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<{ports: readonly {path: string, label: string}[]}>} */
  const { data: found } = useFetched(isOnPort ? '/console/api/settings/serial-ports' : null);
  /** @type {Readonly<Record<string, unknown>>} */
  const known = settings.deviceConnection;
  /** @param {string} name */
  const savedOf = (name) => (known.connectionType === kind ? String(known[name] ?? '') : '');
  /** @param {string} name */
  const textOf = (name) => typed[name] ?? savedOf(name);
  const isChanged = kind !== known.connectionType || fields.some((name) => textOf(name) !== savedOf(name));
  useUnsaved(isChanged);
  /** @param {Readonly<Record<string, import('../../../core/pages/app/outcome.js').Said>>} found */
  const mark = (found) => {
    setProblems(found);
    focusFirstProblem(found);
  };
  /** @param {Readonly<Record<string, string>>} chosen */
  const choose = (chosen) => {
    setTyped(chosen);
    setProblems({});
  };
  const save = async () => {
    const where = Object.fromEntries(
      fields.map((name) => [name, textOf(name).trim()]).filter(([, value]) => value !== ''),
    );
    const [first] = fields;
    if (first !== undefined && Object.keys(where).length === 0) return mark({ [first]: 'welcome.needed' });
    await run(async () => {
      setProblems({});
      try {
        await changeSettings(() => ({ deviceConnection: { connectionType: kind, ...where } }));
      } catch (error) {
        mark(problemsOfFields(error));
        throw error;
      }
      await onSaved();
      setTyped((now) => (now === typed ? {} : now)); // text that was typed meanwhile is not saved yet, and stays
    }, 'welcome.saved');
  };
  const ports = found?.ports ?? [];
  return html`<${Form} novalidate onSubmit=${save}>
    <${Choice} id="display-kind" label=${t('welcome.displayKind')} value=${kind}
      onChoose=${(/** @type {string} */ value) => {
        setKind(value);
        setProblems({});
      }}
      options=${forms.displays.map(({ name }) => [name, nameOf('display', name)])} />
    ${fields.map(
      (name) => html`<${AskedField}
        key=${name}
        field=${{ name, required: fields.length === 1, secret: false, maxLength: LIMITS.connectionField, choices: [], help: '' }}
        value=${textOf(name)}
        problem=${messageFor(words, problems[name])}
        isKept=${false}
        onValue=${(/** @type {string} */ value) => {
          setTyped((before) => ({ ...before, [name]: value }));
          setProblems((before) => withoutProblemOf(before, name));
        }}
      />`,
    )}
    ${
      isOnPort &&
      found !== null &&
      (ports.length === 0
        ? html`<p class="soft">${t('welcome.noPorts')}</p>`
        : html`<ul class="rows" aria-label=${t('welcome.found', { ports: String(ports.length) })}>
            ${ports.map(({ path, label }) => html`<li key=${path}><button type="button" onClick=${() => choose({ portName: path })}>${label === '' ? path : `${label} (${path})`}</button></li>`)}
          </ul>`)
    }
    ${kind === 'BLE' && html`<${BluetoothSearch} onChosen=${(/** @type {string} */ address) => choose({ deviceAddress: address, deviceName: '' })} />`}
    <div class="buttons">
      <${Button} type="submit" kind=${isChanged ? 'primary' : 'plain'} disabled=${action.stage === 'busy'}>${t('welcome.save')}</${Button}>
    </div>
    <${Outcome} action=${action} />
  </${Form}>
  ${!isChanged && html`<${TestPicture} />`}`;
}
