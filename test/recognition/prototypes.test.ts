/** An item's views: when its templates fall apart, and what several prototypes change. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Classifier, type ClassifierRules } from '../../firmware/recognition/matching/classifier.ts';
import { viewsOf } from '../../firmware/recognition/matching/grouping.ts';
import { toUnitVector } from '../../firmware/recognition/model/vectors.ts';
import { pick } from '../support.ts';
import { seeded } from '../tools/seeded.ts';
import { confidenceOf } from './steps.ts';
import { coloured, startRig } from './support.ts';

const test = suite('recognition: prototypes');
const DIMENSION = 64;
const RULES: ClassifierRules = {
  dimension: DIMENSION,
  temperature: 0.05,
  confidence: confidenceOf({ certain: 0.5, margin: 0.05, unknown: 0.2 }),
};
/** Cosine of two templates of one item, about as the model makes them. */
const ALIKE = 0.55;

/** Templates that are as alike as those of one item, around an axis. */
function cloud(axis: number, count: number, next: () => number, alike = ALIKE): Float32Array[] {
  const spread = Math.sqrt((1 - alike) / alike / (DIMENSION - 1));
  return Array.from({ length: count }, () =>
    toUnitVector(
      Float64Array.from({ length: DIMENSION }, (_, at) => {
        const noise = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
        return at === axis ? 1 : noise * spread;
      }),
    ),
  );
}

const axis = (at: number) => toUnitVector(Float64Array.from({ length: DIMENSION }, (_, one) => (one === at ? 1 : 0)));
/** On the circle of two axes. */
const turned = (degrees: number, one = 0, other = 1): Float32Array => {
  const made = new Float32Array(DIMENSION);
  made[one] = Math.cos((degrees * Math.PI) / 180);
  made[other] = Math.sin((degrees * Math.PI) / 180);
  return made;
};

function learned(items: Readonly<Record<string, readonly Float32Array[]>>): Classifier {
  const made = new Classifier(RULES);
  for (const [item, vectors] of Object.entries(items))
    made.addAll(vectors.map((vector, at) => ({ item, key: `${item}/${at}`, vector })));
  return made;
}

test('templates of a box’s front and of its back are two views, those of one look are one', () => {
  const next = seeded(1);
  for (const [front, back] of [
    [2, 2],
    [3, 2],
    [5, 5],
    [12, 3],
    [15, 15],
  ] as const) {
    const views = viewsOf([...cloud(0, front, next), ...cloud(1, back, next)]);
    assert.equal(
      views.map((places) => places.toSorted((a, b) => a - b)).sort(([a = 0], [b = 0]) => a - b),
      [Array.from({ length: front }, (_, at) => at), Array.from({ length: back }, (_, at) => front + at)],
      `${front} and ${back}`,
    );
  }
});

test('templates of one look do not fall apart, few ones never by chance', () => {
  const next = seeded(2);
  for (const count of [1, 2, 3, 4, 5, 6, 8, 10, 20, 30])
    for (let draw = 0; draw < 100; draw++)
      assert.is(viewsOf(cloud(0, count, next)).length, 1, `${count} templates, draw ${draw}`);
  assert.equal(viewsOf([]), [[]]);
});

test('two that differ, or stand beside one of another look, are no views: one may be a slip', () => {
  assert.is(viewsOf([axis(0), axis(1)]).length, 1);
  assert.is(viewsOf([axis(0), axis(0), axis(1)]).length, 1);
  assert.is(viewsOf([axis(0), axis(0), axis(1), axis(1)]).length, 2);
});

test('the fewer templates a view has, the further off it must be', () => {
  // templates of a view are at a cosine of 1; those of two views at the cosine of the angle
  const pairs = (count: number, degrees: number) =>
    viewsOf([
      ...Array.from({ length: count }, () => turned(0)),
      ...Array.from({ length: count }, () => turned(degrees)),
    ]);
  const degreesOf = (gap: number) => (Math.acos(1 - gap) * 180) / Math.PI;
  assert.is(pairs(2, degreesOf(0.34)).length, 1);
  assert.is(pairs(2, degreesOf(0.36)).length, 2);
  assert.is(pairs(20, degreesOf(0.27)).length, 2);
  assert.is(pairs(20, degreesOf(0.25)).length, 1);
});

test('a slip beside two views stands in the nearer one, and keeps them from nothing', () => {
  const next = seeded(3);
  const slip = toUnitVector(Float64Array.from({ length: DIMENSION }, (_, at) => [0.1, 0.4, 0, 1][at] ?? 0));
  const views = viewsOf([...cloud(0, 6, next), ...cloud(1, 6, next), slip]);
  assert.is(views.length, 2);
  assert.ok(views.find((places) => places.includes(12))?.includes(6), 'with those of the second axis');
  assert.is(views.flat().length, 13);
});

test('of very many templates the last ones define the views, and each further one stands in one', () => {
  const next = seeded(5);
  const fronts = cloud(0, 400, next);
  const backs = cloud(1, 400, next);
  const views = viewsOf(fronts.flatMap((front, at) => [front, backs[at] ?? front]));
  const sizes = views.map((places) => [places.length, new Set(places.map((place) => place % 2)).size]);
  assert.equal(sizes, [
    [400, 1],
    [400, 1],
  ]);
  assert.is(viewsOf([...backs.slice(0, 100), ...fronts.slice(0, 100)]).length, 1, 'the last sixty are of one look');
});

test('a view that is deleted is gone, and the others stay where they are', () => {
  const made = learned({ box: [axis(0), axis(0), axis(1), axis(1)], can: [axis(2), axis(2), axis(3), axis(3)] });
  assert.is(made.prototypeCount, 4);
  made.remove('box/0');
  made.remove('box/1');
  assert.equal([made.prototypeCount, made.prototypesOf('box')], [3, [axis(1)]]);
  assert.equal(made.prototypesOf('can').length, 2);
  for (const at of [2, 3]) {
    const [best] = made.classify(axis(at), 1).items;
    assert.is(best?.id, 'can');
    assert.ok((best?.similarity ?? 0) > 0.999, `view ${at}: ${best?.similarity}`);
  }
  assert.ok((made.classify(axis(0), 2).items[0]?.similarity ?? 1) < 1e-6);
  for (const view of [0, 1, 2, 3]) made.remove(`can/${view}`);
  assert.is(made.prototypeCount, 1);
  assert.is(made.classify(axis(1), 1).items[0]?.id, 'box');
});

test('views depend on no order of learning, and come back with what was deleted', () => {
  const next = seeded(6);
  const vectors = [...cloud(0, 5, next), ...cloud(1, 4, next), ...cloud(2, 3, next)];
  const items = vectors.map((vector, at) => ({ item: 'box', key: `${at}`, vector }));
  const first = new Classifier(RULES);
  first.addAll(items);
  assert.is(first.prototypesOf('box').length, 3);
  fc.assert(
    fc.property(fc.shuffledSubarray(items, { minLength: 12 }), fc.subarray(items, { minLength: 1 }), (order, gone) => {
      const other = new Classifier(RULES);
      for (const template of order) other.add(template);
      for (const { key } of gone) other.remove(key);
      other.addAll(gone);
      assert.equal(other.prototypesOf('box'), first.prototypesOf('box'));
    }),
    { numRuns: 30 },
  );
});

test('a look-alike of one view is reported, by the nearest pair of views', () => {
  const made = learned({
    box: [axis(0), axis(0), axis(1), axis(1)],
    twin: [turned(10, 1, 2), turned(10, 1, 2), axis(3), axis(3)],
  });
  made.addAll([1, 2].map((at) => ({ item: 'lid', key: `lid/${at}`, vector: turned(20, 0, 4) })));
  assert.equal(pick(made.neighboursOf('box', 3, 0.5), 'id'), ['twin', 'lid']);
  const [near] = made.neighboursOf('box', 1, 0.5);
  assert.is(near?.id, 'twin');
  assert.ok(Math.abs((near?.cosine ?? 0) - Math.cos(Math.PI / 18)) < 1e-6);
});

test('wrong templates that make a view of their own are still reported', () => {
  const made = learned({
    box: [0, 1, 2, 3, 4].map((at) => turned(at)),
    can: [0, 1, 2, 3].map((at) => turned(at, 2, 3)),
  });
  made.addAll([5, 6].map((at) => ({ item: 'box', key: `wrong${at}`, vector: turned(at, 2, 3) })));
  assert.is(made.prototypesOf('box').length, 2);
  const found = made.straysOf('box').map(({ key, looksLike }) => [key, looksLike.id]);
  assert.equal(found, [
    ['wrong5', 'can'],
    ['wrong6', 'can'],
  ]);
});

test('/health reports how many prototypes there are', async () => {
  await using rig = await startRig();
  for (const [r, b] of [
    [200, 20],
    [210, 20],
    [20, 200],
    [20, 210],
  ] as const)
    await rig.learn('box', await coloured(r, b));
  await rig.learn('can', await coloured(110, 110));
  const { gallery } = await rig.part('model');
  assert.equal([gallery.items, gallery.prototypes], [2, 3]);
});

test.run();
