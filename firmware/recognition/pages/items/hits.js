/**
 * What a list shows of an item beside its record: a picture, and how often it had rank 1 when somebody confirmed it.
 * The device counts confirmations by rank.
 * @import { Good } from './shelf.js'
 */

import { html, useEffect, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useFetched } from '../../../core/pages/app/fetched.js';

/** How long a row must stay before its picture is fetched: a scroll would ask for hundreds. */
const REST_MS = 150;

/** Found pictures by the item and its number of templates. @type {Map<string, Promise<string | null>>} */
const looks = new Map();

/** @typedef {Pick<Good, 'id' | 'picture' | 'templates'>} Looked */

/** @param {Looked} good @returns {Promise<string | null>} a path on the device */
function lookOf({ id, picture, templates }) {
  if (picture !== null || templates === 0) return Promise.resolve(picture);
  const key = `${templates} ${id}`;
  const found =
    looks.get(key) ??
    ask(`/v1/items/${encodeURIComponent(id)}/templates`).then(
      (/** @type {{templates: readonly {picture: string}[]}} */ { templates: [first] }) => first?.picture ?? null,
    );
  looks.set(key, found);
  found.catch(() => looks.delete(key));
  return found;
}

/**
 * The picture of an item: the one that the shop has put, else its oldest learned one.
 * @param {{good: Looked, restMs?: number}} properties
 */
export function Look({ good, restMs = REST_MS }) {
  const [path, setPath] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      lookOf(good).then(
        (found) => isOver || setPath(found),
        () => undefined, // the item is shown without a picture
      );
    }, restMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [good.id, good.picture, good.templates]);
  return html`<span class="look">${path !== null && html`<img src=${path} alt="" decoding="async" />`}</span>`;
}

/** Long enough for an item that is seldom sold, short enough to show an improvement. */
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
