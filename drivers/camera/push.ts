/** A camera whose frames are brought to it: by the console's webcam, by another program, by tests. */
import { SerialQueue } from '../lib/serial-queue.ts';
import type { CameraOptions, Frame, PushCamera } from './contract.ts';
import { SlotCamera } from './frame-slot.ts';

/** A picture stays the frame until the next one comes: who pushes decides what lies on the tray. */
const NEVER_STALE = Number.POSITIVE_INFINITY;

export class PushedCamera extends SlotCamera implements PushCamera {
  readonly kind = 'push';
  readonly streaming = false;
  /** The check of a picture takes a hundred megabytes at worst, so they are made one by one. */
  readonly #queue = new SerialQueue();

  constructor(options: CameraOptions = {}) {
    super(options, NEVER_STALE);
  }

  put(jpeg: Buffer): Promise<Frame> {
    const takenAt = performance.now();
    return this.#queue.run(() => this.takeChecked(jpeg, takenAt));
  }
}
