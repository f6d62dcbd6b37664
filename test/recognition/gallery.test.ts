/** What the classifier makes of a whole gallery: bounds that follow it, look-alikes, templates that stand with the wrong item. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Classifier, type ClassifierRules } from '../../firmware/recognition/matching/classifier.ts';
import { FEATURE_NAMES, FEATURES } from '../../firmware/recognition/matching/confidence.ts';
import { findLookAlikes } from '../../firmware/recognition/matching/look-alikes.ts';
import { prototypeWithout } from '../../firmware/recognition/matching/strays.ts';
import { FIXED_POINT } from '../../firmware/recognition/model/vectors.ts';
import { atEnd, pick } from '../support.ts';
import { seeded } from '../tools/seeded.ts';
import { confidenceOf } from './steps.ts';

const gallery = suite('recognition: the gallery');
const DIMENSION = 16;
const RULES: ClassifierRules = {
  dimension: DIMENSION,
  temperature: 0.05,
  confidence: confidenceOf({ certain: 0.6, margin: 0.05, unknown: 0.4 }),
};

const close = (value: number | null | undefined, expected: number): void =>
  assert.ok(Math.abs((value ?? Number.NaN) - expected) < 1e-6, `${value} is not ${expected}`);

function failed(): never {
  throw new Error('nothing was learned');
}

function unit(...values: number[]): Float32Array {
  const padded = Array.from({ length: DIMENSION }, (_, at) => values[at] ?? 0);
  const length = Math.hypot(...padded);
  return Float32Array.from(padded, (value) => value / length);
}

/** On the circle of the first two axes. */
const at = (degrees: number) => unit(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));

type Learned = readonly [item: string, vector: Float32Array];

function learned(...templates: readonly Learned[]): Classifier {
  const made = new Classifier(RULES);
  made.addAll(templates.map(([item, vector], key) => ({ item, key: `${key}`, vector })));
  return made;
}

const anyVector = (next: () => number): Float32Array => unit(...Array.from({ length: DIMENSION }, () => next() - 0.5));

const many = (items: number, templates: number): Learned[] => {
  const next = seeded(items);
  return Array.from({ length: items * templates }, (_, key) => [`i${key % items}`, anyVector(next)]);
};

gallery('identical templates and templates that cancel out make no number that is none', async () => {
  const same = learned(['a', at(0)], ['b', at(0)], ['c', at(0)], ['c', at(180)]);
  for (const query of [at(0), at(180), at(90)])
    for (const name of FEATURE_NAMES)
      assert.ok(Number.isFinite(FEATURES[name](same.evidenceOf(query) ?? failed())), name);
  assert.equal(same.neighboursOf('c', 3, -1), [
    { id: 'a', cosine: 0 },
    { id: 'b', cosine: 0 },
  ]);
  assert.is(same.neighboursOf('c', 3, 0).length, 2, 'as near as asked for is near enough');
  assert.equal(
    prototypeWithout(
      Float64Array.from(at(0), (value) => value * FIXED_POINT),
      at(0),
    ),
    unit().fill(0),
  );
  const { pairs } = await findLookAlikes(same, 0.75, null, 50);
  assert.equal(pick(pairs, 'items'), [['a', 'b']]);
  const strays = learned(['a', at(0)], ['c', at(0)], ['c', at(90)], ['c', at(270)]).straysOf('c');
  assert.is(strays[0]?.looksLike.similarity, 1, 'without it, the rest of its item cancels out');
  for (const { own, looksLike } of strays) assert.ok(Number.isFinite(own + looksLike.similarity));
});

gallery('of 2,000 items the nearest are the nearest', () => {
  const straight = learned(...many(2000, 2));
  const own = straight.prototypesOf('i7')[0] ?? new Float32Array(0);
  const cosines = Array.from({ length: 2000 }, (_, item) => {
    const other = straight.prototypesOf(`i${item}`)[0] ?? new Float32Array(0);
    return { id: `i${item}`, cosine: own.reduce((sum, value, axis) => sum + value * (other[axis] ?? 0), 0) };
  }).filter(({ id }) => id !== 'i7');
  cosines.sort((one, other) => other.cosine - one.cosine);
  assert.equal(pick(straight.neighboursOf('i7', 5, -1), 'id'), pick(cosines.slice(0, 5), 'id'));
});

gallery('a template like another item is reported, a right one never, nor either of two', () => {
  const apples = [0, 2, 4].map((turn): Learned => ['apple', at(turn)]);
  const pears = [90, 92, 94].map((turn): Learned => ['pear', at(turn)]);
  assert.equal(learned(...apples, ...pears).straysOf('apple'), []);
  const mixed = learned(...apples, ...pears, ['apple', at(91)]);
  const [stray, ...more] = mixed.straysOf('apple');
  assert.equal(more, []);
  assert.is(stray?.key, '6');
  assert.is(stray?.looksLike.id, 'pear');
  close(stray?.own, 0.75 * Math.cos((89 * Math.PI) / 180) + 0.25 * Math.cos((87 * Math.PI) / 180));
  assert.equal(mixed.straysOf('pear'), []);
  assert.equal(learned(['apple', at(0)], ['apple', at(91)], ...pears).straysOf('apple'), []);
  assert.equal(learned(...apples, ['apple', at(91)]).straysOf('apple'), [], 'there is nothing else that it could be');
});

gallery('look-alikes are reported once each, with what would help', async () => {
  const turns = (item: string, ...angles: number[]): Learned[] => angles.map((angle) => [item, at(angle)]);
  const made = learned(
    ...turns('d', 0, 1, 2, 3, 4),
    ...turns('a', 5, 6, 7, 8, 9),
    ...turns('c', 120, 121, 122, 123),
    ...turns('b', 125, 126, 127, 128, 129),
    ...turns('f', 240, 241, 242, 243, 244),
    ...turns('e', 260, 261, 262, 263, 242),
    ...turns('lonely', 330),
  );
  const { pairs, looked, cursor } = await findLookAlikes(made, 0.9, null, 50);
  const cures = pairs.map(({ items, cure }) => [...items, cure]);
  assert.equal(cures, [
    ['a', 'd', 'choose'],
    ['b', 'c', 'more-templates'],
    ['e', 'f', 'choose'],
  ]);
  assert.is(looked, 7);
  assert.is(cursor, null);
});

gallery('a stray is the cure of the pair that it spoils', async () => {
  const turns = (item: string, ...angles: number[]): Learned[] => angles.map((angle) => [item, at(angle)]);
  const made = learned(...turns('a', 0, 1, 2, 3, 4), ...turns('b', 60, 61, 62, 63, 2), ...turns('c', 150, 151, 152));
  const { pairs, strays } = await findLookAlikes(made, 0.5, null, 50);
  const cured = pairs.map(({ items, cure }) => [...items, cure]);
  assert.equal(cured, [['a', 'b', 'delete-strays']]);
  const strayed = strays.map(({ item, key, looksLike }) => [item, key, looksLike.id]);
  assert.equal(strayed, [['b', '9', 'a']]);
});

gallery('while 2,000 items are looked at others get their turn, and an item may go', async () => {
  const made = learned(...many(2000, 3));
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
    for (const round of [0, 1, 2]) made.remove(`${turns + round * 2000}`);
  }, 1);
  using _end = atEnd(() => clearInterval(other));
  const { looked, cursor } = await findLookAlikes(made, 0.75, null, 10_000);
  assert.is(looked, 500);
  assert.ok(cursor !== null);
  assert.ok(turns > 2, `${turns} turns`);
});

gallery.run();
