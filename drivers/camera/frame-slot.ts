/** The newest frame of a camera, its state, and the callers that wait for a newer one; and the camera that every driver extends. */
import { pause } from '../lib/async.ts';
import {
  type Camera,
  CameraError,
  type CameraErrorCode,
  type CameraOptions,
  type CameraState,
  type Frame,
} from './contract.ts';

interface Waiter {
  readonly after: number;
  resolve(frame: Frame): void;
  reject(error: unknown): void;
}

type Taken = Omit<Frame, 'ageMs'>;

export class FrameSlot {
  readonly #kind: string;
  readonly #options: CameraOptions;
  readonly #maxAgeMs: number;
  readonly #waiters = new Set<Waiter>();
  #state: CameraState = Object.freeze({ name: 'starting' });
  #newest: Taken | null = null;
  #sequence = 0;

  /** @param maxAgeMs an older frame is `stale`; Infinity where a picture is good until the next one */
  constructor(kind: string, options: CameraOptions, maxAgeMs: number) {
    this.#kind = kind;
    this.#options = options;
    this.#maxAgeMs = maxAgeMs;
  }

  get state(): CameraState {
    return this.#state;
  }

  /** A closed camera stays closed. `lost` and `closed` end the waiting of every caller. */
  setState(state: CameraState): void {
    if (this.#state.name === 'closed') return;
    const before = this.#state;
    this.#state = Object.freeze(state);
    if (state.name === 'lost') this.#rejectAll('lost', state.reason);
    if (state.name === 'closed') this.#rejectAll('closed', 'the camera was closed');
    if (JSON.stringify(before) !== JSON.stringify(state)) this.#options.onState?.(this.#state);
  }

  /** Takes a new frame; the camera is `ready` with it. */
  put(jpeg: Buffer, size: { width: number; height: number }, takenAt: number): Frame {
    this.#sequence++;
    this.#newest = Object.freeze({
      jpeg,
      width: size.width,
      height: size.height,
      sequence: this.#sequence,
      takenAt,
    });
    if (this.#state.name !== 'ready') this.setState({ name: 'ready' });
    const frame = aged(this.#newest);
    for (const waiter of [...this.#waiters]) {
      if (frame.sequence > waiter.after) waiter.resolve(frame);
    }
    return frame;
  }

  latest(): Frame {
    if (this.#state.name === 'lost') throw this.#error('lost', this.#state.reason);
    if (this.#state.name === 'closed') throw this.#error('closed', 'the camera was closed');
    if (this.#newest === null) throw this.#error('no-frame', 'the camera has not given a frame yet');
    const frame = aged(this.#newest);
    if (frame.ageMs > this.#maxAgeMs) {
      throw this.#error('stale', `the newest frame is ${Math.round(frame.ageMs)} ms old`);
    }
    return frame;
  }

  next(signal: AbortSignal, after = this.#sequence): Promise<Frame> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (this.#state.name === 'lost') return reject(this.#error('lost', this.#state.reason));
      if (this.#state.name === 'closed') return reject(this.#error('closed', 'the camera was closed'));
      if (this.#newest !== null && this.#newest.sequence > after) {
        const frame = aged(this.#newest);
        if (frame.ageMs <= this.#maxAgeMs) return resolve(frame);
      }
      const abort = () => waiter.reject(signal.reason);
      const settle = () => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        after,
        resolve(frame) {
          settle();
          resolve(frame);
        },
        reject(error) {
          settle();
          reject(error);
        },
      };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', abort);
    });
  }

  #rejectAll(code: CameraErrorCode, reason: string): void {
    for (const waiter of [...this.#waiters]) waiter.reject(this.#error(code, reason));
  }

  #error(code: CameraErrorCode, message: string): CameraError {
    return new CameraError(this.#kind, code, message);
  }
}

function aged(taken: Taken): Frame {
  return Object.freeze({ ...taken, ageMs: Math.max(0, performance.now() - taken.takenAt) });
}

/** What every camera driver has in common: its frames and its state come from its slot. */
export abstract class SlotCamera implements Camera {
  abstract readonly kind: string;
  abstract readonly streaming: boolean;
  protected readonly slot: FrameSlot;

  protected constructor(slot: FrameSlot) {
    this.slot = slot;
  }

  get state(): CameraState {
    return this.slot.state;
  }

  latest(): Frame {
    return this.slot.latest();
  }

  next(signal: AbortSignal, after?: number): Promise<Frame> {
    return this.slot.next(signal, after);
  }

  async close(): Promise<void> {
    this.slot.setState({ name: 'closed' });
  }
}

/** One that gets its pictures by itself, round after round, until it is closed. */
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
