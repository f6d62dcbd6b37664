/** The form of an item's name, codes and price. @import { Item } from './shelf.js' */
import { LIMITS } from '/console/assets/limits.js';
import { html, useState } from '/console/assets/preact.js';
import { ask, CallError } from '../../../core/pages/app/api.js';
import { useDraft } from '../../../core/pages/app/drafts.js';
import { t, useWords } from '../../../core/pages/app/language.js';
import { useUnsaved } from '../../../core/pages/app/unsaved.js';
import { parseRoubles } from '../../../core/pages/parts/amount.js';
import { Button, Form, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';

const KOPECKS = 100;

/** A price as people type it. @param {number | null} price kopecks @param {string} comma */
const typed = (price, comma) => (price === null ? '' : (price / KOPECKS).toFixed(2).replace('.', comma));

/** @param {string} text @returns {number | null | undefined} kopecks; null where none is known, undefined where it is no price */
function priceOf(text) {
  const read = parseRoubles(text);
  if ('kopecks' in read) return read.kopecks;
  if (read.problem === 'least') return 0; // what is given away
  return read.problem === 'empty' ? null : undefined;
}

/**
 * The fields that were changed here, because another window may have changed the rest.
 * @param {Readonly<Record<string, unknown>>} before @param {Readonly<Record<string, unknown>>} after
 */
const changesOf = (before, after) =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]));

/** Saves an item. Where it had no record, a record that another window has made since is kept. @param {string} path @param {object} json @param {boolean} isSaid */
async function say(path, json, isSaid) {
  try {
    await ask(path, { method: 'PATCH', json });
  } catch (error) {
    if (isSaid || !(error instanceof CallError) || error.code !== 'Items.NotFound') throw error;
    await ask(path, { method: 'PUT', json });
  }
}

/** @param {{item: Item, isSaid: boolean, onDone: () => void}} properties */
export function Naming({ item, isSaid, onDone }) {
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
    const isDone = await run(() => say(path, json, isSaid), 'items.saved');
    if (!isDone) return;
    // what was typed meanwhile was not sent
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
  /** @param {keyof typeof saved} name @param {string} label @param {{help?: string, inputmode?: string, most?: number}} [more] */
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
