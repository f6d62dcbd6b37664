/** Templates that stand with the wrong item: they look like another one, and not like the other templates of their own. */

/**
 * A unit vector's values become integers of at most this size, as fine as a float32 near 1. Sums stay exact in a double
 * (below 2^53) for half a billion templates of one item.
 */
export const FIXED_POINT = 2 ** 24;

/** Of an item whose templates are looked through: of two that differ nobody knows which is the wrong one. */
export const MIN_TEMPLATES = 3;
/**
 * How much more similar to the other item. Of templates that were put to another item in trials at least 89 in 100 are
 * found by it, and of right ones 3 in 100 at most are suspected, in items of three templates; fewer with more.
 */
const LEAD = 0.25;

export interface Stray {
  readonly key: string;
  /** Similarity to its own item without it. */
  readonly own: number;
  readonly looksLike: { readonly id: string; readonly similarity: number };
}

export const isStray = ({ own, looksLike }: Stray): boolean => looksLike.similarity - own >= LEAD;

/** An item's prototype without one of its templates, of length 1; zeros where nothing is left. @param sum in fixed point */
export function prototypeWithout(sum: Float64Array, vector: Float32Array): Float32Array {
  const rest = sum.map((value, at) => value - Math.round((vector[at] ?? 0) * FIXED_POINT));
  const length = Math.sqrt(rest.reduce((squares, value) => squares + value * value, 0));
  return Float32Array.from(rest, (value) => (length === 0 ? 0 : value / length));
}
