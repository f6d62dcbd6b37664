/**
 * How much likelier a look shows an item than anything else: a likelihood ratio (two-covariance model, PLDA). Items are
 * normal around a mean, with a variance for each direction; looks at one item are normal around it, with variance 1 in
 * each. Each part of a vector is of a net of its own, and is rated separately. The ratio says how sure an answer is and
 * never ranks items: ranked by it, fewer answers are right.
 *
 * Few directions distinguish items: the model's manifest has their variances, and one variance for all other directions.
 */

import type { Manifest } from '../embedding/manifest.ts';
import { FIXED_POINT, floatsOf } from '../model/vectors.ts';

/** The manifest's rules for one part of a vector. */
type PartRules = NonNullable<Manifest['ratio']>[number];

/** A look, or the mean of looks at one item: its place among the items, where looks at one item have variance 1. */
interface Place {
  readonly values: Float64Array;
  /** Coordinates along the directions with their own variance. */
  readonly main: Float64Array;
  /** Sum of squares in all other directions. */
  readonly rest: number;
}

/** Some looks at one item: a place for each part. */
export interface Known {
  readonly looks: number;
  readonly places: readonly Place[];
}

const dot = (one: Float64Array, other: Float64Array): number => {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
};

/** Some coordinates of a look and of the mean of an item's looks. */
interface Compared {
  readonly count: number;
  /** Sums of the squares of the look's and of the mean's coordinates, and of their products. */
  readonly look: number;
  readonly mean: number;
  readonly products: number;
}

/**
 * The term of coordinates that all have the variance `between` between items: the logarithm of how likely the look is as
 * one more of the item's looks, less that of how likely it is of any item.
 * @param looks of the item
 */
function termOf(between: number, looks: number, { count, look, mean, products }: Compared): number {
  // few looks say little of their item: one more is expected at `gain` times their mean, with `variance`
  const gain = between / (between + 1 / looks);
  const variance = 1 + between * (1 - gain);
  // a look at any item is expected at 0
  const any = 1 + between;
  /** Sum of the squares of the look's distance from what is expected of the item. */
  const distance = look - 2 * gain * products + gain ** 2 * mean;
  return (look / any - distance / variance + count * Math.log(any / variance)) / 2;
}

class Part {
  readonly #mean: Float64Array;
  readonly #directions: readonly Float64Array[];
  readonly #between: readonly number[];
  readonly #rest: number;
  readonly #length: number;

  constructor({ mean, directions, between, rest }: PartRules) {
    this.#mean = Float64Array.from(floatsOf(mean));
    const all = Float64Array.from(floatsOf(directions));
    const size = this.#mean.length;
    this.#between = between;
    this.#directions = between.map((_, at) => all.subarray(at * size, (at + 1) * size));
    this.#rest = rest;
    const variances = between.reduce((sum, one) => sum + one, 0) + rest * (size - between.length);
    this.#length = Math.sqrt(size + variances);
  }

  get size(): number {
    return this.#mean.length;
  }

  /**
   * One part of a vector, relative to the training's mean, with the length that looks have.
   * @param from where the part begins in the vector
   */
  scaled(vector: Float32Array, from: number): Float64Array {
    const values = new Float64Array(this.size); // loops, because `Float64Array.from` and `entries` take five times as long
    for (let at = 0; at < values.length; at++) values[at] = (vector[from + at] ?? 0) - (this.#mean[at] ?? 0);
    const length = Math.sqrt(dot(values, values));
    const by = length === 0 ? 0 : this.#length / length;
    for (let at = 0; at < values.length; at++) values[at] = (values[at] ?? 0) * by;
    return values;
  }

  placeOf(values: Float64Array): Place {
    const main = new Float64Array(this.#directions.length);
    for (const [at, direction] of this.#directions.entries()) main[at] = dot(direction, values);
    return { values, main, rest: dot(values, values) - dot(main, main) };
  }

  logRatioOf(look: Place, known: Place, looks: number): number {
    const others = {
      count: this.size - this.#between.length,
      look: look.rest,
      mean: known.rest,
      products: dot(look.values, known.values) - dot(look.main, known.main),
    };
    return this.#between.reduce(
      (sum, between, at) => {
        const [x, m] = [look.main[at] ?? 0, known.main[at] ?? 0];
        return sum + termOf(between, looks, { count: 1, look: x * x, mean: m * m, products: x * m });
      },
      termOf(this.#rest, looks, others),
    );
  }
}

export class LikelihoodRatio {
  readonly #parts: readonly { readonly part: Part; readonly from: number }[];

  constructor(rules: NonNullable<Manifest['ratio']>) {
    let from = 0;
    this.#parts = rules.map((one) => {
      const placed = { part: new Part(one), from };
      from += placed.part.size;
      return placed;
    });
  }

  /**
   * The places of some looks, the same in any order: they are summed as integers.
   * @param looks at one item, at least one
   */
  knownOf(looks: readonly Float32Array[]): Known {
    const places = this.#parts.map(({ part, from }) => {
      const sum = new Float64Array(part.size);
      for (const look of looks) {
        const values = part.scaled(look, from);
        for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + Math.round((values[at] ?? 0) * FIXED_POINT);
      }
      return part.placeOf(sum.map((value) => value / FIXED_POINT / looks.length));
    });
    return { looks: looks.length, places };
  }

  /** The logarithm of the ratio, averaged over the numbers of a part: above 0 the item is likelier than another one. */
  of(look: Known, item: Known): number {
    return this.#parts.reduce((sum, { part }, at) => {
      const [one, other] = [look.places[at], item.places[at]];
      return one === undefined || other === undefined ? sum : sum + part.logRatioOf(one, other, item.looks) / part.size;
    }, 0);
  }
}
