/** Handles Ctrl-C, SIGTERM and a closed terminal: the first aborts `signal`, the second ends the process at once. */
import { pause } from '../../../drivers/lib/async.ts';
import { EXIT_CODES } from './exit-codes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
