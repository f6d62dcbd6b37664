/**
 * One of the threads that the model runs in: asked one picture at a time, and replaced when it is lost, after a wait that
 * doubles with each loss. A model that is itself at fault is not tried again: another worker would end the same way.
 */
import { after as afterMachine } from '../../../drivers/lib/async.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { LostWorker, WorkerThread } from '../../../drivers/lib/worker-thread.ts';
import type { Answer, Question, WorkerStart } from './embedder-worker.ts';
import type { ModelErrorCode } from './manifest.ts';

export const WORKER_FILE = new URL('./embedder-worker.ts', import.meta.url);

/**
 * - `timeout`: no vector within the deadline
 * - `unavailable`: there is no working model now (see `state`), or its worker was lost under the request
 * - `busy`: more requests wait than are let in
 * - `bad-input`: the pixels are not of the model's input size
 * - `bad-output`: the model could not make a vector of this picture
 * - `closed`: we closed it
 */
export type EmbedderErrorCode = 'timeout' | 'unavailable' | 'busy' | 'bad-input' | 'bad-output' | 'closed';

export class EmbedderError extends Error {
  readonly code: EmbedderErrorCode;

  constructor(code: EmbedderErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbedderError';
    this.code = code;
  }
}

/** `worker`: the model is well, but its worker is lost again and again. */
export type EmbedderState =
  | { readonly name: 'loading'; readonly reason: string | null }
  | { readonly name: 'ready'; readonly reason: null }
  | { readonly name: 'degraded'; readonly reason: string; readonly code: ModelErrorCode | 'worker' };

export interface ThreadLimits {
  readonly startMs: number;
  /** The first wait before a lost worker is replaced; it doubles with each loss, up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** Losses in a row before the state is `degraded`. Trying goes on. */
  readonly lossBudget: number;
  /** A worker that lived as long counts as well: the next loss is the first again. */
  readonly stableMs: number;
}

export interface ThreadOptions {
  readonly start: WorkerStart;
  readonly file: URL;
  readonly limits: ThreadLimits;
  /** What time limits and waits run on; the machine's time when left out. */
  readonly after?: typeof afterMachine;
  /** Ends all trying. */
  readonly signal: AbortSignal;
  /** After each change of `state`. */
  readonly onState: () => void;
}

export class EmbedderThread {
  readonly #options: ThreadOptions;
  #state: EmbedderState = { name: 'loading', reason: null };
  /** Started, and not lost. */
  #worker: WorkerThread<Question, Answer> | null = null;
  #starting: Promise<void> = Promise.resolve();
  #callOffRestart: (() => void) | null = null;
  #losses = 0;
  #bornAt = 0;

  constructor(options: ThreadOptions) {
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
    return this.#worker !== null;
  }

  /** There is a worker, and it waits for work. */
  get isFree(): boolean {
    return this.#worker !== null && !this.#worker.isBusy;
  }

  /** Settles when the attempt is over, `ready` or not. Never fails. */
  start(): Promise<void> {
    this.#starting = this.#attempt();
    return this.#starting;
  }

  /** A vector of length 1; only while the thread is free. @throws {EmbedderError} `bad-output` @throws {LostWorker} */
  async infer(pixels: Uint8Array<ArrayBuffer>, limitMs: number): Promise<Float32Array> {
    if (this.#worker === null) throw new LostWorker('the embedding worker is being replaced');
    const answer = await this.#worker.ask({ pixels }, limitMs);
    if (answer.kind === 'vector') return answer.vector;
    throw new EmbedderError('bad-output', answer.kind === 'ready' ? 'the worker started twice' : answer.message);
  }

  /** Settles when the worker is gone, after `signal` was aborted. Never fails. */
  async close(): Promise<void> {
    this.#callOffRestart?.();
    await this.#starting;
    await this.#worker?.end();
  }

  /** The worker says `ready` when the model is compiled and has run once. */
  async #attempt(): Promise<void> {
    const { start, file, limits, signal, after = afterMachine } = this.#options;
    let worker: WorkerThread<Question, Answer> | null = null;
    try {
      worker = new WorkerThread<Question, Answer>(file, {
        name: 'embedding worker',
        workerData: start,
        signal,
        after,
        onLost: (reason) => this.#replace(reason),
      });
      const answer = await worker.hear(limits.startMs);
      if (answer.kind === 'failed') {
        await worker.end();
        return this.#enter({ name: 'degraded', reason: answer.message, code: answer.code });
      }
      this.#worker = worker;
      this.#bornAt = performance.now();
      this.#enter({ name: 'ready', reason: null });
    } catch (error) {
      await worker?.end(); // one that hangs, or is about to end, may still be there
      if (error instanceof LostWorker) return; // being replaced by now, or closed
      this.#enter({ name: 'degraded', reason: messageOf(error), code: 'not-loadable' });
    }
  }

  #replace(reason: string): void {
    const { limits, signal, after = afterMachine } = this.#options;
    const wasStable = this.#worker !== null && performance.now() - this.#bornAt >= limits.stableMs;
    this.#worker = null;
    if (signal.aborted) return;
    this.#losses = wasStable ? 1 : this.#losses + 1;
    const delayMs = Math.min(limits.maxBackoffMs, limits.backoffMs * 2 ** (this.#losses - 1));
    this.#callOffRestart = after(delayMs, () => void this.start());
    const isOverBudget = this.#losses > limits.lossBudget;
    this.#enter(isOverBudget ? { name: 'degraded', reason, code: 'worker' } : { name: 'loading', reason });
  }

  #enter(state: EmbedderState): void {
    this.#state = Object.freeze(state);
    this.#options.onState();
  }
}
