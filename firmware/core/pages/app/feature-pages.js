/**
 * Pages of features. The `page.js` of a feature's folder gives one page or a list. This window has the pages of the
 * features that the device has.
 * @import { WordKey } from './language.js'
 */

/**
 * @typedef {object} Route
 * @property {string} page
 * @property {readonly string[]} path what follows the page's name, as the id of a payment
 * @property {URLSearchParams} query
 */

/**
 * @typedef {object} FeaturePage
 * @property {string} name in addresses and in keys of words: `page.…`, or `settings.…` for a section
 * @property {'rail' | 'alone' | 'section' | 'payments' | 'checkout'} place a page in the rail, on the whole screen, a section
 *   of the device's page, a view of the page of payments, or a part of Checkout, under the latest payment
 * @property {string} [after] the page or section that it follows
 * @property {boolean} [isOnPhone] whether a phone shows it beside "more"
 * @property {string} [icon] strokes of its icon, in a square of 24
 * @property {string} [address] own address of a page that has the whole screen
 * @property {WordKey} [link] words of the link to it
 * @property {WordKey} [line] words under a section's name, for its state
 * @property {(properties: {route: Route, revision?: string, back?: unknown}) => unknown} View
 */

/** @type {readonly FeaturePage[]} */
let pages = [];

/** To be called before anything is drawn. @param {readonly FeaturePage[]} all */
export function addFeaturePages(all) {
  pages = all;
}

/** @param {FeaturePage['place']} place */
export const pagesAt = (place) => pages.filter((page) => page.place === place);

/** @param {string} name */
export const featurePage = (name) => pages.find((page) => page.name === name);

/**
 * Names of pages, each followed by the feature pages after it; one whose predecessor is not on this device comes last.
 * @param {readonly string[]} names
 * @param {'rail' | 'section'} place
 */
export const withFeatures = (names, place) => {
  const added = pagesAt(place);
  /** @param {string} name @returns {string[]} */
  const withFollowers = (name) => [
    name,
    ...added.filter(({ after }) => after === name).flatMap((page) => withFollowers(page.name)),
  ];
  const placed = names.flatMap(withFollowers);
  return [...placed, ...added.map((page) => page.name).filter((name) => !placed.includes(name))];
};
