/**
 * Decides what the page of a scale shows of the tray, one view at a time: a picture and a few words, one tile, or tiles
 * to choose from.
 * @import { TrayState } from '../../vision/tray-state.ts'
 */

import { likelyOf } from './likely.js';

/** @typedef {Omit<TrayState['candidates'][number], 'share' | 'similarity'>} Item what is sold */

/**
 * @typedef {object} Tray
 * @property {TrayState | null} tray null before the device has said anything
 * @property {boolean} isMoving the answer before no longer counts
 */

/**
 * @typedef {object} Choice
 * @property {ReadonlyMap<number, Item | null>} chosen by the thing's number, 0 where only one lies there; null: it is
 * not the certain or chosen item
 * @property {number | null} thing of several, the thing for which a person is choosing, from 1
 */

/** @type {Choice} */
export const NO_CHOICE = Object.freeze({ chosen: new Map(), thing: null });

/**
 * @typedef {{name: 'one', item: Item, by: 'certain' | 'chosen'}} Known the item of a thing: the device is certain, or a
 * person has said so
 * @typedef {Known | {name: 'many', candidates: readonly Item[]} | {name: 'unknown'}} StageOfThing
 * @typedef {StageOfThing | {name: 'looking' | 'moving' | 'lost' | 'empty' | 'dark'}
 *   | {name: 'several', things: readonly {thing: number, item: Item | null, by: Known['by'] | null}[]}} Stage
 */

/** @param {Pick<TrayState, 'certain' | 'reason' | 'candidates'>} thing @param {Item | null | undefined} own what was chosen for it @returns {StageOfThing} */
function stageOfThing(thing, own) {
  const candidates = likelyOf(thing);
  const [first] = candidates;
  if (own != null) return { name: 'one', item: own, by: 'chosen' };
  if (thing.certain && first !== undefined && own === undefined) return { name: 'one', item: first, by: 'certain' };
  return first === undefined ? { name: 'unknown' } : { name: 'many', candidates };
}

/** @param {TrayState} tray @param {Choice} choice @returns {Stage} */
function severalOf({ things }, { chosen, thing }) {
  const open = thing === null ? undefined : things[thing - 1];
  if (open !== undefined) return stageOfThing(open, chosen.get(/** @type {number} */ (thing)));
  return {
    name: 'several',
    things: things.map((each, at) => {
      const own = chosen.get(at + 1);
      const stage = stageOfThing(each, own);
      if (stage.name === 'one') return { thing: at + 1, item: stage.item, by: stage.by };
      return { thing: at + 1, item: own === null ? null : (likelyOf(each)[0] ?? null), by: null };
    }),
  };
}

/** @param {Tray} seen @param {Choice} choice @returns {Stage} */
export function stageOf({ tray, isMoving }, choice) {
  if (tray === null) return { name: 'looking' };
  if (isMoving) return { name: 'moving' };
  if (tray.state === 'lost' || tray.state === 'empty') return { name: tray.state };
  if (tray.reason === 'several-items') return severalOf(tray, choice);
  const stage = stageOfThing(tray, choice.chosen.get(0));
  return stage.name === 'unknown' && tray.quality.includes('dark') ? { name: 'dark' } : stage;
}
