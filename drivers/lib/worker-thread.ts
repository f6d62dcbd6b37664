/** A worker thread that is asked one question at a time. One that dies or hangs is lost: never repaired, only replaced. */
import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';

/** The worker is gone or hangs: nothing more can be had of it. */
export class LostWorker extends Error {}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: LostWorker) => void;
}

export interface WorkerThreadOptions extends Pick<WorkerOptions, 'workerData' | 'resourceLimits'> {
  /** As it is called in errors. */
  readonly name: string;
  /** Called once, when it is lost without our doing. */
  readonly onLost: (reason: string) => void;
}

export class WorkerThread<Question, Answer> {
  readonly #worker: Worker;
  readonly #name: string;
  readonly #onLost: (reason: string) => void;
  #waiting: Waiting<Answer> | null = null;
  #isOver = false;

  constructor(file: URL, { name, onLost, ...options }: WorkerThreadOptions) {
    this.#name = name;
    this.#onLost = onLost;
    this.#worker = new Worker(file, { ...options, name });
    this.#worker.on('message', (answer: Answer) => this.#waiting?.resolve(answer));
    this.#worker.on('error', (error) => this.#lose(`the ${name} failed: ${String(error)}`));
    this.#worker.on('exit', (code) => this.#lose(`the ${name} ended with code ${code}`));
  }

  /** @param transfer buffers that are handed over: they are empty afterwards @throws {LostWorker} */
  async ask(question: Question, limitMs: number, transfer: readonly Transferable[] = []): Promise<Answer> {
    if (!this.#isOver) this.#worker.postMessage(question, transfer);
    return await this.hear(limitMs);
  }

  /** What it says next, also unasked, as at its start. @throws {LostWorker} it died, took longer than `limitMs`, was ended */
  hear(limitMs: number): Promise<Answer> {
    if (this.#isOver) return Promise.reject(new LostWorker(`the ${this.#name} is gone`));
    if (this.#waiting !== null) throw new Error(`the ${this.#name} takes one question at a time`);
    return new Promise<Answer>((resolve, reject) => {
      const limit = setTimeout(() => this.#lose(`the ${this.#name} said nothing for ${limitMs} ms`), limitMs);
      const settled = (): void => {
        clearTimeout(limit);
        this.#waiting = null;
      };
      this.#waiting = {
        resolve: (answer) => {
          settled();
          resolve(answer);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
    });
  }

  /** Settles when the thread is gone, hanging or not, and with it all that it held; `onLost` is not called for it. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#waiting?.reject(new LostWorker(`the ${this.#name} was ended`));
    await this.#worker.terminate();
  }

  #lose(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting?.reject(new LostWorker(reason));
    void this.#worker.terminate();
    this.#onLost(reason);
  }
}
