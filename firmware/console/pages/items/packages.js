/** What was learned, as a package: from this device, and into it. */
import { html, useState } from '/console/assets/preact.js';
import { ask, CallError } from '../app/api.js';
import { useWords } from '../app/language.js';
import { lookAgain } from '../app/session.js';
import { useUnsaved } from '../app/unsaved.js';
import { Button, Outcome, useAction } from '../parts/action.js';
import { FileInput } from '../parts/file-input.js';
import { Card, Field } from '../parts/parts.js';
import { isRunning, Progress, useTask } from './task.js';

export function PackageOut() {
  const { t } = useWords();
  const { task, look } = useTask('export');
  const { action, run } = useAction();
  const begin = async () => {
    await run(() => ask('/v1/packages/export', { method: 'POST', json: {} }));
    await look();
  };
  const isBusy = action.stage === 'busy' || (task !== null && isRunning(task.state));
  return html`<${Card} id="package-out" title=${t('package.out')}>
    <p>${t('package.outWords')}</p>
    <${Button} disabled=${isBusy} onClick=${begin}>${t('package.make')}</${Button}>
    ${action.stage === 'failed' && html`<${Outcome} action=${action} />`}
    ${task !== null && html`<${Progress} kind="export" task=${task} />`}
    ${task !== null && task.filename !== null && html`<a class="button primary" href="/v1/packages/${task.filename}" download=${task.filename}>${t('package.fetch')}</a>`}
  </${Card}>`;
}

/** However long the whole file takes: a device that takes nothing of it for so long has gone. */
const SILENCE_MS = 30_000;
/** After the last of it: a slow card has much to write. */
const WRITING_MS = 300_000;

/**
 * `fetch` reports no progress of a file.
 * @param {File} file @param {(share: number) => void} onShare 0 to 1 @returns {Promise<void>} @throws {CallError}
 */
function send(file, onShare) {
  const form = new FormData();
  form.append('file', file);
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('POST', '/v1/packages/import');
    call.responseType = 'json';
    const giveUp = () => {
      reject(new CallError('late'));
      call.abort();
    };
    let silence = setTimeout(giveUp, SILENCE_MS);
    /** @param {number} limitMs */
    const wait = (limitMs) => {
      clearTimeout(silence);
      silence = setTimeout(giveUp, limitMs);
    };
    call.upload.onprogress = ({ loaded, total }) => {
      wait(SILENCE_MS);
      onShare(total === 0 ? 0 : loaded / total);
    };
    call.upload.onload = () => wait(WRITING_MS);
    call.onloadend = () => clearTimeout(silence);
    call.onerror = () => reject(new CallError('silent'));
    call.onload = () => {
      if (call.status === 401) lookAgain();
      const { code, ...rest } = call.response ?? {};
      if (call.status === 200) resolve();
      else reject(new CallError(code ?? 'unreadable', rest));
    };
    call.send(form);
  });
}

export function PackageIn() {
  const { t } = useWords();
  const { task, look } = useTask('import');
  const { action, run } = useAction();
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const [share, setShare] = useState(0);
  useUnsaved(file !== null);
  /** @param {Event} event */
  const bring = async (event) => {
    event.preventDefault();
    if (file === null) return;
    setShare(0);
    const isSent = await run(() => send(file, setShare));
    await look();
    if (!isSent) return;
    setFile(null);
  };
  const isBusy = action.stage === 'busy' || (task !== null && isRunning(task.state));
  return html`<${Card} id="package-in" title=${t('package.in')}>
    <form onSubmit=${bring}>
      <${Field} id="package-file" label=${t('package.file')} help=${t('package.inWords')}>
        ${(/** @type {object} */ wires) =>
          html`<${FileInput} wires=${wires} file=${file} onFile=${setFile} accept=".zip,application/zip" />`}
      </${Field}>
      <${Button} type="submit" disabled=${file === null || isBusy}>${t('package.bring')}</${Button}>
    </form>
    ${action.stage === 'busy' && html`<div class="task"><p role="status">${t('package.sending')}</p><progress max="1" value=${share} aria-label=${t('package.sending')}></progress></div>`}
    ${action.stage === 'failed' && html`<${Outcome} action=${action} />`}
    ${action.stage !== 'busy' && task !== null && html`<${Progress} kind="import" task=${task} />`}
  </${Card}>`;
}
