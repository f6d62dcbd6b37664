/** Tiles to choose from, legible at arm's length, and the search for another item, by name or by code on a keypad. @import { TrayState } from '../../answer/tray-state.ts' */
import { LIMITS } from '/console/assets/limits.js';
import { html, useLayoutEffect, useRef, useState } from '/console/assets/preact.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { roubles, t } from '../../../core/pages/app/language.js';
import { Keypad } from '../../../core/pages/parts/keypad.js';
import { Nothing, Problem } from '../../../core/pages/parts/parts.js';
import { folded } from '../items/shelf.js';

/** @typedef {Omit<TrayState['candidates'][number], 'share' | 'similarity'>} Item what is sold */

/** Replaces a missing picture: the first letters of the name. @param {Item} item */
export const lettersOf = ({ name, id }) =>
  [...new Intl.Segmenter().segment((name ?? id).trim())]
    .slice(0, 2)
    .map(({ segment }) => segment)
    .join('')
    .toLocaleUpperCase();

/** @param {{item: Item}} properties */
export function Sold({ item }) {
  const [broken, setBroken] = useState(/** @type {string | null} */ (null));
  return html`${
    item.picture === null || item.picture === broken
      ? html`<span class="letters" aria-hidden="true">${lettersOf(item)}</span>`
      : html`<img src=${item.picture} alt="" onError=${() => setBroken(item.picture)} />`
  }
    <span class="words">
      <strong>${item.name ?? item.id}</strong>
      <span class="codes">
        ${item.plu !== (item.name ?? item.id) && html`<span>${item.plu}</span>`}
        ${item.price !== null && html`<span class="price">${roubles(item.price)}</span>`}
      </span>
    </span>`;
}

/** @param {{items: readonly Item[], label: string, disabled?: boolean, onChoose: (item: Item) => void, children?: unknown}} properties */
export const Tiles = ({ items, label, disabled = false, onChoose, children }) =>
  html`<ul class="tiles" aria-label=${label}>
    ${items.map(
      (item) =>
        html`<li key=${item.id}>
          <button type="button" class="tile" disabled=${disabled} onClick=${() => onChoose(item)}><${Sold} item=${item} /></button>
        </li>`,
    )}
    ${children}
  </ul>`;

const MOST_FOUND = 6;

/** @param {{id: string}} learned @returns {Item} */
const unnamedOf = ({ id }) => ({ id, name: null, plu: id, price: null, picture: null });

/** @param {{disabled: boolean, onChoose: (item: Item) => void}} properties */
export function Search({ disabled, onChoose }) {
  const [text, setText] = useState('');
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => field.current?.focus(), []);
  const wanted = text.trim();
  const path = `/v1/items?search=${encodeURIComponent(wanted)}&limit=${MOST_FOUND}`;
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<{items: Item[]}>} */
  const { data: like, error } = useFetched(wanted === '' ? null : path);
  /** Finds exactly this code, which may be lost among longer codes. @type {import('../../../core/pages/app/fetched.js').Fetched<{items: Item[]}>} */
  const { data: exact, error: noExact } = useFetched(
    wanted === '' ? null : `/v1/items?code=${encodeURIComponent(wanted)}&limit=${MOST_FOUND}`,
  );
  /**
   * Items that were learned and never named are in no list.
   * @type {import('../../../core/pages/app/fetched.js').Fetched<{items: {id: string}[]}>}
   */
  const { data: learned } = useFetched('/v1/templates');
  const unnamed = learned?.items.filter(({ id }) => folded(id).includes(folded(wanted))).map(unnamedOf) ?? [];
  const all = [...(exact?.items ?? []), ...(like?.items ?? []), ...unnamed];
  const byId = new Map([...all].reverse().map((item) => [item.id, item])); // of two with one id the first stays, which has a name
  const found =
    like === null || (exact === null && noExact === null)
      ? null
      : [...new Set(all.map(({ id }) => /** @type {Item} */ (byId.get(id))))].slice(0, MOST_FOUND);
  return html`<div class="by-name">
    <search>
      <label for="sought">${t('scale.sought')}</label>
      <input id="sought" ref=${field} type="search" autocomplete="off" maxlength=${LIMITS.itemId} value=${text}
        onInput=${(/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) => setText(currentTarget.value)} />
      <${Keypad} keys=${['1', '2', '3', '4', '5', '6', '7', '8', '9', '', '0', 'back']}
        onKey=${(/** @type {string} */ key) => setText((before) => (key === 'back' ? before.slice(0, -1) : `${before}${key}`))} />
    </search>
    <div class="hits">
      <${Problem} error=${error} />
      ${found !== null && found.length === 0 && html`<${Nothing}>${t('scale.notFound', { text: wanted })}</${Nothing}>`}
      ${found !== null && html`<${Tiles} items=${found} label=${t('scale.found')} disabled=${disabled} onChoose=${onChoose} />`}
    </div>
  </div>`;
}
