/**
 * How similar a picture is to an item, and what a client is told of it. The one replaceable part of the classifier:
 * `models/evaluate.ts` compares it with others.
 *
 * An item is its prototype, the direction of the sum of its templates' vectors, and a little its nearest template: an item
 * that looks different from its sides is still found from each of them.
 */

/** Of an item's similarity; the rest is its prototype's. Measured with 5 and 10 templates an item: `models/README.md`. */
const NEAREST_SHARE = 0.25;

/** From the cosine to an item's prototype and those to its templates, at least one. */
export function similarityOf(prototype: number, templates: Float64Array): number {
  let nearest = -1;
  for (const cosine of templates) if (cosine > nearest) nearest = cosine;
  return (1 - NEAREST_SHARE) * prototype + NEAREST_SHARE * nearest;
}

/** Cosine similarities to the scores that a client sees: positive, summing to 1, in the same order. */
export function toScores(similarities: readonly number[], temperature: number): number[] {
  const best = Math.max(...similarities);
  const weights = similarities.map((similarity) => Math.exp((similarity - best) / temperature));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Four rows are read at a time: the query's values stay in registers, measured twice as fast as one by one. */
const ROWS_AT_A_TIME = 4;

/**
 * Dot product of a query with the first `count` rows of a matrix, into `out`. Each row is summed in the same order
 * wherever it stands, so that its result does not depend on its neighbours.
 * @param rows row by row, each as long as the query
 */
export function dotRows(query: Float32Array, rows: Float32Array, count: number, out: Float64Array): void {
  const size = query.length;
  const blocks = count - (count % ROWS_AT_A_TIME);
  for (let row = 0; row < blocks; row += ROWS_AT_A_TIME) {
    let [a, b, c, d] = [0, 0, 0, 0];
    const start = row * size;
    for (let at = 0; at < size; at++) {
      const value = query[at] ?? 0;
      a += value * (rows[start + at] ?? 0);
      b += value * (rows[start + size + at] ?? 0);
      c += value * (rows[start + 2 * size + at] ?? 0);
      d += value * (rows[start + 3 * size + at] ?? 0);
    }
    out[row] = a;
    out[row + 1] = b;
    out[row + 2] = c;
    out[row + 3] = d;
  }
  for (let row = blocks; row < count; row++) out[row] = dotRow(query, rows, row);
}

/** The same for one row. */
export function dotRow(query: Float32Array, rows: Float32Array, row: number): number {
  const start = row * query.length;
  let sum = 0;
  for (let at = 0; at < query.length; at++) sum += (query[at] ?? 0) * (rows[start + at] ?? 0);
  return sum;
}
