/**
 * What the size of a thing makes of what was recognised by looks: candidates that were learned smaller or larger fall back. It takes
 * certainty away and never gives it; where a size is not known nothing changes.
 */
import type { Size } from '../calibration/thing-size.ts';
import type { Candidate, Classification } from './classifier.ts';
import type { Verdict } from './scoring.ts';

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
/** How fast trust falls beyond it: to a quarter at a half more, to the least at double. */
const STEEPNESS = 8;
/** Of its trust that a candidate keeps, whatever its size: a bag of apples is larger than each. */
const LEAST_WEIGHT = 0.02;

const DIFFERS: Verdict = Object.freeze({ certain: false, unknown: false, reason: 'size-differs' });

/** How far beyond what was learned, as a natural logarithm; 0 within. */
function beyond(value: number, [least, most]: readonly [number, number]): number {
  return Math.max(0, Math.log(value / most), Math.log(least / value));
}

/** Of its trust that a candidate of such sizes keeps, 0 to 1. */
export function weightOf({ lengthMm, widthMm }: Size, known: KnownSizes | null): number {
  if (known === null) return 1;
  const excess = Math.max(beyond(lengthMm, known.length), beyond(widthMm, known.width)) - Math.log(SIZE_TOLERANCE);
  return excess <= 0 ? 1 : Math.max(LEAST_WEIGHT, Math.exp(-STEEPNESS * excess));
}

/**
 * @param byLooks of more candidates than are told, so that one of the right size can come forward
 * @param knownOf what was learned of an item's size; null where nothing was
 * @param most candidates that are told
 */
export function withSize(
  byLooks: Classification,
  size: Size,
  knownOf: (item: string) => KnownSizes | null,
  most: number,
): Classification {
  const weighed = byLooks.items.map((item) => ({ item, weight: weightOf(size, knownOf(item.id)) }));
  const told = weighed
    .map(({ item, weight }) => ({ ...item, score: item.score * weight }))
    // of equal ones the order by looks stays
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most);
  const total = told.reduce((sum, { score }) => sum + score, 0);
  const items: Candidate[] = told.map((item) => Object.freeze({ ...item, score: item.score / total }));
  const isOff = (weighed[0]?.weight ?? 1) < 1;
  const verdict = isOff && byLooks.verdict.certain ? DIFFERS : byLooks.verdict;
  return Object.freeze({ items: Object.freeze(items), verdict });
}
