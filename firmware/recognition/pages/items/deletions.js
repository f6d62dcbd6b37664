/**
 * Pending deletions, which can still be undone: in every window and after a reload, because the device holds the list.
 * @import { Static } from 'typebox'
 * @import { DeletionList } from '../../http/v1/template-routes.ts'
 */
import { html } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useTick } from '../../../core/pages/app/clock.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { t } from '../../../core/pages/app/language.js';
import { Button, Outcome, useAction } from '../../../core/pages/parts/parts.js';

const TICK_MS = 500;
const SECOND_MS = 1000;

/** @typedef {Static<typeof DeletionList>['deletions'][number]} Deletion */
/** @typedef {Deletion & {due: number}} Waiting `due`: when it is done, by `performance.now()` */

/** @param {string} path @returns {Promise<readonly Waiting[]>} */
async function waitingNow(path) {
  /** @type {Static<typeof DeletionList>} */
  const { deletions } = await ask(path);
  const now = performance.now();
  return deletions.map((deletion) => ({ ...deletion, due: now + deletion.leftMs }));
}

/** @returns {readonly Waiting[]} */
export function useDeletions() {
  const { state } = useDevice();
  const { data } = useFetched('/console/api/deletions', state?.itemsRevision, waitingNow);
  return data ?? [];
}

/** @param {string} item @param {string | null} template @returns {Promise<unknown>} */
export const deleteLater = (item, template) =>
  ask('/console/api/deletions', { method: 'POST', json: { item, template } });

/** @param {Waiting} deletion @returns {Promise<unknown>} */
export const undoDeletion = ({ id }) => ask(`/console/api/deletions/${encodeURIComponent(id)}`, { method: 'DELETE' });

/** @param {Waiting} deletion */
const leftOf = ({ due }) => Math.max(0, Math.ceil((due - performance.now()) / SECOND_MS));

/** @param {{deletion: Waiting}} properties */
function Row({ deletion }) {
  const { action, isBusy, run } = useAction();
  const name = deletion.name ?? deletion.item;
  const what = deletion.template === null ? t('undo.item', { name }) : t('undo.picture', { name });
  return html`<li class="line spread">
    <span>${what} <span class="soft" aria-hidden="true">${t('undo.left', { n: leftOf(deletion) })}</span></span>
    <${Button} aria-label=${`${t('undo.undo')}: ${what}`} disabled=${isBusy} onClick=${() => run(() => undoDeletion(deletion))}>${t('undo.undo')}</${Button}>
    ${action.stage === 'failed' && html`<${Outcome} action=${action} />`}
  </li>`;
}

/** @param {{deletions: readonly Waiting[]}} properties */
export function Undoing({ deletions }) {
  useTick(TICK_MS, deletions.length > 0);
  return html`<section class="undoing ${deletions.length === 0 ? 'none' : ''}" aria-label=${t('undo.title')}>
    <p class="unseen" role="status">${deletions.length > 0 && t('undo.said', { n: deletions.length })}</p>
    ${deletions.length > 0 && html`<ul>${deletions.map((deletion) => html`<${Row} key=${deletion.id} deletion=${deletion} />`)}</ul>`}
  </section>`;
}
