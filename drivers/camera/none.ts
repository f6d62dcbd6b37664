/** No camera: every call says so. */
import type { Camera, CameraOptions, CameraState, Frame } from './contract.ts';
import { FrameSlot } from './frame-slot.ts';

export class NoCamera implements Camera {
  readonly kind = 'none';
  readonly streaming = false;
  readonly #slot: FrameSlot;

  constructor(options: CameraOptions = {}, reason = 'no camera is configured') {
    this.#slot = new FrameSlot(this.kind, options, 0);
    this.#slot.setState({ name: 'lost', reason });
  }

  get state(): CameraState {
    return this.#slot.state;
  }

  latest(): Frame {
    return this.#slot.latest();
  }

  next(signal: AbortSignal, after?: number): Promise<Frame> {
    return this.#slot.next(signal, after);
  }

  async close(): Promise<void> {
    this.#slot.setState({ name: 'closed' });
  }
}
