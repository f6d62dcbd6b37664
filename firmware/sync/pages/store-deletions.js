/**
 * Deletes single items, or everything, from all devices of the store.
 * @import { Fetched } from '../../core/pages/app/fetched.js'
 * @import { Said } from '../../core/pages/app/outcome.js'
 * @import { Item } from '../../recognition/pages/items/finding.js'
 * @import { Marks, StoreState } from '../http/store-schemas.ts'
 */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../core/pages/app/api.js';
import { newId } from '../../core/pages/app/drafts.js';
import { useFetched } from '../../core/pages/app/fetched.js';
import { t } from '../../core/pages/app/language.js';
import { TypedQuestion } from '../../core/pages/parts/dialog.js';
import { Button, Card, Chip, Nothing, Outcome, useAction } from '../../core/pages/parts/parts.js';
import { Finding, ItemLine } from '../../recognition/pages/index.js';

/**
 * Serial numbers of the devices that have not carried out a deletion yet.
 * @param {StoreState['devices']} devices
 * @param {readonly string[]} done
 */
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
 * A mark in force, with its progress.
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
 * Items that all devices of the store must delete: they are marked at the master, and shown with their progress.
 * @param {{devices: StoreState['devices'], tick: number}} properties
 */
export function DeletionMarks({ devices, tick }) {
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

/**
 * Progress of the deletion of everything; devices that were revoked since are left out.
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
export function DeletionOfAll({ store: { masterSN: master, devices, wipe }, onDone }) {
  const [isAsked, setAsked] = useState(false);
  // one id for one deletion: it is sent again while the outcome is unknown, and replaced once the device has reported
  // the deletion
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
