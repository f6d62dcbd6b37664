/**
 * The page of one item: its name and price, how well it is recognised, and its pictures.
 * @import { Fetched } from '../../../core/pages/app/fetched.js'
 * @import { Waiting } from './deletions.js'
 * @import { Pair, Stray } from './findings.js'
 * @import { Item } from './shelf.js'
 */

import { LIMITS } from '/console/assets/limits.js';
import { html, useState } from '/console/assets/preact.js';
import { ask, CallError } from '../../../core/pages/app/api.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useDraft, useUnsaved } from '../../../core/pages/app/drafts.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { number, t, useWords } from '../../../core/pages/app/language.js';
import { hrefOf, isPage } from '../../../core/pages/app/route.js';
import { parseRoubles } from '../../../core/pages/parts/amount.js';
import {
  Button,
  Card,
  Chip,
  Form,
  Nothing,
  Outcome,
  Problem,
  TextField,
  useAction,
} from '../../../core/pages/parts/parts.js';
import { deleteLater, undoDeletion } from './deletions.js';
import { otherOf, useFindings } from './findings.js';
import { DAYS, ENOUGH, Look, rateOf, useHits } from './hits.js';
import { listHref } from './search.js';
import { goodOf } from './shelf.js';

const KOPECKS = 100;

/** A price as people type it. @param {number | null} price kopecks @param {string} comma */
const typed = (price, comma) => (price === null ? '' : (price / KOPECKS).toFixed(2).replace('.', comma));

/**
 * @param {string} text
 * @returns {number | null | undefined} kopecks; null where none is known, undefined where it is no price
 */
function priceOf(text) {
  const read = parseRoubles(text);
  if ('kopecks' in read) return read.kopecks;
  if (read.problem === 'least') return 0; // an item that is given away
  return read.problem === 'empty' ? null : undefined;
}

/**
 * The fields that were changed here, because another window may have changed the rest.
 * @param {Readonly<Record<string, unknown>>} before @param {Readonly<Record<string, unknown>>} after
 */
const changesOf = (before, after) =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]));

/**
 * Saves an item. `isSaid`: it had a record. Where it had none, a record that another window has made since is changed, not
 * replaced.
 * @param {string} path @param {object} json @param {boolean} isSaid
 */
async function saveItem(path, json, isSaid) {
  try {
    await ask(path, { method: 'PATCH', json });
  } catch (error) {
    if (isSaid || !(error instanceof CallError) || error.code !== 'Items.NotFound') throw error;
    await ask(path, { method: 'PUT', json });
  }
}

/** The form of an item's name, code and price. @param {{item: Item, isSaid: boolean, onDone: () => void}} properties */
function Naming({ item, isSaid, onDone }) {
  const { decimalSign } = useWords();
  const saved = { name: item.name ?? '', plu: item.plu, price: typed(item.price, decimalSign()) };
  // a field that is not edited here follows the device, also when somebody else changes it
  const [edited, setEdited] = useDraft(`item ${item.id}`, /** @type {Partial<typeof saved>} */ ({}));
  const [wrong, setWrong] = useState(false);
  const { action, isBusy, run, forget } = useAction();
  const now = { ...saved, ...edited };
  useUnsaved(Object.keys(changesOf(saved, edited)).length > 0);
  const save = async () => {
    const price = edited.price === undefined ? item.price : priceOf(edited.price);
    setWrong(price === undefined);
    if (price === undefined) return forget();
    const after = { name: now.name.trim() || null, plu: now.plu.trim() || item.id, price };
    const json = changesOf({ name: item.name, plu: item.plu, price: item.price }, after);
    const path = `/v1/items/${encodeURIComponent(item.id)}`;
    const isDone = await run(() => saveItem(path, json, isSaid), 'items.saved');
    if (!isDone) return;
    // text that was typed during the call was not sent, and stays
    const isUnsent = (/** @type {[string, string]} */ [name, value]) =>
      value !== edited[/** @type {keyof typeof saved} */ (name)];
    setEdited((before) => Object.fromEntries(Object.entries(before).filter(isUnsent)));
    onDone();
  };
  /** @param {keyof typeof saved} name */
  const problemAt = (name) => {
    if (name === 'price' && wrong) return t('items.priceWrong');
    return action.stage === 'failed' && action.field === name ? action.said : '';
  };
  /**
   * @param {keyof typeof saved} name @param {string} label
   * @param {{help?: string, inputmode?: string, most?: number}} [more]
   */
  const field = (name, label, { help = '', inputmode = 'text', most } = {}) =>
    html`<${TextField} id=${name} label=${label} help=${help} problem=${problemAt(name)}
      inputmode=${inputmode} most=${most} value=${now[name]} onText=${(/** @type {string} */ text) => setEdited({ ...edited, [name]: text })} />`;
  return html`<${Form} novalidate onSubmit=${save}>
    ${field('name', t('items.name'), { most: LIMITS.itemName })}
    ${field('plu', t('items.plu'), { most: LIMITS.itemId })}
    ${field('price', t('items.price'), { help: t('items.priceHelp'), inputmode: 'decimal' })}
    <${Button} type="submit" kind="primary" disabled=${isBusy}>${t('items.save')}</${Button}>
    ${(action.stage !== 'failed' || action.field === null) && html`<${Outcome} action=${action} />`}
  </${Form}>`;
}

/** An item that was learned and has no record. @param {string} id @returns {Item} */
const withoutRecord = (id) => ({
  id,
  name: null,
  plu: id,
  price: null,
  barcodes: [],
  pieceWeight: null,
  picture: null,
  templates: 0,
  createdAt: '',
  updatedAt: '',
});

/** @param {string} id @returns {(path: string) => Promise<{item: Item, isSaid: boolean}>} */
const itemNow = (id) => async (path) => {
  try {
    return { item: await ask(path), isSaid: true };
  } catch (error) {
    if (!(error instanceof CallError && error.code === 'Items.NotFound')) throw error;
    return { item: withoutRecord(id), isSaid: false };
  }
};

/** @param {{id: string}} properties */
function Recognised({ id }) {
  const hits = useHits().get(id);
  const rate = rateOf(hits);
  if (hits === undefined) return html`<p class="soft">${t('items.noHits', { days: DAYS })}</p>`;
  const figures = { n: hits.total, first: number(hits.first), total: number(hits.total), days: DAYS };
  return html`${rate !== null && html`<p class="line"><strong class="large">${number(rate, { style: 'percent' })}</strong><span>${t('items.rateWords')}</span></p>`}
    <p class="soft">${t('items.hits', figures)} ${rate === null && t('items.fewHits', { n: ENOUGH })}</p>`;
}

/** @param {{id: string, pairs: readonly Pair[]}} properties */
function Alike({ id, pairs }) {
  if (pairs.length === 0) return null;
  return html`<ul class="alike advice">
    ${pairs.map((pair) => {
      const other = otherOf(pair, id);
      return html`<li key=${other?.id}>
        ${other !== undefined && html`<${Look} good=${{ ...other, picture: null }} restMs=${0} />`}
        <p>${t('items.alike')} <a href=${hrefOf('items', [other?.id ?? ''])}>${other?.name ?? other?.id}</a></p>
        <p>${t(`items.cure.${pair.cure}`)}</p>
      </li>`;
    })}
  </ul>`;
}

/** @typedef {{template: string, picture: string}} Template */

/**
 * @param {{item: string, one: Template, n: number, waiting: Waiting | undefined, stray: Stray | undefined}} properties
 */
function Picture({ item, one, n, waiting, stray }) {
  const { action, isBusy, run } = useAction();
  const like = stray?.looksLike;
  return html`<li class=${waiting === undefined ? '' : 'going'}>
    <img src=${one.picture} alt=${t('items.picture', { n })} loading="lazy" decoding="async" />
    ${like !== undefined && html`<p class="stray">${t('items.stray', { name: like.name ?? like.id })}</p>`}
    ${
      waiting === undefined
        ? html`<${Button} aria-label=${t('finding.deleteNumber', { n })} disabled=${isBusy} onClick=${() => run(() => deleteLater(item, one.template))}>${t('finding.delete')}</${Button}>`
        : html`<${Button} aria-label=${t('undo.undoNumber', { n })} disabled=${isBusy} onClick=${() => run(() => undoDeletion(waiting))}>${t('undo.undo')}</${Button}>`
    }
    ${action.stage === 'failed' && html`<${Outcome} action=${action} />`}
  </li>`;
}

/**
 * The learned pictures: each can be deleted, and those that look like another item are marked.
 * @param {{item: string, templates: readonly Template[], waiting: readonly Waiting[],
 * strays: readonly Stray[]}} properties
 */
function Pictures({ item, templates, waiting, strays }) {
  if (templates.length === 0) return html`<${Nothing}>${t('items.noPictures')}</${Nothing}>`;
  return html`<ol class="pictures">
    ${templates.map(
      (one, at) => html`<${Picture} key=${one.template} item=${item} one=${one} n=${at + 1}
        waiting=${waiting.find(({ template }) => template === one.template)}
        stray=${strays.find(({ template }) => template === one.template)} />`,
    )}
  </ol>`;
}

/** @param {{id: string, isGoing: boolean, pictures: number}} properties */
function Deleting({ id, isGoing, pictures }) {
  const { state } = useDevice();
  const { action, isBusy, run } = useAction();
  return html`<${Card} id="deleting" title=${t('items.delete')}>
    <p>${t('items.deleteWords', { n: pictures })}</p>
    <${Button} kind="danger" disabled=${isGoing || state === null || isBusy} onClick=${() => run(() => deleteLater(id, null))}>${t('items.delete')}</${Button}>
    ${action.stage === 'failed' && html`<${Outcome} action=${action} />`}
  </${Card}>`;
}

/** @param {{id: string, deletions: readonly Waiting[]}} properties */
export function OneItem({ id, deletions }) {
  const { state } = useDevice();
  const revision = state?.itemsRevision;
  const path = `/v1/items/${encodeURIComponent(id)}`;
  const { data, error, again } = useFetched(path, revision, itemNow(id));
  /** @type {Fetched<{templates: readonly Template[], most: number}>} */
  const learned = useFetched(`${path}/templates`, revision);
  const findings = useFindings();
  const waiting = deletions.filter(({ item }) => item === id);
  const isGoing = waiting.some(({ template }) => template === null);
  const back = html`<a class="button" href=${listHref()}>${t('items.all')}</a>`;
  const problem = html`<${Problem} error=${error ?? learned.error} />`;
  if (data === null || learned.data === null) return html`${back}${problem}`;
  const { item, isSaid } = data;
  const { templates, most } = learned.data;
  if (!isSaid && templates.length === 0) return html`${back}<p class="nothing">${t('items.gone')}</p>`;
  return html`<div class="line">${back}
      <strong class="large">${item.name ?? t('items.unnamed')}</strong><span class="soft">${item.plu}</span>
      ${isGoing && html`<${Chip} look="bad" live>${t('items.going')}</${Chip}>`}</div>
    ${problem}
    <${Alike} id=${id} pairs=${findings.pairs.get(id) ?? []} />
    <div class="columns">
      <div class="column">
        <${Card} id="naming" title=${t('items.naming')} aside=${html`<${Look} good=${{ ...goodOf(item), templates: templates.length }} restMs=${0} />`}>
          <${Naming} item=${item} isSaid=${isSaid} onDone=${again} />
        </${Card}>
        <${Card} id="recognised" title=${t('items.recognised')}>
          <${Recognised} id=${id} />
        </${Card}>
      </div>
      <div class="column">
        <${Card} id="pictures" title=${t('items.pictures', { n: templates.length, most })}
          aside=${isPage('teach') && html`<a class="button" href=${hrefOf('teach', [id])}>${t('items.teach')}</a>`}>
          <${Pictures} item=${id} templates=${templates} waiting=${waiting} strays=${findings.strays.get(id) ?? []} />
        </${Card}>
        <${Deleting} id=${id} isGoing=${isGoing} pictures=${templates.length} />
      </div>
    </div>`;
}
