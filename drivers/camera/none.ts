/** No camera: every call says so. */
import type { CameraOptions } from './contract.ts';
import { SlotCamera } from './frame-slot.ts';

export class NoCamera extends SlotCamera {
  readonly kind = 'none';
  readonly streaming = false;

  constructor(options: CameraOptions = {}) {
    super(options, 0);
    this.setState({ name: 'lost', reason: 'no camera is configured (camera.driver)' });
  }
}
