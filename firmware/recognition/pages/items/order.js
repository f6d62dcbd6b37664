/**
 * The search for items: which are shown, and in which order. Both are in the address, so that they survive a reload and
 * the way back from an item.
 * @import { Findings } from './findings.js'
 * @import { HitsByItem } from './hits.js'
 * @import { Good } from './shelf.js'
 */

import { LIMITS } from '/console/assets/limits.js';
import { html } from '/console/assets/preact.js';
import { t } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { Choice, TextField } from '../../../core/pages/parts/parts.js';
import { rateOf } from './hits.js';
import { folded } from './shelf.js';

const SHOWN = /** @type {const} */ (['all', 'toReview', 'untaught', 'unnamed']);
const ORDERS = /** @type {const} */ (['name', 'code', 'hits', 'pictures']);

/** @typedef {typeof SHOWN[number]} Show */
/** @typedef {typeof ORDERS[number]} Order */
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

/** @typedef {{findings: Findings, hits: HitsByItem}} Known */

/** @param {string} id @param {Findings} findings */
export const isToReview = (id, { pairs, strays }) => pairs.has(id) || strays.has(id);

/** @type {Readonly<Record<Show, (good: Good, known: Known) => boolean>>} */
const IS_SHOWN = {
  all: () => true,
  toReview: ({ id }, { findings }) => isToReview(id, findings),
  untaught: ({ templates }) => templates === 0,
  unnamed: ({ name }) => name === null,
};

/**
 * The order of names as people of the language sort them; the keys are made once for a name, because comparing takes
 * long.
 * @param {string} locale
 */
const byName = (locale) => {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  return (/** @type {Good} */ one, /** @type {Good} */ other) => {
    if (one.name === null || other.name === null) return Number(one.name === null) - Number(other.name === null);
    return compare(one.name, other.name);
  };
};

/**
 * @param {string} locale @param {HitsByItem} hits
 * @returns {Readonly<Record<Order, ((one: Good, other: Good) => number) | null>>} null: as they come
 */
const comparers = (locale, hits) => ({
  name: byName(locale),
  code: null,
  // items that are often wrong come first, those that were never confirmed last
  hits: (one, other) => (rateOf(hits.get(one.id)) ?? 2) - (rateOf(hits.get(other.id)) ?? 2),
  pictures: (one, other) => one.templates - other.templates,
});

/**
 * @param {readonly Good[]} goods @param {Order} order @param {string} locale @param {HitsByItem} hits
 * @returns {readonly Good[]}
 */
export function ordered(goods, order, locale, hits) {
  const compare = comparers(locale, hits)[order];
  return compare === null ? goods : [...goods].sort(compare);
}

/**
 * @param {readonly Good[]} goods
 * @param {string} text
 * @param {Show} show
 * @param {Known} known
 * @returns {readonly Good[]}
 */
export function sought(goods, text, show, known) {
  const words = folded(text.trim());
  const isShown = IS_SHOWN[show];
  return goods.filter((good) => isShown(good, known) && (words === '' || good.words.includes(words)));
}
