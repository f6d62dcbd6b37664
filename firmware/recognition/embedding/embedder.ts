/**
 * Turns pictures into vectors. The model runs in workers: in the native runtime and with enough memory and cores one for
 * each look at a picture, otherwise in one. A worker that hangs or dies is replaced, and its callers get a typed error. A
 * faulty model never ends the process: it is a state.
 */
import { availableParallelism, totalmem } from 'node:os';
import { after as afterMachine, pause } from '../../../drivers/lib/async.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { LogLine } from '../../core/host/index.ts';
import { EmbedderError, type EmbedderErrorCode } from '../model/embedder-error.ts';
import {
  type EmbedderState,
  EmbedderThread,
  type ModelRuntime,
  type ThreadLimits,
  WORKER_FILE,
} from './embedder-thread.ts';
import { loadModel, type Manifest, ModelError, type VerifiedModel } from './manifest.ts';
import { type NativeFiles, nativeIn } from './native.ts';

export type { EmbedderState, ModelRuntime } from './embedder-thread.ts';

export interface EmbedderLimits extends ThreadLimits {
  /** From the call of `embed` to its answer, and for one run of the model. */
  readonly deadlineMs: number;
  /** How long `loaded` waits. */
  readonly loadingMs: number;
  /** Pictures that may wait for a worker. */
  readonly waiting: number;
}

const LIMITS: EmbedderLimits = Object.freeze({
  deadlineMs: 3_000,
  loadingMs: 3_000,
  startMs: 30_000,
  waiting: 16,
  backoffMs: 100,
  maxBackoffMs: 60_000,
  lossBudget: 5,
  stableMs: 60_000,
});

export interface EmbedderOptions {
  readonly manifestPath: string;
  readonly log?: LogLine;
  readonly limits?: Partial<EmbedderLimits>;
  /** The timer for pictures' deadlines and waits for workers; the machine's time when left out. */
  readonly after?: typeof afterMachine;
  /** The most workers; `threadsFor` decides when left out. There are never more workers than the model has looks. */
  readonly threads?: number;
  /** The folder of the native runtime; without the runtime the model runs in WebAssembly. */
  readonly native?: string;
  /** The file of the worker with WebAssembly; tests give a worker that misbehaves. */
  readonly worker?: URL;
}

/** Memory for more than one worker: a board of 1 GB has less, a board of 2 GB more. */
const ROOM_FOR_MORE_BYTES = 1.5 * 1024 ** 3;

/**
 * The number of workers for a machine: each holds its own model, and in WebAssembly a heap of a hundred megabytes.
 * @param memory bytes
 */
export const threadsFor = (memory: number, cores: number, isNative: boolean): number =>
  isNative && memory >= ROOM_FOR_MORE_BYTES ? cores : 1;

interface Request {
  readonly pixels: Uint8Array<ArrayBuffer>;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: EmbedderError) => void;
}

export class Embedder {
  readonly #options: EmbedderOptions;
  readonly #limits: EmbedderLimits;
  readonly #after: typeof afterMachine;
  readonly #queue: Request[] = [];
  readonly #closing = new AbortController();
  /** Aborted while the state is not `loading`. */
  #loading = new AbortController();
  #model: VerifiedModel | null = null;
  #threads: readonly EmbedderThread[] = [];
  #starting: Promise<void> = Promise.resolve();
  #state: EmbedderState = { name: 'loading', reason: null };

  private constructor(options: EmbedderOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#after = options.after ?? afterMachine;
  }

  /** Settles when the files of the model are checked; its workers wait for `start`. Never fails. */
  static async load(options: EmbedderOptions): Promise<Embedder> {
    const embedder = new Embedder(options);
    try {
      embedder.#setModel(await loadModel(options.manifestPath));
    } catch (error) {
      const code = error instanceof ModelError ? error.code : 'not-loadable';
      embedder.#enter({ name: 'degraded', reason: messageOf(error), code });
    }
    return embedder;
  }

  /** Settles when the first attempt to start every worker is over, `ready` or not. Never fails. */
  static async open(options: EmbedderOptions): Promise<Embedder> {
    const embedder = await Embedder.load(options);
    await embedder.start();
    return embedder;
  }

  /** Starts the workers, once. Settles when the first attempt to start every one of them is over. Never fails. */
  start(): Promise<void> {
    this.#starting = this.#startAll();
    return this.#starting;
  }

  /** `ready` while any worker is ready; otherwise the state of the first worker. */
  get state(): EmbedderState {
    return this.#state;
  }

  /**
   * The runtime of a worker that had to leave the native one, else of the first worker; null where no manifest with its
   * right file was found.
   */
  get runtime(): ModelRuntime | null {
    const runtimes = this.#threads.map(({ runtime }) => runtime);
    return runtimes.find(({ nativeFault }) => nativeFault !== null) ?? runtimes[0] ?? null;
  }

  /** The model's manifest; null where no manifest with its right file was found. */
  get manifest(): Manifest | null {
    return this.#model?.manifest ?? null;
  }

  /** The stamp of this model's vectors, `name@version#sha256`; null like `manifest`. */
  get identity(): string | null {
    return this.#model?.identity ?? null;
  }

  /**
   * Waits while the model is loaded or a lost worker is replaced, never longer than `loadingMs`; then `state` tells the
   * result. Never fails.
   */
  async loaded(): Promise<void> {
    await pause(this.#limits.loadingMs, this.#loading.signal);
  }

  /**
   * The vector of a picture, of length 1 and the manifest's dimension.
   * @param pixels RGB, row by row, of the manifest's input size; copied before this returns
   * @throws {EmbedderError}
   */
  async embed(pixels: Uint8Array): Promise<Float32Array> {
    if (this.#closing.signal.aborted) throw new EmbedderError('closed', 'the embedder is closed');
    if (this.#model === null || !this.#isAlive) {
      throw new EmbedderError('unavailable', `no model is running: ${this.#state.reason ?? 'it is being loaded'}`);
    }
    const { width, height, channels } = this.#model.manifest.input;
    if (pixels.length !== width * height * channels) {
      throw new EmbedderError('bad-input', `${pixels.length} values, the model takes ${width}×${height}×${channels}`);
    }
    if (this.#queue.length >= this.#limits.waiting) {
      throw new EmbedderError('busy', `${this.#queue.length} pictures are waiting`);
    }
    return await this.#enqueue(new Uint8Array(pixels));
  }

  /** Ends the workers; waiting callers get `closed`. Never fails. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#rejectAll('closed', 'the embedder was closed');
    this.#loading.abort();
    await this.#starting;
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  get #isAlive(): boolean {
    return this.#threads.some((thread) => thread.isAlive);
  }

  #setModel(model: VerifiedModel): void {
    const { manifest } = model;
    const looks = 1 + (manifest.input.closerLooks?.length ?? 0);
    const native = this.#nativeFor(manifest);
    this.#model = model;
    const most = this.#options.threads ?? threadsFor(totalmem(), availableParallelism(), native !== null);
    const count = Math.min(looks, most);
    this.#threads = Array.from({ length: count }, () => {
      const file = this.#options.worker ?? WORKER_FILE;
      const waits = { after: this.#after, signal: this.#closing.signal };
      const onState = () => this.#onThread(thread);
      const thread: EmbedderThread = new EmbedderThread(model, native, file, this.#limits, waits, onState);
      return thread;
    });
  }

  /** The files of the native runtime; null where they are missing or the manifest has no self-test. */
  #nativeFor({ selfTest }: Manifest): NativeFiles | null {
    const { native } = this.#options;
    return native === undefined || selfTest === undefined ? null : nativeIn(native);
  }

  /**
   * Starts the workers one after another: the first is needed soon, and each start with a model that cannot be read leaks
   * the model's size.
   */
  async #startAll(): Promise<void> {
    for (const thread of this.#threads) {
      if (this.#closing.signal.aborted) return;
      await thread.start();
      if (thread.state.name === 'degraded' && thread.state.code !== 'worker') return;
      // the native runtime would fail in the other workers, too, and in WebAssembly one is enough
      if (thread === this.#threads[0] && thread.runtime.nativeFault !== null) {
        this.#threads = [thread];
        return;
      }
    }
  }

  #enqueue(pixels: Uint8Array<ArrayBuffer>): Promise<Float32Array> {
    const { deadlineMs } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
    const request: Request = { pixels, resolve, reject };
    const callOff = this.#after(deadlineMs, () => {
      const at = this.#queue.indexOf(request);
      if (at >= 0) this.#queue.splice(at, 1);
      reject(new EmbedderError('timeout', `no vector within ${deadlineMs} ms`));
    });
    this.#queue.push(request);
    this.#dispatch();
    return promise.finally(callOff);
  }

  #dispatch(): void {
    for (const thread of this.#threads) {
      if (!thread.isFree) continue;
      const request = this.#queue.shift();
      if (request === undefined) return;
      void this.#answer(thread, request);
    }
  }

  async #answer(thread: EmbedderThread, request: Request): Promise<void> {
    try {
      request.resolve(await thread.infer(request.pixels, this.#limits.deadlineMs));
    } catch (error) {
      request.reject(this.#typedError(error));
    }
    this.#dispatch();
  }

  #typedError(cause: unknown): EmbedderError {
    if (this.#closing.signal.aborted) return new EmbedderError('closed', 'the embedder was closed', { cause });
    if (cause instanceof EmbedderError) return cause;
    return new EmbedderError('unavailable', String(cause), { cause });
  }

  #onThread(thread: EmbedderThread): void {
    const { reason } = thread.state;
    if (reason !== null && !this.#isAlive) this.#rejectAll('unavailable', reason);
    const ready = this.#threads.find(({ state }) => state.name === 'ready');
    this.#enter((ready ?? this.#threads[0] ?? thread).state, thread);
    this.#dispatch();
  }

  #rejectAll(code: EmbedderErrorCode, message: string): void {
    for (const request of this.#queue.splice(0)) request.reject(new EmbedderError(code, message));
  }

  #enter(state: EmbedderState, thread?: EmbedderThread): void {
    const isNews = state !== this.#state;
    this.#state = state;
    if (state.name !== 'loading') this.#loading.abort();
    else if (this.#loading.signal.aborted && !this.#closing.signal.aborted) this.#loading = new AbortController();
    if (thread !== undefined && thread.state !== state) this.#log('an embedding worker', thread.state, thread.losses);
    else if (isNews) this.#log('embedder', state, thread?.losses ?? 0);
  }

  #log(who: string, state: EmbedderState, losses: number): void {
    const { name: runtime, nativeFault } = this.runtime ?? { name: null, nativeFault: null };
    this.#options.log?.(`${who} ${state.name}`, { ...state, model: this.identity, runtime, nativeFault, losses });
  }
}
