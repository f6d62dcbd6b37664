/** What is measured of learning on the device: the trials hold what they say, and the device's classifier answers them. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toUnitVector } from '../../firmware/recognition/model/vectors.ts';
import { agedItems, changedItems } from '../../models/learning/ages.ts';
import { confirmedItems } from '../../models/learning/confirmed.ts';
import { learnScatter, whitenedItems } from '../../models/learning/scatter.ts';
import { ask, cellsOf, enrol, foldItems, type Vectors } from '../../models/learning/trial.ts';
import { boxes, plainItems } from '../../models/learning/views.ts';
import { SAID, weighedItems, weightOf } from '../../models/learning/weighed.ts';
import { confidenceOf } from '../recognition/steps.ts';
import { ROOT } from '../root.ts';
import { runCommand } from '../runner/command.ts';
import { pick } from '../support.ts';
import { randomOf } from '../tools/scenes/random.ts';
import { seeded } from '../tools/seeded.ts';

const test = suite('learning on the device');
const ITEMS = ['apple', 'carrot', 'lemon', 'plum', 'radish'];
const DIMENSION = 8;

/** An axis for each item, with noise. */
function model(): Vectors {
  const random = seeded(7);
  const rows = ITEMS.flatMap((item) =>
    Array.from({ length: 16 }, (_, at) => ({
      ...{ path: `${item}/${at}.jpg`, item, group: 'all' },
      split: at < 12 ? ('train' as const) : ('test' as const),
    })),
  );
  const vectors = rows.map(({ item }) =>
    toUnitVector(Float64Array.from({ length: DIMENSION }, (_, at) => Number(ITEMS[at] === item) + 0.1 * random())),
  );
  return {
    rules: {
      dimension: DIMENSION,
      temperature: 1,
      confidence: confidenceOf({ certain: 0.5, margin: 0.05, unknown: 0.3 }),
    },
    rows,
    vectors: { normal: vectors, fast: vectors },
  };
}
const fold = foldItems(ITEMS, model(), 'normal');

test('queries are of split test, templates of the others', () => {
  const { enrolled, queries } = plainItems(fold, 4, 1);
  assert.equal(pick([...enrolled.values()], 'length'), [4, 4, 4, 4, 4]);
  assert.equal(pick([...queries.values()], 'length'), [4, 4, 4, 4, 4]);
  assert.equal(plainItems(fold, 4, 1), plainItems(fold, 4, 1), 'drawn from seeds');
});

test('a box is two items under one name, and has two prototypes', () => {
  const trial = boxes(fold, 5, 1);
  assert.is(trial.enrolled.size, 2);
  assert.equal(pick([...trial.queries.values()], 'length'), [8, 8]);
  const tally = ask(enrol(trial), trial, 'normal');
  assert.equal(tally, { asked: 16, right: 16, certain: 16, wrong: 0, items: 2, prototypes: 4 });
  assert.equal(cellsOf([tally]), ['100.0', '100.0', '0.0', '2.00']);
  assert.is(cellsOf([{ ...tally, certain: 0 }])[2], '-');
});

test('half of the queries of an item are confirmed, the others asked before and after', () => {
  const { before, after } = confirmedItems(fold, 4, 0.5, 1, 'normal');
  assert.equal(
    { beforeAsked: before.asked, afterAsked: after.asked, items: before.items },
    { beforeAsked: 10, afterAsked: 10, items: 5 },
  );
});

test("an item that has changed has its look-alike's old templates, and asks for its new look", () => {
  const rows = model().rows;
  const { trial, ageless } = changedItems(fold, rows, 1);
  assert.equal([trial.enrolled.size, trial.queries.size], [3, 2]);
  const lengths = [...trial.enrolled.values()].map(({ length }) => length);
  assert.equal(
    lengths.sort((one, other) => one - other),
    [10, 15, 15],
  );
  const ages = [...trial.enrolled.values()].flat().map(({ madeAt }) => madeAt);
  assert.is(new Set(ages).size, 2);
  assert.ok([...ageless.enrolled.values()].flat().every(({ madeAt }) => madeAt === undefined));
  assert.is(new Set([...agedItems(fold, 4, 1).trial.enrolled.values()].flat().map(({ madeAt }) => madeAt)).size, 20);
});

test('a scatter shortens the directions in which templates of one item differ', () => {
  const unit = (...values: number[]) => toUnitVector(Float64Array.from(values));
  const whiten = learnScatter(
    [[unit(1, 0.5, 0), unit(1, -0.5, 0)], [unit(0.5, 0, 1), unit(-0.5, 0, 1)].slice(0, 1)],
    0.5,
  );
  const [x = 0, y = 0] = whiten(unit(1, 1, 0));
  assert.ok(y < 0.9 * x, `${x} ${y}`);
  const plain = whitenedItems(fold, 4, 1, 1);
  assert.equal(plain, plainItems(fold, 4, 1));
  assert.is(ask(enrol(plain), whitenedItems(fold, 4, 0.8, 1), 'normal').asked, 20);
});

test('without pictures it says which ones it needs', async () => {
  const { code, output } = await runCommand(process.execPath, [join(ROOT, 'models/learning.ts')]);
  assert.is(code, 1);
  assert.match(output, /--data FOLDER/);
});

test('a weight is a few pieces’, each off as said; an item without a published weight has none', () => {
  const random = randomOf('weights');
  const weigh = (item: string, spread: number) =>
    Array.from({ length: 400 }, () => weightOf(item, spread, random) ?? 0);
  const milk = weigh('Arla-Standard-Milk', 0.9).map((grams) => grams / 1065);
  assert.ok(milk.every((pieces) => Math.abs(pieces - Math.round(pieces)) < 0.15 && pieces > 0.8 && pieces < 2.2));
  assert.ok(milk.filter((pieces) => pieces > 1.5).length < 120, 'mostly one');
  const oranges = weigh('Orange', 0).map((grams) => grams / 131);
  assert.equal([...new Set(oranges)].sort(), [1, 2, 3, 4, 5, 6]);
  assert.equal(new Set(weigh('Brown-Cap-Mushroom', 0).map((grams) => grams >= 160 && grams <= 400)), new Set([true]));
  assert.is(weightOf('apple', 0.1, random), null);
  assert.equal(
    {
      nothingOrange: SAID.nothing.get('Orange'),
      cartonsOrange: SAID.cartons.get('Orange'),
      allOrange: SAID.all.get('Orange'),
    },
    { nothingOrange: undefined, cartonsOrange: undefined, allOrange: 131 },
  );
});

test('of two items that look the same a scale decides, where their pieces weigh as was said', () => {
  const items = ['Orange', 'Watermelon'];
  const look = toUnitVector(Float64Array.from({ length: DIMENSION }, () => 1));
  const looks = new Map(items.map((item) => [item, Array.from({ length: 8 }, () => look)]));
  const same = { items, rules: model().rules, shown: looks, asked: looks };
  const rightWith = (said: keyof typeof SAID): number =>
    weighedItems(same, { said: SAID[said], count: 4, spread: 0.05 }, 1, 'normal').right;
  assert.equal((['nothing', 'cartons', 'all'] as const).map(rightWith), [8, 8, 16]);
});

test.run();
