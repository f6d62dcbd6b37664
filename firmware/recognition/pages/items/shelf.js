/**
 * All items of the device: those with a record, and those that were only learned. They are fetched a page at a time,
 * cached while the window is open, and fetched again when the device reports a change.
 * @import { Static } from 'typebox'
 * @import { ItemAnswer, ItemsPage } from '../../http/v1/item-schemas.ts'
 */

import { useEffect } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { Signal, useSignal } from '../../../core/pages/app/signal.js';

/**
 * Fetches data while a page shows it, and again when the device reports that its items have changed.
 * @template Value
 * @param {Signal<Value>} observed
 * @param {number} restMs between two fetches, ms
 * @param {() => Promise<void>} fetchValue sets the observed value, also where the fetch fails
 * @returns {() => Value} the hook that returns the value
 */
export function byRevision(observed, restMs, fetchValue) {
  let isFetching = false;
  /** The revision of the latest fetch. @type {unknown} */
  let fetchedFor;
  /** @type {unknown} */
  let wanted;
  const fetchUntilCurrent = async () => {
    if (isFetching) return;
    isFetching = true;
    while (wanted !== fetchedFor) {
      fetchedFor = wanted;
      await fetchValue();
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    isFetching = false;
  };
  return () => {
    const { state, isLive } = useDevice();
    const revision = state?.itemsRevision;
    useEffect(() => {
      if (!isLive) {
        fetchedFor = undefined; // a restarted device counts revisions from the beginning
        return;
      }
      wanted = `${revision}`;
      void fetchUntilCurrent();
    }, [revision, isLive]);
    return useSignal(observed);
  };
}

const PAGE = 500;
/** The pause between fetches, so that a series of changes does not fetch all items for each. */
const REST_MS = 1000;

/** @typedef {Static<typeof ItemAnswer>} Item */

/**
 * @typedef {Pick<Item, 'id' | 'name' | 'plu' | 'price' | 'templates' | 'picture'> & {words: string}} Good an item as
 * the page shows it; the search looks at its `words`
 */

/**
 * @typedef {object} Shelf
 * @property {readonly Good[]} goods by their ids
 * @property {boolean} isWhole
 * @property {unknown} error of the latest fetch; null where it succeeded
 */

/** @type {Signal<Shelf>} */
const shelf = new Signal(/** @type {Shelf} */ ({ goods: [], isWhole: false, error: null }));

/** Letters as the device's search compares them; few people write ё. @param {string} text */
export const folded = (text) => text.normalize('NFKC').toLowerCase().replaceAll('ё', 'е');

/** @param {Item} item @returns {Good} */
export const goodOf = ({ id, name, plu, price, templates, picture, barcodes }) => ({
  id,
  name,
  plu,
  price,
  templates,
  picture,
  words: folded([id, plu, name ?? '', ...barcodes].join('\n')),
});

/** @param {{id: string, templates: number}} learned @returns {Good} */
const learnedOnly = ({ id, templates }) => ({
  id,
  name: null,
  plu: id,
  price: null,
  templates,
  picture: null,
  words: folded(id),
});

/** @param {(goods: readonly Good[]) => void} onSome */
async function fetchAll(onSome) {
  /** @type {Good[]} */
  let recorded = [];
  for (let cursor = ''; ; ) {
    /** @type {Static<typeof ItemsPage>} */
    const page = await ask(`/v1/items?limit=${PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
    recorded = [...recorded, ...page.items.map(goodOf)];
    if (page.cursor === null) break;
    onSome(recorded);
    cursor = page.cursor;
  }
  /** @type {{items: readonly {id: string, templates: number, named: boolean}[]}} */
  const { items } = await ask('/v1/templates');
  return [...recorded, ...items.filter(({ named }) => !named).map(learnedOnly)];
}

export const useShelf = byRevision(shelf, REST_MS, async () => {
  try {
    const goods = await fetchAll((some) => {
      if (!shelf.value.isWhole) shelf.set({ goods: some, isWhole: false, error: null });
    });
    shelf.set({ goods, isWhole: true, error: null });
  } catch (error) {
    shelf.set({ ...shelf.value, error });
  }
});
