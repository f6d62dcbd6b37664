/**
 * The exact direction of a sum of vectors: vectors are summed as integers, and integer addition does not depend on the
 * order. The same vectors give bit for bit the same direction.
 */
import { divided, lengthOf } from '../embedding/embedder-vectors.ts';

/**
 * A unit vector's values become integers of at most this size, as fine as a float32 near 1. Sums stay exact in a double
 * (below 2^53) for eight million vectors with weights up to 64.
 */
export const FIXED_POINT = 2 ** 24;

/** In fixed point. @param vectors of one length, at least one @param weights of each, integers; once each when left out */
export function sumOf(vectors: readonly Float32Array[], weights?: readonly number[]): Float64Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const [place, vector] of vectors.entries()) {
    const weight = weights?.[place] ?? 1;
    for (let at = 0; at < sum.length; at++)
      sum[at] = (sum[at] ?? 0) + weight * Math.round((vector[at] ?? 0) * FIXED_POINT);
  }
  return sum;
}

/** Of length 1; zeros, similar to nothing, where the vectors cancel out. */
export const directionOf = (vectors: readonly Float32Array[], weights?: readonly number[]): Float32Array =>
  unitOf(sumOf(vectors, weights));

export function unitOf(sum: Float64Array): Float32Array {
  const length = lengthOf(sum);
  return length === 0 ? new Float32Array(sum.length) : divided(sum, length);
}
