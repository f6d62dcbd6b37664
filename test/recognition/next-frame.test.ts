/** With a streaming camera the next frame shows motion; if it is damaged, only that is lost. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Camera, Frame } from '../../drivers/camera/contract.ts';
import { PushedCamera } from '../../drivers/camera/push.ts';
import { trayView } from '../../firmware/recognition/vision/frame.ts';
import { drawTray } from './drawn-tray.ts';
import { FakeModel, startRig } from './support.ts';

const test = suite('recognition: the next frame');
const BOX = '<rect x="500" y="240" width="280" height="260" fill="#b3302a"/>';
/** As long as the damaged frame takes, and longer. */
async function looked(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await trayView(DAMAGED, null).catch(() => undefined);
}

/** Begins like a JPEG, and ends at once. */
const DAMAGED = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);

/** As a camera that streams: the frame after the pushed one is a damaged one. */
async function streaming(): Promise<Camera> {
  const pushed = new PushedCamera();
  await pushed.put(await drawTray({ things: BOX }));
  return new Proxy<Camera>(pushed, {
    get(camera, name) {
      if (name === 'streaming') return true;
      if (name === 'next')
        return async (): Promise<Frame> => ({
          ...camera.latest(),
          jpeg: DAMAGED,
          sequence: camera.latest().sequence + 1,
        });
      const value: unknown = Reflect.get(camera, name, camera);
      return typeof value === 'function' ? value.bind(camera) : value;
    },
  });
}

test('a damaged frame after the one that is looked at does no harm, however long the model takes', async () => {
  const model = new FakeModel();
  model.before = looked;
  await using rig = await startRig({ model, service: { camera: await streaming() } });
  const { classification, flaws } = await rig.recognition.answers.recognise();
  assert.equal(classification.items, [], 'nothing was learned');
  assert.not.ok(flaws.includes('moving'), 'nothing can be said of motion');
});

test('a model that fails while the next frame is awaited is reported as that', async () => {
  const model = new FakeModel();
  model.before = () => {
    throw new Error('made up: no model');
  };
  await using rig = await startRig({ model, service: { camera: await streaming() } });
  const failed = await rig.recognition.answers.recognise().catch(String);
  assert.match(String(failed), /made up: no model/);
  await looked(); // what was left behind would end the process
});

test.run();
