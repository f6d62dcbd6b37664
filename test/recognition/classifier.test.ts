import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Classifier, type ClassifierRules } from '../../firmware/recognition/matching/classifier.ts';
import type { IndexedTemplate } from '../../firmware/recognition/matching/enrolled-items.ts';
import { pick } from '../support.ts';
import { confidenceOf } from './steps.ts';

const classifier = suite('classifier');
const DIMENSION = 6;
const RULES: ClassifierRules = {
  dimension: DIMENSION,
  temperature: 0.05,
  confidence: confidenceOf({ certain: 0.9, margin: 0.1, unknown: 0.5 }),
};

function unit(...values: number[]): Float32Array {
  const padded = [...values, ...new Array<number>(DIMENSION).fill(0)].slice(0, DIMENSION);
  const length = Math.hypot(...padded);
  return Float32Array.from(padded, (value) => value / length);
}

/** A direction between the first and the second axis. */
const at = (degrees: number) => unit(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));

function learned(...templates: (readonly [item: string, vector: Float32Array])[]): Classifier {
  const made = new Classifier(RULES);
  made.addAll(templates.map(([item, vector], number) => ({ item, key: `t${number}`, vector })));
  return made;
}

const vectors = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: DIMENSION, maxLength: DIMENSION })
  .filter((values) => Math.hypot(...values) > 0.01)
  .map((values) => unit(...values));
/** Few items and keys, so that they are replaced, emptied and created again. */
const templates: fc.Arbitrary<IndexedTemplate> = fc.record({
  item: fc.constantFrom('a', 'b', 'c', 'd'),
  key: fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8', '9'),
  vector: vectors,
});
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: templates.map((template) => ({ do: 'add' as const, template })) },
    { weight: 1, arbitrary: fc.array(templates, { maxLength: 5 }).map((list) => ({ do: 'addAll' as const, list })) },
    { weight: 2, arbitrary: templates.map(({ key }) => ({ do: 'remove' as const, key })) },
    { weight: 1, arbitrary: templates.map(({ item }) => ({ do: 'removeItem' as const, item })) },
  ),
  { maxLength: 60 },
);

classifier('no reported similarity is beyond that of a thing with itself', () => {
  fc.assert(
    fc.property(vectors, (vector) => {
      const opposite = vector.map((value) => -value);
      const { items } = learned(['same', vector], ['opposite', opposite]).classify(vector, 2);
      for (const { similarity } of items) assert.ok(Math.abs(similarity) <= 1, String(similarity));
    }),
  );
});

const byKey = <T extends { readonly key: string }>(all: readonly T[]) => new Map(all.map((one) => [one.key, one]));

classifier('any order of adding and removing gives bit for bit what a rebuild gives', () => {
  fc.assert(
    fc.property(steps, vectors, (list, query) => {
      const changed = new Classifier(RULES);
      const model = new Map<string, IndexedTemplate>();
      const put = (template: IndexedTemplate) => model.set(template.key, template);
      for (const step of list) {
        changed.evidenceOf(query); // what is kept of a pair is forgotten with its templates
        if (step.do === 'add') {
          changed.add(step.template);
          put(step.template);
        } else if (step.do === 'addAll') {
          changed.addAll(step.list);
          step.list.forEach(put);
        } else if (step.do === 'remove') {
          assert.is(changed.remove(step.key), model.delete(step.key));
        } else {
          const gone = [...model.values()].filter(({ item }) => item === step.item);
          for (const { key } of gone) assert.is(changed.remove(key), model.delete(key));
        }
      }
      const rebuilt = new Classifier(RULES);
      rebuilt.addAll([...model.values()].toReversed());
      assert.is(changed.templateCount, model.size);
      assert.is(changed.itemCount, rebuilt.itemCount);
      for (const item of ['a', 'b', 'c', 'd']) {
        assert.equal(changed.prototypesOf(item), rebuilt.prototypesOf(item));
        assert.is(changed.countOf(item), [...model.values()].filter((template) => template.item === item).length);
        assert.equal(changed.neighboursOf(item, 3, -1), rebuilt.neighboursOf(item, 3, -1));
        assert.equal(byKey(changed.straysOf(item)), byKey(rebuilt.straysOf(item)));
      }
      assert.equal(changed.evidenceOf(query), rebuilt.evidenceOf(query));
      assert.equal(changed.classify(query, 3), rebuilt.classify(query, 3));
    }),
    { numRuns: 400 },
  );
});

classifier('the most similar items come first, with their cosines and scores that sum to 1', () => {
  const made = learned(['near', at(10)], ['far', at(80)], ['middle', at(40)], ['behind', at(170)]);
  const { items } = made.classify(at(0), 3);
  assert.equal(pick(items, 'id'), ['near', 'middle', 'far']);
  for (const [rank, degrees] of [10, 40, 80].entries()) {
    const away = Math.abs((items[rank]?.similarity ?? 0) - Math.cos((degrees * Math.PI) / 180));
    assert.ok(away < 1e-6, `rank ${rank} is ${away} away`);
  }
  assert.ok(Math.abs(items.reduce((sum, { score }) => sum + score, 0) - 1) < 1e-9);
  const ratio = Math.exp((Math.cos((10 * Math.PI) / 180) - Math.cos((40 * Math.PI) / 180)) / RULES.temperature);
  assert.ok(Math.abs((items[0]?.score ?? 0) / (items[1]?.score ?? 1) / ratio - 1) < 1e-4, 'as warm as the model says');
});

classifier('items that are equally similar come in the order of their ids, however they were learned', () => {
  for (const order of [
    ['b', 'a', 'c'],
    ['c', 'b', 'a'],
  ]) {
    const made = learned(...order.map((item) => [item, at(20)] as const));
    assert.equal(pick(made.classify(at(0), 2).items, 'id'), ['a', 'b']);
  }
});

classifier('an item is scored by the direction of all its templates, and a quarter by the nearest', () => {
  const made = learned(['pair', at(-30)], ['pair', at(30)]);
  const similarity = (degrees: number) => made.classify(at(degrees), 1).items[0]?.similarity ?? 0;
  const cosine = (degrees: number) => Math.cos((degrees * Math.PI) / 180);
  assert.ok(Math.abs(similarity(0) - (0.75 + 0.25 * cosine(30))) < 1e-6);
  assert.ok(Math.abs(similarity(30) - (0.75 * cosine(30) + 0.25)) < 1e-6);
});

classifier('asking for more items changes nothing of the first ones', () => {
  fc.assert(
    fc.property(fc.array(templates, { minLength: 1, maxLength: 40 }), vectors, (list, query) => {
      const made = new Classifier(RULES);
      made.addAll(list.map((template, number) => ({ ...template, item: `${number % 25}`, key: `${number}` })));
      const ids = (k: number) => made.classify(query, k).items.map(({ id }) => id);
      assert.equal(ids(3), ids(10).slice(0, 3));
    }),
  );
});

classifier('a vector that is not of the model is refused and changes nothing', () => {
  const made = learned(['a', at(0)]);
  const before = made.prototypesOf('a');
  for (const vector of [
    new Float32Array(DIMENSION - 1),
    new Float32Array(DIMENSION).fill(Number.NaN),
    at(0).map((value) => 1.9 * value),
  ]) {
    assert.throws(
      () => made.add({ item: 'a', key: 'new', vector }),
      (error: Error) => error instanceof RangeError,
    );
    assert.throws(
      () => made.classify(vector, 1),
      (error: Error) => error instanceof RangeError,
    );
  }
  assert.equal([made.templateCount, made.prototypesOf('a')], [1, before]);
});

classifier('nothing learned yet is unknown', () => {
  const { items, verdict } = new Classifier(RULES).classify(at(0), 5);
  assert.equal(items, []);
  assert.equal(verdict, { certain: false, unknown: true, reason: 'no-templates' });
});

classifier('the verdict is certain only when the best item is near and alone', () => {
  const other = ['other', at(90)] as const;
  const verdict = (made: Classifier) => made.classify(at(0), 1).verdict;
  const uncertain = (reason: string, unknown = false) => ({ certain: false, unknown, reason });

  assert.equal(verdict(learned(['a', at(5)], other)), { certain: true, unknown: false, reason: null });
  assert.equal(verdict(learned(['a', at(5)])), { certain: true, unknown: false, reason: null });
  assert.equal(verdict(learned(['a', at(70)], other)), uncertain('unlike-all', true));
  assert.equal(verdict(learned(['a', at(40)], other)), uncertain('not-similar-enough'));
  assert.equal(verdict(learned(['a', at(5)], ['b', at(-15)])), uncertain('look-alikes'));
});

classifier('a query at speed fast is judged by a confidence of its own where the model has them', () => {
  const fast = { temperature: 0.5, confidence: confidenceOf({ certain: 0.7, margin: 0.1, unknown: 0.2 }) };
  const query = at(40);
  for (const [rules, reason] of [
    [RULES, 'not-similar-enough'],
    [{ ...RULES, fast }, null],
  ] as const) {
    const made = new Classifier(rules);
    made.addAll([
      { item: 'a', key: '1', vector: at(0) },
      { item: 'b', key: '2', vector: at(100) },
    ]);
    assert.is(made.classify(query, 2).verdict.reason, 'not-similar-enough');
    assert.is(made.classify(query, 2, 'fast').verdict.reason, reason);
    const [normal = 0, other = 0] = (['normal', 'fast'] as const).map(
      (speed) => made.classify(query, 2, speed).items[0]?.score ?? 0,
    );
    assert.is(normal > other, reason === null, 'the warmer, the more even are the scores');
  }
});

classifier.run();
