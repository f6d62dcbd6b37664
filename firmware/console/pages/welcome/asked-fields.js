/**
 * The fields of a bank or a display, each with its error beside it.
 * @import { Static } from 'typebox'
 * @import { StoredCertificateFile } from '../../../payments/http/v1/certificate-route.ts'
 * @import { FieldForm } from './settings.js'
 */
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask, base64Of, CallError } from '../../../core/pages/app/api.js';
import { has, nameOf, t, useWords } from '../../../core/pages/app/language.js';
import { Button, Choice, choosing, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';

/** The largest file that the device stores: a larger one is refused before it is read. */
const MAX_BYTES = 64 * 1024;
/** The value of a field for a sent file: a digest of the file's content, and its original name. */
const SENT_FILE = /^kept:[0-9a-f]{12}-(.*)$/;

/** The original name of a sent file; null where the value is a path on the device. @param {string} value */
const sentName = (value) => SENT_FILE.exec(value)?.[1] ?? null;

/** @param {string} field @param {File} file @returns {Promise<Static<typeof StoredCertificateFile>>} @throws {CallError} */
async function sendFile(field, file) {
  if (file.size > MAX_BYTES) throw new CallError('RequestParams.InvalidField', { field, reason: 'too-large' });
  const content = await base64Of(file);
  const json = { name: file.name, content, field };
  return await ask('/console/api/settings/certificates', { method: 'POST', json });
}

/**
 * The certificates in a sent file: whose they are, and until when they are valid.
 * @param {{sent: Static<typeof StoredCertificateFile>}} properties
 */
function Contents({ sent: { certificates } }) {
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
 * @typedef SentFileProperties
 * @property {string} name of the field
 * @property {string} label for people
 * @property {string} value the file that the field names now
 * @property {string} problem
 * @property {(path: string) => void} onPath
 * @property {(error: unknown) => void} onFault
 */

/**
 * The buttons that send a file to the device for a field and remove it, and the certificates in the sent file.
 * @param {SentFileProperties} properties
 */
function SentFile({ name, label, value, problem, onPath, onFault }) {
  const { action, isBusy, run, forget } = useAction();
  const [sent, setSent] = useState(/** @type {Static<typeof StoredCertificateFile> | null} */ (null));
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
  /** Whether the answer about the file is known: a file that was sent before, or undone since, has no contents here. */
  const isOfThisVisit = isSent && sent?.path === value;

  /** @param {File | null} file */
  const send = async (file) => {
    if (file === null) return;
    await run(async () => {
      try {
        const answer = await sendFile(name, file);
        if (!isHere.current) return;
        setSent(answer);
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
    ${isOfThisVisit && html`<${Contents} sent=${sent} />`}
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
  const ownHelp = has(helpKey) ? t(helpKey) : help;
  const words = [sent === null ? ownHelp : t('sentFile.kept'), isKept ? t('welcome.kept') : '']
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
