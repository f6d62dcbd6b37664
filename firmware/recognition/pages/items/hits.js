/** How often an item had rank 1 when somebody confirmed it: the device counts confirmations by rank. */
import { ask } from '../../../core/pages/app/api.js';
import { useFetched } from '../../../core/pages/app/fetched.js';

/** Long enough for an item that is seldom sold, short enough to show what was mended. */
export const DAYS = 90;
/** With fewer confirmations the rate says nothing. */
export const ENOUGH = 5;

/** @typedef {{first: number, total: number}} Hits */
/** @typedef {ReadonlyMap<string, Hits>} HitsByItem */

/** @type {HitsByItem} */
const NONE = new Map();

/** @param {string} path @returns {Promise<HitsByItem>} */
async function hitsNow(path) {
  /** @type {{items: readonly {id: string, positions: readonly number[], total: number}[]}} */
  const { items } = await ask(path);
  return new Map(items.map(({ id, positions, total }) => [id, { first: positions[0] ?? 0, total }]));
}

/** @param {Hits | undefined} hits @returns {number | null} 0 to 1; null where it says nothing */
export const rateOf = (hits) => (hits === undefined || hits.total < ENOUGH ? null : hits.first / hits.total);

/** The hits; empty until they are fetched and where that fails: the page then shows dashes. */
export const useHits = () => useFetched(`/console/api/recognition/ranks?days=${DAYS}`, undefined, hitsNow).data ?? NONE;
