import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CameraError, isPushCamera } from '../../../drivers/camera/contract.ts';
import { openCamera } from '../../../drivers/camera/registry.ts';
import { thrown, until } from '../../support.ts';
import { removeFolders, tempFolder } from '../folders.ts';
import { recordStates } from './support.ts';

const registry = suite('camera registry');
registry.after(removeFolders);
const PATH = process.env.PATH;

registry.after.each(() => {
  process.env.PATH = PATH;
});

registry('opens the camera that the configuration names', async () => {
  process.env.PATH = tempFolder();
  for (const driver of ['libcamera', 'libcamera-still', 'push', 'replay', 'none'] as const) {
    const camera = await openCamera({ driver, directory: null });
    assert.is(camera.kind, driver);
    assert.is(isPushCamera(camera), driver === 'push');
    await camera.close();
    assert.is(camera.state.name, 'closed');
  }
});

registry('without a camera program opens a lost camera, and refuses nothing', async () => {
  process.env.PATH = tempFolder();
  const { onState, names } = recordStates();
  const cameras = await Promise.all([
    openCamera({ driver: 'libcamera', directory: null }, { onState }),
    openCamera({ driver: 'libcamera-still', directory: null }, { onState }),
    openCamera({ driver: 'none', directory: null }, { onState }),
  ]);
  await until('all are lost', () => cameras.every(({ state }) => state.name === 'lost'));
  for (const camera of cameras) {
    assert.is(thrown(CameraError, () => camera.latest()).code, 'lost');
  }
  assert.equal(names(), ['lost', 'lost', 'lost']);
  await Promise.all(cameras.map((camera) => camera.close()));
});

registry.run();
