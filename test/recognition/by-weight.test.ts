/** What a weight makes of candidates: it takes certainty away and never gives it. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Measure, measured } from '../../firmware/recognition/matching/by-measure.ts';
import { bySize } from '../../firmware/recognition/matching/by-size.ts';
import { byWeight, MOST_PIECES, trustByWeight } from '../../firmware/recognition/matching/by-weight.ts';
import type { Classification } from '../../firmware/recognition/matching/classifier.ts';
import { together } from '../../firmware/recognition/matching/several.ts';

const test = suite('recognition: candidates by their weight');

const PIECES: Readonly<Record<string, number>> = { roll: 65, melon: 2000 };
const pieceWeightOf = (id: string): number | null => PIECES[id] ?? null;
const answer = (ids: readonly string[], certain = true): Classification => ({
  items: ids.map((id, at) => ({ id, score: [0.7, 0.2, 0.1][at] ?? 0, similarity: 0.9 - at / 10 })),
  verdict: { certain, unknown: false, reason: certain ? null : 'look-alikes' },
});
const ids = ({ items }: Classification): string[] => items.map(({ id }) => id);
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
  assert.equal(
    falling,
    falling.toSorted((one, other) => other - one),
  );
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
  assert.is(weighed(answer(['melon'], false), 130).verdict.reason, 'look-alikes', 'a doubt stays the same doubt');
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

test('nothing becomes more certain, nothing is lost, and where nothing is said of the items nothing changes', () => {
  const piece = fc.option(fc.integer({ min: 1, max: 50_000 }), { nil: null });
  const item = fc.record({ score: fc.double({ min: 0.001, max: 1, noNaN: true }), piece });
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 1, maxLength: 16 }),
      fc.integer({ min: 1, max: 50_000 }),
      fc.boolean(),
      (all, grams, certain) => {
        const sorted = all.toSorted((one, other) => other.score - one.score);
        const sum = sorted.reduce((total, { score }) => total + score, 0);
        const items = sorted.map(({ score }, at) => ({ id: String(at), score: score / sum, similarity: 0.5 }));
        const verdict = { certain, unknown: false, reason: certain ? null : ('look-alikes' as const) };
        const told = measured({ items, verdict }, [byWeight(grams, (id) => sorted[Number(id)]?.piece ?? null)], 5);
        assert.ok(!told.verdict.certain || (certain && told.items[0]?.id === '0'));
        assert.is(told.items.length, Math.min(5, items.length));
        assert.ok(Math.abs(told.items.reduce((total, { score }) => total + score, 0) - 1) < 1e-9);
        assert.ok(told.items.every(({ score }) => score > 0));
        const neutral = measured({ items, verdict }, [byWeight(grams, () => null)], 16);
        assert.equal([ids(neutral), neutral.verdict], [ids({ items, verdict }), verdict]);
      },
    ),
  );
});

test.run();
