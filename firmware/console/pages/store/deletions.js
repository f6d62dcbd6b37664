/**
 * Items that every device of the store forgets: marked at the master, with how far it is. @import { Static } from 'typebox'
 * @import { DeletionProgressAnswer } from '../../../recognition/http/schemas.ts'
 * @import { StoreStatus } from '../../../sync/http/schemas.ts'
 */
import { html, useState } from '/console/assets/preact.js';
import { askOriginal, wordsOf } from '../app/api.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { Button, Outcome, useDeed } from '../parts/deed.js';
import { Question } from '../parts/dialog.js';
import { Card, Chip, Field, Nothing } from '../parts/parts.js';
import { Finding, ItemLine } from '../teach/finding.js';

/** @typedef {Static<typeof DeletionProgressAnswer>['data']} Progress */
/** @typedef {import('../teach/finding.js').Item} Item */
/** @typedef {{currentTarget: HTMLInputElement}} Typed */

/** @param {string} path @returns {Promise<Progress>} */
const readMarks = (path) => askOriginal(path);

/** @param {{item: Pick<Item, 'id' | 'name'>, onYes: () => void, onClose: () => void}} properties it is typed, for it cannot be taken back */
function Sure({ item: { id, name }, onYes, onClose }) {
  const { t } = useWords();
  const [typed, setTyped] = useState('');
  return html`<${Question} title=${t('everywhere.sure', { name: name ?? id })} yes=${t('everywhere.delete')} kind="danger" disabled=${typed.trim() !== id} onYes=${onYes} onClose=${onClose}>
    <p>${t('everywhere.words')}</p>
    <${Field} id="typed" label=${t('everywhere.type', { id })}>
      ${(/** @type {object} */ wires) => html`<input ...${wires} autocomplete="off" spellcheck="false" value=${typed} onInput=${(/** @type {Typed} */ { currentTarget }) => setTyped(currentTarget.value)} />`}
    </${Field}>
  </${Question}>`;
}

/** @param {{mark: Progress['items'][number], devices: StoreStatus['devices'], isBusy: boolean, onEnd: () => void}} properties */
function Mark({ mark: { id, SNs }, devices, isBusy, onEnd }) {
  const { t } = useWords();
  const waiting = devices.map(({ sn }) => sn).filter((sn) => !SNs.includes(sn));
  const n = devices.length - waiting.length;
  return html`<li>
    <span class="part">${id}</span>
    <${Chip} look=${waiting.length === 0 ? 'good' : 'open'}>${t('everywhere.done', { n, most: devices.length })}</${Chip}>
    ${waiting.length > 0 && html`<p class="reason">${t('everywhere.waits', { names: waiting.join(', ') })}</p>`}
    <span class="buttons"><${Button} disabled=${isBusy} label=${`${t('everywhere.end')}: ${id}`} onClick=${onEnd}>${t('everywhere.end')}</${Button}></span>
  </li>`;
}

/** @param {{devices: StoreStatus['devices'], tick: number}} properties */
export function Everywhere({ devices, tick }) {
  const words = useWords();
  const { t } = words;
  const { data, error, again } = useFetched('/api/get_deletion_all_progress', tick, readMarks);
  const [asked, setAsked] = useState(/** @type {Pick<Item, 'id' | 'name'> | null} */ (null));
  const { deed, run } = useDeed();
  const isBusy = deed.stage === 'busy';
  /** @param {'set' | 'clear'} what @param {string} id @param {string} done */
  const change = async (what, id, done) => {
    setAsked(null);
    await run(() => askOriginal(`/api/${what}_deletion_all_flag`, { method: 'POST', json: { id } }), done);
    again();
  };
  const row = (/** @type {Item} */ item) =>
    html`<${Button} disabled=${isBusy} onClick=${() => setAsked(item)}><${ItemLine} item=${item} /></${Button}>`;
  const fresh = (/** @type {string} */ id) =>
    html`<${Button} disabled=${isBusy} onClick=${() => setAsked({ id, name: null })}>${t('everywhere.code', { id })}</${Button}>`;
  const items = data?.items ?? [];
  return html`<${Card} id="everywhere" title=${t('everywhere.title')}>
    <p class="soft">${t('everywhere.how')}</p>
    ${error !== null && html`<p class="problem" role="alert">${wordsOf(words, error)}</p>`}
    <ul class="parts">
      ${items.map((mark) => html`<${Mark} key=${mark.id} mark=${mark} devices=${devices} isBusy=${isBusy} onEnd=${() => change('clear', mark.id, t('everywhere.ended', { id: mark.id }))} />`)}
    </ul>
    ${data !== null && items.length === 0 && html`<${Nothing}>${t('everywhere.none')}</${Nothing}>`}
    <${Outcome} deed=${deed} />
    <div class="found"><${Finding} id="everywhere-sought" help="" row=${row} fresh=${fresh} /></div>
    ${asked !== null && html`<${Sure} item=${asked} onYes=${() => change('set', asked.id, t('everywhere.marked', { id: asked.id }))} onClose=${() => setAsked(null)} />`}
  </${Card}>`;
}
