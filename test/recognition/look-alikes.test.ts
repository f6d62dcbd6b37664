/** Look-alikes and stray templates by `/v1`, and the gallery in `/health`: over real HTTP, faults first. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, each, pick } from '../support.ts';
import { confidenceOf } from './steps.ts';
import { coloured, FakeModel, NO_MODEL, picture, type Rig, startRig } from './support.ts';

const test = suite('recognition: look-alikes by /v1');
const PATH = '/console/api/recognition/look-alikes';
const CONFIDENCE = confidenceOf({ certain: 0.9, margin: 0.02, unknown: 0.5 });
const JUDGED = {
  certain: CONFIDENCE.certain,
  unknown: CONFIDENCE.unknown,
  floor: -1,
  measured: [{ from: 0.4, certain: 60, wrong: 0.5, worst: 1, strangers: 7 }],
};

/** A model that says nothing of confidence at speed normal. */
function onlyFast(): FakeModel {
  const model = new FakeModel('fake', 8, { fast: { temperature: 0.05, confidence: { ...CONFIDENCE, certain: 0.7 } } });
  Reflect.deleteProperty(model.manifest, 'confidence');
  return model;
}

const it = each<[Rig]>(test, (run) => async () => {
  const model = new FakeModel('fake', 8, { confidence: { ...CONFIDENCE, measured: JUDGED.measured } });
  await using rig = await startRig({ model });
  await run(rig);
});

const galleryOf = async (rig: Rig) => {
  const { body } = await rig.get('/health');
  return body.data.parts.find(({ part }: { part: string }) => part === 'model').gallery;
};

test('without a model there is nothing to compare by, and /health reports no gallery', async () => {
  await using rig = await startRig({ model: NO_MODEL });
  const { status, body } = await rig.get(PATH);
  assert.equal([status, body.code], [503, 'Model.NotReady']);
  assert.is(await galleryOf(rig), undefined);
});

it('parameters that it does not know, or that are wrong, are refused', async (rig) => {
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=', 'page=2']) {
    const { status, body } = await rig.get(`${PATH}?${query}`);
    assert.equal([query, status], [query, 400], JSON.stringify(body));
  }
});

it('nothing learned, and an item alone, have no look-alikes', async (rig) => {
  const nothing = { pairs: [], strays: [], looked: 0, cursor: null };
  const none = { confirmations: 0, confidence: JUDGED };
  assert.equal((await rig.get(PATH)).body, nothing);
  assert.equal(await galleryOf(rig), { items: 0, prototypes: 0, ...none });
  await rig.learn('4011', await picture(1));
  assert.equal((await rig.get(PATH)).body, { ...nothing, looked: 1 });
  assert.equal(await galleryOf(rig), { items: 1, prototypes: 1, ...none });
});

test('/health reports the certain confidence for the speed, null where the model gives none', async () => {
  await using rig = await startRig({ model: onlyFast() });
  assert.is((await galleryOf(rig)).confidence.certain, 0.7);
  await rig.recognition.settings.set({ speed: 'normal' });
  assert.is((await galleryOf(rig)).confidence, null);
});

it('two items of one look are named with what they are called, and with what would help', async (rig) => {
  await rig.learn('4130', await picture(1));
  await rig.learn('4174', await picture(1));
  await rig.learn('94011', await picture(3));
  await rig.send('PUT', '/v1/items/4174', { name: 'Royal Gala' });
  const { body } = await rig.get(PATH);
  const [pair, ...more] = body.pairs;
  assert.equal(more, []);
  assert.equal(pair.items, [
    { id: '4130', name: null, templates: 1 },
    { id: '4174', name: 'Royal Gala', templates: 1 },
  ]);
  assert.ok(pair.similarity > 0.999);
  assert.is(pair.cure, 'more-templates');
  assert.is(body.looked, 3);
  await rig.send('DELETE', '/v1/items/4174?templates=delete');
  assert.equal((await rig.get(PATH)).body.pairs, []);
});

it('a template of the wrong item is offered with its picture, until it is deleted', async (rig) => {
  for (const shade of [0, 10, 20]) {
    await rig.learn('4011', await coloured(200 + shade, 20));
    await rig.learn('4012', await coloured(20, 200 + shade));
  }
  assert.equal((await rig.get(PATH)).body.strays, []);
  const sid = await rig.learn('4011', await coloured(30, 205));
  const { body } = await rig.get(PATH);
  const [stray, ...more] = body.strays;
  assert.equal(more, []);
  assert.equal([stray.item.id, stray.template, stray.looksLike.id], ['4011', sid, '4012']);
  assert.ok(stray.looksLike.similarity - stray.similarity > 0.25);
  assert.is((await call(`${rig.url}${stray.picture}`)).status, 200);
  assert.is((await rig.get(PATH)).body.strays.length, 1, 'nothing is deleted by itself');
  await rig.send('DELETE', `/v1/items/4011/templates/${sid}`);
  assert.equal((await rig.get(PATH)).body.strays, []);
});

it('a cursor is a place: pages go on behind an item that was deleted meanwhile', async (rig) => {
  for (const item of ['a', 'b', 'c']) await rig.learn(item, await picture(1));
  const pageOf = async (query: string) => {
    const { looked, cursor, pairs } = (await rig.get(`${PATH}?${query}`)).body;
    return [looked, cursor, pairs.length];
  };
  const pages = [await pageOf('limit=1'), await pageOf('limit=9&cursor=a')];
  assert.equal(pages, [
    [1, 'a', 2],
    [2, null, 1],
  ]);
  await rig.send('DELETE', '/v1/items/a?templates=delete');
  assert.equal(await pageOf('cursor=a'), [2, null, 1]);
  for (const id of ['a', 'b', 'c']) await rig.send('PUT', `/v1/items/${id}`, { name: id });
  await rig.send('DELETE', '/v1/items/b');
  const { items } = (await rig.get('/v1/items?cursor=b')).body;
  assert.equal(pick(items, 'id'), ['c']);
});

test.run();
