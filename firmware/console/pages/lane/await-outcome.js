/**
 * Waits for the outcome of a payment that was made at this page, as a till does: so the device knows that the outcome
 * was read, and does not report it as late. A page that is closed before has not read it.
 */
import { ask, CallError } from '../../../core/pages/app/api.js';

const WAIT_S = 20;
/** Time limit of a call: longer than the device waits for the outcome (`WAIT_S`). */
const LIMIT_MS = 30_000;
const PAUSE_MS = 2000;

/** What ends each wait, by the payment's id. @type {Map<string, AbortController>} */
const waiting = new Map();

/** Stops waiting, as a till that is switched off: a later outcome counts as unread. @param {string} id */
export const stopAwaiting = (id) => waiting.get(id)?.abort();

/**
 * @param {string} id of a payment
 * @returns {Promise<string | null>} the state in which it ended; null where the wait was stopped or the device refused
 * it
 */
export async function awaitOutcome(id) {
  const end = new AbortController();
  waiting.set(id, end);
  try {
    return await askUntil(id, end.signal);
  } finally {
    waiting.delete(id);
  }
}

/** @param {string} id @param {AbortSignal} end @returns {Promise<string | null>} */
async function askUntil(id, end) {
  while (!end.aborted) {
    try {
      /** @type {{state: string}} */
      const { state } = await ask(`/v1/payments/${encodeURIComponent(id)}?wait=${WAIT_S}`, { limitMs: LIMIT_MS, end });
      if (state !== 'PENDING') return state;
    } catch (error) {
      // a device that does not answer may be restarting, and is asked again; after a refusal the outcome stays unread
      if (!(error instanceof CallError) || !['silent', 'late'].includes(error.code)) return null;
      if (!end.aborted) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  return null;
}
