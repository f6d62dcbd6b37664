/**
 * Pages of features: each is the `page.js` of its folder, and this window has those that the device was made with.
 * @import { Route } from './route.js'
 * @import { WordKey } from './language.js'
 */

/**
 * @typedef {object} FeaturePage
 * @property {string} name in addresses, and of its words: `page.…`, or `settings.…` of a section
 * @property {'rail' | 'alone' | 'section' | 'payments'} place beside the other pages, on the whole screen, on the page of the device, or a view of
 *   the page of payments
 * @property {string} [after] beside which page, or section, it stands: after it
 * @property {boolean} [isOnPhone] whether a phone has room for it beside "more"
 * @property {string} [icon] strokes on a field of 24
 * @property {string} [address] of its own, of one that has the whole screen
 * @property {WordKey} [link] what leads to it
 * @property {WordKey} [line] how it stands, of a section
 * @property {(properties: {route: Route, revision?: string, back?: unknown}) => unknown} View
 */

/** @type {readonly FeaturePage[]} */
let pages = [];

/** Before anything is drawn. @param {readonly FeaturePage[]} all */
export function addFeaturePages(all) {
  pages = all;
}

/** @param {FeaturePage['place']} place */
export const pagesAt = (place) => pages.filter((page) => page.place === place);

/** @param {string} name */
export const featurePage = (name) => pages.find((page) => page.name === name);

/** Each with those of features that stand after it. @param {readonly string[]} names @param {'rail' | 'section'} place */
export const withFeatures = (names, place) =>
  names.flatMap((name) => [
    name,
    ...pagesAt(place)
      .filter(({ after }) => after === name)
      .map((page) => page.name),
  ]);
