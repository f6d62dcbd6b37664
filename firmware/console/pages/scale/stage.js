/**
 * What the page of a scale shows of the tray. One thing at a time: a picture and a few words, one tile, or tiles to choose from.
 * @import { TrayState } from '../../../recognition/vision/tray-state.ts'
 */

/** @typedef {Omit<TrayState['candidates'][number], 'share' | 'similarity'>} Item what is sold */

/**
 * @typedef {object} Tray
 * @property {TrayState | null} tray null before the device has said anything
 * @property {boolean} isMoving what was said of it before counts no more
 */

/**
 * @typedef {object} Choice
 * @property {ReadonlyMap<number, Item>} chosen by the thing that it is, 0 where only one lies there
 * @property {boolean} isTakenBack what was certain, or chosen, is not it
 * @property {number | null} thing of several, the one that is being chosen for, from 1
 */

/** @type {Choice} */
export const NO_CHOICE = Object.freeze({ chosen: new Map(), isTakenBack: false, thing: null });

/**
 * @typedef {{name: 'looking' | 'moving' | 'lost' | 'empty' | 'dark'}
 *   | {name: 'one', item: Item, isCertain: boolean}
 *   | {name: 'several', things: readonly {thing: number, item: Item | null, isChosen: boolean}[]}
 *   | {name: 'many' | 'unknown', candidates: readonly Item[]}} Stage
 */

/** @param {TrayState} tray @param {Choice} choice @returns {Stage} */
function severalOf({ things }, { chosen, thing }) {
  const open = thing === null ? undefined : things[thing - 1];
  if (open !== undefined)
    return { name: open.candidates.length === 0 ? 'unknown' : 'many', candidates: open.candidates };
  return {
    name: 'several',
    things: things.map(({ candidates: [first] }, at) => {
      const own = chosen.get(at + 1);
      return { thing: at + 1, item: own ?? first ?? null, isChosen: own !== undefined };
    }),
  };
}

/** @param {Tray} seen @param {Choice} choice @returns {Stage} */
export function stageOf({ tray, isMoving }, choice) {
  if (tray === null) return { name: 'looking' };
  if (isMoving) return { name: 'moving' };
  if (tray.state === 'lost' || tray.state === 'empty') return { name: tray.state };
  if (tray.reason === 'several-items') return severalOf(tray, choice);
  const { candidates } = tray;
  const chosen = choice.chosen.get(0);
  if (chosen !== undefined) return { name: 'one', item: chosen, isCertain: false };
  const [first] = candidates;
  if (tray.certain && first !== undefined && !choice.isTakenBack) return { name: 'one', item: first, isCertain: true };
  if (tray.state === 'unknown' && tray.quality.includes('dark')) return { name: 'dark' };
  return { name: tray.state === 'unknown' || first === undefined ? 'unknown' : 'many', candidates };
}
