/** What was learned, as a package: from this device, and into it. */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { useWords } from '../app/language.js';
import { useUnsaved } from '../app/unsaved.js';
import { upload } from '../app/upload.js';
import { Button, Card, FileField, Form, Outcome, useAction } from '../parts/parts.js';
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

export function PackageIn() {
  const { t } = useWords();
  const { task, look } = useTask('import');
  const { action, run } = useAction();
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const [share, setShare] = useState(0);
  useUnsaved(file !== null);
  const bring = async () => {
    if (file === null) return;
    setShare(0);
    const isSent = await run(() => upload('/v1/packages/import', { file }, setShare));
    await look();
    if (isSent) setFile(null);
  };
  const isBusy = action.stage === 'busy' || (task !== null && isRunning(task.state));
  return html`<${Card} id="package-in" title=${t('package.in')}>
    <${Form} onSubmit=${bring}>
      <${FileField} id="package-file" label=${t('package.file')} help=${t('package.inWords')}
        file=${file} onFile=${setFile} accept=".zip,application/zip" />
      <${Button} type="submit" disabled=${file === null || isBusy}>${t('package.bring')}</${Button}>
    </${Form}>
    ${action.stage === 'busy' && html`<div class="task"><p role="status">${t('package.sending')}</p><progress max="1" value=${share} aria-label=${t('package.sending')}></progress></div>`}
    ${action.stage === 'failed' && html`<${Outcome} action=${action} />`}
    ${action.stage !== 'busy' && task !== null && html`<${Progress} kind="import" task=${task} />`}
  </${Card}>`;
}
