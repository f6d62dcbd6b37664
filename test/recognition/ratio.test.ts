/** The likelihood ratio: against whole covariance matrices, where the product has one variance for each direction. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Classifier } from '../../firmware/recognition/matching/classifier.ts';
import { LikelihoodRatio } from '../../firmware/recognition/matching/ratio.ts';
import { toUnitVector } from '../../firmware/recognition/model/vectors.ts';
import { eigenOf, learnRatio } from '../../models/gallery/ratio.ts';
import { seeded } from '../tools/seeded.ts';

const test = suite('recognition: likelihood ratio');

type Matrix = readonly (readonly number[])[];

const close = (value: number | undefined, expected: number, tolerance = 1e-5): void =>
  assert.ok(Math.abs((value ?? Number.NaN) - expected) < tolerance, `${value} is not ${expected}`);
const dot = (one: ArrayLike<number>, other: ArrayLike<number>): number =>
  Array.from(one).reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
const entry = (matrix: Matrix, row: number, column: number): number => matrix[row]?.[column] ?? Number.NaN;
const built = (size: number, value: (row: number, column: number) => number): Matrix =>
  Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, column) => value(row, column)));
const times = (one: Matrix, other: Matrix): Matrix =>
  built(one.length, (row, column) =>
    one.reduce((sum, _, at) => sum + entry(one, row, at) * entry(other, at, column), 0),
  );
const applied = (matrix: Matrix, vector: readonly number[]): number[] => matrix.map((row) => dot(row, vector));

/** Inverse and determinant, by elimination. */
function inverted(matrix: Matrix): { inverse: Matrix; determinant: number } {
  const size = matrix.length;
  const rows = matrix.map((row, at) => [...row, ...row.map((_, column) => (column === at ? 1 : 0))]);
  let determinant = 1;
  for (const [at, pivot] of rows.entries()) {
    const by = pivot[at] ?? 0;
    determinant *= by;
    for (const [column, value] of pivot.entries()) pivot[column] = value / by;
    for (const [other, row] of rows.entries()) {
      const factor = row[at] ?? 0;
      if (other !== at)
        for (const [column, value] of pivot.entries()) row[column] = (row[column] ?? 0) - factor * value;
    }
  }
  return { inverse: rows.map((row) => row.slice(size)), determinant };
}

/** But for the constant, which both densities share. */
function logDensity(away: readonly number[], covariance: Matrix): number {
  const { inverse, determinant } = inverted(covariance);
  return -(dot(away, applied(inverse, away)) + Math.log(determinant)) / 2;
}

const asText = (values: readonly number[]): string => Buffer.from(Float32Array.from(values).buffer).toString('base64');

// two directions at right angles among four, which no axis is along
const HALF = [
  [0.5, 0.5, 0.5, 0.5],
  [0.5, -0.5, 0.5, -0.5],
];
const [BETWEEN, REST] = [[3, 0.75], 0.25] as const;
const MEAN = [0.02, -0.05, 0.01, 0.03];
const PART = { ...{ mean: asText(MEAN), directions: asText(HALF.flat()) }, ...{ between: [...BETWEEN], rest: REST } };

/** Covariance of items: `REST` in each direction, and more along the two. */
const ITEMS = built(4, (row, column) =>
  HALF.reduce(
    (sum, direction, at) => sum + ((BETWEEN[at] ?? 0) - REST) * (direction[row] ?? 0) * (direction[column] ?? 0),
    row === column ? REST : 0,
  ),
);

/** From the mean, as long as the square root of all variances together. */
function placed(vector: ArrayLike<number>): number[] {
  const away = MEAN.map((mean, at) => (vector[at] ?? 0) - mean);
  const length = Math.sqrt(4 + 3 + 0.75 + 2 * 0.25);
  return away.map((value) => (value * length) / Math.sqrt(dot(away, away)));
}

/** What the looks at an item make likely of another look at it, beside what is likely of any look. */
function expected(look: ArrayLike<number>, looks: readonly ArrayLike<number>[]): number {
  const count = looks.length;
  const mean = looks
    .map(placed)
    .reduce((sum, one) => sum.map((value, at) => value + (one[at] ?? 0) / count), [0, 0, 0, 0]);
  const unit = (value: number) => built(4, (row, column) => (row === column ? value : 0));
  const sum = (one: Matrix, other: Matrix) =>
    built(4, (row, column) => entry(one, row, column) + entry(other, row, column));
  const gain = times(ITEMS, inverted(sum(ITEMS, unit(1 / count))).inverse);
  const left = times(gain, ITEMS);
  const own = built(4, (row, column) => entry(sum(ITEMS, unit(1)), row, column) - entry(left, row, column));
  const x = placed(look);
  const guess = applied(gain, mean);
  const away = x.map((value, at) => value - (guess[at] ?? 0));
  return (logDensity(away, own) - logDensity(x, sum(ITEMS, unit(1)))) / 4;
}

const random = seeded(12);
const drawn = (size = 4): Float32Array => toUnitVector(Float64Array.from({ length: size }, () => random() - 0.5));

test('it is that of two normal distributions with whole covariances', () => {
  const ratio = new LikelihoodRatio([PART]);
  for (let round = 0; round < 40; round++) {
    const looks = Array.from({ length: 1 + (round % 6) }, () => drawn());
    const look = round % 3 === 0 ? (looks[0] ?? drawn()) : drawn();
    close(ratio.of(ratio.knownOf([look]), ratio.knownOf(looks)), expected(look, looks));
  }
});

test('parts are added, and the order of looks changes nothing', () => {
  const ratio = new LikelihoodRatio([PART, PART]);
  const [look, ...looks] = Array.from({ length: 6 }, () => drawn(8)) as [Float32Array, ...Float32Array[]];
  const halves = [0, 4].map((from) =>
    expected(
      look.subarray(from, from + 4),
      looks.map((one) => one.subarray(from, from + 4)),
    ),
  );
  const known = ratio.knownOf(looks);
  close(ratio.of(ratio.knownOf([look]), known), (halves[0] ?? 0) + (halves[1] ?? 0));
  assert.equal(ratio.knownOf(looks.toReversed()), known);
  // at the mean of the training there is no direction
  assert.ok(Number.isFinite(ratio.of(ratio.knownOf([Float32Array.from([...MEAN, ...MEAN])]), known)));
});

test('a verdict has the ratio of the answered item, of its likeliest view', () => {
  const rules = { dimension: 4, temperature: 0.05, ratio: [PART] };
  const items: Record<string, Float32Array[]> = { a: [0, 5].map(at), b: [60, 66].map(at), c: [100, 120].map(at) };
  const classifier = new Classifier(rules);
  for (const [item, looks] of Object.entries(items))
    classifier.addAll(looks.map((vector, key) => ({ item, key: `${item}/${key}`, vector })));
  const look = at(20);
  close(classifier.evidenceOf(look)?.ratio, expected(look, items.a ?? []));
  // what is learned and forgotten counts at once
  classifier.add({ item: 'a', key: 'a/2', vector: at(8) });
  close(classifier.evidenceOf(look)?.ratio, expected(look, [0, 5, 8].map(at)));
  // two sides of a box, each of three looks
  const sides = [[0, 2, 4].map(at), [178, 180, 182].map(at)];
  classifier.addAll(sides.flat().map((vector, key) => ({ item: 'box', key: `box/${key}`, vector })));
  classifier.remove('a/0');
  for (const key of ['a/1', 'a/2']) classifier.remove(key);
  assert.is(classifier.prototypesOf('box').length, 2);
  close(classifier.evidenceOf(at(176))?.ratio, expected(at(176), sides[1] ?? []));
});

test('it never ranks', () => {
  const rules = { dimension: 4, temperature: 0.05 };
  const [without, withRatio] = [new Classifier(rules), new Classifier({ ...rules, ratio: [PART] })];
  for (const classifier of [without, withRatio])
    classifier.addAll(
      [0, 25, 50, 75].map((degrees) => ({ item: `${degrees}`, key: `${degrees}`, vector: at(degrees) })),
    );
  for (let degrees = -20; degrees < 100; degrees += 5)
    assert.equal(withRatio.classify(at(degrees), 4).items, without.classify(at(degrees), 4).items);
});

test('a model without a ratio has none, and an answer is judged by the rest', () => {
  const classifier = new Classifier({ dimension: 4, temperature: 0.05 });
  classifier.addAll([0, 90].map((degrees) => ({ item: `${degrees}`, key: `${degrees}`, vector: at(degrees) })));
  assert.is(classifier.evidenceOf(at(3))?.ratio, 0);
});

test('eigenvectors are at right angles, and their matrix only makes them longer', () => {
  const values = Array.from({ length: 6 }, () => Array.from({ length: 6 }, () => random() - 0.5));
  const symmetric = built(6, (row, column) => (values[row]?.[column] ?? 0) + (values[column]?.[row] ?? 0));
  const found = eigenOf(symmetric.map((row) => Float64Array.from(row)));
  for (const [at, { value, vector }] of found.entries()) {
    for (const [row, product] of applied(symmetric, [...vector]).entries())
      close(product, value * (vector[row] ?? 0), 1e-9);
    for (const [other, one] of found.entries()) close(dot(vector, one.vector), at === other ? 1 : 0, 1e-9);
  }
});

test('what is learned are the directions in which items differ, beside what looks at one item do', () => {
  // items differ by 1 along the first axis and by 0.5 along the third; looks at one by 0.1 along each
  const items = [-1, 1].flatMap((first) => [-0.5, 0.5].map((third) => [first, 0, third, 0]));
  const looks = items.map((item) =>
    [0, 1, 2, 3].flatMap((axis) =>
      [-0.1, 0.1].map((step) => Float32Array.from(item, (value, place) => value + (place === axis ? step : 0))),
    ),
  );
  const [part, second, ...others] = learnRatio(
    looks.map((own) => own.map((one) => Float32Array.from([...one, ...one]))),
    2,
  );
  assert.equal(others, []);
  assert.equal(second, part);
  const within = (2 * 0.1 ** 2) / 8;
  const rest = (0.1 * (1 + 0.25)) / within / 4;
  for (const [place, expected] of [1 / within + rest, 0.25 / within + rest].entries())
    close(part?.between[place], expected, 1e-3);
  assert.is(part?.between.length, 2);
  close(part?.rest, rest, 1e-3);
  const directions = new Float32Array(new Uint8Array(Buffer.from(part?.directions ?? '', 'base64')).buffer);
  close(Math.abs(directions[0] ?? 0), 1);
  close(Math.abs(directions[4 + 2] ?? 0), 1);
});

/** On the circle of the first and the second axis. */
function at(degrees: number): Float32Array {
  const angle = (degrees * Math.PI) / 180;
  return toUnitVector(Float64Array.of(Math.cos(angle), Math.sin(angle), 0.1, 0));
}

test.run();
