/** Strays: templates that look like another item, and not like the other templates of their own. */
import { FIXED_POINT, unitOf } from '../model/vectors.ts';

/** The fewest templates of an item that is searched for strays: of two that differ either may be the wrong one. */
export const MIN_TEMPLATES = 3;
/**
 * How much more similar a stray is to the other item. In trials it finds at least 89 in 100 misplaced templates, and
 * suspects at most 3 in 100 right ones, in items of three templates; fewer with more.
 */
export const STRAY_LEAD = 0.25;

/**
 * Below this similarity to its item a new look needs a person's consent. Of looks at other items 96 to 98 in 100 are
 * below it; of right ones 18 in 100 of an item with one template, 8 with two, 5 with three and 4 with four.
 */
const UNLIKE = 0.35;

export interface Stray {
  readonly key: string;
  /** Similarity to the other templates of its item. */
  readonly own: number;
  readonly looksLike: { readonly id: string; readonly similarity: number };
}

export const isStray = ({ own, looksLike }: Stray): boolean => looksLike.similarity - own >= STRAY_LEAD;

/** Whether a look to be learned is unlike the item, or clearly more like another one. */
export function isUnlike(own: number, other: Stray['looksLike'] | null): boolean {
  return own < UNLIKE || (other !== null && isStray({ key: '', own, looksLike: other }));
}

/** The direction of an item's templates without one of them; zeros where none is left. @param sum in fixed point */
export const prototypeWithout = (sum: Float64Array, vector: Float32Array): Float32Array =>
  unitOf(sum.map((value, at) => value - Math.round((vector[at] ?? 0) * FIXED_POINT)));
