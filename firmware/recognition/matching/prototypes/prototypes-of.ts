/** An item's templates as prototypes. */
import { directionOf } from './direction.ts';
import { viewsOf } from './grouping.ts';
import type { NewPrototype } from './prototypes.ts';

/** An order that depends on nothing but the vectors. */
function byValues(one: Float32Array, other: Float32Array): number {
  for (let at = 0; at < one.length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** One for each view. @param templates of one item, in any order */
export function prototypesOf(templates: readonly Float32Array[]): NewPrototype[] {
  const sorted = templates.toSorted(byValues);
  return viewsOf(sorted).map((places) => ({
    direction: directionOf(places.flatMap((place) => sorted[place] ?? [])),
    templates: places.length,
  }));
}
