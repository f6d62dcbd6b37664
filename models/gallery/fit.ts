/**
 * The weights of a manifest's confidence: a logistic model of three classes by Newton's method, with a ridge, in which what speaks for an
 * answer never speaks against it.
 */
import {
  type Evidence,
  FEATURE_NAMES,
  FEATURES,
  type Feature,
  SPEAK_FOR,
  type Weights,
} from '../../firmware/recognition/matching/confidence.ts';

/** The classes beside the right answer. */
const OTHERS = ['wrong', 'stranger'] as const;
export type Class = 'right' | (typeof OTHERS)[number];

export interface Example {
  readonly evidence: Evidence;
  readonly is: Class;
}

/** Of what the weights are fitted to: more than are laid down, or they would say little of strangers. */
const FITTED_STRANGERS = 0.2;
/** Of all that is laid down in a shop, as it is assumed: more than most shops have, since one that is sold as a known item is worse than a tap. */
export const STRANGERS = 0.15;
const RIDGE = 2;
const STEPS = 8;
const DECIMALS = 4;

/** Solves A x = b for a symmetric positive A, which it changes. */
function solved(matrix: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const at = (row: number, column: number): number => matrix[row]?.[column] ?? 0;
  for (let pivot = 0; pivot < size; pivot++)
    for (let row = pivot + 1; row < size; row++) {
      const factor = at(row, pivot) / at(pivot, pivot);
      const target = matrix[row];
      if (factor === 0 || target === undefined) continue;
      for (let column = pivot; column < size; column++) target[column] = at(row, column) - factor * at(pivot, column);
      right[row] = (right[row] ?? 0) - factor * (right[pivot] ?? 0);
    }
  for (let row = size - 1; row >= 0; row--) {
    let rest = right[row] ?? 0;
    for (let column = row + 1; column < size; column++) rest -= at(row, column) * (right[column] ?? 0);
    right[row] = rest / at(row, row);
  }
  return right;
}

interface Table {
  /** Of each example, each feature with mean 0 and deviation 1; the constant stays. */
  readonly rows: readonly Float64Array[];
  readonly means: Float64Array;
  readonly deviations: Float64Array;
  readonly classes: readonly Class[];
  readonly shares: readonly number[];
}

function tableOf(examples: readonly Example[]): Table {
  const plain = examples.map(({ evidence }) => Float64Array.from(FEATURE_NAMES, (name) => FEATURES[name](evidence)));
  const meanOf = (value: (row: Float64Array) => number): number =>
    plain.reduce((sum, row) => sum + value(row), 0) / plain.length;
  const means = Float64Array.from(FEATURE_NAMES, (_, at) => (at === 0 ? 0 : meanOf((row) => row[at] ?? 0)));
  const deviations = Float64Array.from(FEATURE_NAMES, (_, at) =>
    at === 0 ? 1 : Math.max(1e-6, Math.sqrt(meanOf((row) => ((row[at] ?? 0) - (means[at] ?? 0)) ** 2))),
  );
  const rows = plain.map((row) => row.map((value, at) => (value - (means[at] ?? 0)) / (deviations[at] ?? 1)));
  const strangers = examples.filter(({ is }) => is === 'stranger').length;
  const shares = examples.map(({ is }) =>
    is === 'stranger'
      ? (FITTED_STRANGERS * examples.length) / strangers
      : ((1 - FITTED_STRANGERS) * examples.length) / (examples.length - strangers),
  );
  return { rows, means, deviations, classes: examples.map(({ is }) => is), shares };
}

/** One step of Newton's method for the weights that are not held at 0. */
function step({ rows, classes, shares }: Table, weights: Float64Array, free: readonly number[]): Float64Array {
  const width = FEATURE_NAMES.length;
  const slope = new Float64Array(free.length);
  const bend = free.map(() => new Float64Array(free.length));
  for (const [place, row] of rows.entries()) {
    const logits = OTHERS.map((_, other) =>
      row.reduce((sum, x, at) => sum + x * (weights[other * width + at] ?? 0), 0),
    );
    const odds = logits.map((logit) => Math.exp(Math.min(30, logit)));
    const sum = 1 + odds.reduce((total, odd) => total + odd, 0);
    const likely = odds.map((odd) => odd / sum);
    const share = shares[place] ?? 0;
    for (const [one, first] of free.entries()) {
      const [p, x] = [likely[Math.floor(first / width)] ?? 0, row[first % width] ?? 0];
      const is = classes[place] === OTHERS[Math.floor(first / width)] ? 1 : 0;
      slope[one] = (slope[one] ?? 0) + share * x * (is - p);
      const line = bend[one];
      if (line === undefined) continue;
      // the other half is the same
      for (let other = 0; other <= one; other++) {
        const second = free[other] ?? 0;
        const same = Math.floor(first / width) === Math.floor(second / width) ? 1 : 0;
        const q = likely[Math.floor(second / width)] ?? 0;
        line[other] = (line[other] ?? 0) + share * p * (same - q) * x * (row[second % width] ?? 0);
      }
    }
  }
  for (const [one, first] of free.entries()) {
    const ridge = first % width === 0 ? 1e-6 : RIDGE;
    slope[one] = (slope[one] ?? 0) - ridge * (weights[first] ?? 0);
    const line = bend[one];
    if (line !== undefined) line[one] = (line[one] ?? 0) + ridge;
  }
  for (const [one, line] of bend.entries())
    for (let other = 0; other < one; other++) bend[other]?.fill(line[other] ?? 0, one, one + 1);
  return solved(bend, slope);
}

/** Weights against what speaks for an answer are taken out, and the rest fitted again. */
function fitted(table: Table): Float64Array {
  const width = FEATURE_NAMES.length;
  let free = Array.from({ length: OTHERS.length * width }, (_, at) => at);
  for (;;) {
    const weights = new Float64Array(OTHERS.length * width);
    for (let round = 0; round < STEPS; round++)
      for (const [at, change] of step(table, weights, free).entries()) {
        const place = free[at] ?? 0;
        weights[place] = (weights[place] ?? 0) + change;
      }
    const nameOf = (place: number): Feature => FEATURE_NAMES[place % width] ?? 'constant';
    const right = free.filter((place) => !SPEAK_FOR.has(nameOf(place)) || (weights[place] ?? 0) <= 0);
    if (right.length === free.length) return weights;
    free = right;
  }
}

/** Weights of what was measured itself, in place of what has mean 0 and deviation 1. */
function plainWeights({ means, deviations }: Table, weights: Float64Array, logOdds: number): Weights {
  const scaled = FEATURE_NAMES.map((_, at) => (weights[at] ?? 0) / (deviations[at] ?? 1));
  const moved = scaled.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0);
  const rounded = (value: number): number => Number(value.toFixed(DECIMALS)) + 0;
  const all = FEATURE_NAMES.map((name, at) => [name, rounded((scaled[at] ?? 0) + (at === 0 ? logOdds - moved : 0))]);
  return Object.fromEntries(all) as Weights;
}

/** For a shop in which strangers have their share. */
export function fitWeights(examples: readonly Example[]): Readonly<Record<(typeof OTHERS)[number], Weights>> {
  const table = tableOf(examples);
  const weights = fitted(table);
  const width = FEATURE_NAMES.length;
  const oddsOf = (share: number): number => Math.log(share / (1 - share));
  return {
    wrong: plainWeights(table, weights.subarray(0, width), 0),
    stranger: plainWeights(table, weights.subarray(width), oddsOf(STRANGERS) - oddsOf(FITTED_STRANGERS)),
  };
}
