/** An item's templates as prototypes. */
import { weightsOf } from './age.ts';
import { directionOf } from './direction.ts';
import { viewsOf } from './grouping.ts';
import type { NewPrototype } from './prototypes.ts';

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

/** One for each view. @param templates of one item, in any order */
export function prototypesOf(templates: readonly AgedVector[]): NewPrototype[] {
  const sorted = templates.toSorted(byAge);
  const vectors = sorted.map(({ vector }) => vector);
  const weights = weightsOf(sorted.map(({ madeAt }) => madeAt));
  return viewsOf(vectors).map((places) => ({
    direction: directionOf(
      places.flatMap((place) => vectors[place] ?? []),
      places.flatMap((place) => weights[place] ?? []),
    ),
    templates: places.length,
  }));
}
