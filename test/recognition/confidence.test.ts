/** How likely an answer is right: against numbers worked out by hand, and what must hold for any weights and any answer. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Classifier } from '../../firmware/recognition/matching/classifier.ts';
import {
  type Evidence,
  FEATURE_NAMES,
  FEATURES,
  likelihoodOf,
  SPEAK_FOR,
  type Weights,
} from '../../firmware/recognition/matching/confidence.ts';
import { judge } from '../../firmware/recognition/matching/scoring.ts';
import { toUnitVector } from '../../firmware/recognition/model/vectors.ts';
import { seeded } from '../tools/seeded.ts';
import { confidenceOf, weightsOf } from './steps.ts';

const test = suite('recognition: confidence');

const EVIDENCE: Evidence = {
  items: 30,
  similarity: 0.68,
  nearest: 0.72,
  lead: 0.3,
  prototypeLead: 0.28,
  ratio: 0.12,
  pair: {
    templates: [5, 10],
    own: [
      { mean: 0.7, deviation: 0.12 },
      { mean: 0.65, deviation: 0.08 },
    ],
    leads: [
      { mean: 0.4, deviation: 0.1 },
      { mean: 0.35, deviation: 0.2 },
    ],
    cosine: 0.3,
  },
};

const close = (value: number | undefined, expected: number, tolerance = 1e-9): void =>
  assert.ok(Math.abs((value ?? Number.NaN) - expected) < tolerance, `${value} is not ${expected}`);

/** On the circle of the first two of four axes. */
const at = (degrees: number): Float32Array =>
  toUnitVector(Float64Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180), 0, 0));

function learned(items: Readonly<Record<string, readonly number[]>>): Classifier {
  const made = new Classifier({ dimension: 4, temperature: 0.05 });
  for (const [item, angles] of Object.entries(items))
    made.addAll(angles.map((degrees, key) => ({ item, key: `${item}/${key}`, vector: at(degrees) })));
  return made;
}

test('features are those of the evidence', () => {
  const expected = {
    ...{ constant: 1, closeLead: 0.25, lead: 0.3, prototypeLead: 0.28, similarity: 0.68, nearest: 0.72 },
    ...{ fewTemplates: 0.2, fewOfSecond: 0.1, ownLead: 0.4, leadOfSecond: 0.35, own: 0.7, ownOfSecond: 0.65 },
    // (0.3 + 0.35) / sqrt((10 × 0.2² + 5 × 0.15²) / 15), (0.68 - 0.7) / sqrt((5 × 0.12² + 5 × 0.1²) / 10)
    ...{ cosine: 0.3, unlikeSecond: 3.516512, likeOwn: -0.181071, ratio: 0.12 },
  };
  assert.equal(Object.keys(expected), [...FEATURE_NAMES]);
  for (const name of FEATURE_NAMES) close(FEATURES[name](EVIDENCE), expected[name], 1e-6);
  for (const name of ['lead', 'prototypeLead'] as const)
    close(FEATURES[name]({ ...EVIDENCE, lead: 0.9, prototypeLead: 0.9 }), 0.6);
});

test('a likelihood is the one that was worked out by hand', () => {
  const wrong = weightsOf({ constant: 1, lead: -10, fewOfSecond: 5 }); // 1 - 3 + 0.5
  const stranger = weightsOf({ constant: 2, similarity: -5, likeOwn: -2 }); // 2 - 3.4 + 0.362142
  const { right, wrong: asWrong, stranger: asStranger } = likelihoodOf({ wrong, stranger }, EVIDENCE);
  // 1, e^-1.5 = 0.223130 and e^-1.037858 = 0.354213 of 1.577343
  for (const [value, expected] of [
    [right, 0.633978],
    [asWrong, 0.14146],
    [asStranger, 0.224563],
  ] as const)
    close(value, expected, 1e-5);
  const sure = likelihoodOf({ wrong: weightsOf({ constant: 900 }), stranger: weightsOf({ constant: -900 }) }, EVIDENCE);
  assert.equal(sure, { right: 0, wrong: 1, stranger: 0 });
  const neither = weightsOf({ constant: -900 });
  assert.equal(likelihoodOf({ wrong: neither, stranger: neither }, EVIDENCE), { right: 1, wrong: 0, stranger: 0 });
});

const share = fc.double({ min: -1, max: 1, noNaN: true });
const spread = fc.record({ mean: share, deviation: fc.double({ min: 0, max: 1, noNaN: true }) });
const count = fc.integer({ min: 1, max: 60 });
const evidences: fc.Arbitrary<Evidence> = fc.record({
  ...{ items: count, similarity: share, nearest: share },
  lead: fc.double({ min: 0, max: 2, noNaN: true }),
  prototypeLead: fc.double({ min: -2, max: 2, noNaN: true }),
  ratio: fc.double({ min: -2, max: 2, noNaN: true }),
  pair: fc.record({
    templates: fc.tuple(count, count),
    own: fc.tuple(spread, spread),
    leads: fc.tuple(spread, spread),
    cosine: share,
  }),
});
const weights: fc.Arbitrary<Weights> = fc
  .array(fc.double({ min: -20, max: 20, noNaN: true }), {
    minLength: FEATURE_NAMES.length,
    maxLength: FEATURE_NAMES.length,
  })
  .map((values) =>
    weightsOf(
      Object.fromEntries(
        FEATURE_NAMES.map((name, place) => {
          const value = values[place] ?? 0;
          return [name, SPEAK_FOR.has(name) ? -Math.abs(value) : value];
        }),
      ),
    ),
  );

test('shares sum to 1; lead, similarity, ratio, nearness never make a right answer less likely', () => {
  fc.assert(
    fc.property(
      weights,
      weights,
      evidences,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (wrong, stranger, one, more) => {
        const before = likelihoodOf({ wrong, stranger }, one);
        assert.ok(Math.abs(before.right + before.wrong + before.stranger - 1) < 1e-9);
        for (const changed of [
          { lead: one.lead + more },
          { prototypeLead: one.prototypeLead + more },
          { similarity: one.similarity + more },
          { nearest: one.nearest + more },
          { ratio: one.ratio + more },
        ]) {
          const { right } = likelihoodOf({ wrong, stranger }, { ...one, ...changed });
          assert.ok(right >= before.right - 1e-12, `${right} after ${before.right}`);
        }
      },
    ),
  );
});

test('a verdict says which is the likeliest of what is not right', () => {
  const rules = { certain: 0.9, unknown: 0.8, floor: 0.66, measured: [] };
  const verdict = (wrong: number, stranger: number, changes: Partial<Evidence> = {}) =>
    judge(
      { ...EVIDENCE, ...changes },
      {
        ...rules,
        wrong: weightsOf({ constant: Math.log(wrong) }),
        stranger: weightsOf({ constant: Math.log(stranger) }),
      },
    );
  const uncertain = (reason: string, unknown = false) => ({ certain: false, unknown, reason });
  assert.equal(verdict(0.05, 0.05), { certain: true, unknown: false, reason: null });
  assert.equal(verdict(0.1, 0.05), uncertain('look-alikes'));
  assert.equal(verdict(0.05, 0.1), uncertain('not-similar-enough'));
  assert.equal(verdict(0.05, 5), uncertain('unlike-all', true));
  assert.equal(verdict(5, 5), uncertain('look-alikes'), 'a stranger or a look-alike');
  const ofNone = judge(null, { ...rules, wrong: weightsOf({}), stranger: weightsOf({}) });
  assert.equal(ofNone, uncertain('no-templates', true));
  assert.equal(judge(EVIDENCE, undefined), uncertain('not-similar-enough'), 'a model that says nothing of confidence');
});

test('where more templates alone would make it certain, that is the reason', () => {
  const wrong = weightsOf({ constant: Math.log(0.05), fewTemplates: 1, fewOfSecond: 1 });
  const rules = { certain: 0.9, unknown: 0.8, floor: 0.66, measured: [], wrong, stranger: weightsOf({ constant: -9 }) };
  const reason = (...templates: [number, number]) =>
    judge({ ...EVIDENCE, pair: { ...EVIDENCE.pair, templates } }, rules).reason;
  assert.equal([reason(10, 10), reason(1, 10), reason(10, 1), reason(1, 1)], [null, ...Array(3).fill('few-templates')]);
  const alike = { ...rules, wrong: { ...wrong, constant: 0 } };
  assert.is(judge(EVIDENCE, alike).reason, 'look-alikes', 'more templates would not do');
});

test('of fewer than ten items nothing below the floor is certain', () => {
  const confidence = confidenceOf({ certain: 0.5, margin: 0.05, unknown: 0.3, floor: 0.7 });
  const reason = (items: number, similarity: number) => judge({ ...EVIDENCE, items, similarity }, confidence).reason;
  for (const items of [1, 5, 9]) assert.equal([reason(items, 0.69), reason(items, 0.7)], ['not-similar-enough', null]);
  assert.equal([reason(10, 0.69), reason(80, 0.69)], [null, null]);
});

test('templates of a pair are compared with the rest of their own item and with the other', () => {
  const made = learned({ a: [0, 0, 90], b: [180, 180] });
  const evidence = made.evidenceOf(at(0));
  // two of a: half of the sum (1, 1), and the other as nearest; the third: the sum (2, 0)
  const near = 0.75 * Math.SQRT1_2 + 0.25;
  close(evidence?.pair.own[0].mean, (2 * near) / 3, 1e-6);
  close(evidence?.pair.own[0].deviation, Math.sqrt(2) * (near / 3), 1e-6);
  close(evidence?.pair.own[1].mean, 1, 1e-6);
  close(evidence?.pair.leads[0].mean, (2 * (near + 1) + 0) / 3, 1e-6);
  // b's templates: to the prototype (2, 1) of a, and to its nearest template, which is at a right angle
  close(evidence?.pair.leads[1].mean, 1 + 0.75 * (2 / Math.sqrt(5)), 1e-6);
  close(evidence?.pair.leads[1].deviation, 0, 1e-6);
  close(evidence?.pair.cosine, -2 / Math.sqrt(5), 1e-6);
  assert.equal(evidence?.pair.templates, [3, 2]);
  close(evidence?.similarity, 0.75 * (2 / Math.sqrt(5)) + 0.25, 1e-6);
  close(evidence?.nearest, 1, 1e-6);
  close(evidence?.lead, 0.75 * (2 / Math.sqrt(5)) + 0.25 + 1, 1e-6);
  close(evidence?.prototypeLead, 2 / Math.sqrt(5) + 1, 1e-6);
});

test('for one template, or a single item, the usual stands in for what is unknown', () => {
  const one = learned({ a: [0], b: [60, 60] }).evidenceOf(at(0));
  assert.equal(one?.pair.own[0], { mean: 0.7, deviation: 0.1 });
  close(one?.pair.leads[0].mean, 0.2, 1e-6);
  assert.is(one?.pair.leads[0].deviation, 0.15);
  const single = learned({ a: [0, 10] }).evidenceOf(at(0));
  assert.equal(
    { items: single?.items, lead: single?.lead, prototypeLead: single?.prototypeLead },
    { items: 1, lead: 0.6, prototypeLead: 0.6 },
  );
  assert.equal(single?.pair.leads[1], { mean: 0.7, deviation: 0.15 });
});

test('what was compared is forgotten with a template of either item, and of no other', () => {
  const made = learned({ a: [0, 4], b: [50, 54], c: [120, 124] });
  const pair = () => made.evidenceOf(at(2))?.pair;
  const first = pair();
  made.add({ item: 'c', key: 'c/2', vector: at(121) });
  assert.is(pair(), first, 'kept');
  made.add({ item: 'b', key: 'b/2', vector: at(52) });
  const second = pair();
  assert.equal(second?.templates, [2, 3]);
  made.add({ item: 'a', key: 'a/2', vector: at(20) });
  const third = pair();
  assert.equal(third?.templates, [3, 3]);
  assert.ok((third?.own[0].mean ?? 1) < (second?.own[0].mean ?? 0));
  made.confirm('a', at(30));
  assert.ok((pair()?.cosine ?? 0) > (third?.cosine ?? 1), 'its prototype has turned');
  for (const key of [0, 1, 2]) made.remove(`b/${key}`);
  assert.equal(pair()?.templates, [3, 3], 'c is the second');
  assert.ok((pair()?.cosine ?? 1) < 0);
});

test('of many templates some are left out, the same in any order', () => {
  const next = seeded(4);
  const angles = Array.from({ length: 47 }, () => 60 * next());
  const pairOf = (own: readonly number[]) => learned({ a: own, b: [100, 110] }).evidenceOf(at(20))?.pair;
  const pair = pairOf(angles);
  assert.equal(pairOf(angles.toReversed()), pair);
  const cos = (degrees: number) => Math.cos((degrees * Math.PI) / 180);
  const sin = (degrees: number) => Math.sin((degrees * Math.PI) / 180);
  const isLeftOut = (_: number, place: number) => Math.floor((20 * place) / 47) < Math.floor((20 * (place + 1)) / 47);
  const leftOut = angles.toSorted((one, other) => cos(one) - cos(other)).filter(isLeftOut);
  const own = leftOut.map((degrees) => {
    const others = angles.filter((other) => other !== degrees);
    const [x, y] = [cos, sin].map((of) => others.reduce((sum, other) => sum + of(other), 0));
    const prototype = ((x ?? 0) * cos(degrees) + (y ?? 0) * sin(degrees)) / Math.hypot(x ?? 0, y ?? 0);
    return 0.75 * prototype + 0.25 * Math.max(...others.map((other) => cos(other - degrees)));
  });
  assert.equal([pair?.templates, own.length], [[47, 2], 20]);
  close(pair?.own[0].mean, own.reduce((sum, one) => sum + one, 0) / 20, 1e-5);
});

test.run();
