/** What is asked one question at a time and works elsewhere: in a thread, in a process. One that dies or hangs is lost, never repaired. */
import type { Transferable } from 'node:worker_threads';
import { type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads';
import { after as afterMachine } from './async.ts';

/** The worker is gone or hangs: no answer comes any more. */
export class LostWorker extends Error {}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: LostWorker) => void;
  /** Ends its time limit. */
  readonly callOff: () => void;
}

export interface AskedWorkerOptions {
  /** Its name in errors. */
  readonly name: string;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** What time limits run on; the machine's time when left out. */
  readonly after?: typeof afterMachine;
  /** Called once, when it is lost without our doing. */
  readonly onLost?: (reason: string) => void;
}

/** Where the work is done, once it was started. */
export interface Workplace<Question> {
  /** @param transfer buffers that are handed over: they are empty afterwards */
  readonly post: (message: Question, transfer: readonly Transferable[]) => void;
  /** Settles when it is gone, hanging or not, and with it all that it held. */
  readonly stop: () => Promise<unknown>;
}

/** Called by a workplace. */
export interface WorkplaceEvents<Answer> {
  readonly onAnswer: (answer: Answer) => void;
  readonly onFailed: (error: Error) => void;
  /** @param how with an exit code or a signal: `code 1` */
  readonly onEnded: (how: string) => void;
}

export class AskedWorker<Question, Answer> {
  readonly #place: Workplace<Question>;
  readonly #name: string;
  readonly #after: typeof afterMachine;
  readonly #onLost: ((reason: string) => void) | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #abort = (): void => void this.end();
  readonly #unheard: Answer[] = [];
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

  /** Gone, lost or ended: nothing that is sent to it arrives. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Somebody waits for what it says next. */
  get isBusy(): boolean {
    return this.#waiting !== null;
  }

  /**
   * What it says next counts as its answer; what it said unasked before is dropped.
   * @param transfer buffers that are handed over: they are empty afterwards
   * @throws {LostWorker}
   */
  async ask(question: Question, limitMs: number, transfer: readonly Transferable[] = []): Promise<Answer> {
    this.#unheard.length = 0;
    this.post(question, transfer);
    return await this.hear(limitMs);
  }

  /** Sends a message without waiting for an answer; does nothing when the worker is gone. */
  post(message: Question, transfer: readonly Transferable[] = []): void {
    if (!this.#isOver) this.#place.post(message, transfer);
  }

  /** What it says next, also unasked, as at its start. @throws {LostWorker} it died, took longer than `limitMs`, was ended */
  hear(limitMs: number): Promise<Answer> {
    const said = this.#unheard.shift();
    if (said !== undefined) return Promise.resolve(said);
    if (this.#isOver) return Promise.reject(new LostWorker(`the ${this.#name} is gone`));
    if (this.#waiting !== null) throw new Error(`the ${this.#name} takes one question at a time`);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const callOff = this.#after(limitMs, () => this.#lose(`the ${this.#name} said nothing for ${limitMs} ms`));
    this.#waiting = { resolve, reject, callOff };
    return promise;
  }

  /** Settles when it is gone, hanging or not, and with it all that it held; `onLost` is not called for it. */
  async end(): Promise<void> {
    this.#leave(new LostWorker(`the ${this.#name} was ended`));
    this.#unheard.length = 0;
    await this.#place.stop();
  }

  #take(answer: Answer): void {
    const waiting = this.#served();
    if (waiting !== null) waiting.resolve(answer);
    else if (!this.#isOver) this.#unheard.push(answer);
  }

  /** Who has waited, and waits no more. */
  #served(): Waiting<Answer> | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.callOff();
    return waiting;
  }

  #lose(reason: string, cause?: unknown): void {
    if (this.#isOver) return;
    this.#leave(new LostWorker(reason, { cause }));
    void this.#place.stop();
    this.#onLost?.(reason);
  }

  #leave(error: LostWorker): void {
    this.#isOver = true;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#served()?.reject(error);
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
  /** @param workerData what it begins with */
  constructor(file: URL, workerData: unknown, asked: AskedWorkerOptions, resourceLimits?: ResourceLimits) {
    const options = { workerData, name: asked.name, ...(resourceLimits !== undefined && { resourceLimits }) };
    super((events) => startThread(file, options, events), asked);
  }
}
