import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPushCamera } from '../../../drivers/camera/contract.ts';
import { openCamera } from '../../../drivers/camera/registry.ts';
import { removeFolders, tempFolder } from '../folders.ts';

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

registry.run();
