/** What the measured tray adds to a recognition: the size of each thing, and what it says of the candidates. */
import type { JpegSize } from '../../../drivers/camera/jpeg-header.ts';
import type { Measure } from '../matching/by-measure.ts';
import { bySize, type KnownSizes } from '../matching/by-size.ts';
import type { Thing } from '../vision/finder.ts';
import type { Area, View } from '../vision/frame.ts';
import { type Size, sizeOf } from './thing-size.ts';
import type { TrayCalibration } from './tray-calibration.ts';

export interface SizingOptions {
  readonly calibration: Pick<TrayCalibration, 'scaleFor'>;
  /** What was learned of an item's size; null where nothing was. */
  readonly knownOf: (item: string) => KnownSizes | null;
}

export class Sizing {
  readonly #options: SizingOptions;

  constructor(options: SizingOptions) {
    this.#options = options;
  }

  /**
   * @param thing null where nothing could be told from what it lies on @param view that it was found in
   * @param area that the view is of @param picture of the camera
   * @returns null where the tray was not measured, or the thing is not seen whole
   */
  sizeOf(thing: Thing | null, view: View, area: Area, picture: JpegSize): Size | null {
    const scale = thing === null ? null : this.#options.calibration.scaleFor(picture);
    return thing === null || scale === null ? null : sizeOf(thing, view, area, scale);
  }

  /** What a size says of the items that it may be of. */
  measureOf(size: Size): Measure {
    return bySize(size, this.#options.knownOf);
  }
}
