/** The device's own calls through HTTP: how it is set, what it says of itself, and what it does when something is broken. */
import { rmSync } from 'node:fs';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_FRAME_PIXELS } from '../../drivers/camera/contract.ts';
import { BUILD_TIME } from '../../drivers/lib/version.ts';
import { EmbedderError } from '../../firmware/recognition/model/embedder-error.ts';
import { freePort } from '../ports.ts';
import { call, startTestDevice, temporaryFolder, until } from '../support.ts';
import { confidenceOf } from './steps.ts';
import { FakeModel, learnedRig, NO_MODEL, picture, scene, startRig } from './support.ts';

const test = suite('device calls');

test('without a model templates can be listed, deleted and exported, but not recognised', async () => {
  using folder = temporaryFolder();
  let sid = '';
  {
    await using rig = await learnedRig({ folder: folder.path });
    sid = rig.recognition.templates.reader.sidsOf('item1')[0] ?? '';
  }
  await using rig = await startRig({ folder: folder.path, model: NO_MODEL });
  await rig.show(await picture(1));
  const refused = await rig.get('/api/get_result');
  assert.is(refused.body.code, -6209);
  assert.match(refused.body.msg, /file of the model is damaged/);
  assert.is((await rig.get('/api/get_item_list')).body.data.length, 7);
  assert.is((await rig.post('/api/delete_item_template', { id: 'item1', sid })).body.code, 0);
  assert.ok((await rig.exportPackage()).length > 1000);
  assert.match((await rig.part('model')).reason, /damaged/);
});

test('its health says what the model runs in, and why not in the native runtime', async () => {
  const model = new FakeModel();
  await using rig = await startRig({ model });
  assert.is((await rig.part('model')).runtime, 'webassembly');
  model.runtime = { name: 'native', nativeFault: null };
  const { runtime, state, reasons } = await rig.part('model');
  assert.equal({ runtime, state, reasons }, { runtime: 'native', state: 'ok', reasons: [] });
  model.runtime = { name: 'webassembly', nativeFault: 'ended with signal SIGSEGV' };
  const failed = await rig.part('model');
  assert.equal([failed.runtime, failed.state, failed.reasons[0].code], ['webassembly', 'ok', 'native-failed']);
  assert.match(failed.reason, /SIGSEGV/);
});

test('a template is seen with all looks, a query with one or all by the speed, and judged by it', async () => {
  const { input } = new FakeModel().manifest;
  const model = new FakeModel('twice', 8, {
    input: { ...input, closerLooks: [0.5] },
    confidence: confidenceOf({ certain: 1, margin: 0.02, unknown: 1 }),
    fast: { temperature: 0.05, confidence: confidenceOf({ certain: 1, margin: 0.02, unknown: -1 }) },
  });
  let looks = 0;
  model.before = () => {
    looks += 1;
  };
  await using rig = await startRig({ model });
  await rig.learn('a', await picture(1));
  assert.is(looks, 2, 'a template');
  await await rig.show(await picture(2));
  for (const [speed, expected, reason] of [
    ['fast', 1, 'not-similar-enough'],
    ['normal', 2, 'unlike-all'],
  ] as const) {
    assert.is((await rig.post('/api/set_predict_speed', { speed })).body.code, 0);
    looks = 0;
    const { data } = (await rig.get('/api/get_result')).body;
    assert.equal([looks, data.verdict.reason], [expected, reason], speed);
  }
});

test('set values are read back, and survive a restart', async () => {
  using folder = temporaryFolder();
  const area = { top: 39, left: 444, height: 482, width: 348 };
  {
    await using rig = await learnedRig({ folder: folder.path });
    const before = (await rig.get('/api/get_device_info')).body.data;
    assert.equal(
      { predict_speed: before.predict_speed, learnMode: before.learnMode, max_result_num: before.max_result_num },
      { predict_speed: 'fast', learnMode: 1, max_result_num: 6 },
    );
    for (const [path, body] of [
      ['set_predict_speed', { speed: 'normal' }],
      ['set_learning_mode', { mode: 2 }],
      ['set_result_count', { count: 5 }],
      ['set_calib', area],
    ] as const) {
      assert.equal((await rig.post(`/api/${path}`, body)).body, { code: 0, data: null }, path);
    }
  }
  await using rig = await startRig({ folder: folder.path });
  const info = (await rig.get('/api/get_device_info')).body.data;
  assert.equal(
    { predict_speed: info.predict_speed, learnMode: info.learnMode, max_result_num: info.max_result_num },
    { predict_speed: 'normal', learnMode: 2, max_result_num: 5 },
  );
  assert.equal(
    { sn: info.sn, item_count: info.item_count, template_count: info.template_count },
    { sn: 'TEST0001', item_count: 7, template_count: 7 },
  );
  assert.equal((await rig.get('/api/get_learning_mode')).body, { code: 0, data: { mode: 2 } });
  assert.equal((await rig.get('/api/get_calib')).body, { code: 0, data: area });
  await rig.show(await picture(3));
  assert.is((await rig.get('/api/get_result')).body.data.items.length, 5);
});

test('the largest picture that is taken can be looked at; one pixel row more is refused at once', async () => {
  await using rig = await learnedRig();
  const side = Math.sqrt(MAX_FRAME_PIXELS);
  const size = (height: number) =>
    sharp({ create: { width: side, height, channels: 3, background: '#507090' } })
      .jpeg()
      .toBuffer();
  assert.is((await rig.show(await size(side))).body.code, 0);
  assert.is((await rig.get('/api/get_result')).body.code, 0);
  const { status, body } = await rig.show(await size(side + 1));
  assert.is(status, 422);
  assert.is(body.code, -6308);
});

test('get_image is a JPEG of 1280×720 for a picture of any size', async () => {
  await using rig = await startRig();
  for (const jpeg of [await picture(1), await scene('lemon')]) {
    await rig.show(jpeg);
    const response = await fetch(`${rig.url}/api/get_image`);
    assert.is(response.headers.get('content-type'), 'image/jpeg');
    const { width, height, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    assert.equal({ width, height, format }, { width: 1280, height: 720, format: 'jpeg' });
  }
});

test('in locked mode adding and deleting a template are -6217 before any look-up; others work', async () => {
  await using rig = await learnedRig();
  const sid = rig.recognition.templates.reader.sidsOf('item1')[0] ?? '';
  await rig.post('/api/set_learning_mode', { mode: 0 });
  for (const [path, body] of [
    ['add_item_template', { id: 'item1' }],
    ['delete_item_template', { id: 'item1', sid }],
    ['delete_item_template', { id: 'none', sid: 'none' }],
  ] as const) {
    const { status, body: answer } = await rig.post(`/api/${path}`, body);
    assert.is(status, 200);
    assert.is(answer.code, -6217, path);
    assert.is(answer.data, null);
  }
  assert.is((await rig.post('/api/add_item_template', {})).body.code, -6213, 'fields come first');
  assert.is((await rig.get('/api/get_result')).body.code, 0);
  assert.is((await rig.post('/api/delete_item', { id: 'item2' })).body.code, 0);
  assert.is((await rig.post('/api/clear_all_template')).body.code, 0);
});

test('set_time sets the clock of the system, or says why not and still moves its own', async () => {
  const set: [number, number][] = [];
  await using rig = await startRig({
    service: {
      setSystemTime: async (seconds, microseconds) => {
        set.push([seconds, microseconds]);
        if (microseconds === 1) throw new Error('Operation not permitted');
      },
    },
  });
  const future = Math.floor(Date.now() / 1000) + 40_000_000;
  assert.equal((await rig.post('/api/set_time', { sec: future, usec: 615_948 })).body, { code: 0, data: null });
  const refused = await rig.post('/api/set_time', { sec: future + 1000, usec: 1 });
  assert.is(refused.status, 200);
  assert.is(refused.body.code, -6309);
  assert.match(refused.body.msg, /not permitted/);
  assert.equal(set, [
    [future, 615_948],
    [future + 1000, 1],
  ]);
  const sid = await rig.learn('1', await picture(1));
  assert.ok(sid.startsWith(new Date((future + 1000) * 1000).toISOString().slice(0, 10).replaceAll('-', '')), sid);
  const early = await rig.post('/api/set_time', { sec: Math.floor(BUILD_TIME / 1000) - 86_400, usec: 0 });
  assert.equal([early.status, early.body.code], [400, -6213]);
});

test('a new model re-embeds templates in the background, despite restarts, and recognises again', async () => {
  using folder = temporaryFolder();
  await (await learnedRig({ folder: folder.path }))[Symbol.asyncDispose]();
  const model = new FakeModel('next', 4);
  let embedded = 0;
  model.before = () => {
    if (++embedded > 3) throw new EmbedderError('unavailable', 'ordered by the test');
  };
  {
    // stopped in the middle
    await using rig = await startRig({ folder: folder.path, model });
    await until('some', () => embedded > 3);
    assert.match((await rig.part('templates')).reason, /^7 pictures are being prepared/);
  }
  await using rig = await startRig({ folder: folder.path, model: new FakeModel('next', 4) });
  await until('re-embedding', () => rig.recognition.reembedding?.progress.left === 0);
  await rig.show(await picture(3));
  const { data } = (await rig.get('/api/get_result')).body;
  assert.is(data.items[0].id, 'item3');
  assert.is(data.verdict.certain, true);
  await until('health', async () => (await rig.part('templates')).state === 'ok');
});

test('a master that is not there is -6207', async () => {
  const port = await freePort();
  await using device = await startTestDevice();
  const slave = {
    masterIP: '127.0.0.1',
    mastersyncPort: port,
    upload: true,
    download: true,
    pairingCode: 'ABCD-EFGH-JKMN-PQRS-TVWX',
  };
  const { status, body } = await call(`${device.recognition}/api/set_sync_slave`, { json: slave });
  assert.is(status, 200);
  assert.is(body.code, -6207, body.msg);
});

test('full storage is -6307, a store that cannot be written -6203, and nothing has changed', async () => {
  await using full = await startRig({ config: { storageMb: 1 }, service: { maxTemplatesPerItem: 1000 } });
  await full.show(await picture(1));
  let code = 0;
  let added = 0;
  while (code === 0 && added < 1000) {
    code = (await full.post('/api/add_item_template', { id: 'a' })).body.code;
    if (code === 0) added += 1;
  }
  assert.is(code, -6307);
  assert.is(full.recognition.templates.reader.countOf('a'), added);
  assert.is((await full.post('/api/delete_item', { id: 'a' })).body.code, 0);
  assert.is((await full.post('/api/add_item_template', { id: 'a' })).body.code, 0);

  using folder = temporaryFolder();
  await using lost = await startRig({ folder: folder.path });
  rmSync(folder.path, { recursive: true });
  const { status, body } = await lost.post('/api/set_predict_speed', { speed: 'normal' });
  assert.is(status, 200);
  assert.is(body.code, -6203);
  assert.is((await lost.get('/api/get_device_info')).body.data.predict_speed, 'fast');
});

test.run();
