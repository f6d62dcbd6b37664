/**
 * Items that look alike to the camera, and pictures that look like another item than their own: fetched when the page
 * is opened, and again when something was learned or deleted.
 * @import { Static } from 'typebox'
 * @import { LookAlikesAnswer } from '../../http/v1/look-alike-routes.ts'
 */
import { ask } from '../../../core/pages/app/api.js';
import { Signal } from '../../../core/pages/app/signal.js';
import { byRevision } from './shelf.js';

const PAGE = 99;
/** The pause between fetches: the device compares all items, which is too much for each learned picture. */
const REST_MS = 5000;

/** @typedef {Static<typeof LookAlikesAnswer>} Answer */
/** @typedef {Answer['pairs'][number]} Pair */
/** @typedef {Answer['strays'][number]} Stray */

/**
 * @typedef {object} Findings
 * @property {ReadonlyMap<string, readonly Pair[]>} pairs of each item
 * @property {ReadonlyMap<string, readonly Stray[]>} strays of each item
 */

/** @type {Signal<Findings>} */
const findings = new Signal(/** @type {Findings} */ ({ pairs: new Map(), strays: new Map() }));

/** @returns {Promise<Findings>} */
async function lookForAll() {
  /** @type {Map<string, Pair[]>} */
  const pairs = new Map();
  /** @type {Map<string, Stray[]>} */
  const strays = new Map();
  for (let cursor = ''; ; ) {
    /** @type {Answer} */
    const page = await ask(
      `/console/api/recognition/look-alikes?limit=${PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    for (const pair of page.pairs) for (const { id } of pair.items) pairs.set(id, [...(pairs.get(id) ?? []), pair]);
    for (const stray of page.strays) strays.set(stray.item.id, [...(strays.get(stray.item.id) ?? []), stray]);
    if (page.cursor === null) return { pairs, strays };
    cursor = page.cursor;
  }
}

/** The findings; empty until they are fetched. */
export const useFindings = byRevision(findings, REST_MS, async () => {
  try {
    findings.set(await lookForAll());
  } catch {
    // no model runs, or this token may not ask: nothing is offered then, and the Device page says why
  }
});

/** The other item of a pair. @param {Pair} pair @param {string} id */
export const otherOf = ({ items }, id) => items.find((item) => item.id !== id) ?? items[0];
