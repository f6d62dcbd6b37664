/** What a size and a weight make of candidates: they take certainty away and never give it. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Size } from '../../firmware/recognition/calibration/thing-size.ts';
import { classifyMeasured, type Measure, measured } from '../../firmware/recognition/matching/by-measure.ts';
import { bySize, type KnownSizes, SIZE_TOLERANCE, trustBySize } from '../../firmware/recognition/matching/by-size.ts';
import { byWeight, MOST_PIECES, trustByWeight } from '../../firmware/recognition/matching/by-weight.ts';
import type { Classification } from '../../firmware/recognition/matching/classifier.ts';
import { together } from '../../firmware/recognition/matching/several.ts';

const test = suite('recognition: candidates by size and weight');

const answer = (ids: readonly string[], certain = true): Classification => ({
  items: ids.map((id, at) => ({ id, score: [0.7, 0.2, 0.1][at] ?? 0, similarity: 0.9 - at / 10 })),
  verdict: { certain, unknown: false, reason: certain ? null : 'look-alikes' },
});
const ids = ({ items }: Classification): string[] => items.map(({ id }) => id);
const isFalling = (values: readonly number[]): boolean =>
  values.every((value, at) => value <= (values[at - 1] ?? Number.POSITIVE_INFINITY));

const LIME: KnownSizes = { length: [50, 60], width: [45, 55] };
const MELON: KnownSizes = { length: [150, 220], width: [140, 200] };
const SMALL: Size = { lengthMm: 56, widthMm: 52 };
const sizesOf = (id: string): KnownSizes | null => ({ lime: LIME, melon: MELON })[id] ?? null;
const sized = (byLooks: Classification, most = 5) => measured(byLooks, [bySize(SMALL, sizesOf)], most);

test('within a quarter of what was learned nothing changes, beyond it trust falls, and never to nothing', () => {
  assert.is(SIZE_TOLERANCE, 1.25);
  const weight = (length: number, width = length) => trustBySize({ lengthMm: length, widthMm: width }, LIME);
  for (const [length, width] of [
    [55, 50],
    [74, 67],
    [41, 37],
    [74, 37],
  ] as const)
    assert.is(weight(length, width), 1, `${length} by ${width}`);
  assert.ok(weight(77, 60) < 1 && weight(77, 60) > 0.7, 'too long');
  assert.ok(weight(60, 71) < 1, 'too wide');
  assert.ok(weight(60, 34) < 1, 'too narrow');
  const falling = [80, 90, 100, 120].map((length) => weight(length));
  assert.ok(isFalling(falling), falling.join());
  assert.equal([weight(180), weight(5000), weight(1)], [0.02, 0.02, 0.02]);
  assert.is(trustBySize({ lengthMm: 1, widthMm: 1 }, null), 1);
});

test('a lime is not certain as a melon, and comes first where it is known', () => {
  const told = sized(answer(['melon', 'lime', 'other']));
  assert.equal(ids(told), ['lime', 'other', 'melon']);
  assert.equal(told.verdict, { certain: false, unknown: false, reason: 'size-differs' });
  assert.is(told.items[0]?.similarity, answer(['melon', 'lime']).items[1]?.similarity, 'as similar as it looks');
  const alone = sized(answer(['melon']));
  assert.equal([ids(alone), alone.items[0]?.score, alone.verdict.certain], [['melon'], 1, false]);
});

test('one of the right size stays certain, and one that is off takes nothing from it', () => {
  const told = sized(answer(['lime', 'melon']));
  assert.equal([ids(told), told.verdict.certain], [['lime', 'melon'], true]);
  assert.ok((told.items[0]?.score ?? 0) > 0.98);
});

test('an uncertain verdict keeps its reason', () => {
  const told = sized(answer(['melon', 'lime'], false));
  assert.is(told.verdict.reason, 'look-alikes');
  const [unknown] = [
    { ...answer(['melon']), verdict: { certain: false, unknown: true, reason: 'unlike-all' } as const },
  ];
  assert.is(sized(unknown).verdict.reason, 'unlike-all');
});

test('one of the right size comes forward from behind those that are told', () => {
  const many: Classification = {
    ...answer([]),
    items: ['melon', 'melon', 'melon', 'lime'].map((id, at) => ({ id, score: 0.4 - at / 10, similarity: 0.9 })),
  };
  const told = sized(many, 2);
  assert.equal([ids(told)[0], told.items.length], ['lime', 2]);
});

test('more candidates are asked for than are told; without a size as many as ever', () => {
  const asked: number[] = [];
  const classify = (k: number): Classification => {
    asked.push(k);
    return answer(['melon', 'other', 'lime'].slice(0, k));
  };
  assert.equal(ids(classifyMeasured(classify, [bySize(SMALL, sizesOf)], 1)), ['other']);
  assert.equal(ids(classifyMeasured(classify, [], 1)), ['melon']);
  assert.equal(asked, [16, 1]);
});

const PIECES: Readonly<Record<string, number>> = { roll: 65, melon: 2000 };
const pieceWeightOf = (id: string): number | null => PIECES[id] ?? null;
const weighed = (byLooks: Classification, grams: number, most = 5) =>
  measured(byLooks, [byWeight(grams, pieceWeightOf)], most);

test('a fifth more or less than a few pieces is what they weigh, to the gram', () => {
  assert.is(MOST_PIECES, 20);
  for (const [grams, piece] of [
    [80, 100],
    [120, 100],
    [160, 100],
    [12, 15],
    [18, 15],
    [66, 55],
    [2400, 100],
    [1, 1],
    [50_000, 50_000],
  ] as const)
    assert.is(trustByWeight(grams, piece), 1, `${grams} g of ${piece} g`);
  for (const [grams, piece] of [
    [79, 100],
    [121, 100],
    [159, 100],
    [11, 15],
    [19, 15],
    [2401, 100],
  ] as const) {
    const trust = trustByWeight(grams, piece);
    assert.ok(trust < 1 && trust > 0.3, `${grams} g of ${piece} g: ${trust}`);
  }
});

test('trust falls the farther a weight is off, and never to nothing; what is not sold by the piece weighs anything', () => {
  const falling = [78, 70, 60, 52, 40].map((grams) => trustByWeight(grams, 100));
  assert.ok(isFalling(falling), falling.join());
  assert.equal([trustByWeight(1, 100), trustByWeight(50_000, 1)], [0.02, 0.02]);
  assert.is(trustByWeight(1, null), 1);
});

test('one whose pieces do not weigh so much falls behind and is not certain; the others stay as they are', () => {
  const told = weighed(answer(['melon', 'roll', 'other']), 130);
  assert.equal(ids(told), ['roll', 'other', 'melon']);
  assert.equal(told.verdict, { certain: false, unknown: false, reason: 'weight-differs' });
  assert.is(told.items[0]?.similarity, 0.8, 'as similar as it looks');
  assert.equal(weighed(answer(['melon', 'roll']), 4100).verdict.certain, true);
  assert.equal(weighed(answer(['other', 'melon']), 130).verdict.certain, true, 'only the best is asked');
  assert.is(
    weighed(answer(['roll', 'melon'], false), 130).verdict.reason,
    'look-alikes',
    'a weight that fits gives nothing',
  );
  assert.is(
    weighed(answer(['melon'], false), 130).verdict.reason,
    'look-alikes',
    'an uncertain verdict keeps its reason',
  );
});

test('size and weight are taken together, and the size is named first', () => {
  const small = bySize({ lengthMm: 50, widthMm: 50 }, (id) =>
    id === 'melon' ? { length: [200, 200], width: [200, 200] } : null,
  );
  const both = measured(answer(['melon', 'roll', 'other']), [small, byWeight(30, pieceWeightOf)], 5);
  assert.equal([ids(both), both.verdict.reason], [['other', 'roll', 'melon'], 'size-differs']);
  const [, , last] = both.items;
  const [, , bySizeAlone] = measured(answer(['melon', 'roll', 'other']), [small], 5).items;
  assert.ok((last?.score ?? 1) < (bySizeAlone?.score ?? 0), 'off in both');
  const heavy = measured(answer(['roll', 'melon']), [small, byWeight(30, pieceWeightOf)], 5);
  assert.is(heavy.verdict.reason, 'weight-differs');
});

test('several things that are one item weigh a few pieces of it; of different ones a weight says nothing', () => {
  const ofAll = (grams: number): Measure[] => [byWeight(grams, pieceWeightOf)];
  const rolls = [answer(['roll']), answer(['roll'])];
  assert.is(together(rolls, 5, ofAll(130)).verdict.certain, true);
  assert.is(together(rolls, 5, ofAll(20)).verdict.reason, 'weight-differs');
  const mixed = [answer(['roll']), answer(['melon'])];
  assert.equal(together(mixed, 5, ofAll(20)), together(mixed, 5));
});

const millimetres = fc.integer({ min: 1, max: 600 });
const range = fc.tuple(millimetres, millimetres).map((pair) => pair.toSorted((a, b) => a - b) as [number, number]);
const known = fc.record({
  score: fc.double({ min: 0.001, max: 1, noNaN: true }),
  sizes: fc.option(fc.record({ length: range, width: range }), { nil: null }),
  piece: fc.option(fc.integer({ min: 1, max: 50_000 }), { nil: null }),
});
const things = fc.record({
  all: fc.array(known, { minLength: 1, maxLength: 16 }).map((all) => all.toSorted((a, b) => b.score - a.score)),
  size: fc.record({ lengthMm: millimetres, widthMm: millimetres }),
  grams: fc.integer({ min: 1, max: 50_000 }),
  certain: fc.boolean(),
});

test('nothing becomes more certain, nothing is lost, and where nothing is known of the items nothing changes', () => {
  fc.assert(
    fc.property(things, ({ all, size, grams, certain }) => {
      const sum = all.reduce((total, { score }) => total + score, 0);
      const items = all.map(({ score }, at) => ({ id: String(at), score: score / sum, similarity: 0.5 }));
      const verdict = { certain, unknown: false, reason: certain ? null : ('look-alikes' as const) };
      for (const [measure, neutral] of [
        [bySize(size, (id) => all[Number(id)]?.sizes ?? null), bySize(size, () => null)],
        [byWeight(grams, (id) => all[Number(id)]?.piece ?? null), byWeight(grams, () => null)],
      ] as const) {
        const told = measured({ items, verdict }, [measure], 5);
        assert.ok(!told.verdict.certain || (certain && told.items[0]?.id === '0'));
        assert.is(told.items.length, Math.min(5, items.length));
        assert.ok(Math.abs(told.items.reduce((total, { score }) => total + score, 0) - 1) < 1e-9);
        assert.ok(told.items.every(({ score }) => score > 0) && isFalling(told.items.map(({ score }) => score)));
        const same = measured({ items, verdict }, [neutral], 16);
        assert.equal([ids(same), same.verdict], [ids({ items, verdict }), verdict]);
      }
    }),
  );
});

test.run();
