/**
 * One of the places where an embedding worker lives: one that is lost is replaced after a wait, which doubles with each loss.
 * A model that is itself at fault is not tried again: another worker would end the same way.
 */
import { messageOf } from '../../../drivers/lib/errors.ts';
import { LostWorker } from '../../../drivers/lib/worker-thread.ts';
import { EmbedderThread } from './embedder-thread.ts';
import type { WorkerStart } from './embedder-worker.ts';
import { ModelError, type ModelErrorCode } from './manifest.ts';

/** `worker`: the model is well, but its worker is lost again and again. */
export type EmbedderState =
  | { readonly name: 'loading'; readonly reason: string | null }
  | { readonly name: 'ready'; readonly reason: null }
  | { readonly name: 'degraded'; readonly reason: string; readonly code: ModelErrorCode | 'worker' };

export interface SlotLimits {
  readonly startMs: number;
  /** The first wait before a lost worker is replaced; it doubles with each loss, up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** Losses in a row before the state is `degraded`. Trying goes on. */
  readonly lossBudget: number;
  /** A worker that lived as long counts as well: the next loss is the first again. */
  readonly stableMs: number;
}

export interface SlotOptions {
  readonly start: WorkerStart;
  readonly worker: URL;
  readonly limits: SlotLimits;
  /** Ends all trying. */
  readonly signal: AbortSignal;
  /** After each change of `state`. */
  readonly onState: () => void;
}

export class EmbedderSlot {
  readonly #options: SlotOptions;
  #state: EmbedderState = { name: 'loading', reason: null };
  #thread: EmbedderThread | null = null;
  #starting: Promise<void> = Promise.resolve();
  #restart: NodeJS.Timeout | null = null;
  #isBusy = false;
  #losses = 0;
  #bornAt = 0;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  get state(): EmbedderState {
    return this.#state;
  }

  /** Losses in a row. */
  get losses(): number {
    return this.#losses;
  }

  /** There is a worker. */
  get isAlive(): boolean {
    return this.#thread !== null;
  }

  /** There is a worker, and it waits for work. */
  get isFree(): boolean {
    return this.isAlive && !this.#isBusy;
  }

  /** Settles when the attempt is over, `ready` or not. Never fails. */
  start(): Promise<void> {
    this.#starting = this.#attempt();
    return this.#starting;
  }

  /** A vector of length 1; only while the slot is free. @throws {RefusedPicture} @throws {LostWorker} */
  async infer(pixels: Uint8Array<ArrayBuffer>, limitMs: number): Promise<Float32Array> {
    if (this.#thread === null) throw new LostWorker('the embedding worker is being replaced');
    this.#isBusy = true;
    try {
      return await this.#thread.infer(pixels, limitMs);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Ends the worker, after `signal` was aborted. Never fails. */
  async close(): Promise<void> {
    if (this.#restart !== null) clearTimeout(this.#restart);
    await this.#starting;
    const thread = this.#thread;
    this.#thread = null;
    await thread?.end();
  }

  async #attempt(): Promise<void> {
    const { start, worker, limits, signal } = this.#options;
    try {
      this.#thread = await EmbedderThread.start(start, {
        file: worker,
        limitMs: limits.startMs,
        signal,
        onLost: (reason) => this.#replace(reason),
      });
    } catch (error) {
      if (error instanceof LostWorker) return this.#replace(error.message);
      const code = error instanceof ModelError ? error.code : 'not-loadable';
      return this.#enter({ name: 'degraded', reason: messageOf(error), code });
    }
    this.#bornAt = performance.now();
    this.#enter({ name: 'ready', reason: null });
  }

  #replace(reason: string): void {
    const { limits, signal } = this.#options;
    const wasStable = this.#thread !== null && performance.now() - this.#bornAt >= limits.stableMs;
    this.#thread = null;
    if (signal.aborted) return;
    this.#losses = wasStable ? 1 : this.#losses + 1;
    const delayMs = Math.min(limits.maxBackoffMs, limits.backoffMs * 2 ** (this.#losses - 1));
    this.#restart = setTimeout(() => {
      this.#restart = null;
      void this.start();
    }, delayMs);
    const isOverBudget = this.#losses > limits.lossBudget;
    this.#enter(isOverBudget ? { name: 'degraded', reason, code: 'worker' } : { name: 'loading', reason });
  }

  #enter(state: EmbedderState): void {
    this.#state = Object.freeze(state);
    this.#options.onState();
  }
}
