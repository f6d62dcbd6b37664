/** A person says what lies on the tray: the feedback of its recognition. @import { TrayState } from '../../../recognition/vision/tray-state.ts' */
import { ask, CallError } from '../app/api.js';

/** The recognition is answered already, or too old: another look is answered in its place. */
const ANSWER_ANOTHER = ['Recognition.AnsweredOtherwise', 'Recognition.NotFound'];
/** Share of both boxes of a thing that two looks at it have in common. */
const SAME_PLACE = 0.5;

/** @typedef {Pick<TrayState, 'id'> & {things: readonly Pick<TrayState['things'][number], 'box'>[]}} Look */
/** @typedef {TrayState['things'][number]['box']} Box */

/** @param {Box} one @param {Box} other */
function isSamePlace(one, other) {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  const common = Math.max(width, 0) * Math.max(height, 0);
  return common > SAME_PLACE * (one.width * one.height + other.width * other.height - common);
}

/** Whether another look shows as many things, and each where it was: else an answer could be booked for another thing. @param {Look} before @param {Look} now */
export const isSameLook = (before, now) =>
  before.things.length === now.things.length &&
  before.things.every(({ box }, at) => isSamePlace(box, /** @type {Look['things'][number]} */ (now.things[at]).box));

/**
 * @param {Look} tray @param {string} item its id @param {() => boolean} isWanted false once something else may lie there
 * @param {number} [thing] of several, which, from 1; 0: the only one
 * @throws {CallError}
 */
export async function answer(tray, item, isWanted, thing = 0) {
  const json = { item, ...(thing > 0 && { thing }) };
  /** @param {string | null} id */
  const send = (id) => ask(`/v1/recognition/${encodeURIComponent(id ?? '')}/feedback`, { method: 'POST', json });
  try {
    await send(tray.id);
  } catch (error) {
    if (!(error instanceof CallError && ANSWER_ANOTHER.includes(error.code) && isWanted())) throw error;
    /** @type {TrayState} */
    const now = await ask('/v1/recognition');
    if (now.id === null || !isWanted() || !isSameLook(tray, now)) throw error;
    await send(now.id);
  }
}
