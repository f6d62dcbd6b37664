/** What was learned of an item, by `/v1/items/{id}/templates`: over real HTTP, faults first. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { type Answer, call, each, problem } from '../support.ts';
import { onRig, picture, type Rig, scene } from './support.ts';

const test = suite('recognition: templates by /v1');
const it = each(test, onRig);

const PATH = '/v1/items/4011/templates';

const remove = (rig: Rig, path: string): Promise<Answer> => rig.send('DELETE', path);

it('what cannot be learned is refused by a code of its own, and nothing is learned', async (rig) => {
  assert.equal(problem(await rig.post(PATH)), [503, 'Camera.NoPicture']);
  await rig.show(await scene(null));
  await rig.post('/api/learn_background');
  const empty = await rig.post(PATH);
  assert.equal(problem(empty), [409, 'Tray.Empty']);
  assert.match(empty.body.detail, /put an item on it/);
  await rig.show(await picture(1));
  await rig.recognition.settings.set({ learningMode: 'locked' });
  assert.equal(problem(await rig.post(PATH)), [409, 'Templates.Locked']);
  assert.equal(problem(await remove(rig, `${PATH}/1`)), [409, 'Templates.Locked']);
  await rig.recognition.settings.set({ learningMode: 'manual' });
  assert.equal(problem(await rig.post('/v1/items/%07/templates')), [400, 'RequestParams.InvalidField']);
  assert.equal((await rig.get(PATH)).body.templates, []);
  assert.equal(problem(await rig.get(`${PATH}/1/picture`)), [404, 'Templates.NotFound']);
  assert.equal(problem(await remove(rig, `${PATH}/1`)), [404, 'Templates.NotFound']);
  await rig.camera.close();
  assert.equal(problem(await rig.post(PATH)), [503, 'Camera.Lost']);
});

it('what lies on the tray is learned, listed, shown, recognised and forgotten', async (rig) => {
  await rig.show(await picture(1));
  const made = await rig.post(PATH);
  assert.is(made.status, 201, made.text);
  const { before, after, warning, ...learned } = made.body;
  const { template: id, picture: path } = learned;
  assert.equal(learned, { item: '4011', template: id, picture: `${PATH}/${id}/picture`, templates: 1 });
  assert.match(warning, /the empty tray is not known/);
  assert.equal(before, { certain: false, rank: null, similarity: null });
  assert.equal([after.certain, after.rank, after.similarity > 0.99], [true, 1, true]);
  const second = await rig.post(PATH);
  assert.equal((await rig.get(PATH)).body, {
    templates: [id, second.body.template].map((sid) => ({ template: sid, picture: `${PATH}/${sid}/picture` })),
    most: 30,
  });
  const jpeg = await fetch(`${rig.url}${path}`);
  assert.equal([jpeg.status, jpeg.headers.get('content-type')], [200, 'image/jpeg']);
  assert.equal([...new Uint8Array(await jpeg.arrayBuffer()).subarray(0, 2)], [0xff, 0xd8]);
  assert.is((await rig.get('/v1/recognition')).body.candidates[0].id, '4011');
  assert.equal((await rig.post('/api/get_item_template_list', { id: '4011' })).body.data, [id, second.body.template]);
  assert.equal((await remove(rig, `${PATH}/${id}`)).body, { item: '4011', template: id, templates: 1 });
  assert.equal(problem(await remove(rig, `${PATH}/${id}`)), [404, 'Templates.NotFound']);
  assert.equal((await rig.get(PATH)).body.templates.length, 1);
  assert.is((await remove(rig, `${PATH}/${second.body.template}`)).body.templates, 0);
  assert.is((await rig.get('/v1/recognition')).body.state, 'unknown');
});

it('a picture that is damaged says which template is to be deleted', async (rig) => {
  await rig.show(await picture(1));
  const { template: id, picture: path } = (await rig.post(PATH)).body;
  using db = openFile(join(rig.folder, 'templates.db'));
  db.exec("UPDATE crops SET jpeg = x'ffd8'");
  const damaged = await rig.get(path);
  assert.equal(problem(damaged), [500, 'Templates.Damaged']);
  assert.match(damaged.body.detail, new RegExp(id));
});

it('an id of any letters is found under its own path', async (rig) => {
  await rig.show(await picture(1));
  const item = 'Бананы, 1 кг/шт';
  const { body } = await rig.post(`/v1/items/${encodeURIComponent(item)}/templates`);
  assert.is(body.item, item);
  assert.is((await call(`${rig.url}${body.picture}`)).status, 200);
});

test.run();
