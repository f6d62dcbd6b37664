/** What an old template counts beside new ones, by identifiers that wrong clocks may have made. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { Classifier } from '../../firmware/recognition/matching/classifier.ts';
import { prototypesOf, WHOLE, weightsOf } from '../../firmware/recognition/matching/prototypes-of.ts';
import { TemplateIndex } from '../../firmware/recognition/matching/template-index.ts';
import { toUnitVector } from '../../firmware/recognition/model/vectors.ts';
import { TemplateExchange } from '../../firmware/recognition/templates/exchange.ts';
import { momentOf } from '../../firmware/recognition/templates/sid.ts';
import { Templates } from '../../firmware/recognition/templates/templates.ts';
import { TemplatesFile } from '../../firmware/recognition/templates/templates-database.ts';
import { temporaryFolder } from '../support.ts';
import { FakeModel } from './support.ts';

const test = suite('ages of templates');
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
const ago = (days: number): number => NOW - days * DAY_MS;
const FAR = Date.UTC(2090, 0);

test('a template comes down to half in half a year, and never further', () => {
  const last = (days: number) => weightsOf([NOW, NOW, NOW, ago(days)]).at(-1);
  assert.equal([0, 1, 90, 180, 181, 3650].map(last), [64, 64, 48, 32, 32, 32]);
  assert.is(WHOLE, 64);
});

test('a template without a date, or among the three newest, counts whole', () => {
  assert.equal(weightsOf([null, ago(900), NOW, NOW, NOW]), [64, 32, 64, 64, 64]);
  assert.equal(weightsOf([NOW, ago(900)]), [64, 64]);
  assert.equal(weightsOf([ago(900), NOW, ago(400)]), [64, 64, 64]);
  assert.equal(weightsOf([null, NOW, null]), [64, 64, 64]);
  assert.equal(weightsOf([]), []);
});

test('one or two of the future make none old, and many of them none less than half', () => {
  assert.equal(weightsOf([FAR, FAR, NOW, NOW, ago(90)]), [64, 64, 64, 64, 48]);
  assert.equal(weightsOf([FAR, FAR, FAR, NOW, NOW]), [64, 64, 64, 32, 32]);
});

test('a prototype is drawn to its newer templates, the same in any order', () => {
  const vector = (...values: number[]) => toUnitVector(Float64Array.from([...values, 0, 0].slice(0, 3)));
  const [old, fresh] = [vector(1, 0), vector(0.8, 0.6)];
  const aged = [
    ...[0, 1, 2].map(() => ({ vector: fresh, madeAt: NOW })),
    ...[0, 1, 2].map((at) => ({ vector: old, madeAt: ago(400 + at) })),
  ];
  const [prototype] = prototypesOf(aged);
  const expected = toUnitVector(Float64Array.from([0, 1, 2], (at) => 2 * (fresh[at] ?? 0) + (old[at] ?? 0)));
  for (const at of [0, 1, 2]) assert.ok(Math.abs((prototype?.[at] ?? 0) - (expected[at] ?? 0)) < 1e-6, `${prototype}`);
  assert.equal(prototypesOf(aged.toReversed()), [prototype]);
  const even = prototypesOf(aged.map((one) => ({ ...one, madeAt: NOW })));
  assert.ok((even[0]?.[1] ?? 1) < (prototype?.[1] ?? 0) - 0.05);
});

test('of more than sixty templates the newest define the views', () => {
  const axis = (at: number) => toUnitVector(Float64Array.from([0, 1, 2], (one) => Number(one === at)));
  const of = (at: number, count: number, madeAt: number) =>
    Array.from({ length: count }, () => ({ vector: axis(at), madeAt }));
  assert.is(prototypesOf([...of(0, 61, NOW), ...of(1, 30, ago(900))]).length, 1);
  assert.is(prototypesOf([...of(1, 61, NOW), ...of(0, 30, ago(900))]).length, 1);
  assert.is(prototypesOf([...of(0, 30, NOW), ...of(1, 30, NOW), ...of(2, 9, ago(900))]).length, 2);
});

/** A device's templates and what it recognises by. */
function openShop(folder: string, wall: () => number) {
  const path = join(folder, 'templates.db');
  const file = new TemplatesFile(path, 400, NOW);
  const clock = { wall, monotonic: () => 0, bootId: 'boot' };
  const templates = new Templates(file, clock, 'HERE', 30);
  const model = new FakeModel();
  const index = new TemplateIndex(templates, { identity: model.identity, manifest: model.manifest }, () => undefined);
  const exchange = new TemplateExchange(templates, () => undefined);
  const close = async (): Promise<void> => {
    await exchange.close();
    await file.close();
  };
  return { templates, exchange, index, model, close };
}

const DIMENSION = 192;
const towards = (degrees: number): Float32Array => {
  const made = new Float32Array(DIMENSION);
  made[0] = Math.cos((degrees * Math.PI) / 180);
  made[1] = Math.sin((degrees * Math.PI) / 180);
  return made;
};
const CROP = Buffer.from('a picture');

test('the age of a template is known where it is added, received, made anew and after a restart', async () => {
  const expected = new Classifier({ ...new FakeModel().manifest, dimension: DIMENSION });
  const ages = [ago(500), ago(400), NOW, NOW + 1, NOW + 2];
  expected.addAll(ages.map((madeAt, at) => ({ item: 'box', key: `${at}`, vector: towards(at < 2 ? 0 : 20), madeAt })));
  const right = expected.classify(towards(10), 1).items;
  const unaged = new Classifier({ ...new FakeModel().manifest, dimension: DIMENSION });
  unaged.addAll(ages.map((_, at) => ({ item: 'box', key: `${at}`, vector: towards(at < 2 ? 0 : 20) })));
  assert.ok((unaged.classify(towards(10), 1).items[0]?.similarity ?? 0) !== right[0]?.similarity);

  using own = temporaryFolder();
  using other = temporaryFolder();
  let now = ago(500);
  const first = openShop(own.path, () => now);
  const { identity } = first.model;
  for (const [at, moment] of ages.entries()) {
    now = moment;
    const vector = towards(at < 2 ? 0 : 20);
    await first.templates.add({ item: 'box', model: at === 1 ? 'another' : identity, vector, crop: CROP });
  }
  const [foreign = 0] = first.templates.reader.foreign(identity, 0, 9);
  await first.templates.reembed(identity, new Map([[foreign, towards(0)]]));
  assert.equal(first.index.classify(towards(10), 1, 'normal').items, right, 'added and made anew');
  const whole = first.exchange.names().map((name) => first.exchange.read(name));
  await first.close();

  const again = openShop(own.path, () => now);
  assert.equal(again.index.classify(towards(10), 1, 'normal').items, right, 'after a restart');
  await again.close();

  const second = openShop(other.path, () => Date.UTC(2020, 0));
  await second.exchange.receive(whole.filter((template) => template !== null).toReversed());
  assert.equal(second.index.classify(towards(10), 1, 'normal').items, right, 'received');
  await second.close();
});

test('a template with a damaged identifier is known, and of no age', async () => {
  using folder = temporaryFolder();
  const shop = openShop(folder.path, () => NOW);
  const { identity } = shop.model;
  await shop.templates.add({ item: 'box', model: identity, vector: towards(0), crop: CROP });
  await shop.close();
  const db = openFile(join(folder.path, 'templates.db'));
  db.exec("UPDATE templates SET sid = 'center'");
  db.close();
  const again = openShop(folder.path, () => NOW);
  assert.is(again.index.countOf('box'), 1);
  assert.is(again.templates.reader.vectors(identity, 0, 9)[0]?.madeAt, null);
  await again.close();
  assert.is(momentOf('20260601000000000000000'), NOW);
  assert.is(momentOf('center'), null);
});

test.run();
