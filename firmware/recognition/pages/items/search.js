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

const FILTERS = /** @type {const} */ (['all', 'toReview', 'untaught', 'unnamed']);
const ORDERS = /** @type {const} */ (['name', 'code', 'hits', 'pictures']);

/** @typedef {typeof FILTERS[number]} Filter */
/** @typedef {typeof ORDERS[number]} Order */
/** @typedef {{text: string, show: Filter, order: Order}} Search */

/** @template {string} Name @param {readonly Name[]} names @param {string | null} name @returns {Name | null} */
const oneOf = (names, name) => names.find((known) => known === name) ?? null;

/** @param {URLSearchParams} query @returns {Search} */
export const searchOf = (query) => ({
  text: query.get('text') ?? '',
  show: oneOf(FILTERS, query.get('show')) ?? 'all',
  order: oneOf(ORDERS, query.get('order')) ?? 'name',
});

/** The address of the list with the latest search: the way back from an item. */
let latestHref = hrefOf('items');
export const listHref = () => latestHref;

/** Puts the search into the address, without a step of the browser's history for each letter. @param {Search} search */
export function writeToAddress({ text, show, order }) {
  latestHref = hrefOf('items', [], { text, show: show === 'all' ? '' : show, order: order === 'name' ? '' : order });
  history.replaceState(history.state, '', latestHref);
}

/** @param {{search: Search, toReview: number, onSearch: (search: Search) => void}} properties */
export function SearchFields({ search, toReview, onSearch }) {
  /** @param {KeyboardEvent} event */
  const moveToList = (event) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    const first = document.querySelector('.shelf a');
    if (first instanceof HTMLElement) first.focus();
  };
  return html`<search class="seek">
    <${TextField} id="text" label=${t('items.sought')}
      type="search" maxlength=${LIMITS.itemId} value=${search.text} onKeyDown=${moveToList} onText=${(/** @type {string} */ text) => onSearch({ ...search, text })} />
    <${Choice} id="show" label=${t('items.show')} value=${search.show} onChoose=${(/** @type {string} */ value) => onSearch({ ...search, show: oneOf(FILTERS, value) ?? 'all' })}
      options=${FILTERS.map((show) => [show, t(`items.show.${show}`, { n: toReview })])} />
    <${Choice} id="order" label=${t('items.order')} value=${search.order} onChoose=${(/** @type {string} */ value) => onSearch({ ...search, order: oneOf(ORDERS, value) ?? 'name' })}
      options=${ORDERS.map((order) => [order, t(`items.order.${order}`)])} />
  </search>`;
}

/** @typedef {{findings: Findings, hits: HitsByItem}} Known */

/** @param {string} id @param {Findings} findings */
export const isToReview = (id, { pairs, strays }) => pairs.has(id) || strays.has(id);

/** @type {Readonly<Record<Filter, (good: Good, known: Known) => boolean>>} */
const PASSES = {
  all: () => true,
  toReview: ({ id }, { findings }) => isToReview(id, findings),
  untaught: ({ templates }) => templates === 0,
  unnamed: ({ name }) => name === null,
};

/**
 * The order of names as people of the language sort them. One collator compares all names, because making one takes long.
 * @param {string} locale
 */
const compareNames = (locale) => {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  return (/** @type {Good} */ one, /** @type {Good} */ other) => {
    if (one.name === null || other.name === null) return Number(one.name === null) - Number(other.name === null);
    return compare(one.name, other.name);
  };
};

/** Above every rate: items that are often wrong come first, those with too few confirmations last. */
const UNRATED = 2;

/**
 * @param {string} locale @param {HitsByItem} hits
 * @returns {Readonly<Record<Order, ((one: Good, other: Good) => number) | null>>} null: by their ids, as they come
 */
const comparisons = (locale, hits) => ({
  name: compareNames(locale),
  code: null,
  hits: (one, other) => (rateOf(hits.get(one.id)) ?? UNRATED) - (rateOf(hits.get(other.id)) ?? UNRATED),
  pictures: (one, other) => one.templates - other.templates,
});

/**
 * @param {readonly Good[]} goods @param {Order} order @param {string} locale @param {HitsByItem} hits
 * @returns {readonly Good[]}
 */
export function ordered(goods, order, locale, hits) {
  const compare = comparisons(locale, hits)[order];
  return compare === null ? goods : [...goods].sort(compare);
}

/**
 * @param {readonly Good[]} goods
 * @param {string} text
 * @param {Filter} show
 * @param {Known} known
 * @returns {readonly Good[]}
 */
export function matching(goods, text, show, known) {
  const words = folded(text.trim());
  const passes = PASSES[show];
  return goods.filter((good) => passes(good, known) && (words === '' || good.words.includes(words)));
}
