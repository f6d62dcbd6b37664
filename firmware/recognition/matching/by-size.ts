/** What the size of a thing says of the items that it may be: those that were learned smaller or larger fit it less. */
import type { Size } from '../calibration/thing-size.ts';
import { beyond, type Measure, trustAt } from './by-measure.ts';

/** Of all that was learned of an item with a size: the least and the most, in millimetres. */
export interface KnownSizes {
  readonly length: readonly [number, number];
  readonly width: readonly [number, number];
}

/**
 * A size may be so many times larger or smaller than any that was learned: the height of a thing brings it nearer to the camera
 * (10 cm under a camera at 60 cm is a fifth), and what it lies on, its shadow and its bag hide or add a centimetre.
 */
export const SIZE_TOLERANCE = 1.25;

/** Of its trust that an item of such sizes keeps. A bag of apples is larger than each, so it is never nothing. */
export function trustBySize({ lengthMm, widthMm }: Size, known: KnownSizes | null): number {
  if (known === null) return 1;
  return trustAt(Math.max(beyond(lengthMm, known.length), beyond(widthMm, known.width)) - Math.log(SIZE_TOLERANCE));
}

/** @param knownOf what was learned of an item's size; null where nothing was */
export const bySize = (size: Size, knownOf: (item: string) => KnownSizes | null): Measure => ({
  reason: 'size-differs',
  trustIn: (item) => trustBySize(size, knownOf(item)),
});
