/** Calls that may be sent again, since they carry a key: a connection that breaks in the middle decides nothing. */
import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailure } from './exit-codes.ts';
import type { Output } from './output.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

interface Patience {
  /** Of `performance.now()`, after which it is given up. */
  readonly end: number;
  /** Aborted where nobody waits any more. */
  readonly signal?: AbortSignal;
  readonly out: Output;
  /** What is to be said of a call whose outcome nobody knows. */
  readonly again: string;
}

/**
 * Sends a call until it is answered.
 * @throws {CommandFailure} `unreachable` where the device never answered, `undecided` where it may have heard
 */
export async function repeating<T>(call: () => Promise<T>, { end, signal, out, again }: Patience): Promise<T> {
  let heard = false;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.exit !== 'unreachable') throw error;
      // a connection that was never made has carried nothing
      heard ||= error.details.code !== 'ECONNREFUSED';
      if (performance.now() + wait > end || signal?.aborted === true) {
        if (!heard) throw error;
        throw new CommandFailure('undecided', `${error.message}; ${again}`, error.details, error);
      }
      out.progress(`${error.message}: asking again`);
    }
    await pause(wait, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }
}
