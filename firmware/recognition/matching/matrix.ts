/** Rows of one length in one typed array that grows, and their dot products with a query. */

const FIRST_ROWS = 64;

/** A matrix whose last row takes the place of a removed one. */
export class Matrix {
  readonly #columns: number;
  #values: Float32Array;
  #count = 0;

  constructor(columns: number) {
    this.#columns = columns;
    this.#values = new Float32Array(FIRST_ROWS * columns);
  }

  /** Rows in use. */
  get count(): number {
    return this.#count;
  }

  /** All rows in use, one after the other, and room behind them; valid until the next `add`. */
  get values(): Float32Array {
    return this.#values;
  }

  /** A view of one row; valid until the next `add`. */
  row(at: number): Float32Array {
    return this.#values.subarray(at * this.#columns, (at + 1) * this.#columns);
  }

  /** A new row of zeros; returns its place. */
  add(): number {
    if (this.#count * this.#columns === this.#values.length) this.#grow();
    this.row(this.#count).fill(0);
    this.#count += 1;
    return this.#count - 1;
  }

  /** Removes a row; the last row moves to `at`, unless it was removed itself. */
  remove(at: number): void {
    this.#count -= 1;
    if (at !== this.#count) this.row(at).set(this.row(this.#count));
  }

  #grow(): void {
    const grown = new Float32Array(this.#values.length * 2);
    grown.set(this.#values);
    this.#values = grown;
  }
}

/** Rows that are read together: the query's values stay in registers, measured twice as fast as one by one. */
const ROWS_AT_A_TIME = 4;

/**
 * Dot product of a query with the first `count` rows of a matrix, into `out`. Each row is summed in the same order, so
 * that its result does not depend on its place.
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

/** Dot product of a query with one row. */
export function dotRow(query: Float32Array, rows: Float32Array, row: number): number {
  const start = row * query.length;
  let sum = 0;
  for (let at = 0; at < query.length; at++) sum += (query[at] ?? 0) * (rows[start + at] ?? 0);
  return sum;
}
