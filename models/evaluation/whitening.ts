/**
 * The stronger baseline: square root, centring and within-item whitening of off-the-shelf vectors, learned on other
 * items than those that are judged.
 */
import { toUnitVector } from '../../firmware/recognition/model/vectors.ts';

/** Times the mean eigenvalue, added to the diagonal of the scatter. */
const SHRINK = 1;

function squareRoot(vector: Float32Array): Float64Array {
  return Float64Array.from(vector, (value) => Math.sqrt(Math.max(0, value)));
}

function meanOf(vectors: readonly Float64Array[], dimension: number): Float64Array {
  const mean = new Float64Array(dimension);
  for (const vector of vectors)
    vector.forEach((value, at) => {
      mean[at] = (mean[at] ?? 0) + value / vectors.length;
    });
  return mean;
}

/** Adds the outer product of a vector with itself, times a weight, to the lower half of a square matrix. */
function addOuter(matrix: Float64Array, vector: Float64Array, weight: number): void {
  const size = vector.length;
  for (let row = 0; row < size; row++) {
    const factor = (vector[row] ?? 0) * weight;
    for (let column = 0; column <= row; column++) {
      const at = row * size + column;
      matrix[at] = (matrix[at] ?? 0) + factor * (vector[column] ?? 0);
    }
  }
}

/** Covariance around the mean of each item; every item counts the same. Lower half only. */
export function scatterWithin(byItem: readonly (readonly Float64Array[])[], size: number): Float64Array {
  const scatter = new Float64Array(size * size);
  const centred = new Float64Array(size);
  for (const vectors of byItem) {
    const mean = meanOf(vectors, size);
    for (const vector of vectors) {
      for (let at = 0; at < size; at++) centred[at] = (vector[at] ?? 0) - (mean[at] ?? 0);
      addOuter(scatter, centred, 1 / (vectors.length * byItem.length));
    }
  }
  return scatter;
}

/** Replaces the lower half of a positive definite matrix by its Cholesky factor. */
export function factorise(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column] ?? 0;
      for (let at = 0; at < column; at++) sum -= (matrix[row * size + at] ?? 0) * (matrix[column * size + at] ?? 0);
      matrix[row * size + column] = row === column ? Math.sqrt(sum) : sum / (matrix[column * size + column] ?? 1);
    }
  }
}

/** Solves factor · x = vector, in place. */
export function solve(factor: Float64Array, vector: Float64Array): void {
  const size = vector.length;
  for (let row = 0; row < size; row++) {
    let sum = vector[row] ?? 0;
    for (let at = 0; at < row; at++) sum -= (factor[row * size + at] ?? 0) * (vector[at] ?? 0);
    vector[row] = sum / (factor[row * size + row] ?? 1);
  }
}

/**
 * The map learned from vectors of other items. Its Cholesky factor whitens up to a rotation, which no cosine sees.
 * @param byItem the vectors of each item to learn from
 */
export function learnWhitening(byItem: readonly (readonly Float32Array[])[]): (vector: Float32Array) => Float32Array {
  const roots = byItem.map((vectors) => vectors.map(squareRoot));
  const size = roots[0]?.[0]?.length ?? 0;
  const mean = meanOf(roots.flat(), size);
  const scatter = scatterWithin(roots, size);
  let trace = 0;
  for (let at = 0; at < size; at++) trace += scatter[at * size + at] ?? 0;
  for (let at = 0; at < size; at++) scatter[at * size + at] = (scatter[at * size + at] ?? 0) + (SHRINK * trace) / size;
  factorise(scatter, size);
  return (vector) => {
    const centred = squareRoot(vector).map((value, at) => value - (mean[at] ?? 0));
    solve(scatter, centred);
    return toUnitVector(centred);
  };
}
