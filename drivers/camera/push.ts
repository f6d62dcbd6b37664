/** A camera whose frames are brought to it: by the console's webcam, by another program, by tests. */

import { CameraError, type CameraOptions, type Frame, type PushCamera } from './contract.ts';
import { checkJpeg } from './decode.ts';
import { FrameSlot, SlotCamera } from './frame-slot.ts';

/** A picture stays the frame until the next one comes: who pushes decides what lies on the tray. */
const NEVER_STALE = Number.POSITIVE_INFINITY;

export class PushedCamera extends SlotCamera implements PushCamera {
  readonly kind = 'push';
  readonly streaming = false;
  /** The check of the picture before: each takes a hundred megabytes at worst, so they are made one by one. */
  #checked: Promise<unknown> = Promise.resolve();

  constructor(options: CameraOptions = {}) {
    super(new FrameSlot('push', options, NEVER_STALE));
  }

  async put(jpeg: Buffer): Promise<Frame> {
    const takenAt = performance.now();
    const check = this.#checked.then(() => checkJpeg(jpeg));
    this.#checked = check.catch(() => undefined); // its caller has it
    const size = await check;
    if (this.state.name === 'closed') throw new CameraError(this.kind, 'closed', 'the camera was closed');
    return this.slot.put(jpeg, size, takenAt);
  }
}
