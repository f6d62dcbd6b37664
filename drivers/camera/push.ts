/** A camera whose frames others push: the console's webcam, another program, a test. */
import { SerialQueue } from '../lib/serial-queue.ts';
import type { CameraOptions, Frame, PushCamera } from './contract.ts';
import { SlotCamera } from './frame-slot.ts';

/** A pushed picture stays the frame until the next one comes: the pusher decides what lies on the tray. */
const NEVER_STALE = Number.POSITIVE_INFINITY;

export class PushedCamera extends SlotCamera implements PushCamera {
  readonly kind = 'push';
  readonly streaming = false;
  /** Pictures are checked one by one, because one check takes up to a hundred megabytes. */
  readonly #queue = new SerialQueue();

  constructor(options: CameraOptions = {}) {
    super(options, NEVER_STALE);
  }

  put(jpeg: Buffer): Promise<Frame> {
    const takenAt = performance.now();
    return this.#queue.run(() => this.takeChecked(jpeg, takenAt));
  }
}
