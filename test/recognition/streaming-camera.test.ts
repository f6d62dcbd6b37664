/** A whole device with a camera program that streams: from its first frame to the answer. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fakeCamera } from '../drivers/camera/support.ts';
import { removeFolders } from '../drivers/folders.ts';
import { call, startTestDevice, until } from '../support.ts';
import { SHIPPED_MANIFEST } from './fixtures/models.ts';
import { scene } from './support.ts';

const test = suite('a streaming camera');

test('rpicam-vid to the answer, the tray learned, motion reported', async () => {
  const fake = await fakeCamera({}, 'rpicam-vid', [scene('orange', 1), scene('orange', 1)]);
  const { PATH } = process.env;
  using _ = {
    [Symbol.dispose]: () => {
      for (const name of Object.keys(fake.env)) delete process.env[name];
      process.env.PATH = PATH;
      removeFolders();
    },
  };
  Object.assign(process.env, fake.env, { PATH: `${fake.env.PATH}:${PATH}` });
  await using device = await startTestDevice({
    LANEWARE_CAMERA_DRIVER: 'libcamera',
    LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST,
  });
  const get = (name: string) => call(`${device.recognition}/api/${name}`);
  const post = (name: string, json = {}) => call(`${device.recognition}/api/${name}`, { json });
  await until('a result', async () => (await get('get_result')).body.code === 0);
  const { body } = await post('add_item_template', { id: 'orange' });
  assert.is(body.code, 0, body.msg);
  const { data } = (await get('get_result')).body;
  assert.is(data.items[0].id, 'orange');
  assert.not(data.quality.includes('moving'));
  const learned = await call(`${device.recognition}/console/api/camera/empty-tray?things=ignore`, { method: 'PUT' });
  assert.is(learned.status, 200, learned.text);
  assert.is((await get('get_result')).body.code, -6308, 'what lies there is the empty tray now');
});

test.run();
