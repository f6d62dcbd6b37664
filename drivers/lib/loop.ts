/**
 * Repeats a step: after the pause that the last step asked for, at once when the link is up again, after growing pauses
 * while it fails.
 */
import { Backoff, type BackoffLimits, Signal } from './async.ts';

const RETRY = { minMs: 1000, maxMs: 60_000 } as const;
export interface LoopOptions {
  /** Reports when the link may be up again; left out where the steps depend on none. */
  readonly link?: { onLine(listener: () => void): () => void };
  /** The step; never throws. @returns milliseconds until the next step; null where it failed */
  readonly step: () => Promise<number | null>;
  /** Limits of the pauses while the step fails. */
  readonly retry?: BackoffLimits;
  /** Scales the pauses; not scaled when left out. */
  readonly scale?: number | undefined;
}

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
    this.#running ??= this.#keepGoing();
  }

  /** Runs the next step at once: on request, or when the link is up again. */
  ask(): void {
    this.#wakeUp.raise();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wakeUp.raise();
    await this.#running;
  }

  async #keepGoing(): Promise<void> {
    const { link, step, scale = 1 } = this.#options;
    const leave = link?.onLine(() => {
      this.#backoff.reset();
      this.ask();
    });
    while (!this.#isClosing) {
      const ms = await step();
      if (ms !== null) this.#backoff.reset();
      await this.#wakeUp.wait((ms ?? this.#backoff.next()) * scale);
    }
    leave?.();
  }
}
