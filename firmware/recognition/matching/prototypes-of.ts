/**
 * Makes an item's prototypes of its templates, and weighs each template: packaging and seasons change, so an old one
 * counts less than a new one, but at least half as much. Age follows from the templates' identifiers alone and counts
 * from the item's newest templates, not from now: it is the same on every device, and an item without new templates
 * does not change.
 */

import { directionOf } from '../model/vectors.ts';
import { viewsOf } from './grouping.ts';
import { dotRow } from './matrix.ts';

const DAY_MS = 86_400_000;
/** The weight of a new template. */
export const WHOLE = 64;
const LEAST_WEIGHT = WHOLE / 2;
/** After how many days an older template has the least weight. */
const FALLING_DAYS = 180;
/**
 * Age counts from the third newest template. One or two impossibly new templates, of a device whose clock is ahead,
 * make no template old; nor do one or two new ones. Three can make all others count half.
 */
const NEW_TEMPLATES = 3;

/** @param timestamps ms since 1970 of each template; null where it is not known: such a template is never old */
export function weightsOf(timestamps: readonly (number | null)[]): number[] {
  const newest = timestamps.filter((timestamp) => timestamp !== null).sort((one, other) => other - one);
  const from = newest[NEW_TEMPLATES - 1];
  return timestamps.map((timestamp) => {
    if (from === undefined || timestamp === null) return WHOLE;
    const days = Math.max(0, Math.floor((from - timestamp) / DAY_MS));
    return Math.max(LEAST_WEIGHT, WHOLE - Math.floor((days * (WHOLE - LEAST_WEIGHT)) / FALLING_DAYS));
  });
}

/** How many confirmations of an item are stored, the newest ones. */
export const MOST_CONFIRMATIONS = 8;
const CONFIRMATION_WEIGHT = WHOLE / 2;
/** The confirmations' largest share of the templates' weight. */
const CONFIRMATIONS_SHARE = 1 / 2;

/**
 * The weight of each of some confirmations, an integer. Each may be a wrong tap, so it counts half a template. Together
 * they count at most half as much as the templates of their view, which define the item.
 * @param templates weight of the templates of the same view
 */
export const weightOfEach = (count: number, templates: number): number =>
  Math.min(CONFIRMATION_WEIGHT, Math.floor((templates * CONFIRMATIONS_SHARE) / count));

export interface AgedVector {
  readonly vector: Float32Array;
  /** When it was made, ms since 1970, by its identifier; null where not known. */
  readonly madeAt: number | null;
}

/** Order of templates: the oldest first; those of one age by their values alone. */
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

/** Groups one item's templates by its views. @param templates in any order */
export function templatesByView<T extends AgedVector>(templates: readonly T[]): T[][] {
  const sorted = templates.toSorted(byAge);
  return viewsOf(sorted.map(({ vector }) => vector)).map((places) => places.flatMap((place) => sorted[place] ?? []));
}

/**
 * One prototype for each view, of length 1.
 * @param templates of one item, in any order
 * @param confirmed the item's confirmed vectors; each moves the prototype of the view nearest to it
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
  return views.map(prototypeOf);
}

interface WeightedView {
  readonly vectors: readonly Float32Array[];
  readonly weights: readonly number[];
  /** Direction without the confirmations. */
  readonly direction: Float32Array;
  readonly confirmed: Float32Array[];
}

/** The nearest view; of equal ones the first. */
function nearestOf(vector: Float32Array, views: readonly WeightedView[]): WeightedView | undefined {
  const cosines = views.map(({ direction }) => dotRow(vector, direction, 0));
  return views[cosines.indexOf(Math.max(...cosines))];
}

function prototypeOf({ vectors, weights, direction, confirmed }: WeightedView): Float32Array {
  if (confirmed.length === 0) return direction;
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const each = weightOfEach(confirmed.length, whole);
  return directionOf([...vectors, ...confirmed], [...weights, ...confirmed.map(() => each)]);
}
