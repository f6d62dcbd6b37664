/** A device without a camera has a drawn tray: things are laid on it by a call. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DRAWN_THINGS } from '../../drivers/camera/contract.ts';
import { call, startTestDevice, temporaryFolder, until } from '../support.ts';

const test = suite('drawn tray');
const PATH = '/console/api/camera/drawn-tray';

test('what is laid there is what the camera sees; an unknown thing is named with its field', async () => {
  await using device = await startTestDevice({ LANEWARE_CAMERA_DRIVER: 'replay' });
  const url = `${device.recognition}${PATH}`;
  const lay = (json: object) => call(url, { method: 'PUT', json });
  await until(
    'the first picture',
    async () => (await call(`${device.recognition}/console/api/camera/frame`)).status === 200,
  );
  assert.equal((await call(url)).body, { thing: 'banana', things: [...DRAWN_THINGS] });
  const before = (await call(`${device.recognition}/console/api/camera`)).body.frame.number;
  const { status, body } = await lay({ thing: 'orange' });
  assert.equal([status, body.thing], [200, 'orange']);
  assert.is((await call(`${device.recognition}/console/api/camera`)).body.frame.number, before + 1);
  for (const wrong of [{ thing: 'car' }, {}, { thing: 'orange', more: 1 }]) {
    const refused = await lay(wrong);
    assert.is(refused.status, 400, JSON.stringify(wrong));
    assert.ok(refused.body.field, refused.text);
  }
  assert.is((await call(url)).body.thing, 'orange');
});

test('where frames are sent, or come from a folder, there is none', async () => {
  using folder = temporaryFolder();
  for (const settings of [
    { LANEWARE_CAMERA_DRIVER: 'push' },
    { LANEWARE_CAMERA_DRIVER: 'replay', LANEWARE_CAMERA_DIRECTORY: folder.path },
  ]) {
    await using device = await startTestDevice(settings);
    for (const init of [{}, { method: 'PUT', json: { thing: 'orange' } }]) {
      const { status, body } = await call(`${device.recognition}${PATH}`, init);
      assert.equal([status, body.code], [404, 'Camera.NotDrawn']);
    }
  }
});

test.run();
