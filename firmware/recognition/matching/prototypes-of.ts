/**
 * An item's templates as prototypes, and how much each counts in them: packaging and seasons change, so an old one counts less than a new
 * one, at least half as much. Age follows from the identifiers of the templates alone, from the item's own newest ones on and not from
 * now: it is the same on every device, and an item without new templates does not change.
 */

import { directionOf } from '../embedding/embedder-vectors.ts';
import { viewsOf } from './grouping.ts';
import { dotRow } from './matrix.ts';

const DAY_MS = 86_400_000;
/** What a template counts. */
export const WHOLE = 64;
const LEAST = WHOLE / 2;
/** When an older one has come down to the least. */
const FALLING_DAYS = 180;
/**
 * Age counts from the third newest one on: one or two that are newer than they can be, of a device whose clock is ahead, make none
 * old, nor do one or two new ones those that an item is known by. Three make all others count half.
 */
const NEW_TEMPLATES = 3;

/** @param timestamps ms since 1970 of each template; null where that is not known, and nothing of it is old */
export function weightsOf(timestamps: readonly (number | null)[]): number[] {
  const newest = timestamps.filter((timestamp) => timestamp !== null).sort((one, other) => other - one);
  const from = newest[NEW_TEMPLATES - 1];
  return timestamps.map((timestamp) => {
    if (from === undefined || timestamp === null) return WHOLE;
    const days = Math.max(0, Math.floor((from - timestamp) / DAY_MS));
    return Math.max(LEAST, WHOLE - Math.floor((days * (WHOLE - LEAST)) / FALLING_DAYS));
  });
}

/** Confirmations of an item that are kept, the newest. */
export const MOST_CONFIRMATIONS = 8;
const EACH = WHOLE / 2;
/** Of the templates' weight, at most. */
const SHARE = 1 / 2;

/**
 * Of each of some confirmations, an integer. Each may be a wrong tap, so it counts half a template. Together they count at most half as
 * much as the templates of their view: the templates define the item.
 * @param templates weight of the templates that they stand beside
 */
export const weightOfEach = (count: number, templates: number): number =>
  Math.min(EACH, Math.floor((templates * SHARE) / count));

export interface AgedVector {
  readonly vector: Float32Array;
  /** Ms since 1970, as its identifier says; null where that is not known. */
  readonly madeAt: number | null;
}

/** The oldest first; of one age in an order that depends on nothing but their values. */
function byAge(one: AgedVector, other: AgedVector): number {
  const difference = (one.madeAt ?? 0) - (other.madeAt ?? 0);
  return difference !== 0 ? difference : byValues(one.vector, other.vector);
}

function byValues(one: Float32Array, other: Float32Array): number {
  for (let at = 0; at < one.length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Templates of one item, by its views. @param templates in any order */
export function templatesByView<T extends AgedVector>(templates: readonly T[]): T[][] {
  const sorted = templates.toSorted(byAge);
  return viewsOf(sorted.map(({ vector }) => vector)).map((places) => places.flatMap((place) => sorted[place] ?? []));
}

/**
 * One for each view, of length 1.
 * @param templates of one item, in any order
 * @param confirmed what was confirmed as it; each draws the view that it is nearest to
 */
export function prototypesOf(
  templates: readonly AgedVector[],
  confirmed: readonly Float32Array[] = [],
): Float32Array[] {
  const weights = weightsOf(templates.map(({ madeAt }) => madeAt));
  const weighed = templates.map((template, at) => ({ ...template, weight: weights[at] ?? 0 }));
  const views = templatesByView(weighed).map((own): WeightedView => {
    const vectors = own.map(({ vector }) => vector);
    const ownWeights = own.map(({ weight }) => weight);
    return { vectors, weights: ownWeights, direction: directionOf(vectors, ownWeights), confirmed: [] };
  });
  for (const vector of confirmed) nearestOf(vector, views)?.confirmed.push(vector);
  return views.map(drawn);
}

interface WeightedView {
  readonly vectors: readonly Float32Array[];
  readonly weights: readonly number[];
  /** Without what was confirmed. */
  readonly direction: Float32Array;
  readonly confirmed: Float32Array[];
}

/** Of equal ones the first. */
function nearestOf(vector: Float32Array, views: readonly WeightedView[]): WeightedView | undefined {
  const cosines = views.map(({ direction }) => dotRow(vector, direction, 0));
  return views[cosines.indexOf(Math.max(...cosines))];
}

function drawn({ vectors, weights, direction, confirmed }: WeightedView): Float32Array {
  if (confirmed.length === 0) return direction;
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const each = weightOfEach(confirmed.length, whole);
  return directionOf([...vectors, ...confirmed], [...weights, ...confirmed.map(() => each)]);
}
