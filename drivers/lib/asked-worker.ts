/**
 * A worker in a thread or a process that answers one question at a time. A worker that dies or hangs is lost, never
 * repaired. Piscina 5.3.2 is as fast, but has no limit for the start, no growing pause between losses, and no state for
 * `/health`.
 */
import type { Transferable } from 'node:worker_threads';
import { type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads';
import { after as afterMachine } from './async.ts';

/** The worker is gone or hangs: no answer comes any more. */
export class LostWorker extends Error {}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: LostWorker) => void;
  /** Cancels its time limit. */
  readonly callOff: () => void;
}

export interface AskedWorkerOptions {
  /** Its name in errors. */
  readonly name: string;
  /** Ends the worker. */
  readonly signal?: AbortSignal;
  /** The timer for time limits; the machine's time when left out. */
  readonly after?: typeof afterMachine;
  /** Called once, when the worker is lost without a call of `end`. */
  readonly onLost?: (reason: string) => void;
}

/** A started thread or process that does the work. */
export interface Workplace<Question> {
  /** @param transfer buffers that are handed over, and are empty afterwards */
  readonly post: (message: Question, transfer: readonly Transferable[]) => void;
  /** Settles when the workplace, hanging or not, is gone, with all that it held. */
  readonly stop: () => Promise<unknown>;
}

/** Events that a workplace reports. */
export interface WorkplaceEvents<Answer> {
  readonly onAnswer: (answer: Answer) => void;
  readonly onFailed: (error: Error) => void;
  /** @param how an exit code or a signal: `code 1` */
  readonly onEnded: (how: string) => void;
}

export class AskedWorker<Question, Answer> {
  readonly #place: Workplace<Question>;
  readonly #name: string;
  readonly #after: typeof afterMachine;
  readonly #onLost: ((reason: string) => void) | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #abort = (): void => void this.end();
  readonly #unread: Answer[] = [];
  #waiting: Waiting<Answer> | null = null;
  #isOver = false;

  constructor(
    start: (events: WorkplaceEvents<Answer>) => Workplace<Question>,
    { name, signal, onLost, after = afterMachine }: AskedWorkerOptions,
  ) {
    this.#name = name;
    this.#after = after;
    this.#onLost = onLost;
    this.#signal = signal;
    this.#place = start({
      onAnswer: (answer) => this.#take(answer),
      onFailed: (error) => this.#lose(`the ${name} failed: ${String(error)}`, error),
      onEnded: (how) => this.#lose(`the ${name} ended with ${how}`),
    });
    signal?.addEventListener('abort', this.#abort);
    if (signal?.aborted) this.#abort();
  }

  /** Whether the worker is gone, lost or ended: no message arrives any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether a caller waits for its next message. */
  get isBusy(): boolean {
    return this.#waiting !== null;
  }

  /**
   * Asks a question: the worker's next message is the answer; messages sent unasked before are dropped.
   * @param transfer buffers that are handed over, and are empty afterwards
   * @throws {LostWorker}
   */
  async ask(question: Question, limitMs: number, transfer: readonly Transferable[] = []): Promise<Answer> {
    this.#unread.length = 0;
    this.post(question, transfer);
    return await this.hear(limitMs);
  }

  /** Sends a message without waiting for an answer; does nothing when the worker is gone. */
  post(message: Question, transfer: readonly Transferable[] = []): void {
    if (!this.#isOver) this.#place.post(message, transfer);
  }

  /**
   * The worker's next message, also an unasked one, such as at its start. @throws {LostWorker} it died, took longer
   * than `limitMs`, or was ended
   */
  hear(limitMs: number): Promise<Answer> {
    const queued = this.#unread.shift();
    if (queued !== undefined) return Promise.resolve(queued);
    if (this.#isOver) return Promise.reject(new LostWorker(`the ${this.#name} is gone`));
    if (this.#waiting !== null) throw new Error(`the ${this.#name} takes one question at a time`);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const callOff = this.#after(limitMs, () => this.#lose(`the ${this.#name} said nothing for ${limitMs} ms`));
    this.#waiting = { resolve, reject, callOff };
    return promise;
  }

  /** Ends the worker, hanging or not; settles when it is gone with all that it held. `onLost` is not called. */
  async end(): Promise<void> {
    this.#finish(new LostWorker(`the ${this.#name} was ended`));
    this.#unread.length = 0;
    await this.#place.stop();
  }

  #take(answer: Answer): void {
    const waiting = this.#takeWaiting();
    if (waiting !== null) waiting.resolve(answer);
    else if (!this.#isOver) this.#unread.push(answer);
  }

  /** Takes the waiting caller, whose wait is over. */
  #takeWaiting(): Waiting<Answer> | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.callOff();
    return waiting;
  }

  #lose(reason: string, cause?: unknown): void {
    if (this.#isOver) return;
    this.#finish(new LostWorker(reason, { cause }));
    void this.#place.stop();
    this.#onLost?.(reason);
  }

  #finish(error: LostWorker): void {
    this.#isOver = true;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#takeWaiting()?.reject(error);
  }
}

function startThread<Question, Answer>(
  file: URL,
  options: WorkerOptions,
  { onAnswer, onFailed, onEnded }: WorkplaceEvents<Answer>,
): Workplace<Question> {
  const worker = new Worker(file, options);
  worker.on('message', onAnswer);
  worker.on('error', onFailed);
  worker.on('exit', (code) => onEnded(`code ${code}`));
  return { post: (message, transfer) => worker.postMessage(message, transfer), stop: () => worker.terminate() };
}

export class WorkerThread<Question, Answer> extends AskedWorker<Question, Answer> {
  /** @param workerData data that the thread starts with */
  constructor(file: URL, workerData: unknown, asked: AskedWorkerOptions, resourceLimits?: ResourceLimits) {
    const options = { workerData, name: asked.name, ...(resourceLimits !== undefined && { resourceLimits }) };
    super((events) => startThread(file, options, events), asked);
  }
}
