/**
 * Waiting: a pause, time limits, a timer for any length of time, pauses between attempts, a loop and the signal that
 * wakes it, and a queue.
 */

/** Longest delay of Node's own timers, about 25 days; with a longer one they fire at once, and a ttl may be 90 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Settles after `ms`, or at once when `signal` aborts. Never rejects: the caller checks the signal. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/**
 * Settles as `work` does, but within `limitMs` and before one of the signals aborts: the libraries under the wires have
 * calls that never settle once their far end is gone. The work itself cannot be stopped, and its late outcome is
 * dropped: a caller whose work holds a resource must release it itself. (`Promise.race` with a long-lived promise would
 * keep something of each call as long as that promise lives.)
 */
export function within<T>(work: Promise<T>, limitMs: number, late: () => Error, ...signals: AbortSignal[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', abort);
      outcome();
    };
    const abort = () => settle(() => reject(signals.find((signal) => signal.aborted)?.reason));
    const timer = setTimeout(() => settle(() => reject(late())), limitMs);
    for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
    if (signals.some((signal) => signal.aborted)) abort();
    work.then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    );
  });
}

/** Runs `task` once after `ms`, of any length. @returns cancels it */
export function after(ms: number, task: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (left: number): void => {
    const step = Math.min(Math.max(left, 0), LONGEST_TIMER_MS);
    timer = setTimeout(() => (left > step ? arm(left - step) : task()), step);
  };
  arm(ms);
  return () => clearTimeout(timer);
}

/** Wakes a waiting loop; a signal raised while the loop works is not lost. */
export class Signal {
  #isRaised = false;
  #wake: () => void = () => undefined;

  raise(): void {
    this.#isRaised = true;
    this.#wake();
  }

  /** Settles when the signal was raised since the last wait, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRaised) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
    }
    this.#isRaised = false;
  }
}

/**
 * Time shared by several steps: each has what the ones before have left. It is counted by the machine's clock, as the
 * limit of each step is (`AbortSignal.timeout`): a simulated lane moves the device's clock, and another party answers no
 * sooner for it.
 * @returns gives the milliseconds left, never less than 1: a step without time fails by its own limit
 */
export function timeBudget(ms: number): () => number {
  const end = performance.now() + ms;
  return () => Math.max(1, Math.ceil(end - performance.now()));
}

export interface BackoffLimits {
  readonly minMs: number;
  readonly maxMs: number;
}

/** The pause before the next attempt: doubling, with jitter, so that many lanes do not call in step. */
export class Backoff {
  readonly #limits: BackoffLimits;
  readonly #random: () => number;
  #failures = 0;

  /** @param random uniform in [0, 1) */
  constructor(limits: BackoffLimits, random = Math.random) {
    this.#limits = limits;
    this.#random = random;
  }

  /**
   * The next pause in ms, always between the two limits: half to one and a half of a base that doubles with each call.
   */
  next(): number {
    const { minMs, maxMs } = this.#limits;
    const base = Math.min(maxMs, minMs * 2 ** Math.min(this.#failures, 30));
    this.#failures += 1;
    return Math.min(maxMs, Math.max(minMs, base * (0.5 + this.#random())));
  }

  reset(): void {
    this.#failures = 0;
  }
}

const RETRY: BackoffLimits = { minMs: 1000, maxMs: 60_000 };

export interface LoopOptions {
  /** Reports when the link may be up again; left out where the steps depend on none. */
  readonly link?: { onLine(listener: () => void): () => void };
  /** The step; never throws. @returns milliseconds until the next step; null where it failed */
  readonly step: () => Promise<number | null>;
  /** Limits of the pauses while the step fails; of a second to a minute when left out. */
  readonly retry?: BackoffLimits;
  /** Scales the pauses; not scaled when left out. */
  readonly scale?: number | undefined;
}

/**
 * Repeats a step: after the pause that the last step asked for, at once when the link is up again, after growing pauses
 * while it fails.
 */
export class Loop {
  readonly #options: LoopOptions;
  readonly #backoff: Backoff;
  readonly #wakeUp = new Signal();
  #isClosing = false;
  #running: Promise<void> | null = null;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.retry ?? RETRY);
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  start(): void {
    this.#running ??= this.#loop();
  }

  /** Runs the next step at once: on request, or when the link is up again. */
  runNow(): void {
    this.#wakeUp.raise();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wakeUp.raise();
    await this.#running;
  }

  async #loop(): Promise<void> {
    const { link, step, scale = 1 } = this.#options;
    const off = link?.onLine(() => {
      this.#backoff.reset();
      this.runNow();
    });
    while (!this.#isClosing) {
      const ms = await step();
      if (ms !== null) this.#backoff.reset();
      await this.#wakeUp.wait((ms ?? this.#backoff.next()) * scale);
    }
    off?.();
  }
}

/** Hands items from one side to another that waits for them, in order: `for await (const item of queue)`. */
export class AsyncQueue<T> {
  readonly #items: T[] = [];
  #isClosed = false;
  #wake: () => void = () => undefined;

  push(item: T): void {
    this.#items.push(item);
    this.#wake();
  }

  /** Ends the loop over the queue; items still in it are dropped. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (!this.#isClosed) {
      if (this.#items.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else {
        yield this.#items.shift() as T;
      }
    }
  }
}
