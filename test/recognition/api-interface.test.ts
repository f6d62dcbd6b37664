/**
 * The interface document, line by line, on a whole device with the shipped model: real JPEGs in, answers out. What can
 * go wrong at each call stands in the other files of this folder.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fakeCamera } from '../drivers/camera/support.ts';
import { type Answer, call, startTestDevice, type TestDevice, until } from '../support.ts';
import { SHIPPED_MANIFEST } from './fixtures/models.ts';
import { picture, scene } from './support.ts';

const document = suite('interface document');

const post = (device: TestDevice, name: string, json?: unknown): Promise<Answer> =>
  call(`${device.recognition}/api/${name}`, json === undefined ? { method: 'POST' } : { json });
const get = (device: TestDevice, name: string): Promise<Answer> => call(`${device.recognition}/api/${name}`);

async function show(device: TestDevice, jpeg: Buffer): Promise<void> {
  const { status, text } = await call(`${device.recognition}/camera/frame`, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: new Uint8Array(jpeg),
  });
  assert.is(status, 200, text);
}

async function learn(device: TestDevice, id: string, jpeg: Buffer): Promise<string> {
  await show(device, jpeg);
  const { body } = await post(device, 'add_item_template', { id });
  assert.is(body.code, 0, body.msg);
  return body.data.sid;
}

async function pushDevice(): Promise<TestDevice> {
  const device = await startTestDevice({ LANEWARE_CAMERA_DRIVER: 'push', LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST });
  await until('the model', async () => {
    const { parts } = (await call(`${device.recognition}/health`)).body.data;
    return parts.find(({ part }: { part: string }) => part === 'model').state === 'ok';
  });
  return device;
}

const taskEnd = (device: TestDevice, kind: string, running: readonly number[]) =>
  until(`the end of the ${kind}`, async () => {
    const { body } = await get(device, `${kind}_template_status`);
    assert.is(body.code, 0);
    assert.type(body.status, 'number');
    assert.type(body.msg, 'string');
    return running.includes(body.status) ? null : body;
  });

document('the device recognises items from a camera image that it was shown', async () => {
  await using device = await pushDevice();
  const kinds = [1, 9, 17, 25, 33];
  for (const kind of kinds)
    for (const variant of [0, 1, 2, 3]) await learn(device, `${kind}`, await picture(kind, variant));
  let right = 0;
  for (const kind of kinds) {
    await show(device, await picture(kind, 7));
    const { data } = (await get(device, 'get_result')).body;
    if (data.items[0].id === String(kind)) right += 1;
  }
  assert.ok(right >= 4, `${right} of ${kinds.length}`);
});

document(
  '1 add_item_template links the id to the current image: image in base64 and sid; -6217 when locked',
  async () => {
    await using device = await pushDevice();
    await show(device, await picture(1));
    const { status, headers, body } = await post(device, 'add_item_template', { id: '001' });
    assert.is(status, 200);
    assert.match(headers.get('content-type') ?? '', /application\/json/);
    assert.equal(Object.keys(body.data).toSorted(), ['image', 'sid']);
    assert.is(Buffer.from(body.data.image, 'base64').subarray(0, 3).toString('hex'), 'ffd8ff');
    assert.type(body.data.sid, 'string');
    await post(device, 'set_learning_mode', { mode: 0 });
    assert.is((await post(device, 'add_item_template', { id: '001' })).body.code, -6217);
  },
);

document('2 delete_item_template deletes the template sid of the item id: data null; -6217 when locked', async () => {
  await using device = await pushDevice();
  const sids = [await learn(device, '1', await picture(1)), await learn(device, '1', await picture(1, 1))];
  assert.equal((await post(device, 'delete_item_template', { id: '1', sid: sids[0] })).body, { code: 0, data: null });
  assert.equal((await post(device, 'get_item_template_list', { id: '1' })).body.data, [sids[1]]);
  await post(device, 'set_learning_mode', { mode: 0 });
  assert.is((await post(device, 'delete_item_template', { id: '1', sid: sids[1] })).body.code, -6217);
});

document(
  '3 and 4 get_item_template_list returns all identifiers with max, get_item_list every item with its count',
  async () => {
    await using device = await pushDevice();
    const first = await learn(device, 'a', await picture(1));
    const second = await learn(device, 'a', await picture(1, 1));
    await learn(device, 'b', await picture(2));
    assert.equal((await post(device, 'get_item_template_list', { id: 'a' })).body, {
      code: 0,
      data: [first, second],
      max: 30,
    });
    assert.equal((await get(device, 'get_item_list')).body, {
      code: 0,
      data: [
        { id: 'a', count: 2 },
        { id: 'b', count: 1 },
      ],
    });
  },
);

document(
  '5 and 6 delete_item deletes all templates of one item, clear_all_template those of all: data null',
  async () => {
    await using device = await pushDevice();
    for (const kind of [1, 2, 3]) await learn(device, `${kind}`, await picture(kind));
    assert.equal((await post(device, 'delete_item', { id: '2' })).body, { code: 0, data: null });
    const { body } = await get(device, 'get_item_list');
    assert.equal(
      body.data.map(({ id }: { id: string }) => id),
      ['1', '3'],
    );
    assert.equal((await post(device, 'clear_all_template')).body, { code: 0, data: null });
    assert.equal((await get(device, 'get_item_list')).body.data, []);
  },
);

document('7 to 9 export answers at once, is polled to 3, downloaded, imported again and polled to 4', async () => {
  await using device = await pushDevice();
  assert.is((await get(device, 'export_template_status')).body.status, 0);
  assert.is((await get(device, 'import_template_status')).body.status, 0);
  for (const kind of [1, 2, 3]) await learn(device, `${kind}`, await picture(kind));
  assert.equal((await post(device, 'export_template', { ids: ['1', '3'] })).body, { code: 0, data: null });
  const { status, filename } = await taskEnd(device, 'export', [1]);
  assert.is(status, 3);
  const file = await (await fetch(`${device.recognition}/download/${filename}`)).blob();
  await post(device, 'clear_all_template');
  const form = new FormData();
  form.append('file', file, 'package.zip');
  const answer = await call(`${device.recognition}/api/import_template`, { method: 'POST', body: form });
  assert.equal(answer.body, { code: 0, data: null });
  assert.is((await taskEnd(device, 'import', [2, 3])).status, 4);
  assert.equal((await get(device, 'get_item_list')).body.data, [
    { id: '1', count: 1 },
    { id: '3', count: 1 },
  ]);
  await show(device, await picture(3));
  assert.is((await get(device, 'get_result')).body.data.items[0].id, '3');
});

document('10 to 13 the marks are callable on a master device only', async () => {
  await using device = await pushDevice();
  for (const name of ['set_deletion_all_flag', 'clear_deletion_all_flag']) {
    const { status, body } = await post(device, name, { id: '1' });
    assert.equal([status, body.code, body.data], [200, -6301, null]);
  }
  assert.is((await get(device, 'get_deletion_all_progress')).body.code, -6301);
});

document('through a streaming camera: rpicam-vid to the answer, the tray learned, motion told', async () => {
  const frames = [scene('orange', 1), scene('orange', 1)];
  const fake = await fakeCamera({}, 'rpicam-vid', frames);
  const before = process.env.PATH;
  Object.assign(process.env, fake.env, { PATH: `${fake.env.PATH}:${before}` });
  try {
    await using device = await startTestDevice({
      LANEWARE_CAMERA_DRIVER: 'libcamera',
      LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST,
    });
    await until('a result', async () => (await get(device, 'get_result')).body.code === 0);
    const { body } = await post(device, 'add_item_template', { id: 'orange' });
    assert.is(body.code, 0, body.msg);
    const { data } = (await get(device, 'get_result')).body;
    assert.is(data.items[0].id, 'orange');
    assert.not(data.quality.includes('moving'));
    assert.is((await post(device, 'learn_background')).body.code, 0);
    assert.is((await get(device, 'get_result')).body.code, -6308, 'what lies there is the empty tray now');
  } finally {
    process.env.PATH = before;
  }
});

document.run();
