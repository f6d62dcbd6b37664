/**
 * The cards that export and import packages of templates.
 * @import { Static } from 'typebox'
 * @import { PackageTask } from '../../http/v1/package-routes.ts'
 */
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useUnsaved } from '../../../core/pages/app/drafts.js';
import { has, number, t } from '../../../core/pages/app/language.js';
import { upload } from '../../../core/pages/app/upload.js';
import { Button, Card, FileField, Folded, Form, Outcome, useAction } from '../../../core/pages/parts/parts.js';

const LOOK_EVERY_MS = 500;

/** @typedef {'export' | 'import'} Kind */
/** @typedef {Static<typeof PackageTask>} Task */
/** @typedef {Task['state']} Stage */

/** @param {Stage} stage */
const isRunning = (stage) => stage === 'running' || stage === 'checking';

/**
 * @param {Kind} kind
 * @returns {{task: Task | null, look: () => Promise<void>}} `look` fetches the task at once, after a task was begun here
 */
function useTask(kind) {
  const { isLive } = useDevice();
  const [task, setTask] = useState(/** @type {Task | null} */ (null));
  const isLooking = useRef(false);
  const look = async () => {
    if (isLooking.current) return;
    isLooking.current = true;
    try {
      setTask(await ask(`/v1/packages/${kind}`));
    } catch {
      // the next fetch may succeed; the page already shows that the device does not answer
    } finally {
      isLooking.current = false;
    }
  };
  useEffect(() => {
    if (!isLive) return;
    void look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isLive]);
  return { task, look };
}

/**
 * The state in words, with its numbers where they are known.
 * @param {Kind} kind @param {Stage} stage @param {Readonly<Record<string, number>>} counts
 */
function sentenceOf(kind, stage, counts) {
  const numbers = Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, number(value)]));
  const key = `package.${kind}.${stage}`;
  const bare = `${key}.bare`;
  if (has(bare) && Object.keys(counts).length === 0) return t(bare);
  return has(key) ? t(key, numbers) : '';
}

/** @param {{kind: Kind, task: Task}} properties */
function Progress({ kind, task: { state: stage, detail, counts } }) {
  if (stage === 'none') return null;
  const sentence = sentenceOf(kind, stage, counts);
  const { deleted = 0 } = counts;
  return html`<div class="task">
    <p role="status" class=${stage === 'failed' || stage === 'refused' ? 'problem' : ''}>${sentence}</p>
    ${(stage === 'failed' || stage === 'refused') && html`<${Folded} code=${kind} detail=${detail} />`}
    ${deleted > 0 && html`<p>${t('package.import.deleted', { n: number(deleted) })}</p>`}
    ${isRunning(stage) && html`<progress max=${counts.total ?? 1} value=${counts.done ?? 0} aria-label=${sentence}></progress>`}
  </div>`;
}

export function PackageOut() {
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
  const { task, look } = useTask('import');
  const { action, run } = useAction();
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const [share, setShare] = useState(0);
  useUnsaved(file !== null);
  const send = async () => {
    if (file === null) return;
    setShare(0);
    const isSent = await run(() => upload('/v1/packages/import', { file }, setShare));
    await look();
    if (isSent) setFile(null);
  };
  const isBusy = action.stage === 'busy' || (task !== null && isRunning(task.state));
  return html`<${Card} id="package-in" title=${t('package.in')}>
    <${Form} onSubmit=${send}>
      <${FileField} id="package-file" label=${t('package.file')} help=${t('package.inWords')}
        file=${file} onFile=${setFile} accept=".zip,application/zip" />
      <${Button} type="submit" disabled=${file === null || isBusy}>${t('package.bring')}</${Button}>
    </${Form}>
    ${action.stage === 'busy' && html`<div class="task"><p role="status">${t('package.sending')}</p><progress max="1" value=${share} aria-label=${t('package.sending')}></progress></div>`}
    ${action.stage === 'failed' && html`<${Outcome} action=${action} />`}
    ${action.stage !== 'busy' && task !== null && html`<${Progress} kind="import" task=${task} />`}
  </${Card}>`;
}
