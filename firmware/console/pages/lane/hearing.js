/**
 * Waits for the outcome of a payment that was asked for here, as a till does: the device then knows that somebody has heard of it, and
 * points it out to nobody. A page that is closed meanwhile has not.
 */
import { ask, CallError } from '../app/api.js';

const WAIT_S = 20;
/** Longer than the wait itself. */
const LIMIT_MS = 30_000;
const PAUSE_MS = 2000;

/** @param {string} id of a payment */
export async function hear(id) {
  for (;;) {
    try {
      /** @type {{state: string}} */
      const { state } = await ask(`/v1/payments/${encodeURIComponent(id)}?wait=${WAIT_S}`, { limitMs: LIMIT_MS });
      if (state !== 'PENDING') return;
    } catch (error) {
      // a device that was started anew is asked again; what it refuses to tell stays unheard
      if (!(error instanceof CallError) || !['silent', 'late'].includes(error.code)) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
