/** Tiles to choose from, to be told apart at arm's length. @import { Item } from './stage.js' */
import { html, useState } from '/console/assets/preact.js';
import { roubles } from '../app/language.js';

/** What stands in place of a picture: the first letters of the name. @param {Item} item */
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
