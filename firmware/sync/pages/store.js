/**
 * This device's state in its store: a master with its devices, a slave with its master, or alone.
 * @import { Static } from 'typebox'
 * @import { RoundAnswer } from '../http/store-routes.ts'
 * @import { StoreState } from '../http/schemas.ts'
 */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../core/pages/app/api.js';
import { useTick } from '../../core/pages/app/clock.js';
import { useFetched } from '../../core/pages/app/fetched.js';
import { newId } from '../../core/pages/app/key.js';
import { t, time } from '../../core/pages/app/language.js';
import { SureButton, TypedQuestion } from '../../core/pages/parts/dialog.js';
import { Button, Card, Chip, Folded, Outcome, useAction } from '../../core/pages/parts/parts.js';
import { Everywhere } from './store-deletions.js';
import { Devices, Pairing } from './store-devices.js';
import { Joining } from './store-joining.js';

const ASK_EVERY_MS = 5000;

/** @param {StoreState} store */
function summaryOf({ role, masterSN, address, lastSuccess, pending, paired }) {
  if (role !== 'slave') return t(`store.${role}`);
  const host = address?.replace(/:\d+$/, '') ?? '';
  const master = [masterSN, host].filter((name) => name !== '').join(', ');
  const last = lastSuccess === null ? t('store.never') : t('store.last', { time: time(new Date(lastSuccess)) });
  const rest = pending === 0 ? '' : t('store.pending', { n: pending });
  return [t('store.slave', { master }), paired ? last : t('store.unpaired'), rest].join(' ').trim();
}

/** @param {{role: StoreState['role'], onDone: () => void}} properties */
function Actions({ role, onDone }) {
  const [round, setRound] = useState(/** @type {Static<typeof RoundAnswer> | null} */ (null));
  const { action, isBusy, run } = useAction();
  /** @param {import('../../core/pages/app/api.js').Call} call @param {import('../../core/pages/app/outcome.js').Said} done */
  const carryOut = async (call, done) => {
    setRound(null);
    await run(() => ask('/console/api/store', call), done);
    onDone();
  };
  const become = () => carryOut({ method: 'POST', json: { upload: true, download: true } }, 'store.master');
  const leave = () => carryOut({ method: 'DELETE' }, 'store.left');
  const synchronise = async () => {
    /** @type {Static<typeof RoundAnswer> | null} */
    let round = null;
    const isDone = await run(async () => {
      round = await ask('/console/api/store/rounds', { method: 'POST', json: {} });
    });
    setRound(isDone ? round : null);
    onDone();
  };
  return html`<div class="buttons">
      ${role !== 'standalone' && html`<${Button} kind="primary" disabled=${isBusy} onClick=${synchronise}>${t('store.sync')}</${Button}>`}
      ${
        role === 'standalone'
          ? html`<${SureButton} disabled=${isBusy} go=${t('store.become')} title=${t('store.becomeSure')} words=${t('store.becomeWords')} onYes=${become} />`
          : html`<${SureButton} kind="danger" disabled=${isBusy} go=${t('store.leave')} title=${t('store.leaveSure')} words=${t('store.leaveWords')} onYes=${leave} />`
      }
    </div>
    <${Outcome} action=${action} />
    ${round !== null && action.stage === 'done' && html`<p class="outcome done" role="status">${t('store.synced')} ${t('store.round', { ...round })} ${round.left > 0 && t('store.pending', { n: round.left })}</p>`}`;
}

/**
 * Progress of the deletion; devices that were shut out meanwhile are left out.
 * @param {{wipe: NonNullable<StoreState['wipe']>, devices: StoreState['devices']}} properties
 */
function Progress({ wipe, devices }) {
  const meant = devices.map(({ sn }) => sn).filter((sn) => wipe.devices.includes(sn));
  const waiting = meant.filter((sn) => !wipe.done.includes(sn));
  const n = meant.length - waiting.length;
  return html`<div role="status">
    <p><${Chip} look=${waiting.length === 0 ? 'good' : 'open'}>${t('wipe.done', { n, most: meant.length })}</${Chip}></p>
    ${waiting.length > 0 && html`<p class="reason">${t('wipe.waits', { names: waiting.join(', ') })}</p>`}
  </div>`;
}

/** Every device of the store forgets all items, once. @param {{store: StoreState, onDone: () => void}} properties */
function Wiping({ store: { masterSN: master, devices, wipe }, onDone }) {
  const [isAsked, setAsked] = useState(false);
  // sent again where its outcome is unknown; a question after the device has reported it is another one
  const [id, setId] = useState(newId);
  const { action, isBusy, run } = useAction();
  const open = () => {
    if (wipe?.id === id) setId(newId());
    setAsked(true);
  };
  const forget = async () => {
    setAsked(false);
    const isDone = await run(
      () => ask(`/console/api/store/wipes/${id}`, { method: 'PUT', json: { master } }),
      'wipe.begun',
    );
    if (isDone) setId(newId());
    onDone();
  };
  return html`<${Card} id="wipe" title=${t('wipe.title')}>
    <p class="soft">${t('wipe.how')}</p>
    ${wipe !== null && html`<${Progress} wipe=${wipe} devices=${devices} />`}
    <${Outcome} action=${action} />
    <div class="buttons"><${Button} kind="danger" disabled=${isBusy} onClick=${open}>${t('wipe.open')}</${Button}></div>
    ${
      isAsked &&
      html`<${TypedQuestion} title=${t('wipe.sure')} words=${t('wipe.words', { n: devices.length })} label=${t('wipe.type', { id: master })}
        name=${master} yes=${t('wipe.delete')} onYes=${forget} onClose=${() => setAsked(false)} />`
    }
  </${Card}>`;
}

/** The trouble, in the words of the message server or the system. @param {{detail: string}} properties */
function Failing({ detail }) {
  return html`<div class="advice">
    <p>${t('reason.sync-failing')}</p>
    <${Folded} code="sync-failing" detail=${detail} />
  </div>`;
}

export function Store() {
  const tick = useTick(ASK_EVERY_MS);
  /** @type {import('../../core/pages/app/fetched.js').Fetched<StoreState>} */
  const { data, error, again } = useFetched('/console/api/store', tick);
  if (data === null) return html`<${Card} id="store" title=${t('store.title')} error=${error} />`;
  const { role, paired, problem } = data;
  return html`<div class="columns">
    <div class="column">
      <${Card} id="store" title=${t('store.title')}>
        <p class="summary">${summaryOf(data)}</p>
        ${paired && problem !== null && html`<${Failing} detail=${problem} />`}
        ${role === 'standalone' && html`<p class="soft">${t('store.becomeWords')}</p>`}
        <${Actions} role=${role} onDone=${again} />
      </${Card}>
      ${role === 'master' && html`<${Pairing} />`}
      ${role !== 'master' && html`<${Joining} store=${data} onDone=${again} />`}
    </div>
    ${
      role === 'master' &&
      html`<div class="column"><${Devices} store=${data} onDone=${again} /><${Everywhere} devices=${data.devices} tick=${tick} />
      <details class="advanced" open=${data.wipe !== null}><summary>${t('advanced')}</summary><${Wiping} store=${data} onDone=${again} /></details></div>`
    }
  </div>`;
}
