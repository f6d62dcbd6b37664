/** What every camera driver has in common: its frames and its state come from its slot. */
import type { Camera, CameraState, Frame } from './contract.ts';
import type { FrameSlot } from './frame-slot.ts';

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
