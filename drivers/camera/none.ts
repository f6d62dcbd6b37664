/** No camera: every call says so. */
import type { CameraOptions } from './contract.ts';
import { FrameSlot, SlotCamera } from './frame-slot.ts';

export class NoCamera extends SlotCamera {
  readonly kind = 'none';
  readonly streaming = false;

  constructor(options: CameraOptions = {}) {
    super(new FrameSlot('none', options, 0));
    this.slot.setState({ name: 'lost', reason: 'no camera is configured (camera.driver)' });
  }
}
