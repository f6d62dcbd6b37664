/** A file that is sent to the device, for a field of a bank that names one: no shell is needed to put it there. @import { Static } from 'typebox' @import { Kept } from '../../../terminal/http/v1/certificate-route.ts' */
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask, base64Of, CallError } from '../app/api.js';
import { useWords } from '../app/language.js';
import { Button, choosing, Outcome, useAction } from '../parts/parts.js';

/** What the device keeps at most: a larger file is not even read. */
const MAX_BYTES = 64 * 1024;
/** How a field names a file that was sent: what was in it, and what it was called. */
const KEPT = /^kept:[0-9a-f]{12}-(.*)$/;

/** What the file that a field names was called where it came from; null of one that lies on the device. @param {string} value */
export const sentName = (value) => KEPT.exec(value)?.[1] ?? null;

/** @param {string} field @param {File} file @returns {Promise<Static<typeof Kept>>} @throws {CallError} */
async function sendFile(field, file) {
  if (file.size > MAX_BYTES) throw new CallError('RequestParams.InvalidField', { field, reason: 'too-large' });
  const content = await base64Of(file).catch((cause) => {
    throw new CallError('RequestParams.InvalidField', { field, reason: 'not-base64' }, cause);
  });
  const json = { name: file.name, content, field };
  return await ask('/console/api/settings/certificates', { method: 'POST', json });
}

/** Whose certificates are in it, and until when. @param {{kept: Static<typeof Kept>}} properties */
function Contents({ kept: { certificates } }) {
  const { t, locale } = useWords();
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
  return certificates.map(({ name, validFrom, validTo }) => {
    const [from, until] = [new Date(validFrom), new Date(validTo)];
    const stage = until < new Date() ? 'ended' : from > new Date() ? 'early' : 'good';
    const words = t(`sentFile.${stage}`, { name, from: day.format(from), until: day.format(until) });
    return html`<p class=${stage === 'good' ? 'soft' : 'advice'}>${words}</p>`;
  });
}

/**
 * @param {{name: string, label: string, value: string, problem: string, onPath: (path: string) => void, onFault: (error: unknown) => void}} properties
 *   `name` of the field, `label` as people read it, `value` what it names now
 */
export function SentFile({ name, label, value, problem, onPath, onFault }) {
  const { t } = useWords();
  const { action, isBusy, run, forget } = useAction();
  const [kept, setKept] = useState(/** @type {Static<typeof Kept> | null} */ (null));
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  /** The form may be that of another bank when the answer comes. */
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
