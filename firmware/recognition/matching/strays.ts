/** Templates that stand with the wrong item: they look like another one, and not like the other templates of their own. */
import { FIXED_POINT, unitOf } from './prototypes/direction.ts';

/** Of an item whose templates are looked through: of two that differ nobody knows which is the wrong one. */
export const MIN_TEMPLATES = 3;
/**
 * How much more similar to the other item. Of templates that were put to another item in trials at least 89 in 100 are
 * found by it, and of right ones 3 in 100 at most are suspected, in items of three templates; fewer with more.
 */
export const STRAY_LEAD = 0.25;

export interface Stray {
  readonly key: string;
  /** Similarity to its own item without it. */
  readonly own: number;
  readonly looksLike: { readonly id: string; readonly similarity: number };
}

export const isStray = ({ own, looksLike }: Stray): boolean => looksLike.similarity - own >= STRAY_LEAD;

/** The direction of an item's templates without one of them; zeros where nothing is left. @param sum in fixed point */
export const prototypeWithout = (sum: Float64Array, vector: Float32Array): Float32Array =>
  unitOf(sum.map((value, at) => value - Math.round((vector[at] ?? 0) * FIXED_POINT)));
