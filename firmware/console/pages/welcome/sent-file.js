/** A file that is sent to the device, for a field of a bank that names one: nobody needs a shell to put it there. */
import { html, useRef } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { useWords } from '../app/language.js';
import { Button, Outcome, useDeed } from '../parts/deed.js';
import { choosing } from '../parts/parts.js';

/** @param {File} file @returns {Promise<string>} its bytes as Base64 */
const base64Of = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

/** @param {{name: string, label: string, onPath: (path: string) => void}} properties `name` of the field, `label` as people read it */
export function SentFile({ name, label, onPath }) {
  const { t } = useWords();
  const { deed, run } = useDeed();
  /** @type {{current: HTMLInputElement | null}} */
  const input = useRef(null);
  /** @param {File | null} file */
  const send = async (file) => {
    if (file === null) return;
    await run(async () => {
      const json = { name: file.name, content: await base64Of(file) };
      const { path } = await ask('/v1/settings/certificates', { method: 'POST', json });
      onPath(path);
    });
  };
  return html`<div class="sent-file">
    <input ref=${input} id=${`file-${name}`} hidden tabindex="-1" accept=".pfx,.p12,.pem,.crt,.cer,.key" ...${choosing(send)} />
    <${Button} disabled=${deed.stage === 'busy'} label=${`${t('welcome.chooseFile')}: ${label}`}
      onClick=${() => input.current?.click()}>${t('welcome.chooseFile')}</${Button}>
    ${deed.stage !== 'done' && html`<${Outcome} deed=${deed} />`}
  </div>`;
}
