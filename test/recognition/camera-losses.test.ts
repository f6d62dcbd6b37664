/** A camera that goes away is counted, from the driver to what Prometheus reads. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, startTestDevice, temporaryFolder, until } from '../support.ts';
import { picture } from './support.ts';

const test = suite('losses of the camera');

test('a camera that has worked is lost once, however often it is looked for', async () => {
  using folder = temporaryFolder();
  const frame = join(folder.path, '1.jpg');
  await using device = await startTestDevice({
    LANEWARE_CAMERA_DRIVER: 'replay',
    LANEWARE_CAMERA_DIRECTORY: folder.path,
  });
  const figures = async () => (await call(`${device.recognition}/metrics`)).text;
  assert.match(await figures(), /^laneware_camera_losses_total 0$/m, 'there was never a picture');
  writeFileSync(frame, await picture(1));
  const frames = async () => (await call(`${device.recognition}/console/api/camera/frame`)).status === 200;
  await until('a picture', frames);
  rmSync(frame);
  await until('the loss', async () => /^laneware_camera_losses_total 1$/m.test(await figures()));
});

test.run();
