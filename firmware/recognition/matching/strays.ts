/** Templates that stand with the wrong item: they look like another one, and not like the other templates of their own. */
import { FIXED_POINT, unitOf } from '../embedding/embedder-vectors.ts';

/** Of an item whose templates are looked through: of two that differ either may be the wrong one. */
export const MIN_TEMPLATES = 3;
/**
 * How much more similar to the other item. Of templates that were put to another item in trials at least 89 in 100 are
 * found by it, and of right ones 3 in 100 at most are suspected, in items of three templates; fewer with more.
 */
export const STRAY_LEAD = 0.25;

/**
 * Less similar to its item a new look is asked about. Of looks at other items 96 to 98 in 100 are less similar, of right ones 18 with one
 * template there, 8 with two, 5 with three and 4 with four.
 */
const UNLIKE = 0.35;

export interface Stray {
  readonly key: string;
  /** Similarity to its own item without it. */
  readonly own: number;
  readonly looksLike: { readonly id: string; readonly similarity: number };
}

export const isStray = ({ own, looksLike }: Stray): boolean => looksLike.similarity - own >= STRAY_LEAD;

/** Whether a look that is to be learned is like nothing of the item, or clearly more like another one. */
export function isUnlike(own: number, other: Stray['looksLike'] | null): boolean {
  return own < UNLIKE || (other !== null && isStray({ key: '', own, looksLike: other }));
}

/** The direction of an item's templates without one of them; zeros where nothing is left. @param sum in fixed point */
export const prototypeWithout = (sum: Float64Array, vector: Float32Array): Float32Array =>
  unitOf(sum.map((value, at) => value - Math.round((vector[at] ?? 0) * FIXED_POINT)));
