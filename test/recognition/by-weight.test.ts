/** What a weight makes of candidates: it takes certainty away and never gives it. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  byWeight,
  classifyWeighed,
  MOST_PIECES,
  trustByWeight,
  weighed as weighedBy,
} from '../../firmware/recognition/matching/by-weight.ts';
import type { Classification } from '../../firmware/recognition/matching/classifier.ts';

const test = suite('recognition: candidates by weight');

const answer = (ids: readonly string[], certain = true): Classification => ({
  items: ids.map((id, at) => ({ id, score: [0.7, 0.2, 0.1][at] ?? 0, similarity: 0.9 - at / 10 })),
  verdict: { certain, unknown: false, reason: certain ? null : 'look-alikes' },
});
const ids = ({ items }: Classification): string[] => items.map(({ id }) => id);
const isFalling = (values: readonly number[]): boolean =>
  values.every((value, at) => value <= (values[at - 1] ?? Number.POSITIVE_INFINITY));

const PIECES: Readonly<Record<string, number>> = { roll: 65, melon: 2000 };
const pieceWeightOf = (id: string): number | null => PIECES[id] ?? null;
const weighed = (byLooks: Classification, grams: number, most = 5) =>
  weighedBy(byLooks, byWeight(grams, pieceWeightOf), most);

test('a fifth more or less than a few pieces is what they weigh, to the gram', () => {
  assert.is(MOST_PIECES, 20);
  for (const [piece, fits, differs] of [
    [100, [80, 120, 160, 2400], [79, 121, 159, 2401]],
    [15, [12, 18], [11, 19]],
    [55, [66], []],
    [1, [1], []],
    [50_000, [50_000], []],
  ] as const) {
    for (const grams of fits) assert.is(trustByWeight(grams, piece), 1, `${grams} g of ${piece} g`);
    for (const grams of differs) {
      const trust = trustByWeight(grams, piece);
      assert.ok(trust < 1 && trust > 0.3, `${grams} g of ${piece} g: ${trust}`);
    }
  }
});

test('trust falls with a weight’s error, never to nothing; without a piece weight any is right', () => {
  const falling = [78, 70, 60, 52, 40].map((grams) => trustByWeight(grams, 100));
  assert.ok(isFalling(falling), falling.join());
  assert.equal([trustByWeight(1, 100), trustByWeight(50_000, 1)], [0.02, 0.02]);
  assert.is(trustByWeight(1, null), 1);
});

test('one whose pieces do not weigh so much falls behind, uncertain; the others stay', () => {
  const found = weighed(answer(['melon', 'roll', 'other']), 130);
  assert.equal(ids(found), ['roll', 'other', 'melon']);
  assert.equal(found.verdict, { certain: false, unknown: false, reason: 'weight-differs' });
  assert.is(found.items[0]?.similarity, 0.8, 'as similar as it looks');
  assert.equal(weighed(answer(['melon', 'roll']), 4100).verdict.certain, true);
  assert.equal(weighed(answer(['other', 'melon']), 130).verdict.certain, true, 'only the best is asked');
  const unsure = (...ids: string[]) => weighed(answer(ids, false), 130).verdict.reason;
  assert.is(unsure('roll', 'melon'), 'look-alikes', 'a weight that fits gives nothing');
  assert.is(unsure('melon'), 'look-alikes', 'an uncertain verdict keeps its reason');
});

test('one of the right weight comes forward from behind those that are returned', () => {
  const many: Classification = {
    ...answer([]),
    items: ['melon', 'melon', 'melon', 'roll'].map((id, at) => ({ id, score: 0.4 - at / 10, similarity: 0.9 })),
  };
  const found = weighed(many, 130, 2);
  assert.equal([ids(found)[0], found.items.length], ['roll', 2]);
});

test('more candidates are asked for than are returned; without a weight no more', () => {
  const asked: number[] = [];
  const classify = (k: number): Classification => {
    asked.push(k);
    return answer(['melon', 'other', 'roll'].slice(0, k));
  };
  assert.equal(ids(classifyWeighed(classify, byWeight(130, pieceWeightOf), 1)), ['other']);
  assert.equal(ids(classifyWeighed(classify, null, 1)), ['melon']);
  assert.equal(asked, [16, 1]);
});

const known = fc.record({
  score: fc.double({ min: 0.001, max: 1, noNaN: true }),
  piece: fc.option(fc.integer({ min: 1, max: 50_000 }), { nil: null }),
});
const things = fc.record({
  all: fc.array(known, { minLength: 1, maxLength: 16 }).map((all) => all.toSorted((a, b) => b.score - a.score)),
  grams: fc.integer({ min: 1, max: 50_000 }),
  certain: fc.boolean(),
});

test('nothing becomes more certain or is lost, and of unknown weights nothing changes', () => {
  fc.assert(
    fc.property(things, ({ all, grams, certain }) => {
      const sum = all.reduce((total, { score }) => total + score, 0);
      const items = all.map(({ score }, at) => ({ id: String(at), score: score / sum, similarity: 0.5 }));
      const verdict = { certain, unknown: false, reason: certain ? null : ('look-alikes' as const) };
      const known = byWeight(grams, (id) => all[Number(id)]?.piece ?? null);
      const found = weighedBy({ items, verdict }, known, 5);
      assert.ok(!found.verdict.certain || (certain && found.items[0]?.id === '0'));
      assert.is(found.items.length, Math.min(5, items.length));
      assert.ok(Math.abs(found.items.reduce((total, { score }) => total + score, 0) - 1) < 1e-9);
      assert.ok(found.items.every(({ score }) => score > 0) && isFalling(found.items.map(({ score }) => score)));
      const same = weighedBy(
        { items, verdict },
        byWeight(grams, () => null),
        16,
      );
      assert.equal([ids(same), same.verdict], [ids({ items, verdict }), verdict]);
    }),
  );
});

test.run();
