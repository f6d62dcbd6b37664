/**
 * This device's state in its store: a master with its devices, a slave with its master, or alone.
 * @import { Call } from '../../core/pages/app/api.js'
 * @import { Fetched } from '../../core/pages/app/fetched.js'
 * @import { Said } from '../../core/pages/app/outcome.js'
 * @import { Item } from '../../recognition/pages/items/finding.js'
 * @import { Marks, StoreState } from '../http/schemas.ts'
 * @import { RoundAnswer } from '../http/store-routes.ts'
 * @import { Static } from 'typebox'
 */
import { html, useState } from '/console/assets/preact.js';
import { ask, CallError } from '../../core/pages/app/api.js';
import { useTick } from '../../core/pages/app/clock.js';
import { newId, useUnsaved } from '../../core/pages/app/drafts.js';
import { useFetched } from '../../core/pages/app/fetched.js';
import { t, time } from '../../core/pages/app/language.js';
import { SureButton, TypedQuestion } from '../../core/pages/parts/dialog.js';
import {
  Button,
  Card,
  Chip,
  Folded,
  Form,
  Nothing,
  Outcome,
  TextField,
  useAction,
} from '../../core/pages/parts/parts.js';
import { Finding, ItemLine } from '../../recognition/pages/index.js';
import { Devices, Pairing } from './store-devices.js';

/** Serial numbers of the devices that have not done it yet. @param {StoreState['devices']} devices @param {readonly string[]} done */
const waitingOf = (devices, done) => devices.map(({ sn }) => sn).filter((sn) => !done.includes(sn));

/**
 * A mark that a restart ended before all devices learned of it.
 * @param {{mark: Marks['marks'][number], devices: StoreState['devices'], isBusy: boolean, onAgain: () => void,
 * onEnd: () => void}} properties
 */
function BrokenOffMark({ mark: { item: id, done }, devices, isBusy, onAgain, onEnd }) {
  return html`<li>
    <span class="part">${id}</span>
    <${Chip} look="open">${t('everywhere.broken')}</${Chip}>
    <p class="reason">${t('everywhere.lacking', { names: waitingOf(devices, done).join(', ') })}</p>
    <span class="buttons">
      <${Button} disabled=${isBusy} aria-label=${`${t('everywhere.again')}: ${id}`} onClick=${onAgain}>${t('everywhere.again')}</${Button}>
      <${Button} disabled=${isBusy} aria-label=${`${t('everywhere.leave')}: ${id}`} onClick=${onEnd}>${t('everywhere.leave')}</${Button}>
    </span>
  </li>`;
}

/**
 * @param {{mark: Marks['marks'][number], devices: StoreState['devices'], isBusy: boolean,
 * onEnd: () => void}} properties
 */
function Mark({ mark: { item: id, done }, devices, isBusy, onEnd }) {
  const waiting = waitingOf(devices, done);
  const n = devices.length - waiting.length;
  return html`<li>
    <span class="part">${id}</span>
    <${Chip} look=${waiting.length === 0 ? 'good' : 'open'}>${t('everywhere.done', { n, most: devices.length })}</${Chip}>
    ${waiting.length > 0 && html`<p class="reason">${t('everywhere.waits', { names: waiting.join(', ') })} ${t('everywhere.restart')}</p>`}
    <span class="buttons"><${Button} disabled=${isBusy} aria-label=${`${t('everywhere.end')}: ${id}`} onClick=${onEnd}>${t('everywhere.end')}</${Button}></span>
  </li>`;
}

/**
 * Items that every device of the store must forget: they are marked at the master and shown with their progress.
 * @param {{devices: StoreState['devices'], tick: number}} properties
 */
function DeletionMarks({ devices, tick }) {
  /** @type {Fetched<Marks>} */
  const { data, error, again } = useFetched('/console/api/store/marks', tick);
  const [asked, setAsked] = useState(/** @type {Pick<Item, 'id' | 'name'> | null} */ (null));
  const { action, isBusy, run } = useAction();
  /** @param {'PUT' | 'DELETE'} method @param {string} id @param {Said} done */
  const change = async (method, id, done) => {
    setAsked(null);
    await run(() => ask(`/console/api/store/marks/${encodeURIComponent(id)}`, { method }), done);
    void again();
  };
  const row = (/** @type {Item} */ item) =>
    html`<${Button} disabled=${isBusy} onClick=${() => setAsked(item)}><${ItemLine} item=${item} /></${Button}>`;
  const fresh = (/** @type {string} */ id) =>
    html`<${Button} disabled=${isBusy} onClick=${() => setAsked({ id, name: null })}>${t('everywhere.code', { id })}</${Button}>`;
  const marks = data?.marks ?? [];
  const ended = (data?.ended ?? []).filter(({ done }) => waitingOf(devices, done).length > 0);
  return html`<${Card} id="everywhere" title=${t('everywhere.title')} error=${error}>
    <p class="soft">${t('everywhere.how')}</p>
    <ul class="parts">
      ${ended.map((mark) => html`<${BrokenOffMark} key=${mark.item} mark=${mark} devices=${devices} isBusy=${isBusy} onAgain=${() => setAsked({ id: mark.item, name: null })} onEnd=${() => change('DELETE', mark.item, ({ t }) => t('everywhere.ended', { id: mark.item }))} />`)}
      ${marks.map((mark) => html`<${Mark} key=${mark.item} mark=${mark} devices=${devices} isBusy=${isBusy} onEnd=${() => change('DELETE', mark.item, ({ t }) => t('everywhere.ended', { id: mark.item }))} />`)}
    </ul>
    ${data !== null && marks.length + ended.length === 0 && html`<${Nothing}>${t('everywhere.none')}</${Nothing}>`}
    <${Outcome} action=${action} />
    <div class="found"><${Finding} id="everywhere-sought" help="" row=${row} fresh=${fresh} /></div>
    ${
      asked !== null &&
      html`<${TypedQuestion} title=${t('everywhere.sure', { name: asked.name ?? asked.id })} words=${t('everywhere.words')} label=${t('everywhere.type', { id: asked.id })}
        name=${asked.id} yes=${t('everywhere.delete')} onYes=${() => change('PUT', asked.id, ({ t }) => t('everywhere.marked', { id: asked.id }))} onClose=${() => setAsked(null)} />`
    }
  </${Card}>`;
}

/** Longer than the device waits for the code in front of its camera, and takes to pair. */
const CAMERA_LIMIT_MS = 60_000;

const pairByCamera = () => ask('/console/api/store/join', { method: 'POST', json: {}, limitMs: CAMERA_LIMIT_MS });

/** Tries twice: one try ends before a person has found the master's page on a phone. */
async function pairByCameraTwice() {
  try {
    return await pairByCamera();
  } catch (error) {
    if (error instanceof CallError && error.code === 'Store.NoCode') return await pairByCamera();
    throw error;
  }
}

/** "192.168.1.10:7443"; without a port the usual one. @param {string} text */
function addressOf(text) {
  const [, host, port] = /^([^:]+):(\d+)$/.exec(text) ?? [null, text, null];
  return { host, ...(port === null ? {} : { port: Number(port) }) };
}

/**
 * Pairs this device with a master: once, and again after the master was replaced or has removed the device.
 * @param {{store: StoreState, onDone: () => void}} properties
 */
function Joining({ store: { role, paired, problem, reason, address: known, upload, download }, onDone }) {
  const [address, setAddress] = useState(known ?? '');
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(/** @type {'address' | 'code' | null} */ (null));
  const { action, isBusy, run } = useAction();
  const isMember = role === 'slave' && paired;
  // a member that synchronises needs no form
  const isNeeded = !isMember || problem !== null;
  useUnsaved(isNeeded && (address !== (known ?? '') || code !== ''));
  if (!isNeeded) return null;
  const pair = async () => {
    const empty = address.trim() === '' ? 'address' : code.trim() === '' ? 'code' : null;
    setMissing(empty);
    if (empty !== null) return;
    const directions = role === 'slave' ? { upload, download } : {};
    const json = { ...addressOf(address.trim()), ...directions, code: code.trim() };
    if (await run(() => ask('/console/api/store/master', { method: 'PUT', json }), 'store.paired')) setCode('');
    onDone();
  };
  const readCode = async () => {
    setMissing(null);
    await run(pairByCameraTwice, 'store.paired');
    onDone();
  };
  const isAtField = ['host', 'port', 'code'].includes(action.field ?? '');
  /** @param {'address' | 'code'} field */
  const problemAt = (field) => {
    if (missing === field) return t(`store.${field}Missing`);
    return isAtField && (action.field === 'code') === (field === 'code') ? action.said : '';
  };
  return html`<${Card} id="join" title=${t(isMember ? 'store.again' : 'store.join')}>
    ${isMember && reason === null && html`<p class="advice">${t('store.trouble')}</p>`}
    <p>${t('store.seeHow')}</p>
    <${Button} kind="primary" disabled=${isBusy} onClick=${readCode}>${t('store.see')}</${Button}>
    <p class="soft">${t('store.or')}</p>
    <${Form} novalidate onSubmit=${pair}>
      <${TextField} id="master" label=${t('store.address')} help=${t('store.addressHelp')} problem=${problemAt('address')}
        inputmode="url" value=${address} onText=${setAddress} />
      <${TextField} id="code" label=${t('store.code')} help=${t('store.codeHelp')} problem=${problemAt('code')}
        autocapitalize="characters" spellcheck="false" value=${code} onText=${setCode} />
      <${Button} type="submit" disabled=${isBusy}>${t('store.pair')}</${Button}>
    </${Form}>
    ${!isAtField && html`<${Outcome} action=${action} />`}
  </${Card}>`;
}

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
 * What may be done in its role: become a master, leave the store, synchronise now.
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

/**
 * Progress of the deletion; devices that were shut out meanwhile are left out.
 * @param {{wipe: NonNullable<StoreState['wipe']>, devices: StoreState['devices']}} properties
 */
function DeletionProgress({ wipe, devices }) {
  const asked = devices.filter(({ sn }) => wipe.devices.includes(sn));
  const waiting = waitingOf(asked, wipe.done);
  const n = asked.length - waiting.length;
  return html`<div role="status">
    <p><${Chip} look=${waiting.length === 0 ? 'good' : 'open'}>${t('wipe.done', { n, most: asked.length })}</${Chip}></p>
    ${waiting.length > 0 && html`<p class="reason">${t('wipe.waits', { names: waiting.join(', ') })}</p>`}
  </div>`;
}

/** Deletes all items from every device of the store, once. @param {{store: StoreState, onDone: () => void}} properties */
function DeletionOfAll({ store: { masterSN: master, devices, wipe }, onDone }) {
  const [isAsked, setAsked] = useState(false);
  // one id for one deletion: sent again where the outcome is unknown, and a new one once the device has reported it
  const [id, setId] = useState(newId);
  const { action, isBusy, run } = useAction();
  const open = () => {
    if (wipe?.id === id) setId(newId());
    setAsked(true);
  };
  const deleteAll = async () => {
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
    ${wipe !== null && html`<${DeletionProgress} wipe=${wipe} devices=${devices} />`}
    <${Outcome} action=${action} />
    <div class="buttons"><${Button} kind="danger" disabled=${isBusy} onClick=${open}>${t('wipe.open')}</${Button}></div>
    ${
      isAsked &&
      html`<${TypedQuestion} title=${t('wipe.sure')} words=${t('wipe.words', { n: devices.length })} label=${t('wipe.type', { id: master })}
        name=${master} yes=${t('wipe.delete')} onYes=${deleteAll} onClose=${() => setAsked(false)} />`
    }
  </${Card}>`;
}

/** Whether the reason is that files were lost: synchronisation may still work. @param {StoreState['reason']} reason */
const isLoss = (reason) =>
  reason === 'sync-settings-damaged' || reason === 'sync-devices-damaged' || reason === 'sync-marks-lost';

/**
 * Why synchronisation fails; folded, the words of the message server or the system.
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
