import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addLook, agree } from '../../firmware/lanectl/commands/recorded-set.ts';
import { toUnitVector } from '../../firmware/recognition/model/vectors.ts';
import { vectorSources } from '../../models/evaluation/embeddings.ts';
import { areaUnderCurve, classifier, judge, meanPrototype, nearestTemplate } from '../../models/evaluation/judge.ts';
import { drawTemplates, oneFold, type Row, readIndex } from '../../models/evaluation/protocol.ts';
import { learnWhitening } from '../../models/evaluation/whitening.ts';
import { confidenceOf } from '../recognition/steps.ts';
import { ROOT } from '../root.ts';
import { runCommand } from '../runner/command.ts';
import { temporaryFolder, thrown } from '../support.ts';
import { seeded } from '../tools/seeded.ts';

const test = suite('evaluation of models');
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

test('vectors are reused until their code has changed, be it in a worker or behind another file', () => {
  const sources = vectorSources().filter((path) => path.startsWith('firmware/recognition/'));
  const made = ['embedder-worker', 'litert', 'tensors'].map((name) => `embedding/${name}`);
  for (const name of [...made, 'model/vectors', 'vision/frame', 'vision/frame-picture', 'vision/cut'])
    assert.ok(sources.includes(`firmware/recognition/${name}.ts`), name);
  assert.not(sources.some((path) => path.includes('/http/')));
});

/** An axis for each item, with noise. */
function vectorsWith(noise: number): Float32Array[] {
  const random = seeded(7);
  return ROWS.map(({ item }) =>
    toUnitVector(Float64Array.from(ITEMS, (name) => (name === item ? 1 : 0) + noise * random())),
  );
}

test('the area under the curve is the share of pairs in the right order, ties by half', () => {
  assert.is(areaUnderCurve([3, 4], [1, 2]), 1);
  assert.is(areaUnderCurve([1, 2], [3, 4]), 0);
  assert.is(areaUnderCurve([2, 2], [2, 2, 2]), 0.5);
  assert.is(areaUnderCurve([1, 3], [2]), 0.5);
  assert.is(areaUnderCurve([2, 3], [1, 2]), 0.875);
});

test('a draw takes judged items’ templates and queries from different pictures, reproducibly', () => {
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

test('vectors that part the items are judged perfect, by every head', () => {
  for (const head of [classifier(RULES, 'normal'), meanPrototype, nearestTemplate]) {
    for (const { top1, top3, auroc } of judge(ROWS, FOLDS, () => vectorsWith(0.1), 3, head)) {
      assert.equal({ top1, top3, auroc }, { top1: 100, top3: 100, auroc: 1 });
    }
  }
  const [figures] = judge(ROWS, FOLDS, () => vectorsWith(0.1), 3, classifier(RULES, 'normal'));
  assert.equal(
    { certain: figures?.certain, wrong: figures?.wrong, flagged: figures?.flagged, fooled: figures?.fooled },
    { certain: 100, wrong: 0, flagged: 100, fooled: 0 },
  );
});

test('vectors that say nothing are judged like guessing', () => {
  const random = seeded(3);
  const noise = ROWS.map(() => toUnitVector(Float64Array.from(ITEMS, () => random() - 0.5)));
  const figures = judge(ROWS, FOLDS, () => noise, 1, classifier(RULES, 'normal'));
  const mean = (key: 'top1' | 'auroc') => figures.reduce((sum, one) => sum + one[key], 0) / figures.length;
  assert.ok(mean('top1') < 55, `top-1 of three items ${mean('top1')}`);
  assert.ok(Math.abs(mean('auroc') - 0.5) < 0.15, `AUROC ${mean('auroc')}`);
});

test('whitening takes out a direction in which pictures of one item scatter', () => {
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

test('without the pictures it says which are missing, and where they come from', () => {
  using folder = temporaryFolder();
  assert.match(thrown(Error, () => readIndex(folder.path)).message, /index\.csv.*--data.*Grocery Store Dataset/);
});

/** A dot on a ground. */
async function drawn(ground: string, dot: string, x: number): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="${ground}"/><circle cx="${x}" cy="128" r="80" fill="${dot}"/></svg>`;
  return await sharp(Buffer.from(svg)).jpeg().toBuffer();
}
const judged = (folder: string, cache: string) =>
  runCommand('env', [`TMPDIR=${cache}`, process.execPath, join(ROOT, 'models/evaluate.ts'), '--data', folder]);

test('the shipped model is judged by a recorded set: earlier looks are learned, later ones asked', async () => {
  using set = temporaryFolder();
  using cache = temporaryFolder();
  agree(set.path, {});
  for (let at = 0; at < 7; at++)
    for (const [item, ground, dot] of [
      ['4011', '#ffe135', '#333333'],
      ['milk', '#ffffff', '#1f63b0'],
      ['tea', '#205020', '#b3302a'],
    ] as const) {
      if (item === 'tea' && at > 5) continue;
      addLook(set.path, { item, conditions: [] }, await drawn(ground, dot, 110 + 6 * at));
    }
  const rows = readIndex(set.path);
  const splits = (name: string) =>
    rows
      .filter(({ item }) => item === name)
      .map(({ split }) => split[1])
      .join('');
  assert.equal(['4011', 'milk', 'tea'].map(splits), ['rrrreee', 'rrrreee', 'rrreee']);
  assert.equal(oneFold(rows).folds, [['4011', 'milk', 'tea']]);
  const { code, output } = await judged(set.path, cache.path);
  assert.is(code, 0, output);
  assert.match(output, '20 pictures of 3 items; folds: one, of all items');
  const table = [...output.matchAll(/^\| (lane-embed-1 .*), (normal|fast) \| (\d+) \| ([\d.]+) ±/gm)];
  assert.equal(
    table.map(([, , speed, templates, top1]) => [speed, templates, top1]),
    ['normal', 'fast'].flatMap((speed) => ['1', '3'].map((templates) => [speed, templates, '100.0'])),
  );
  assert.not.match(output, /seen in training|without the judged fold/);
});

test('a recorded set in which there is nothing to tell apart is refused', async () => {
  using set = temporaryFolder();
  agree(set.path, {});
  for (const item of ['a', 'a', 'b']) addLook(set.path, { item, conditions: [] }, await drawn('#fff', '#000', 128));
  const { code, output } = await judged(set.path, set.path);
  assert.is(code, 1);
  assert.match(output, /two items or more with two looks each/);
});

test.run();
