/** The search for items and their order: both are in the address, so that they survive a reload and the way back from an item. @import { Show, Order } from './order.js' */
import { LIMITS } from '/console/assets/limits.js';
import { html } from '/console/assets/preact.js';
import { t } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { Choice, TextField } from '../../../core/pages/parts/parts.js';
import { ORDERS, SHOWN } from './order.js';

/** @typedef {{text: string, show: Show, order: Order}} Wish */

/** @template {string} Name @param {readonly Name[]} names @param {string | null} name @returns {Name | null} */
const oneOf = (names, name) => names.find((known) => known === name) ?? null;

/** @param {URLSearchParams} query @returns {Wish} */
export const wishOf = (query) => ({
  text: query.get('text') ?? '',
  show: oneOf(SHOWN, query.get('show')) ?? 'all',
  order: oneOf(ORDERS, query.get('order')) ?? 'name',
});

/** The address of the list that was left. */
let latest = hrefOf('items');
export const listHref = () => latest;

/** Keeps the search in the address, without a step of the browser's history for each letter. @param {Wish} wish */
export function keepWish({ text, show, order }) {
  latest = hrefOf('items', [], { text, show: show === 'all' ? '' : show, order: order === 'name' ? '' : order });
  history.replaceState(history.state, '', latest);
}

/** @param {{wish: Wish, toReview: number, onWish: (wish: Wish) => void}} properties */
export function Finder({ wish, toReview, onWish }) {
  /** @param {KeyboardEvent} event */
  const intoList = (event) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    const first = document.querySelector('.shelf a');
    if (first instanceof HTMLElement) first.focus();
  };
  return html`<search class="seek">
    <${TextField} id="text" label=${t('items.sought')}
      type="search" maxlength=${LIMITS.itemId} value=${wish.text} onKeyDown=${intoList} onText=${(/** @type {string} */ text) => onWish({ ...wish, text })} />
    <${Choice} id="show" label=${t('items.show')} value=${wish.show} onChoose=${(/** @type {string} */ value) => onWish({ ...wish, show: oneOf(SHOWN, value) ?? 'all' })}
      options=${SHOWN.map((show) => [show, t(`items.show.${show}`, { n: toReview })])} />
    <${Choice} id="order" label=${t('items.order')} value=${wish.order} onChoose=${(/** @type {string} */ value) => onWish({ ...wish, order: oneOf(ORDERS, value) ?? 'name' })}
      options=${ORDERS.map((order) => [order, t(`items.order.${order}`)])} />
  </search>`;
}
