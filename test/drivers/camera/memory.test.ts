import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LibcameraCamera } from '../../../drivers/camera/libcamera-stream.ts';
import { drawScene } from '../../tools/scenes/scenes.ts';
import { removeFolders } from '../folders.ts';
import { fakeCamera, patience } from './support.ts';

const memory = suite('camera memory');
memory.after(removeFolders);
const MIB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Everything that JavaScript keeps alive, the bytes of buffers with it. */
function keptBytes(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

memory('stays flat over 3,000 streamed frames', async () => {
  const pictures = [1, 2, 3].map((seed) => drawScene({ item: 'orange', seed }));
  const fake = await fakeCamera({ FAKE_FPS: '0', FAKE_RUBBISH: '1', FAKE_HALF_EVERY: '7' }, 'rpicam-vid', pictures);
  const camera = new LibcameraCamera({}, {}, fake.env);
  const upTo = async (sequence: number) => {
    let frame = await camera.next(patience(), 0);
    while (frame.sequence < sequence) frame = await camera.next(patience(), frame.sequence);
    return frame;
  };
  await upTo(500);
  const early = keptBytes();
  const frame = await upTo(3500);
  const grown = keptBytes() - early;
  await camera.close();
  const streamed = 3000 * frame.jpeg.length;
  assert.ok(streamed > 200 * MIB, `only ${streamed} bytes were streamed`);
  assert.ok(grown < 4 * MIB, `grew by ${grown} bytes over ${streamed} streamed`);
});

memory.run();
