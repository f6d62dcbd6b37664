/** Rows of one length in one typed array that grows; the last row takes the place of a removed one. */
const FIRST_ROWS = 64;

/** What a matrix needs of a typed array. */
interface Values<T> {
  readonly length: number;
  subarray(begin: number, end: number): T;
  set(values: T): void;
  fill(value: number): unknown;
}

export class Matrix<T extends Values<T>> {
  readonly columns: number;
  readonly #make: (size: number) => T;
  #values: T;
  #count = 0;

  constructor(columns: number, make: (size: number) => T) {
    this.columns = columns;
    this.#make = make;
    this.#values = make(FIRST_ROWS * columns);
  }

  /** Rows in use. */
  get count(): number {
    return this.#count;
  }

  /** All rows in use, one after the other, and room behind them; valid until the next `add`. */
  get values(): T {
    return this.#values;
  }

  /** A view of one row; valid until the next `add`. */
  row(at: number): T {
    return this.#values.subarray(at * this.columns, (at + 1) * this.columns);
  }

  /** A new row of zeros; returns its place. */
  add(): number {
    if ((this.#count + 1) * this.columns > this.#values.length) this.reserve(this.#count * 2);
    this.row(this.#count).fill(0);
    this.#count += 1;
    return this.#count - 1;
  }

  /** Room for at least so many rows. */
  reserve(rows: number): void {
    if (rows * this.columns <= this.#values.length) return;
    const grown = this.#make(rows * this.columns);
    grown.set(this.#values.subarray(0, this.#count * this.columns));
    this.#values = grown;
  }

  /** The row that stood last stands at `at` afterwards, unless it was the last itself. */
  remove(at: number): void {
    this.#count -= 1;
    if (at !== this.#count) this.row(at).set(this.row(this.#count));
  }
}
