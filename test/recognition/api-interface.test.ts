/**
 * The interface document, line by line, on a whole device with the shipped model: real JPEGs in, answers out. What can
 * go wrong at each call stands in the other files of this folder.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, call, startTestDevice, until } from '../support.ts';
import { SHIPPED_MANIFEST } from './fixtures/models.ts';
import { picture } from './support.ts';

const document = suite('interface document');

const device = await startTestDevice({ LANEWARE_CAMERA_DRIVER: 'push', LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST });
document.after(async () => device[Symbol.asyncDispose]());

const post = (name: string, json?: unknown): Promise<Answer> =>
  call(`${device.recognition}/api/${name}`, json === undefined ? { method: 'POST' } : { json });
const get = (name: string): Promise<Answer> => call(`${device.recognition}/api/${name}`);
const items = async () => (await get('get_item_list')).body.data;
const DONE = { code: 0, data: null };

async function show(jpeg: Buffer): Promise<void> {
  const init = { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: new Uint8Array(jpeg) };
  const { status, text } = await call(`${device.recognition}/camera/frame`, init);
  assert.is(status, 200, text);
}

async function learn(id: string, kind: number, variant = 0): Promise<string> {
  await show(await picture(kind, variant));
  const { headers, body } = await post('add_item_template', { id });
  assert.match(headers.get('content-type') ?? '', /application\/json/);
  assert.is(body.code, 0, body.msg);
  assert.equal(Object.keys(body.data).toSorted(), ['image', 'sid']);
  assert.is(Buffer.from(body.data.image, 'base64').subarray(0, 3).toString('hex'), 'ffd8ff');
  return body.data.sid;
}

const taskEnd = (kind: string, running: readonly number[]) =>
  until(`the end of the ${kind}`, async () => {
    const { body } = await get(`${kind}_template_status`);
    assert.equal([body.code, typeof body.status, typeof body.msg], [0, 'number', 'string']);
    return running.includes(body.status) ? null : body;
  });

document.before.each(async () => {
  await until('the model', async () => {
    const { parts } = (await call(`${device.recognition}/health`)).body.data;
    return parts.find(({ part }: { part: string }) => part === 'model').state === 'ok';
  });
  await post('clear_all_template');
});

document('the device recognises items from a camera image that it was shown', async () => {
  const kinds = [1, 9, 17, 25, 33];
  for (const kind of kinds) for (const variant of [0, 1, 2]) await learn(`${kind}`, kind, variant);
  let right = 0;
  for (const kind of kinds) {
    await show(await picture(kind, 7));
    const { data } = (await get('get_result')).body;
    if (data.items[0].id === String(kind)) right += 1;
  }
  assert.ok(right >= 4, `${right} of ${kinds.length}`);
});

document('1 to 6: templates are added, listed and deleted one by one, by their item and all of them', async () => {
  const sids = [await learn('a', 1), await learn('a', 1, 1), await learn('b', 2)];
  assert.equal((await post('get_item_template_list', { id: 'a' })).body, { code: 0, data: sids.slice(0, 2), max: 30 });
  assert.equal((await get('get_item_list')).body, {
    code: 0,
    data: [
      { id: 'a', count: 2 },
      { id: 'b', count: 1 },
    ],
  });
  assert.equal((await post('delete_item_template', { id: 'a', sid: sids[0] })).body, DONE);
  assert.equal((await post('get_item_template_list', { id: 'a' })).body.data, [sids[1]]);
  await post('set_learning_mode', { mode: 0 });
  assert.is((await post('add_item_template', { id: 'a' })).body.code, -6217);
  assert.is((await post('delete_item_template', { id: 'a', sid: sids[1] })).body.code, -6217);
  await post('set_learning_mode', { mode: 1 });
  assert.equal((await post('delete_item', { id: 'a' })).body, DONE);
  assert.equal(await items(), [{ id: 'b', count: 1 }]);
  assert.equal((await post('clear_all_template')).body, DONE);
  assert.equal(await items(), []);
});

document('7 to 9: export answers at once, is polled to 3, downloaded, imported again and polled to 4', async () => {
  assert.is((await get('export_template_status')).body.status, 0);
  assert.is((await get('import_template_status')).body.status, 0);
  for (const kind of [1, 2, 3]) await learn(`${kind}`, kind);
  assert.equal((await post('export_template', { ids: ['1', '3'] })).body, DONE);
  const { status, filename } = await taskEnd('export', [1]);
  assert.is(status, 3);
  const file = await (await fetch(`${device.recognition}/download/${filename}`)).blob();
  await post('clear_all_template');
  const form = new FormData();
  form.append('file', file, 'package.zip');
  const answer = await call(`${device.recognition}/api/import_template`, { method: 'POST', body: form });
  assert.equal(answer.body, DONE);
  assert.is((await taskEnd('import', [2, 3])).status, 4);
  assert.equal(await items(), [
    { id: '1', count: 1 },
    { id: '3', count: 1 },
  ]);
  assert.is((await get('get_result')).body.data.items[0].id, '3');
});

document('10 to 13: the marks are callable on a master device only', async () => {
  for (const name of ['set_deletion_all_flag', 'clear_deletion_all_flag']) {
    const { status, body } = await post(name, { id: '1' });
    assert.equal({ status, code: body.code, data: body.data }, { status: 200, code: -6301, data: null });
  }
  assert.is((await get('get_deletion_all_progress')).body.code, -6301);
});

document.run();
