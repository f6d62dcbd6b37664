/** A camera for machines without one: pictures that change every few seconds, from a folder or drawn by us. */
import { setTimeout as delay } from 'node:timers/promises';
import type { CameraOptions, Frame, ReplayCamera } from './contract.ts';
import { FrameSlot } from './frame-slot.ts';
import type { JpegSize } from './jpeg-header.ts';
import { SlotCamera } from './slot-camera.ts';

/** Time to look at a picture, and to learn or recognise what it shows, before the next one comes. */
export const REPLAY_INTERVAL_MS = 4000;

export interface Picture {
  readonly jpeg: Buffer;
  readonly size: JpegSize;
  readonly showing: { readonly item: string | null } | { readonly file: string };
}

export interface PictureSource {
  readonly items: readonly string[];
  next(): Promise<Picture>;
  /** @throws {RangeError} */
  hold(item: string | null): void;
  release(): void;
}

export interface ReplayOptions extends CameraOptions {
  readonly intervalMs: number;
}

export class ReplayedPictures extends SlotCamera implements ReplayCamera {
  readonly kind = 'replay';
  readonly streaming = false;
  readonly #source: PictureSource;
  readonly #options: ReplayOptions;
  readonly #finished: Promise<void>;
  readonly #closing = new AbortController();
  /** Cuts the wait before the next picture short. */
  #pause = new AbortController();
  #showing: Picture['showing'] | null = null;

  constructor(source: PictureSource, options: ReplayOptions) {
    super(new FrameSlot('replay', options, Number.POSITIVE_INFINITY));
    this.#source = source;
    this.#options = options;
    this.#finished = this.#keepShowing();
  }

  get showing() {
    return this.#showing;
  }

  get items(): readonly string[] {
    return this.#source.items;
  }

  async hold(item: string | null): Promise<Frame> {
    this.#source.hold(item);
    this.#pause.abort();
    for (;;) {
      const frame = await this.next(this.#closing.signal);
      if (this.#showing !== null && 'item' in this.#showing && this.#showing.item === item) return frame;
    }
  }

  release(): void {
    this.#source.release();
    this.#pause.abort();
  }

  override async close(): Promise<void> {
    await super.close();
    this.#closing.abort();
    this.#pause.abort();
    await this.#finished;
  }

  async #keepShowing(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#pause = new AbortController();
      await this.#showNext();
      if (this.#closing.signal.aborted) return;
      // rejects only when the wait is cut short
      await delay(this.#options.intervalMs, undefined, { signal: this.#pause.signal }).catch(() => {});
    }
  }

  async #showNext(): Promise<void> {
    try {
      const { jpeg, size, showing } = await this.#source.next();
      if (this.#closing.signal.aborted) return;
      this.#showing = Object.freeze(showing);
      this.slot.put(jpeg, size, performance.now());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log?.('no picture to replay', { reason });
      this.slot.setState({ name: 'lost', reason });
    }
  }
}
