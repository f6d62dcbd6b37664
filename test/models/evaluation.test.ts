import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toUnitVector } from '../../firmware/recognition/embedding/embedder-vectors.ts';
import { areaUnderCurve, classifier, judge, meanPrototype, nearestTemplate } from '../../models/evaluation/judge.ts';
import { drawTemplates, type Row, readIndex } from '../../models/evaluation/protocol.ts';
import { learnWhitening } from '../../models/evaluation/whitening.ts';
import { confidenceOf } from '../recognition/steps.ts';
import { temporaryFolder, thrown } from '../support.ts';
import { seeded } from '../tools/seeded.ts';

const evaluation = suite('evaluation of models');
const ITEMS = ['apple', 'carrot', 'lemon', 'plum', 'radish', 'turnip'];
const ROWS: Row[] = ITEMS.flatMap((item) =>
  Array.from({ length: 20 }, (_, at) => ({
    path: `${item}/${at}.jpg`,
    item,
    group: 'all',
    split: at < 10 ? ('train' as const) : at < 12 ? ('val' as const) : ('test' as const),
  })),
);
const FOLDS = [ITEMS.slice(0, 3), ITEMS.slice(3)];
const RULES = {
  dimension: 6,
  temperature: 0.1,
  confidence: confidenceOf({ certain: 0.8, margin: 0.05, unknown: 0.5 }),
};

/** An axis for each item, with noise. */
function vectorsWith(noise: number): Float32Array[] {
  const random = seeded(7);
  return ROWS.map(({ item }) =>
    toUnitVector(Float64Array.from(ITEMS, (name) => (name === item ? 1 : 0) + noise * random())),
  );
}

evaluation('the area under the curve is the share of pairs in the right order, ties by half', () => {
  assert.is(areaUnderCurve([3, 4], [1, 2]), 1);
  assert.is(areaUnderCurve([1, 2], [3, 4]), 0);
  assert.is(areaUnderCurve([2, 2], [2, 2, 2]), 0.5);
  assert.is(areaUnderCurve([1, 3], [2]), 0.5);
  assert.is(areaUnderCurve([2, 3], [1, 2]), 0.875);
});

evaluation('a draw takes templates and queries of the judged items from different pictures, the same each time', () => {
  const judged = FOLDS[1] ?? [];
  const draw = drawTemplates(ROWS, judged, 5, 0);
  assert.equal([...draw.templates.keys()], judged);
  for (const [item, rows] of draw.templates) {
    assert.is(new Set(rows).size, 5);
    for (const row of rows) assert.ok(ROWS[row]?.item === item && ROWS[row]?.split !== 'test');
  }
  assert.is(draw.queries.length, 3 * 8);
  for (const { row, item } of draw.queries) assert.ok(ROWS[row]?.item === item && ROWS[row]?.split === 'test');
  assert.equal(drawTemplates(ROWS, judged, 5, 0), draw);
  assert.not.equal(drawTemplates(ROWS, judged, 5, 1).templates, draw.templates);
});

evaluation('vectors that part the items are judged perfect, by every head', () => {
  for (const head of [classifier(RULES, 'normal'), meanPrototype, nearestTemplate]) {
    for (const { top1, top3, auroc } of judge(ROWS, FOLDS, () => vectorsWith(0.1), 3, head)) {
      assert.equal([top1, top3, auroc], [100, 100, 1]);
    }
  }
  const [figures] = judge(ROWS, FOLDS, () => vectorsWith(0.1), 3, classifier(RULES, 'normal'));
  assert.equal([figures?.certain, figures?.wrong, figures?.flagged, figures?.fooled], [100, 0, 100, 0]);
});

evaluation('vectors that say nothing are judged like guessing', () => {
  const random = seeded(3);
  const noise = ROWS.map(() => toUnitVector(Float64Array.from(ITEMS, () => random() - 0.5)));
  const figures = judge(ROWS, FOLDS, () => noise, 1, classifier(RULES, 'normal'));
  const mean = (key: 'top1' | 'auroc') => figures.reduce((sum, one) => sum + one[key], 0) / figures.length;
  assert.ok(mean('top1') < 55, `top-1 of three items ${mean('top1')}`);
  assert.ok(Math.abs(mean('auroc') - 0.5) < 0.15, `AUROC ${mean('auroc')}`);
});

evaluation('whitening takes out a direction in which pictures of one item scatter', () => {
  // both items share a loud first value that says nothing; only the second distinguishes them
  const random = seeded(5);
  const make = (level: number) =>
    Array.from({ length: 60 }, () => {
      const vector = new Float32Array(64).fill(1);
      vector.set([100 * random() ** 2, (level + 0.1 * random()) ** 2]);
      return vector;
    });
  const items = [make(3), make(2)];
  const whiten = learnWhitening(items);
  const rightShare = (treat: (vector: Float32Array) => Float32Array): number => {
    const [one = [], other = []] = items.map((vectors) =>
      vectors.map((vector) => toUnitVector(Float64Array.from(treat(vector)))),
    );
    const ask = nearestTemplate(
      new Map([
        ['one', one.slice(0, 3)],
        ['other', other.slice(0, 3)],
      ]),
    );
    const right = [
      ...one.slice(3).map((query) => ask(query).ids[0] === 'one'),
      ...other.slice(3).map((query) => ask(query).ids[0] === 'other'),
    ];
    return right.filter(Boolean).length / right.length;
  };
  const [before, after] = [rightShare((vector) => vector), rightShare(whiten)];
  assert.ok(before < 0.9 && after > 0.95, `right ${before} before, ${after} after`);
});

evaluation('without the pictures it says which are missing, and where they come from', () => {
  using folder = temporaryFolder();
  assert.match(thrown(Error, () => readIndex(folder.path)).message, /index\.csv.*--data.*Grocery Store Dataset/);
});

evaluation.run();
