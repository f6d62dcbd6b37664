/** JPEG as some phones and cameras write it, against the standard: taken, and damage of it refused as of any other. */
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkJpeg } from '../../drivers/camera/decode.ts';
import { withWholeSpectrum } from '../../drivers/camera/jpeg-header.ts';
import { pictureToStore } from '../../firmware/recognition/items/item-picture.ts';
import { openPicture } from '../../firmware/recognition/vision/frame-picture.ts';

const test = suite('JPEG against the standard');

const SOS = Buffer.from([0xff, 0xda]);

/** A grey picture with a restart marker behind each block. @param fillings what stands before each marker */
function withRestarts(...fillings: readonly number[][]): Buffer {
  const table = (id: number) => [0xff, 0xc4, 0, 20, id, 1, ...Array.from({ length: 15 }, () => 0), 0];
  const blocks = fillings.flatMap((filling, at) => [0x3f, ...filling, 0xff, 0xd0 + (at % 8)]);
  return Buffer.from([
    ...[0xff, 0xd8, 0xff, 0xdb, 0, 67, 0, ...Array.from({ length: 64 }, () => 1)],
    ...[0xff, 0xc0, 0, 11, 8, 0, 8 * (fillings.length + 1), 0, 8, 1, 1, 0x11, 0, ...table(0), ...table(0x10)],
    ...[0xff, 0xdd, 0, 4, 0, 1, ...SOS, 0, 8, 1, 1, 0, 0, 63, 0],
    ...[...blocks, 0x3f, 0xff, 0xd9],
  ]);
}

/** As a phone writes it: the last byte of the scan's spectrum is 0, where a baseline has 63. */
async function ofPhone(): Promise<Buffer> {
  const noise = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, at) => (at * 7919) % 251));
  const jpeg = await sharp(noise, { raw: { width: 64, height: 64, channels: 3 } })
    .jpeg()
    .toBuffer();
  const scan = jpeg.indexOf(SOS);
  const last = scan + 2 + jpeg.readUInt16BE(scan + 2) - 2;
  assert.is(jpeg[last], 63);
  jpeg[last] = 0;
  return jpeg;
}

const PART = { left: 1, top: 1, width: 5, height: 5 };
const WAYS: readonly ((jpeg: Buffer) => Promise<unknown>)[] = [
  checkJpeg,
  pictureToStore,
  async (jpeg) => (await openPicture(jpeg)).pixels(4, 4),
  async (jpeg) => (await openPicture(jpeg)).pixels(4, 4, PART),
  async (jpeg) => (await openPicture(jpeg)).jpeg(4, 4, PART, 80),
];

/** By all who decode, one after the other: at once, the decoder's words may be those about another file. */
async function takenBy(jpeg: Buffer): Promise<boolean[]> {
  const taken: boolean[] = [];
  for (const way of WAYS)
    taken.push(
      await way(jpeg).then(
        () => true,
        () => false,
      ),
    );
  return taken;
}

async function isTaken(jpeg: Buffer): Promise<boolean> {
  const [first = false, ...others] = await takenBy(jpeg);
  const areAlike = others.every((other) => other === first);
  assert.ok(areAlike, 'all agree');
  return first;
}

test('a phone that writes a wrong end of the spectrum is believed the rest', async () => {
  const jpeg = await ofPhone();
  assert.ok(await isTaken(jpeg));
  const half = Math.floor(jpeg.length / 2);
  assert.not(await isTaken(jpeg.subarray(0, half)), 'cut');
  const damaged = Buffer.from(jpeg);
  damaged.fill(0xff, half, half + 40);
  const ofOthers = withWholeSpectrum(damaged);
  assert.is.not(ofOthers, damaged);
  assert.equal(await takenBy(damaged), await takenBy(ofOthers), 'damage is judged as that of others');
  assert.ok((await takenBy(damaged)).includes(false));
});

test('a progressive picture, whose first scan has only low frequencies, is left as it is', async () => {
  const noise = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, at) => (at * 7919) % 251));
  const picture = sharp(noise, { raw: { width: 64, height: 64, channels: 3 } });
  const jpeg = await picture.jpeg({ progressive: true }).toBuffer();
  assert.is(withWholeSpectrum(jpeg), jpeg);
  assert.ok(await isTaken(jpeg));
});

test('a camera that fills up before restart markers is believed the rest', async () => {
  assert.ok(await isTaken(withRestarts([], [], [])));
  const filling = Array.from({ length: 12 }, (_, at) => at);
  const jpeg = withRestarts([], filling, [7], filling, []);
  assert.ok(await isTaken(jpeg));
  await Promise.all(WAYS.map((way) => way(jpeg)));
  assert.not(await isTaken(jpeg.subarray(0, jpeg.length - 6)), 'cut');
  assert.not(await isTaken(withRestarts([], [0xff, 0xd5], [], [])), 'another marker');
  const lost = Array.from({ length: 200 }, () => 1);
  assert.not(await isTaken(withRestarts([], lost, [], [])), 'more than any camera fills up');
});

test.run();
