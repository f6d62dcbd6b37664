/** Writes received templates in a worker, which is started when there is something to write and ended when idle. */
import { LostWorker, WorkerThread } from '../../../drivers/lib/asked-worker.ts';
import { RecognitionError } from '../model/recognition-error.ts';
import type { WholeTemplate } from '../model/template.ts';
import type { WriterAnswer, WriterStart } from './exchange-worker.ts';

const WORKER_FILE = new URL('./exchange-worker.ts', import.meta.url);
/** A worker that takes longer for a batch hangs: even a slow card needs a few seconds. */
const BATCH_LIMIT_MS = 2 * 60_000;
/** A busy store sends templates in each round; after this pause the worker's memory is freed. */
const IDLE_MS = 60_000;
/** Heap of JavaScript's own objects; crops and pages are outside of it. */
const MAX_HEAP_MB = 64;

/** The buffers that hold nothing but one crop. */
const ownBuffers = (templates: readonly WholeTemplate[]): ArrayBuffer[] => [
  ...new Set(
    templates.flatMap(({ crop: { buffer, byteLength } }) =>
      buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
    ),
  ),
];

export class ExchangeWriter {
  readonly #start: WriterStart;
  readonly #worker: URL;
  readonly #idleMs: number;
  #thread: WorkerThread<readonly WholeTemplate[], WriterAnswer> | null = null;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(start: WriterStart, worker = WORKER_FILE, idleMs = IDLE_MS) {
    this.#start = start;
    this.#worker = worker;
    this.#idleMs = idleMs;
  }

  /**
   * Stores templates with one commit, while the caller has the turn to write. Crops that own their buffers are transferred.
   * @returns the row of each template, null where it was left out
   * @throws {RecognitionError} nothing was changed
   * @throws {LostWorker} all of the batch may be durable, or nothing
   */
  async store(templates: readonly WholeTemplate[]): Promise<readonly (number | null)[]> {
    clearTimeout(this.#idleTimer);
    this.#thread ??= this.#startThread();
    const thread = this.#thread;
    try {
      const answer = await thread.ask(templates, BATCH_LIMIT_MS, ownBuffers(templates));
      if (answer.kind === 'failed') throw new RecognitionError(answer.codeName, answer.message);
      return answer.ids;
    } catch (error) {
      // the end of the thread ends its transaction and the lock of the database
      if (error instanceof LostWorker) await thread.end();
      throw error;
    } finally {
      this.#idleTimer = setTimeout(() => void this.end(), this.#idleMs);
    }
  }

  /** Ends the worker; the next batch starts another. */
  async end(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.end();
  }

  #startThread(): WorkerThread<readonly WholeTemplate[], WriterAnswer> {
    const onLost = () => {
      this.#thread = null;
    };
    const limits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
    return new WorkerThread(this.#worker, this.#start, { name: 'exchange writer', onLost }, limits);
  }
}
