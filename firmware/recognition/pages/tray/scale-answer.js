/**
 * Sends a person's answer on what lies on the tray, as feedback on its recognition.
 * @import { TrayState } from '../../answer/tray-state.ts'
 */
import { ask, CallError } from '../../../core/pages/app/api.js';

/** Errors of a recognition that is already answered or too old: another look gets the answer instead. */
const ANSWER_ANOTHER = ['Recognition.AnsweredOtherwise', 'Recognition.NotFound'];
/** The least overlap of a thing's boxes in two looks, as a share of both. */
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

/** Whether another look shows as many things, each in its place: otherwise an answer could go to another thing. @param {Look} before @param {Look} now */
export const isSameLook = (before, now) =>
  before.things.length === now.things.length &&
  before.things.every(({ box }, at) => isSamePlace(box, /** @type {Look['things'][number]} */ (now.things[at]).box));

/**
 * Whether another state shows the same: each thing in its place, and with the same first candidate.
 * @param {TrayState} before @param {TrayState} now
 */
export const isSameTray = (before, now) =>
  isSameLook(before, now) &&
  before.things.every(({ candidates: [first] }, at) => first?.id === now.things[at]?.candidates[0]?.id);

/**
 * Sends feedback; where the recognition can no longer be answered, to another recognition of the same things.
 * @param {Look} tray @param {(feedback: string) => Promise<unknown>} send sends to the path of a recognition's feedback
 * @param {() => boolean} isWanted false once something else may lie there @returns the recognition that was answered
 * @throws {CallError}
 */
async function sendFeedback(tray, send, isWanted) {
  /** @param {string | null} id */
  const pathOf = (id) => `/v1/recognition/${encodeURIComponent(id ?? '')}/feedback`;
  try {
    await send(pathOf(tray.id));
    return tray.id;
  } catch (error) {
    if (!(error instanceof CallError && ANSWER_ANOTHER.includes(error.code) && isWanted())) throw error;
    /** @type {TrayState} */
    const now = await ask('/v1/recognition');
    if (now.id === null || !isWanted() || !isSameLook(tray, now)) throw error;
    await send(pathOf(now.id));
    return now.id;
  }
}

/**
 * @param {Look} tray @param {string} item its id @param {() => boolean} isWanted
 * @param {number} [thing] number of the thing among several, from 1; 0: the only one
 * @returns the recognition that was answered, which a later `rejectItem` must name @throws {CallError}
 */
export const answer = (tray, item, isWanted, thing = 0) =>
  sendFeedback(tray, (path) => ask(path, { method: 'POST', json: { item, ...(thing > 0 && { thing }) } }), isWanted);

/**
 * Reports that the thing is not the certain or chosen item.
 * @param {Look} tray @param {() => boolean} isWanted @param {number} thing @throws {CallError}
 */
export const rejectItem = (tray, isWanted, thing) =>
  sendFeedback(tray, (path) => ask(`${path}${thing > 0 ? `?thing=${thing}` : ''}`, { method: 'DELETE' }), isWanted);
