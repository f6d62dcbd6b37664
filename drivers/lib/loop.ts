/** Steps that never end: each when the one before says, at once with a new line, ever later while they fail. */
import { Backoff, type BackoffLimits, Signal } from './async.ts';

const RETRY = { minMs: 1000, maxMs: 60_000 } as const;
export interface LoopOptions {
  /** Says when there may be a way again; the steps have none to wait for when it is left out. */
  readonly link?: { onLine(listener: () => void): () => void };
  /** Never throws. @returns milliseconds until the next step; null where it failed */
  readonly step: () => Promise<number | null>;
  /** Limits of the pauses while it fails. */
  readonly retry?: BackoffLimits;
  /** How long a wait of so many milliseconds takes; as many when left out. */
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

  /** The next step is due at once: for somebody who asks, and with a new line. */
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
