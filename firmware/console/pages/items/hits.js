/** How often an item stood first where somebody confirmed it: the device counts each confirmation by the place at which the item stood. */
import { useEffect, useState } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { useDevice } from '../app/device.js';

/** Long enough for an item that is seldom sold, short enough to show what was mended. */
export const DAYS = 90;
/** With fewer it says nothing. */
export const ENOUGH = 5;

/** @typedef {{first: number, total: number}} Hits */
/** @typedef {ReadonlyMap<string, Hits>} HitsByItem */

/** @returns {Promise<HitsByItem>} */
async function hitsNow() {
  /** @type {{items: readonly {id: string, positions: readonly number[], total: number}[]}} */
  const { items } = await ask(`/console/api/recognition/ranks?days=${DAYS}`);
  return new Map(items.map(({ id, positions, total }) => [id, { first: positions[0] ?? 0, total }]));
}

/** @param {Hits | undefined} hits @returns {number | null} 0 to 1; null where it says nothing */
export const rateOf = (hits) => (hits === undefined || hits.total < ENOUGH ? null : hits.first / hits.total);

/** @returns {HitsByItem} empty until they have come, and where they fail */
export function useHits() {
  const { isLive } = useDevice();
  const [hits, setHits] = useState(/** @type {HitsByItem} */ (new Map()));
  useEffect(() => {
    let isOver = false;
    if (isLive)
      hitsNow().then(
        (read) => isOver || setHits(read),
        () => undefined, // the page shows dashes
      );
    return () => {
      isOver = true;
    };
  }, [isLive]);
  return hits;
}
