import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CameraError, FrameRefused, isPushCamera, MAX_JPEG_BYTES } from '../../../drivers/camera/contract.ts';
import { PushedCamera } from '../../../drivers/camera/push.ts';
import { each, pick, thrown } from '../../support.ts';
import { jpegOf, patience, recordStates } from './support.ts';

const push = suite('push camera');
const it = each<[PushedCamera]>(push, (run) => async () => {
  const camera = new PushedCamera();
  await run(camera);
  await camera.close();
});
const small = await jpegOf(30, 160, 120);
const large = await jpegOf(200);

/** The header claims other measures than the pixels have. */
function claiming(jpeg: Buffer, width: number, height: number): Buffer {
  const forged = Buffer.from(jpeg);
  const header = forged.indexOf(Buffer.from([0xff, 0xc0]));
  forged.writeUInt16BE(height, header + 5);
  forged.writeUInt16BE(width, header + 7);
  return forged;
}

async function refusal(camera: PushedCamera, jpeg: Buffer): Promise<string> {
  const error = await camera.put(jpeg).catch((reason: unknown) => reason);
  return error instanceof FrameRefused ? error.code : `not refused: ${String(error)}`;
}

push('has no frame until one is put, then that one, with its size', async () => {
  const { onState, names } = recordStates();
  const camera = new PushedCamera({ onState });
  assert.ok(isPushCamera(camera));
  assert.is(camera.state.name, 'starting');
  assert.is(thrown(CameraError, () => camera.latest()).code, 'no-frame');
  const waiting = camera.next(patience());
  await camera.put(small);
  const frame = camera.latest();
  assert.equal(
    { width: frame.width, height: frame.height, sequence: frame.sequence },
    { width: 160, height: 120, sequence: 1 },
  );
  assert.ok(frame.jpeg.equals(small));
  assert.is((await waiting).sequence, 1);
  await camera.put(large);
  assert.is(camera.latest().sequence, 2);
  assert.equal(names(), ['ready']);
  assert.not(camera.streaming);
  await camera.close();
});

it('refuses what is too large, no JPEG, or does not decode, and keeps the frame it has', async (camera) => {
  await camera.put(small);
  const png = await sharp(small).png().toBuffer();
  assert.is(await refusal(camera, Buffer.concat([small, Buffer.alloc(MAX_JPEG_BYTES)])), 'too-large');
  assert.is(await refusal(camera, png), 'not-jpeg');
  assert.is(await refusal(camera, Buffer.alloc(0)), 'not-jpeg');
  assert.is(await refusal(camera, Buffer.from([0xff, 0xd8, 0xff])), 'undecodable');
  assert.is(await refusal(camera, large.subarray(0, large.length / 2)), 'undecodable');
  assert.is(await refusal(camera, large.subarray(0, 300)), 'undecodable');
  assert.is(await refusal(camera, claiming(small, 65500, 65500)), 'undecodable');
  assert.is(await refusal(camera, claiming(small, 4097, 4096)), 'undecodable');
  assert.is(camera.latest().sequence, 1);
  assert.ok(camera.latest().jpeg.equals(small));
});

push('reports how large a picture may be', async () => {
  const error = await new PushedCamera().put(claiming(small, 6000, 4000)).catch((reason: unknown) => reason);
  assert.match(String(error), /6000×4000 pixels, and may have 16777216 in all: make it smaller/);
});

it('refuses a picture of which the decoder warns: no recognition would take it', async (camera) => {
  const scan = large.indexOf(Buffer.from([0xff, 0xda]));
  const strewn = Buffer.concat([large.subarray(0, scan), Buffer.alloc(7), large.subarray(scan)]);
  assert.is(await refusal(camera, strewn), 'undecodable');
});

it('takes progressive and grey JPEGs, and those of exactly the largest size', async (camera) => {
  assert.is((await camera.put(await sharp(large).jpeg({ progressive: true }).toBuffer())).width, 1280);
  assert.is((await camera.put(await sharp(large).greyscale().jpeg().toBuffer())).width, 1280);
  const padded = Buffer.concat([small, Buffer.alloc(MAX_JPEG_BYTES - small.length)]);
  assert.is((await camera.put(padded)).sequence, 3);
});

it('looks at one picture at a time, however many come at once: each takes a hundred megabytes', async (camera) => {
  const heavy = await sharp(large).resize(4000, 3000, { fit: 'fill' }).jpeg({ progressive: true }).toBuffer();
  // the decoder reports what is queued and what is done, from this thread: its counters are changed by others
  let reports = 0;
  const count = () => reports++;
  sharp.queue.on('change', count);
  await camera.put(heavy);
  const ofOne = reports;
  reports = 0;
  const whenDone: number[] = [];
  const put = async () => {
    const frame = await camera.put(heavy);
    whenDone.push(reports);
    return frame;
  };
  const frames = await Promise.all(Array.from({ length: 6 }, put));
  sharp.queue.off('change', count);
  assert.ok(ofOne > 0);
  // by then the next one may have begun, and no other
  for (const [at, done] of whenDone.entries())
    assert.ok(done <= (at + 2) * ofOne, `${done} of ${ofOne} each, at ${at}`);
  assert.equal(pick(frames, 'sequence'), [2, 3, 4, 5, 6, 7]);
});

it('of pictures that come at once, the last one sent stays', async (camera) => {
  const heavy = await sharp(large).resize(4000, 3000, { fit: 'fill' }).jpeg().toBuffer();
  await Promise.all([camera.put(heavy), camera.put(small)]);
  assert.ok(camera.latest().jpeg.equals(small));
});

push('a closed camera takes no picture', async () => {
  const camera = new PushedCamera();
  await camera.close();
  const error = await camera.put(small).catch((reason: unknown) => reason);
  assert.ok(error instanceof CameraError && error.code === 'closed');
});

push.run();
