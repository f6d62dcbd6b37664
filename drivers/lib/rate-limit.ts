/** Limits requests to another party: how many at once, and the pause between two starts. The oldest request goes first. */
import { after as afterMachine } from './async.ts';

interface Rate {
  readonly atOnce: number;
  /** Pause between the starts of two requests. */
  readonly pauseMs: number;
}

export class RateLimit {
  readonly #rate: Rate;
  readonly #after: typeof afterMachine;
  #running = 0;
  #callOffPause: (() => void) | null = null;
  #isClosed = false;
  readonly #waiting: (() => void)[] = [];

  /** @param after the timer for the pause */
  constructor(rate: Rate, after = afterMachine) {
    this.#rate = rate;
    this.#after = after;
  }

  /** Runs `work` when its turn has come; its failure is the caller's alone. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#turn();
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  /** Starts all waiting work now, and later work at once, so that each piece meets the end itself, and none waits for ever. */
  close(): void {
    this.#isClosed = true;
    this.#callOffPause?.();
    for (const begin of this.#waiting.splice(0)) {
      this.#running += 1;
      begin();
    }
  }

  #turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.#next();
    return promise;
  }

  #next(): void {
    const { atOnce, pauseMs } = this.#rate;
    if (!this.#isClosed && (this.#callOffPause !== null || this.#running >= atOnce)) return;
    const begin = this.#waiting.shift();
    if (begin === undefined) return;
    this.#running += 1;
    if (!this.#isClosed)
      this.#callOffPause = this.#after(pauseMs, () => {
        this.#callOffPause = null;
        this.#next();
      });
    begin();
  }
}
