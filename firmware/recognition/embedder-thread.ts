/** One life of the embedding worker: started, asked one question at a time, ended. It is never repaired, only replaced. */
import { Worker } from 'node:worker_threads';
import type { Answer, Question, WorkerStart } from './embedder-worker.ts';
import { ModelError } from './manifest.ts';

export const WORKER_FILE = new URL('./embedder-worker.ts', import.meta.url);

/** The worker refused one picture; the worker itself is well. */
export class RefusedPicture extends Error {}

/** The worker is gone or hangs: nothing more can be had of it. */
export class LostWorker extends Error {}

interface Waiting {
  readonly id: number;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: Error) => void;
}

export interface ThreadOptions {
  readonly file: URL;
  /** For the start. */
  readonly limitMs: number;
  /** Gives up the start. */
  readonly signal: AbortSignal;
  /** Called once, when a started worker is lost without our doing. */
  readonly onLost: (reason: string) => void;
}

export class EmbedderThread {
  readonly #worker: Worker;
  readonly #onLost: (reason: string) => void;
  #waiting: Waiting | null = null;
  #started: { readonly resolve: () => void; readonly reject: (error: Error) => void } | null = null;
  #lastId = 0;
  #over = false;

  private constructor(file: URL, start: WorkerStart, onLost: (reason: string) => void) {
    this.#onLost = onLost;
    this.#worker = new Worker(file, { workerData: start, name: 'embedder' });
    this.#worker.on('message', (answer: Answer) => this.#hear(answer));
    this.#worker.on('error', (error) => this.#lose(`the embedding worker failed: ${String(error)}`));
    this.#worker.on('exit', (code) => this.#lose(`the embedding worker ended with code ${code}`));
  }

  /**
   * Settles when the model is compiled and has run once.
   * @throws {ModelError} `not-loadable` or `shape-mismatch`: another worker would say the same
   * @throws {LostWorker} it died, took longer than `limitMs`, or was given up
   */
  static async start(start: WorkerStart, { file, limitMs, signal, onLost }: ThreadOptions): Promise<EmbedderThread> {
    const thread = new EmbedderThread(file, start, onLost);
    const limit = setTimeout(() => thread.#lose(`the embedding worker did not start within ${limitMs} ms`), limitMs);
    const abort = (): void => thread.#lose('the embedding worker is not needed any more');
    signal.addEventListener('abort', abort);
    try {
      await new Promise<void>((resolve, reject) => {
        thread.#started = { resolve, reject };
      });
      return thread;
    } catch (error) {
      await thread.end();
      throw error;
    } finally {
      clearTimeout(limit);
      signal.removeEventListener('abort', abort);
    }
  }

  /** A vector of length 1. One call at a time. @throws {RefusedPicture} @throws {LostWorker} */
  infer(pixels: Uint8Array<ArrayBuffer>, limitMs: number): Promise<Float32Array> {
    if (this.#over) return Promise.reject(new LostWorker('the embedding worker is gone'));
    if (this.#waiting !== null) throw new Error('the embedding worker takes one picture at a time');
    this.#lastId += 1;
    const question: Question = { id: this.#lastId, pixels };
    return new Promise<Float32Array>((resolve, reject) => {
      const limit = setTimeout(() => this.#lose(`the embedding worker did not answer within ${limitMs} ms`), limitMs);
      const settled = (): void => {
        clearTimeout(limit);
        this.#waiting = null;
      };
      this.#waiting = {
        id: question.id,
        resolve: (vector) => {
          settled();
          resolve(vector);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
      this.#worker.postMessage(question);
    });
  }

  /** Ends the thread, hanging or not; `onLost` is not called for it. */
  async end(): Promise<void> {
    this.#over = true;
    this.#waiting?.reject(new LostWorker('the embedding worker was ended'));
    await this.#worker.terminate();
  }

  #hear(answer: Answer): void {
    if (answer.kind === 'ready') {
      this.#started?.resolve();
      this.#started = null;
    } else if (answer.kind === 'failed') {
      this.#started?.reject(new ModelError(answer.code, answer.message));
      this.#started = null;
    } else if (this.#waiting?.id === answer.id) {
      if (answer.kind === 'vector') this.#waiting.resolve(answer.vector);
      else this.#waiting.reject(new RefusedPicture(answer.message));
    }
  }

  #lose(reason: string): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#started !== null) {
      this.#started.reject(new LostWorker(reason));
      this.#started = null;
      return;
    }
    this.#waiting?.reject(new LostWorker(reason));
    void this.#worker.terminate();
    this.#onLost(reason);
  }
}
