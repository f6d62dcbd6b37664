/** One life of the embedding worker: started, asked one picture at a time, ended. */

import { WorkerThread } from '../../../drivers/lib/worker-thread.ts';
import type { Answer, Question, WorkerStart } from './embedder-worker.ts';
import { ModelError } from './manifest.ts';

export const WORKER_FILE = new URL('./embedder-worker.ts', import.meta.url);

/** The worker refused one picture; the worker itself is well. */
export class RefusedPicture extends Error {}

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
  readonly #thread: WorkerThread<Question, Answer>;

  private constructor(thread: WorkerThread<Question, Answer>) {
    this.#thread = thread;
  }

  /**
   * Settles when the model is compiled and has run once.
   * @throws {ModelError} `not-loadable` or `shape-mismatch`: another worker would say the same
   * @throws {LostWorker} it died, took longer than `limitMs`, or was given up
   */
  static async start(start: WorkerStart, { file, limitMs, signal, onLost }: ThreadOptions): Promise<EmbedderThread> {
    let isStarted = false;
    const thread = new WorkerThread<Question, Answer>(file, {
      name: 'embedding worker',
      workerData: start,
      onLost: (reason) => {
        if (isStarted) onLost(reason);
      },
    });
    const abort = (): void => void thread.end();
    signal.addEventListener('abort', abort);
    try {
      const answer = await thread.hear(limitMs);
      if (answer.kind === 'failed') throw new ModelError(answer.code, answer.message);
      isStarted = true;
      return new EmbedderThread(thread);
    } catch (error) {
      await thread.end();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** A vector of length 1. One call at a time. @throws {RefusedPicture} @throws {LostWorker} */
  async infer(pixels: Uint8Array<ArrayBuffer>, limitMs: number): Promise<Float32Array> {
    const answer = await this.#thread.ask({ pixels }, limitMs);
    if (answer.kind === 'vector') return answer.vector;
    throw new RefusedPicture(answer.kind === 'ready' ? 'the embedding worker started twice' : answer.message);
  }

  /** Ends the thread, hanging or not; `onLost` is not called for it. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
