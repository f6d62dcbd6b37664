/**
 * Whether a message about an action still holds: it disappears when its subject has changed.
 * @import { ConsoleState } from '../../console-view.ts'
 */
import { ask } from '../../../core/pages/app/api.js';

/** The subject of a message about an action at the lane. @param {Pick<ConsoleState, 'display' | 'payment'>} state */
export const subjectOf = ({ display: { kind, payload, status }, payment }) =>
  JSON.stringify([kind, payload, status, payment?.orderId, payment?.state]);

/**
 * @param {string | null} before the subject when the action began; news of it may still be on their way when it is done
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

/** @returns {Promise<string>} the subject of this moment @throws {CallError} */
export async function subjectNow() {
  /** @type {ConsoleState} */
  const state = await ask('/console/api/overview');
  return subjectOf(state);
}
