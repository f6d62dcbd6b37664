/**
 * Waits for the outcome of a payment that was asked for here, as a till does: the device then knows that somebody has heard of it, and
 * does not point it out. A page that is closed meanwhile has not read it.
 */
import { ask, CallError } from '../../../core/pages/app/api.js';

const WAIT_S = 20;
/** Longer than the wait itself. */
const LIMIT_MS = 30_000;
const PAUSE_MS = 2000;

/** @param {string} id of a payment @returns {Promise<string | null>} the state in which it ended; null where the device refuses to say it */
export async function hear(id) {
  for (;;) {
    try {
      /** @type {{state: string}} */
      const { state } = await ask(`/v1/payments/${encodeURIComponent(id)}?wait=${WAIT_S}`, { limitMs: LIMIT_MS });
      if (state !== 'PENDING') return state;
    } catch (error) {
      // a device that was restarted is asked again; what it refuses stays unread
      if (!(error instanceof CallError) || !['silent', 'late'].includes(error.code)) return null;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
