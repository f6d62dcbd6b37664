/** Ctrl-C, a request to end, a terminal that is closed: the first is heard by what is under way, the second ends at once, with a last word. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT_CODES } from './exit-codes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export class Interruption {
  readonly #controller = new AbortController();
  /** What is left open where it ends at once; null for nothing. */
  lastWord: string | null = null;

  constructor() {
    for (const name of SIGNALS)
      process.on(name, () => {
        // a terminal that is closed says so twice: the shell and the kernel, nobody who is impatient
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

  /** Aborted at the first one. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Never rejects: the caller looks whether it is raised. */
  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }
}
