/** Whether what was said of a deed may stand: it may not once its subject has changed. @import { ConsoleState } from '../../console-view.ts' */
import { ask } from '../app/api.js';

/** What the words about a deed at the lane speak of. @param {Pick<ConsoleState, 'display' | 'payment'>} state */
export const subjectOf = ({ display: { kind, payload, status }, payment }) =>
  JSON.stringify([kind, payload, status, payment?.orderId, payment?.state]);

/**
 * @param {string | null} before the subject when the deed began; news of it may still be on their way when it is done
 * @param {string} after the subject when the deed was done
 * @returns {(subject: string | null) => boolean}
 */
export function claimOf(before, after) {
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
