/** A camera for machines without one: the pictures of a folder, which change every few seconds. */

import { messageOf } from '../lib/errors.ts';
import type { CameraOptions } from './contract.ts';
import { SelfFedCamera } from './frame-slot.ts';
import type { PictureFolder } from './picture-folder.ts';

/** Time to look at a picture, and to learn or recognise what it shows, before the next one comes. */
export const REPLAY_INTERVAL_MS = 4000;

export class ReplayedPictures extends SelfFedCamera {
  readonly kind = 'replay';
  readonly streaming = false;
  readonly #source: PictureFolder;
  readonly #intervalMs: number;

  constructor(source: PictureFolder, options: CameraOptions, intervalMs = REPLAY_INTERVAL_MS) {
    super(options, Number.POSITIVE_INFINITY);
    this.#source = source;
    this.#intervalMs = intervalMs;
    this.feed(() => this.#showNext());
  }

  async #showNext(): Promise<number> {
    try {
      const { jpeg, size } = await this.#source.next();
      if (!this.closing.aborted) this.take(jpeg, size, performance.now());
    } catch (error) {
      const reason = messageOf(error);
      this.log('no picture to replay', { reason });
      this.setState({ name: 'lost', reason });
    }
    return this.#intervalMs;
  }
}
