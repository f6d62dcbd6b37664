/** What a size makes of candidates: it takes certainty away and never gives it. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Size } from '../../firmware/recognition/calibration/thing-size.ts';
import { classifyMeasured, measured } from '../../firmware/recognition/matching/by-measure.ts';
import { bySize, type KnownSizes, SIZE_TOLERANCE, trustBySize } from '../../firmware/recognition/matching/by-size.ts';
import type { Classification } from '../../firmware/recognition/matching/classifier.ts';

const test = suite('recognition: candidates by their size');

const LIME: KnownSizes = { length: [50, 60], width: [45, 55] };
const MELON: KnownSizes = { length: [150, 220], width: [140, 200] };

const answer = (ids: readonly string[], certain = true): Classification => ({
  items: ids.map((id, at) => ({ id, score: [0.7, 0.2, 0.1][at] ?? 0, similarity: 0.9 - at / 10 })),
  verdict: { certain, unknown: false, reason: certain ? null : 'look-alikes' },
});
const known = (id: string): KnownSizes | null => ({ lime: LIME, melon: MELON })[id] ?? null;
const withSize = (
  byLooks: Classification,
  size: Size,
  knownOf: (item: string) => KnownSizes | null,
  most: number,
): Classification => measured(byLooks, [bySize(size, knownOf)], most);
const ids = ({ items }: Classification): string[] => items.map(({ id }) => id);

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
  assert.equal(
    falling,
    falling.toSorted((one, other) => other - one),
  );
  assert.equal([weight(180), weight(5000), weight(1)], [0.02, 0.02, 0.02]);
  assert.is(trustBySize({ lengthMm: 1, widthMm: 1 }, null), 1);
});

test('a lime is not certain as a melon, and comes first where it is known', () => {
  const small = { lengthMm: 56, widthMm: 52 };
  const told = withSize(answer(['melon', 'lime', 'other']), small, known, 5);
  assert.equal(ids(told), ['lime', 'other', 'melon']);
  assert.equal(told.verdict, { certain: false, unknown: false, reason: 'size-differs' });
  assert.is(told.items[0]?.similarity, answer(['melon', 'lime']).items[1]?.similarity, 'as similar as it looks');
  const alone = withSize(answer(['melon']), small, known, 5);
  assert.equal([ids(alone), alone.items[0]?.score, alone.verdict.certain], [['melon'], 1, false]);
});

test('one of the right size stays certain, and one that is off takes nothing from it', () => {
  const told = withSize(answer(['lime', 'melon']), { lengthMm: 56, widthMm: 52 }, known, 5);
  assert.equal([ids(told), told.verdict.certain], [['lime', 'melon'], true]);
  assert.ok((told.items[0]?.score ?? 0) > 0.98);
});

test('a doubt stays the same doubt', () => {
  const told = withSize(answer(['melon', 'lime'], false), { lengthMm: 56, widthMm: 52 }, known, 5);
  assert.is(told.verdict.reason, 'look-alikes');
  const [unknown] = [
    { ...answer(['melon']), verdict: { certain: false, unknown: true, reason: 'unlike-all' } as const },
  ];
  assert.is(withSize(unknown, { lengthMm: 56, widthMm: 52 }, known, 5).verdict.reason, 'unlike-all');
});

test('one of the right size comes forward from behind those that are told', () => {
  const many: Classification = {
    ...answer([]),
    items: ['melon', 'melon', 'melon', 'lime'].map((id, at) => ({ id, score: 0.4 - at / 10, similarity: 0.9 })),
  };
  const told = withSize(many, { lengthMm: 56, widthMm: 52 }, known, 2);
  assert.equal([ids(told)[0], told.items.length], ['lime', 2]);
});

test('more candidates are asked for than are told; without a size as many as ever', () => {
  const asked: number[] = [];
  const classify = (k: number): Classification => {
    asked.push(k);
    return answer(['melon', 'other', 'lime'].slice(0, k));
  };
  assert.equal(ids(classifyMeasured(classify, [bySize({ lengthMm: 56, widthMm: 52 }, known)], 1)), ['other']);
  assert.equal(ids(classifyMeasured(classify, [], 1)), ['melon']);
  assert.equal(asked, [16, 1]);
});

test('nothing becomes more certain, nothing is lost, and where no size is known nothing changes', () => {
  const millimetres = fc.integer({ min: 1, max: 600 });
  const range = fc.tuple(millimetres, millimetres).map((pair) => pair.toSorted((a, b) => a - b) as [number, number]);
  const sizes = fc.option(fc.record({ length: range, width: range }), { nil: null });
  const item = fc.record({ score: fc.double({ min: 0.001, max: 1, noNaN: true }), known: sizes });
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 1, maxLength: 16 }),
      fc.record({ lengthMm: millimetres, widthMm: millimetres }),
      fc.boolean(),
      (all, size, certain) => {
        const sorted = all.toSorted((one, other) => other.score - one.score);
        const sum = sorted.reduce((total, { score }) => total + score, 0);
        const items = sorted.map(({ score }, at) => ({ id: String(at), score: score / sum, similarity: 0.5 }));
        const verdict = { certain, unknown: false, reason: certain ? null : ('look-alikes' as const) };
        const told = withSize({ items, verdict }, size, (id) => sorted[Number(id)]?.known ?? null, 5);
        assert.ok(!told.verdict.certain || (certain && told.items[0]?.id === '0'));
        assert.is(told.items.length, Math.min(5, items.length));
        assert.ok(Math.abs(told.items.reduce((total, { score }) => total + score, 0) - 1) < 1e-9);
        assert.ok(told.items.every(({ score }, at) => score >= 0 && score <= (told.items[at - 1]?.score ?? 1)));
        const neutral = withSize({ items, verdict }, size, () => null, 16);
        assert.equal([ids(neutral), neutral.verdict], [ids({ items, verdict }), verdict]);
      },
    ),
  );
});

test.run();
