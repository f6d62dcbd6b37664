/**
 * One of the workers that run the model: it takes one picture at a time, and is replaced when lost, after a wait that
 * doubles with each loss. It is a process of the native runtime where that is there and works, otherwise a thread with
 * WebAssembly. A faulty model is not tried again: another worker would fail the same way.
 */
import {
  type AskedWorker,
  type AskedWorkerOptions,
  LostWorker,
  WorkerThread,
} from '../../../drivers/lib/asked-worker.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { EmbedderError } from '../model/embedder-error.ts';
import type { ModelErrorCode, VerifiedModel } from './manifest.ts';
import { type NativeFiles, startNative } from './native.ts';
import type { Answer, Question } from './tensors.ts';

export const WORKER_FILE = new URL('./embedder-worker.ts', import.meta.url);

/** `worker`: the model is good, but its worker is lost again and again. */
export type EmbedderState =
  | { readonly name: 'loading'; readonly reason: string | null }
  | { readonly name: 'ready'; readonly reason: null }
  | { readonly name: 'degraded'; readonly reason: string; readonly code: ModelErrorCode | 'worker' };

export interface ThreadLimits {
  readonly startMs: number;
  /** The first wait before a lost worker is replaced; it doubles with each loss, up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** Losses in a row before the state is `degraded`. Replacing continues. */
  readonly lossBudget: number;
  /** A worker that lived this long resets the count of losses. */
  readonly stableMs: number;
}

/** The runtime of a model. */
export interface ModelRuntime {
  readonly name: 'native' | 'webassembly';
  /** Why an installed native runtime is not used; null while it is used, or where there is none. */
  readonly nativeFault: string | null;
}

/** The timer for limits and waits, and the signal that ends all attempts. */
type Waits = Required<Pick<AskedWorkerOptions, 'after' | 'signal'>>;

export class EmbedderThread {
  readonly #model: VerifiedModel;
  readonly #file: URL;
  readonly #limits: ThreadLimits;
  readonly #waits: Waits;
  readonly #onState: () => void;
  #state: EmbedderState = { name: 'loading', reason: null };
  /** The worker that was started and is not lost. */
  #worker: AskedWorker<Question, Answer> | null = null;
  /** The native runtime, until it has failed. */
  #native: NativeFiles | null;
  #nativeFault: string | null = null;
  #starting: Promise<void> = Promise.resolve();
  #cancelRestart: (() => void) | null = null;
  #losses = 0;
  #readyAt = 0;

  /**
   * @param native the native runtime, where there is one that may be tried
   * @param file the worker's file, which runs WebAssembly
   * @param onState called after each change of `state`
   */
  constructor(
    model: VerifiedModel,
    native: NativeFiles | null,
    file: URL,
    limits: ThreadLimits,
    waits: Waits,
    onState: () => void,
  ) {
    this.#model = model;
    this.#native = native;
    this.#file = file;
    this.#limits = limits;
    this.#waits = waits;
    this.#onState = onState;
  }

  get state(): EmbedderState {
    return this.#state;
  }

  get runtime(): ModelRuntime {
    return { name: this.#native === null ? 'webassembly' : 'native', nativeFault: this.#nativeFault };
  }

  /** Losses in a row. */
  get losses(): number {
    return this.#losses;
  }

  /** Whether there is a worker. */
  get isAlive(): boolean {
    return this.#worker !== null;
  }

  /** Whether there is a worker that waits for work. */
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
    this.#cancelRestart?.();
    await this.#starting;
    await this.#worker?.end();
  }

  /** The worker answers `ready` when the model is compiled and has run once. */
  async #attempt(): Promise<void> {
    let worker: AskedWorker<Question, Answer> | null = null;
    try {
      worker = this.#open();
      const answer = await worker.hear(this.#limits.startMs);
      if (answer.kind === 'failed') {
        await worker.end();
        if (this.#native === null) {
          return this.#enter({ name: 'degraded', reason: answer.message, code: answer.code });
        }
        this.#dropNative(answer.message);
        return await this.#attempt();
      }
      this.#worker = worker;
      this.#readyAt = performance.now();
      this.#enter({ name: 'ready', reason: null });
    } catch (error) {
      await worker?.end(); // a worker that hangs or is about to end may still be there
      if (error instanceof LostWorker) return; // `onLost` has had it replaced, unless the embedder is closed
      this.#enter({ name: 'degraded', reason: messageOf(error), code: 'not-loadable' });
    }
  }

  #open(): AskedWorker<Question, Answer> {
    const options = { name: 'embedding worker', ...this.#waits, onLost: (reason: string) => this.#replace(reason) };
    if (this.#native !== null) return startNative(this.#native, this.#model, options);
    const { bytes, manifest } = this.#model;
    return new WorkerThread<Question, Answer>(this.#file, { bytes, manifest }, options);
  }

  #dropNative(reason: string): void {
    this.#native = null;
    this.#nativeFault = reason;
    this.#losses = 0;
  }

  #replace(reason: string): void {
    const limits = this.#limits;
    const { signal, after } = this.#waits;
    const wasReady = this.#worker !== null;
    const wasStable = wasReady && performance.now() - this.#readyAt >= limits.stableMs;
    this.#worker = null;
    if (signal.aborted) return;
    this.#losses = wasStable ? 1 : this.#losses + 1;
    // a native worker that is lost before `ready` would be lost again: its library does not fit the processor or system
    if (this.#native !== null && (!wasReady || this.#losses > limits.lossBudget)) this.#dropNative(reason);
    const delayMs = Math.min(limits.maxBackoffMs, limits.backoffMs * 2 ** Math.max(0, this.#losses - 1));
    this.#cancelRestart = after(delayMs, () => void this.start());
    const isOverBudget = this.#losses > limits.lossBudget;
    this.#enter(isOverBudget ? { name: 'degraded', reason, code: 'worker' } : { name: 'loading', reason });
  }

  #enter(state: EmbedderState): void {
    this.#state = Object.freeze(state);
    this.#onState();
  }
}
