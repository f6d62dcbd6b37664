/** Ends a command at an interruption, and repeats a call until it is answered. */
import { pause } from '../../../drivers/lib/async.ts';
import { CommandFailure, EXIT_CODES } from './exit-codes.ts';
import type { Output } from './output.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Handles Ctrl-C, SIGTERM and a closed terminal: the first aborts `signal`, the second ends the process at once. */
export class Interruption {
  readonly #controller = new AbortController();
  /** Printed when the process ends at once: what stays open; null for nothing. */
  lastWord: string | null = null;

  constructor() {
    for (const name of SIGNALS)
      process.on(name, () => {
        // a closed terminal sends SIGHUP twice, from the shell and from the kernel: that is no second request
        if (this.isRaised && name !== 'SIGHUP') this.#leave();
        this.#controller.abort();
      });
  }

  #leave(): never {
    if (this.lastWord === null) process.exit(EXIT_CODES.interrupted);
    process.stderr.write(`\nlanectl: ${this.lastWord}\n`);
    process.exit(EXIT_CODES.undecided);
  }

  get isRaised(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Aborted at the first interruption. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits, or ends early at an interruption. Never rejects: the caller checks `isRaised`. */
  pause(ms: number): Promise<void> {
    return pause(ms, this.signal);
  }
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

interface Patience {
  /** Time of `performance.now()` after which no retry is made. */
  readonly end: number;
  /** Aborted when the caller no longer waits. */
  readonly signal?: AbortSignal;
  readonly out: Output;
  /** Added to the message of a call whose outcome is unknown. */
  readonly again: string;
}

/**
 * Sends a call until it is answered, or time is over. The call must carry an idempotency key, and so be safe to retry:
 * a broken connection leaves the outcome open.
 * @param call must end when its signal is aborted
 * @throws {CommandFailure} `unreachable` where the device certainly did not get it, `undecided` where it may have
 */
export async function repeating<T>(
  call: (signal: AbortSignal) => Promise<T>,
  { end, signal, out, again }: Patience,
): Promise<T> {
  const began = performance.now();
  const limitMs = Math.max(0, Math.ceil(end - began));
  const seconds = Math.ceil(limitMs / 1000);
  const over = AbortSignal.timeout(limitMs);
  let arrived = false;
  let last: CommandFailure | null = null;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    try {
      return await call(over);
    } catch (error) {
      if (over.aborted && !(error instanceof CommandFailure)) {
        // the last failure says more than that the time ran out during a call
        const why = last === null ? `no answer from the device within ${seconds} s` : last.message;
        throw new CommandFailure('undecided', `${why}; ${again}`, last?.details ?? {}, error);
      }
      if (!(error instanceof CommandFailure) || error.exit !== 'unreachable') throw error;
      last = error;
      // a connection that was never made has carried no call
      arrived ||= error.details.code !== 'ECONNREFUSED';
      const left = end - performance.now();
      if (wait > left || signal?.aborted === true) {
        if (!arrived) throw error;
        throw new CommandFailure('undecided', `${error.message}; ${again}`, error.details, error);
      }
      out.waiting(`${error.message}: retrying, for up to ${seconds} s`);
    }
    await pause(wait, signal);
  }
}
