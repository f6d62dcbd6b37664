/**
 * The subject of a message about an action at the lane: the picture and the payment there. The message holds while they
 * are as the action left them.
 * @import { ConsoleState } from '../../console-view.ts'
 */
import { ask } from '../../../core/pages/app/api.js';

/**
 * The state of the lane that a message about an action is about.
 * @param {Pick<ConsoleState, 'display' | 'payment'>} state
 */
export const subjectOf = ({ display: { kind, payload, status }, payment }) =>
  JSON.stringify([kind, payload, status, payment?.orderId, payment?.state]);

/**
 * Makes a function that tells whether a message about an action still holds for a subject.
 * @param {string | null} before the subject when the action began; the stream may still bring it after the action
 * @param {string} after the subject when the action was done
 * @returns {(subject: string | null) => boolean}
 */
export function stillHolds(before, after) {
  let isHeard = false;
  return (subject) => {
    isHeard ||= subject === after;
    return subject === after || (!isHeard && subject === before);
  };
}

/** @returns {Promise<string>} the current subject, asked from the device @throws {CallError} */
export async function subjectNow() {
  /** @type {ConsoleState} */
  const state = await ask('/console/api/overview');
  return subjectOf(state);
}
