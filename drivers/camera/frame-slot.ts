/** The base of every camera driver: its newest frame, its state, and the callers that wait for a newer frame. */
import { pause } from '../lib/async.ts';
import type { LogLine } from '../lib/errors.ts';
import { type Camera, CameraError, type CameraOptions, type CameraState, type Frame } from './contract.ts';
import { checkJpeg } from './decode.ts';

interface Waiter {
  readonly after: number;
  resolve(frame: Frame): void;
  reject(error: unknown): void;
}

type Taken = Omit<Frame, 'ageMs'>;

const aged = (stored: Taken): Frame =>
  Object.freeze({ ...stored, ageMs: Math.max(0, performance.now() - stored.takenAt) });

export abstract class SlotCamera implements Camera {
  abstract readonly kind: string;
  abstract readonly streaming: boolean;
  protected readonly log: LogLine;
  readonly #onState: CameraOptions['onState'];
  readonly #maxAgeMs: number;
  readonly #waiters = new Set<Waiter>();
  #state: CameraState = Object.freeze({ name: 'starting' });
  #newest: Taken | null = null;
  #sequence = 0;

  /** @param maxAgeMs an older frame is `stale`; Infinity where a picture stays valid until the next one */
  protected constructor({ onState, log = () => undefined }: CameraOptions, maxAgeMs: number) {
    this.#onState = onState;
    this.log = log;
    this.#maxAgeMs = maxAgeMs;
  }

  get state(): CameraState {
    return this.#state;
  }

  latest(): Frame {
    this.#requireOpen();
    if (this.#newest === null) throw new CameraError(this.kind, 'no-frame', 'the camera has not given a frame yet');
    const frame = aged(this.#newest);
    if (frame.ageMs > this.#maxAgeMs) {
      throw new CameraError(this.kind, 'stale', `the newest frame is ${Math.round(frame.ageMs)} ms old`);
    }
    return frame;
  }

  async next(signal: AbortSignal, after = this.#sequence): Promise<Frame> {
    signal.throwIfAborted();
    this.#requireOpen();
    if (this.#newest !== null && this.#newest.sequence > after) {
      const frame = aged(this.#newest);
      if (frame.ageMs <= this.#maxAgeMs) return frame;
    }
    const { promise, resolve, reject } = Promise.withResolvers<Frame>();
    const waiter = { after, resolve, reject };
    const abort = () => reject(signal.reason);
    this.#waiters.add(waiter);
    signal.addEventListener('abort', abort);
    try {
      return await promise;
    } finally {
      this.#waiters.delete(waiter);
      signal.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    this.setState({ name: 'closed' });
  }

  /** A closed camera stays closed. `lost` and `closed` end the waiting of every caller. */
  protected setState(state: CameraState): void {
    if (this.#state.name === 'closed') return;
    const before = this.#state;
    this.#state = Object.freeze(state);
    const fault = this.#fault();
    if (fault !== null) for (const waiter of this.#waiters) waiter.reject(fault);
    if (JSON.stringify(before) !== JSON.stringify(state)) this.#onState?.(this.#state);
  }

  /** Makes a picture the newest frame, sets the state `ready`, and resolves the callers that wait for it. */
  protected take(jpeg: Buffer, { width, height }: { width: number; height: number }, takenAt: number): Frame {
    this.#sequence++;
    this.#newest = Object.freeze({ jpeg, width, height, sequence: this.#sequence, takenAt });
    if (this.#state.name !== 'ready') this.setState({ name: 'ready' });
    const frame = aged(this.#newest);
    for (const waiter of this.#waiters) if (frame.sequence > waiter.after) waiter.resolve(frame);
    return frame;
  }

  /** As `take`, for a picture from outside: it must first decode whole. @throws {FrameRefused} @throws {CameraError} `closed` */
  protected async takeChecked(jpeg: Buffer, takenAt: number): Promise<Frame> {
    const size = await checkJpeg(jpeg);
    if (this.#state.name === 'closed') throw this.#closed();
    return this.take(jpeg, size, takenAt);
  }

  #fault(): CameraError | null {
    if (this.#state.name === 'lost') return new CameraError(this.kind, 'lost', this.#state.reason);
    return this.#state.name === 'closed' ? this.#closed() : null;
  }

  #closed(): CameraError {
    return new CameraError(this.kind, 'closed', 'the camera was closed');
  }

  /** @throws {CameraError} `lost`, `closed` */
  #requireOpen(): void {
    const fault = this.#fault();
    if (fault !== null) throw fault;
  }
}

/** Stands for a missing camera: every call for a frame fails with `lost`. */
export class NoCamera extends SlotCamera {
  readonly kind = 'none';
  readonly streaming = false;

  constructor(options: CameraOptions = {}) {
    super(options, 0);
    this.setState({ name: 'lost', reason: 'no camera is configured (camera.driver)' });
  }
}

/** A camera that fetches its pictures itself, round after round, until it is closed. */
export abstract class SelfFedCamera extends SlotCamera {
  readonly #closing = new AbortController();
  #feeding: Promise<void> = Promise.resolve();

  protected get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** @param round never fails; returns how long to wait for the next one, ms */
  protected feed(round: () => Promise<number>): void {
    this.#feeding = this.#keepFeeding(round);
  }

  override async close(): Promise<void> {
    await super.close();
    this.#closing.abort();
    await this.#feeding;
  }

  async #keepFeeding(round: () => Promise<number>): Promise<void> {
    while (!this.closing.aborted) await pause(await round(), this.closing);
  }
}
