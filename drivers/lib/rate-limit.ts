/** Shares what may be asked of another party: so many at once, and a pause between two, whoever waits longest first. */
import { after } from './async.ts';

export interface RateLimitOptions {
  readonly atOnce: number;
  /** Between two beginnings. */
  readonly pauseMs: number;
}

export class RateLimit {
  readonly #options: RateLimitOptions;
  #running = 0;
  #isPausing = false;
  readonly #waiting: (() => void)[] = [];

  constructor(options: RateLimitOptions) {
    this.#options = options;
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

  #turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.#next();
    return promise;
  }

  #next(): void {
    const { atOnce, pauseMs } = this.#options;
    if (this.#isPausing || this.#running >= atOnce) return;
    const begin = this.#waiting.shift();
    if (begin === undefined) return;
    this.#running += 1;
    this.#isPausing = true;
    after(pauseMs, () => {
      this.#isPausing = false;
      this.#next();
    });
    begin();
  }
}
