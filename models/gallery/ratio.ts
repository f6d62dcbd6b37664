/** What a manifest's likelihood ratio needs, learned from looks at items that the net was trained with. */
import type { Manifest } from '../../firmware/recognition/embedding/manifest.ts';

type Part = NonNullable<Manifest['ratio']>[number];
type Vectors = readonly ArrayLike<number>[];

/** Of the mean variance between items, added in each direction: those of new items are others. */
const ADDED = 0.1;
/** Of the largest eigenvalue; what is below is rounding. */
const LEAST = 1e-9;
const SWEEPS = 60;

const dot = (one: ArrayLike<number>, other: ArrayLike<number>): number => {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
};

function meanOf(vectors: Vectors): Float64Array {
  const mean = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (let at = 0; at < mean.length; at++) mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0);
  return mean.map((sum) => sum / vectors.length);
}

const minus = (vector: ArrayLike<number>, mean: Float64Array): Float64Array =>
  mean.map((value, at) => (vector[at] ?? 0) - value);

/** Eigenvalues and eigenvectors of a symmetric matrix, which it changes, by Jacobi's rotations. */
export function eigenOf(matrix: Float64Array[]): { value: number; vector: Float64Array }[] {
  const size = matrix.length;
  const vectors = matrix.map((_, row) => Float64Array.from(matrix, (_, at) => (at === row ? 1 : 0)));
  const get = (row: number, column: number): number => matrix[row]?.[column] ?? 0;
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (let one = 0; one < size; one++)
      for (let other = one + 1; other < size; other++) {
        if (get(one, other) === 0) continue;
        const angle = Math.atan2(2 * get(one, other), get(other, other) - get(one, one)) / 2;
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        for (const row of matrix) turn(row, one, other, cos, sin);
        const [first, second] = [matrix[one], matrix[other]];
        if (first === undefined || second === undefined) continue;
        for (let at = 0; at < size; at++) {
          const [x, y] = [first[at] ?? 0, second[at] ?? 0];
          [first[at], second[at]] = [cos * x - sin * y, sin * x + cos * y];
        }
        for (const row of vectors) turn(row, one, other, cos, sin);
      }
  return matrix.map((row, at) => ({
    value: row[at] ?? 0,
    vector: Float64Array.from(vectors, (own) => own[at] ?? 0),
  }));
}

function turn(row: Float64Array, one: number, other: number, cos: number, sin: number): void {
  const [x, y] = [row[one] ?? 0, row[other] ?? 0];
  row[one] = cos * x - sin * y;
  row[other] = sin * x + cos * y;
}

const asText = (values: ArrayLike<number>): string => Buffer.from(new Float32Array(values).buffer).toString('base64');

/** @param items looks at each item, of one part of their vectors */
function partOf(items: readonly Vectors[]): Part {
  const means = items.map(meanOf);
  const mean = meanOf(items.flat());
  const size = mean.length;
  const within =
    items
      .map((looks, at) => looks.map((look) => minus(look, means[at] ?? mean)))
      .map((away) => away.reduce((sum, one) => sum + dot(one, one), 0) / away.length)
      .reduce((sum, one) => sum + one, 0) /
    items.length /
    size;
  const middle = meanOf(means);
  const away = means.map((one) => minus(one, middle));
  // few items: the products of their means have the eigenvalues of the covariance
  const found = eigenOf(away.map((one) => Float64Array.from(away, (other) => dot(one, other) / items.length)))
    .map(({ value, vector }) => ({ variance: value / within, direction: combined(away, vector) }))
    .sort((one, other) => other.variance - one.variance);
  const least = LEAST * (found[0]?.variance ?? 0);
  const main = found.filter(({ variance }) => variance > least);
  const rest = (ADDED * main.reduce((sum, { variance }) => sum + variance, 0)) / size;
  return {
    mean: asText(mean),
    directions: asText(main.flatMap(({ direction }) => [...direction])),
    between: main.map(({ variance }) => Number((variance + rest).toPrecision(6))),
    rest: Number(rest.toPrecision(6)),
  };
}

function combined(vectors: readonly Float64Array[], weights: Float64Array): Float64Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const [place, vector] of vectors.entries())
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (weights[place] ?? 0) * (vector[at] ?? 0);
  const length = Math.sqrt(dot(sum, sum));
  return length === 0 ? sum : sum.map((value) => value / length);
}

/** @param items looks at each item of the training @param parts that a vector has, of one length */
export function learnRatio(items: readonly (readonly Float32Array[])[], parts: number): Part[] {
  const size = (items[0]?.[0]?.length ?? 0) / parts;
  return Array.from({ length: parts }, (_, part) =>
    partOf(items.map((looks) => looks.map((look) => look.subarray(part * size, (part + 1) * size)))),
  );
}
