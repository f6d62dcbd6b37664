/**
 * The page of the store: this device as a master with its devices, as a slave of its master, or alone.
 * @import { Call } from '../../core/pages/app/api.js'
 * @import { Fetched } from '../../core/pages/app/fetched.js'
 * @import { Said } from '../../core/pages/app/outcome.js'
 * @import { StoreState } from '../http/store-schemas.ts'
 * @import { RoundAnswer } from '../http/store-routes.ts'
 * @import { Static } from 'typebox'
 */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../core/pages/app/api.js';
import { useTick } from '../../core/pages/app/clock.js';
import { useFetched } from '../../core/pages/app/fetched.js';
import { t, time } from '../../core/pages/app/language.js';
import { SureButton } from '../../core/pages/parts/dialog.js';
import { Button, Card, Folded, Outcome, useAction } from '../../core/pages/parts/parts.js';
import { DeletionMarks, DeletionOfAll } from './store-deletions.js';
import { Devices, Pairing } from './store-devices.js';
import { Joining } from './store-joining.js';

const ASK_EVERY_MS = 5000;

/** @param {StoreState} store */
function summaryOf({ role, masterSN, address, lastSuccess, pending, paired }) {
  if (role !== 'slave') return t(`store.${role}`);
  const host = address?.replace(/:\d+$/, '') ?? '';
  const master = [masterSN, host].filter((name) => name !== '').join(', ');
  if (!paired) return t('store.unpaired', { master });
  const last = lastSuccess === null ? t('store.never') : t('store.last', { time: time(new Date(lastSuccess)) });
  const rest = pending === 0 ? '' : t('store.pending', { n: pending });
  return [t('store.slave', { master }), last, rest].join(' ').trim();
}

/**
 * Buttons for what the device may do in its role: become a master, leave the store, synchronise now.
 * @param {{store: StoreState, onDone: () => void}} properties
 */
function Actions({ store: { role, reason }, onDone }) {
  const [round, setRound] = useState(/** @type {Static<typeof RoundAnswer> | null} */ (null));
  const { action, isBusy, run } = useAction();
  /** @param {Call} call @param {Said} done */
  const carryOut = async (call, done) => {
    setRound(null);
    await run(() => ask('/console/api/store', call), done);
    onDone();
  };
  const becomeMaster = () => carryOut({ method: 'POST', json: { upload: true, download: true } }, 'store.master');
  const leaveStore = () => carryOut({ method: 'DELETE' }, 'store.left');
  const synchronise = async () => {
    /** @type {Static<typeof RoundAnswer> | null} */
    let answer = null;
    const isDone = await run(async () => {
      answer = await ask('/console/api/store/rounds', { method: 'POST', json: {} });
    });
    setRound(isDone ? answer : null);
    onDone();
  };
  return html`<div class="buttons">
      ${role !== 'standalone' && html`<${Button} kind="primary" disabled=${isBusy} onClick=${synchronise}>${t('store.sync')}</${Button}>`}
      ${
        role === 'standalone'
          ? html`<${SureButton} disabled=${isBusy} go=${t('store.become')} title=${t('store.becomeSure')} words=${t('store.becomeWords')} onYes=${becomeMaster} />
            ${reason === 'sync-settings-damaged' && html`<${Button} disabled=${isBusy} onClick=${leaveStore}>${t('store.alone')}</${Button}>`}`
          : html`<${SureButton} kind="danger" disabled=${isBusy} go=${t('store.leave')} title=${t('store.leaveSure')} words=${t('store.leaveWords')} onYes=${leaveStore} />`
      }
    </div>
    <${Outcome} action=${action} />
    ${round !== null && action.stage === 'done' && html`<p class="outcome done" role="status">${t('store.synced')} ${t('store.round', { ...round })} ${round.left > 0 && t('store.pending', { n: round.left })}</p>`}`;
}

/** Whether the reason is a lost file: synchronisation may still work. @param {StoreState['reason']} reason */
const isLoss = (reason) =>
  reason === 'sync-settings-damaged' || reason === 'sync-devices-damaged' || reason === 'sync-marks-lost';

/**
 * Why synchronisation fails; folded, the message of the message server or the system.
 * @param {{store: StoreState, detail: string}} properties
 */
function Failure({ store: { reason, address }, detail }) {
  const code = reason === null || isLoss(reason) ? 'sync-failing' : reason;
  return html`<div class="advice">
    <p>${t(`reason.${code}`, { address: address ?? '' })}</p>
    <${Folded} code=${code} detail=${detail} />
  </div>`;
}

export function Store() {
  const tick = useTick(ASK_EVERY_MS);
  /** @type {Fetched<StoreState>} */
  const { data, error, again } = useFetched('/console/api/store', tick);
  if (data === null) return html`<${Card} id="store" title=${t('store.title')} error=${error} />`;
  const { role, paired, problem, reason } = data;
  return html`<div class="columns">
    <div class="column">
      <${Card} id="store" title=${t('store.title')}>
        <p class="summary">${summaryOf(data)}</p>
        ${isLoss(reason) && html`<p class="advice">${t(`reason.${reason}`)}</p>`}
        ${paired && problem !== null && html`<${Failure} store=${data} detail=${problem} />`}
        ${role === 'standalone' && html`<p class="soft">${t('store.becomeWords')}</p>`}
        <${Actions} store=${data} onDone=${again} />
      </${Card}>
      ${role === 'master' && html`<${Pairing} />`}
      ${role !== 'master' && html`<${Joining} store=${data} onDone=${again} />`}
    </div>
    ${
      role === 'master' &&
      html`<div class="column"><${Devices} store=${data} onDone=${again} /><${DeletionMarks} devices=${data.devices} tick=${tick} />
      <details class="advanced" open=${data.wipe !== null}><summary>${t('advanced')}</summary><${DeletionOfAll} store=${data} onDone=${again} /></details></div>`
    }
  </div>`;
}
