/**
 * Chooses which items are shown, and in which order.
 * @import { Good } from './shelf.js'
 * @import { Findings } from './findings.js'
 * @import { HitsByItem } from './hits.js'
 */
import { rateOf } from './hits.js';
import { folded } from './shelf.js';

export const SHOWN = /** @type {const} */ (['all', 'toReview', 'untaught', 'unnamed']);
export const ORDERS = /** @type {const} */ (['name', 'code', 'hits', 'pictures']);

/** @typedef {typeof SHOWN[number]} Show */
/** @typedef {typeof ORDERS[number]} Order */
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

/** @param {string} locale @param {HitsByItem} hits @returns {Readonly<Record<Order, ((one: Good, other: Good) => number) | null>>} null: as they come */
const comparers = (locale, hits) => ({
  name: byName(locale),
  code: null,
  // items that are often wrong come first, those that were never confirmed last
  hits: (one, other) => (rateOf(hits.get(one.id)) ?? 2) - (rateOf(hits.get(other.id)) ?? 2),
  pictures: (one, other) => one.templates - other.templates,
});

/** @param {readonly Good[]} goods @param {Order} order @param {string} locale @param {HitsByItem} hits @returns {readonly Good[]} */
export function ordered(goods, order, locale, hits) {
  const compare = comparers(locale, hits)[order];
  return compare === null ? goods : [...goods].sort(compare);
}

/** @param {readonly Good[]} goods @param {string} text @param {Show} show @param {Known} known @returns {readonly Good[]} */
export function sought(goods, text, show, known) {
  const words = folded(text.trim());
  const isShown = IS_SHOWN[show];
  return goods.filter((good) => isShown(good, known) && (words === '' || good.words.includes(words)));
}
