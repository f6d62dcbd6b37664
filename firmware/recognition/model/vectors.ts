/** Arithmetic of embedding vectors, in double precision and one fixed order: the same bits on every machine. */

/** The most numbers of a vector. */
export const MAX_DIMENSION = 8192;
/** How far rounding to float32 may change the length 1. */
const LENGTH_TOLERANCE = 1e-3;

export function lengthOf(values: Float64Array | Float32Array): number {
  let squares = 0;
  for (let at = 0; at < values.length; at++) squares += (values[at] ?? 0) * (values[at] ?? 0);
  return Math.sqrt(squares);
}

/** Whether the vector's length is 1; false also where a value is no number. */
export const isUnit = (vector: Float32Array): boolean => Math.abs(lengthOf(vector) - 1) <= LENGTH_TOLERANCE;

/** Divides each value by a number other than 0. A loop, because `Float32Array.from` takes eight times as long. */
export function divided(values: Float64Array, by: number): Float32Array<ArrayBuffer> {
  const quotients = new Float32Array(values.length);
  for (let at = 0; at < quotients.length; at++) quotients[at] = (values[at] ?? 0) / by;
  return quotients;
}

/** The values divided by their length. @throws {RangeError} there is no direction: all zero, or not finite */
export function toUnitVector(values: Float64Array): Float32Array<ArrayBuffer> {
  const length = lengthOf(values);
  if (!Number.isFinite(length) || length === 0) throw new RangeError(`a vector of length ${length} has no direction`);
  return divided(values, length);
}

/** The direction of the mean of vectors of one dimension. @throws {RangeError} there is none */
export function averageVectors(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  if (first === undefined) throw new RangeError('there is no vector to average');
  if (vectors.length === 1) return first;
  const sum = new Float64Array(first.length);
  for (const vector of vectors) {
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0);
  }
  return toUnitVector(sum);
}

/** Reads numbers of single precision from base64, least byte first, as in a manifest. */
export function floatsOf(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(4 * at));
}

/**
 * A unit vector's values become integers of at most this size, as fine as a float32 near 1. Sums stay exact in a double
 * (below 2^53) for eight million vectors with weights up to 64.
 */
export const FIXED_POINT = 2 ** 24;

/**
 * The sum in fixed point. A sum of integers does not depend on their order, so the same vectors give bit for bit the
 * same direction.
 * @param vectors of one length, at least one @param weights integer weight of each vector; 1 when left out
 */
export function sumOf(vectors: readonly Float32Array[], weights?: readonly number[]): Float64Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const [place, vector] of vectors.entries()) {
    const weight = weights?.[place] ?? 1;
    for (let at = 0; at < sum.length; at++)
      sum[at] = (sum[at] ?? 0) + weight * Math.round((vector[at] ?? 0) * FIXED_POINT);
  }
  return sum;
}

/** The direction of the sum, of length 1; zeros, similar to nothing, where the vectors cancel out. */
export const directionOf = (vectors: readonly Float32Array[], weights?: readonly number[]): Float32Array =>
  unitOf(sumOf(vectors, weights));

export function unitOf(sum: Float64Array): Float32Array {
  const length = lengthOf(sum);
  return length === 0 ? new Float32Array(sum.length) : divided(sum, length);
}
