/**
 * The fields of a bank or a display, each with its error beside it.
 * @import { Static } from 'typebox'
 * @import { StoredCertificateFile } from '../../../payments/http/v1/certificate-route.ts'
 * @import { Said } from '../../../core/pages/app/outcome.js'
 * @import { FieldForm } from './settings.js'
 */
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask, base64Of, CallError, wordsOf } from '../../../core/pages/app/api.js';
import { has, nameOf, t, useWords } from '../../../core/pages/app/language.js';
import { Button, Choice, choosing, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';

/** The largest file that the device stores: a larger one is refused before it is read. */
const MAX_BYTES = 64 * 1024;
/** The value of a field for a sent file: a digest of the file's content, and its original name. */
const KEPT = /^kept:[0-9a-f]{12}-(.*)$/;

/** The original name of a sent file; null where the value is a path on the device. @param {string} value */
const sentName = (value) => KEPT.exec(value)?.[1] ?? null;

/** @param {string} field @param {File} file @returns {Promise<Static<typeof StoredCertificateFile>>} @throws {CallError} */
async function sendFile(field, file) {
  if (file.size > MAX_BYTES) throw new CallError('RequestParams.InvalidField', { field, reason: 'too-large' });
  const content = await base64Of(file);
  const json = { name: file.name, content, field };
  return await ask('/console/api/settings/certificates', { method: 'POST', json });
}

/**
 * The certificates in a sent file: whose they are, and until when they are valid.
 * @param {{kept: Static<typeof StoredCertificateFile>}} properties
 */
function Contents({ kept: { certificates } }) {
  const { locale } = useWords();
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
  return certificates.map(({ name, validFrom, validTo }) => {
    const [from, until] = [new Date(validFrom), new Date(validTo)];
    const stage = until < new Date() ? 'ended' : from > new Date() ? 'early' : 'good';
    const words = t(`sentFile.${stage}`, { name, from: day.format(from), until: day.format(until) });
    return html`<p class=${stage === 'good' ? 'soft' : 'advice'}>${words}</p>`;
  });
}

/**
 * The buttons that send a file to the device for a field and remove it, and the certificates in the sent file.
 * @param {{name: string, label: string, value: string, problem: string, onPath: (path: string) => void, onFault:
 * (error: unknown) => void}} properties `name` of the field; `label` for people; `value`: the file that it names now
 */
function SentFile({ name, label, value, problem, onPath, onFault }) {
  const { action, isBusy, run, forget } = useAction();
  const [kept, setKept] = useState(/** @type {Static<typeof StoredCertificateFile> | null} */ (null));
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  /** Whether the field is still shown: a person may choose another bank before the answer comes. */
  const isHere = useRef(true);
  useEffect(
    () => () => {
      isHere.current = false;
    },
    [],
  );
  const isSent = sentName(value) !== null;

  /** @param {File | null} file */
  const send = async (file) => {
    if (file === null) return;
    await run(async () => {
      try {
        const answer = await sendFile(name, file);
        if (!isHere.current) return;
        setKept(answer);
        onPath(answer.path);
      } catch (error) {
        if (isHere.current) onFault(error);
      }
    });
    forget();
  };
  const remove = () => {
    onPath('');
    document.getElementById(`field-${name}`)?.focus();
  };
  const choose = isSent ? t('sentFile.chooseOther') : t('file.choose');
  return html`<div class="sent-file">
    ${isSent && kept?.path === value && html`<${Contents} kept=${kept} />`}
    <input ref=${input} id=${`file-${name}`} hidden tabindex="-1" accept=".pfx,.p12,.pem,.crt,.cer,.der,.key" ...${choosing(send)} />
    <div class="buttons">
      <${Button} disabled=${isBusy} aria-label=${`${choose}: ${label}`}
        aria-describedby=${problem === '' ? undefined : `field-${name}-problem`} onClick=${() => input.current?.click()}>${choose}</${Button}>
      ${
        isSent &&
        html`<${Button} disabled=${isBusy} aria-label=${`${t('sentFile.remove')}: ${label}`} onClick=${remove}>${t('sentFile.remove')}</${Button}>`
      }
    </div>
    <${Outcome} action=${action} />
  </div>`;
}

/**
 * A field: a text, a secret, a choice or a file.
 * @param {{field: FieldForm, value: string, problem: string, isKept: boolean, onValue: (value: string) => void,
 * onFault?: (error: unknown) => void}} properties `isKept`: the stored secret stays where nothing is typed; `onFault`
 * gets the error of a sent file
 */
export function AskedField({
  field: { name, secret, file = false, maxLength, choices, help },
  value,
  problem,
  isKept,
  onValue,
  onFault = () => undefined,
}) {
  const sent = file ? sentName(value) : null;
  const helpKey = `field.${name}.help`;
  const words = [sent !== null ? t('sentFile.kept') : has(helpKey) ? t(helpKey) : help, isKept ? t('welcome.kept') : '']
    .filter((text) => text !== '')
    .join('; ');
  const label = nameOf('field', name);
  const field = { id: `field-${name}`, label, help: words, problem };
  return html`${
    choices.length > 0
      ? html`<${Choice} ...${field} value=${value} onChoose=${onValue}
          options=${[['', t('welcome.choose')], ...choices.map((choice) => [choice, choice])]} />`
      : html`<${TextField} ...${field} type=${secret ? 'password' : 'text'} autocomplete=${secret ? 'new-password' : 'off'} spellcheck="false"
          most=${maxLength} value=${sent ?? value} readonly=${sent !== null} onText=${onValue} />`
  }
  ${file && html`<${SentFile} name=${name} label=${label} value=${value} problem=${problem} onPath=${onValue} onFault=${onFault} />`}`;
}

/** The last word of a field's path, as `password` of `bankProfiles.shop.password`. @param {string | null} path */
const lastOf = (path) => path?.split('.').at(-1) ?? null;

/**
 * @param {unknown} error
 * @returns {Readonly<Record<string, Said>>} the error's words by the name of its field; empty where it names none
 */
export function faultsOf(error) {
  const field = error instanceof CallError ? lastOf(error.field) : null;
  return field === null ? {} : { [field]: (words) => wordsOf(words, error) };
}

/**
 * Problems of the other fields.
 * @param {Readonly<Record<string, Said>>} problems
 * @param {string} name of a field that is being typed into
 */
export const without = (problems, name) =>
  Object.fromEntries(Object.entries(problems).filter(([marked]) => marked !== name));

/**
 * Unfolds the first field with a problem and moves the focus to it, once it is drawn.
 * @param {Readonly<Record<string, Said>>} problems
 */
export function focusFault(problems) {
  const [name] = Object.keys(problems);
  if (name === undefined) return;
  requestAnimationFrame(() => {
    const field = document.getElementById(`field-${name}`);
    field?.closest('details')?.setAttribute('open', '');
    field?.focus();
  });
}
