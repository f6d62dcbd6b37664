/**
 * Pictures to vectors. The model runs in a worker thread of its own: one that hangs or dies is replaced, and whoever
 * waited for it gets a typed error. Nothing that is wrong with the model ends the process: it is a state.
 */
import { EmbedderThread, RefusedPicture, WORKER_FILE } from './embedder-thread.ts';
import { loadModel, type Manifest, ModelError, type ModelErrorCode, type VerifiedModel } from './manifest.ts';
import { LostWorker } from './worker-thread.ts';

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

export interface EmbedderLimits {
  /** From the call of `embed` to its answer, and for one run of the model. */
  readonly deadlineMs: number;
  readonly startMs: number;
  readonly waiting: number;
  /** The first wait before a lost worker is replaced; it doubles with each loss, up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** Losses in a row before the state is `degraded`. Trying goes on. */
  readonly lossBudget: number;
  /** A worker that lived as long counts as well: the next loss is the first again. */
  readonly stableMs: number;
}

const LIMITS: EmbedderLimits = Object.freeze({
  deadlineMs: 3_000,
  startMs: 30_000,
  waiting: 8,
  backoffMs: 100,
  maxBackoffMs: 60_000,
  lossBudget: 5,
  stableMs: 60_000,
});

export interface EmbedderOptions {
  readonly manifestPath: string;
  readonly log?: (message: string, details?: Readonly<Record<string, unknown>>) => void;
  readonly onState?: (state: EmbedderState) => void;
  readonly limits?: Partial<EmbedderLimits>;
  /** The worker's file; tests give one that misbehaves. */
  readonly worker?: URL;
}

interface Request {
  readonly pixels: Uint8Array<ArrayBuffer>;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: EmbedderError) => void;
}

export class Embedder {
  readonly #options: EmbedderOptions;
  readonly #limits: EmbedderLimits;
  readonly #queue: Request[] = [];
  readonly #closing = new AbortController();
  #model: VerifiedModel | null = null;
  #thread: EmbedderThread | null = null;
  #starting: Promise<void> | null = null;
  #restart: NodeJS.Timeout | null = null;
  #state: EmbedderState = { name: 'loading', reason: null };
  #busy = false;
  #losses = 0;
  #bornAt = 0;

  private constructor(options: EmbedderOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
  }

  /** Settles when the files of the model are checked; its worker starts meanwhile. Never fails. */
  static async load(options: EmbedderOptions): Promise<Embedder> {
    const embedder = new Embedder(options);
    try {
      const model = await loadModel(options.manifestPath);
      embedder.#model = model;
      embedder.#starting = embedder.#start(model).catch((error: unknown) => embedder.#giveUp(error));
    } catch (error) {
      embedder.#giveUp(error);
    }
    return embedder;
  }

  /** Settles when the first attempt to start the worker is over, `ready` or not. Never fails. */
  static async open(options: EmbedderOptions): Promise<Embedder> {
    const embedder = await Embedder.load(options);
    await embedder.#starting;
    return embedder;
  }

  get state(): EmbedderState {
    return this.#state;
  }

  /** Null where no manifest with its right file was found. */
  get manifest(): Manifest | null {
    return this.#model?.manifest ?? null;
  }

  /** What vectors of this model are stamped with, `name@version#sha256`; null like `manifest`. */
  get identity(): string | null {
    return this.#model?.identity ?? null;
  }

  /**
   * The vector of a picture, of length 1 and the manifest's dimension.
   * @param pixels RGB, row by row, of the manifest's input size; copied before this returns
   * @throws {EmbedderError}
   */
  async embed(pixels: Uint8Array): Promise<Float32Array> {
    if (this.#closing.signal.aborted) throw new EmbedderError('closed', 'the embedder is closed');
    if (this.#model === null || this.#thread === null) {
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

  /** Ends the worker; whoever waits gets `closed`. Never fails. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#restart !== null) clearTimeout(this.#restart);
    this.#rejectAll('closed', 'the embedder was closed');
    await this.#starting;
    const thread = this.#thread;
    this.#thread = null;
    await thread?.end();
  }

  #enqueue(pixels: Uint8Array<ArrayBuffer>): Promise<Float32Array> {
    const { deadlineMs } = this.#limits;
    return new Promise<Float32Array>((resolve, reject) => {
      const request: Request = {
        pixels,
        resolve: (vector) => {
          clearTimeout(deadline);
          resolve(vector);
        },
        reject: (error) => {
          clearTimeout(deadline);
          reject(error);
        },
      };
      const deadline = setTimeout(() => {
        const at = this.#queue.indexOf(request);
        if (at >= 0) this.#queue.splice(at, 1);
        request.reject(new EmbedderError('timeout', `no vector within ${deadlineMs} ms`));
      }, deadlineMs);
      this.#queue.push(request);
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let request = this.#queue.shift(); request !== undefined; request = this.#queue.shift()) {
      const thread = this.#thread;
      if (thread === null) {
        request.reject(new EmbedderError('unavailable', 'the embedding worker is being replaced'));
        continue;
      }
      try {
        request.resolve(await thread.infer(request.pixels, this.#limits.deadlineMs));
      } catch (error) {
        request.reject(this.#explain(error));
      }
    }
    this.#busy = false;
  }

  #explain(cause: unknown): EmbedderError {
    if (this.#closing.signal.aborted) return new EmbedderError('closed', 'the embedder was closed', { cause });
    if (cause instanceof RefusedPicture) return new EmbedderError('bad-output', cause.message, { cause });
    return new EmbedderError('unavailable', String(cause), { cause });
  }

  async #start(model: VerifiedModel): Promise<void> {
    try {
      this.#thread = await EmbedderThread.start(
        { bytes: model.bytes, manifest: model.manifest },
        {
          file: this.#options.worker ?? WORKER_FILE,
          limitMs: this.#limits.startMs,
          signal: this.#closing.signal,
          onLost: (reason) => this.#replace(reason),
        },
      );
    } catch (error) {
      if (!(error instanceof LostWorker)) throw error;
      this.#replace(error.message);
      return;
    }
    this.#bornAt = performance.now();
    this.#enter({ name: 'ready', reason: null });
  }

  /** The worker is lost: tell everybody who waits, and start another one after a while. */
  #replace(reason: string): void {
    const { backoffMs, maxBackoffMs, lossBudget, stableMs } = this.#limits;
    const wasStable = this.#thread !== null && performance.now() - this.#bornAt >= stableMs;
    this.#thread = null;
    this.#rejectAll('unavailable', reason);
    if (this.#closing.signal.aborted) return;
    this.#losses = wasStable ? 1 : this.#losses + 1;
    const delayMs = Math.min(maxBackoffMs, backoffMs * 2 ** (this.#losses - 1));
    this.#enter(this.#losses > lossBudget ? { name: 'degraded', reason, code: 'worker' } : { name: 'loading', reason });
    this.#restart = setTimeout(() => {
      this.#restart = null;
      if (this.#model === null) return;
      this.#starting = this.#start(this.#model).catch((error: unknown) => this.#giveUp(error));
    }, delayMs);
  }

  /** The model itself is at fault: another try would end the same way. */
  #giveUp(error: unknown): void {
    const code = error instanceof ModelError ? error.code : 'not-loadable';
    const reason = error instanceof Error ? error.message : String(error);
    this.#enter({ name: 'degraded', reason, code });
  }

  #rejectAll(code: EmbedderErrorCode, message: string): void {
    for (const request of this.#queue.splice(0)) request.reject(new EmbedderError(code, message));
  }

  #enter(state: EmbedderState): void {
    this.#state = Object.freeze(state);
    this.#options.log?.(`embedder ${state.name}`, { ...state, model: this.identity, losses: this.#losses });
    this.#options.onState?.(this.#state);
  }
}
