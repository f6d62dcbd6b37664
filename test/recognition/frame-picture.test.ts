/** A picture that several look at is decoded once, and each sees what it would have seen by itself. */
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FrameRefused } from '../../drivers/camera/contract.ts';
import { greyArea, modelViews, storedCrop, trayView } from '../../firmware/recognition/vision/frame.ts';
import { openPicture } from '../../firmware/recognition/vision/frame-picture.ts';

const picture = suite('a picture that several look at');
const INPUT = { width: 96, height: 96, closerLooks: [0.7] } as const;
const PART = { left: 400, top: 201, width: 267, height: 181 };
const AREA = { x: 100, y: 60, width: 600, height: 600 };
const CUT = { x: 0.6, y: 0.4, side: 0.4 };

function drawn(width: number, height: number) {
  const circles = Array.from(
    { length: 60 },
    (_, at) =>
      `<circle cx="${(at * 211) % 1280}" cy="${(at * 97) % 720}" r="${15 + (at % 9) * 6}" fill="hsl(${at * 37},70%,50%)"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" width="${width}" height="${height}" preserveAspectRatio="none"><rect width="1280" height="720" fill="#777"/>${circles.join('')}</svg>`;
  return sharp(Buffer.from(svg)).removeAlpha();
}

/** Larger than what is decoded for several. */
const LARGE = [2592, 1944] as const;
const KINDS: Readonly<Record<string, () => Promise<Buffer>>> = {
  ordinary: () => drawn(1280, 720).jpeg({ quality: 85 }).toBuffer(),
  'of odd sides': () => drawn(1279, 717).jpeg().toBuffer(),
  'with all its colours': () => drawn(1280, 720).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
  progressive: () => drawn(1280, 720).jpeg({ progressive: true }).toBuffer(),
  grey: () => drawn(1280, 720).greyscale().jpeg().toBuffer(),
  'in the colours of a profile': () => drawn(1280, 720).withIccProfile('p3').jpeg().toBuffer(),
  'in the colours of print': () => drawn(1280, 720).toColourspace('cmyk').jpeg().toBuffer(),
  'that lies on its side': () => drawn(1280, 720).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  large: () =>
    drawn(...LARGE)
      .jpeg()
      .toBuffer(),
};

/** Decoded for this alone. */
const alone = (jpeg: Buffer) =>
  sharp(jpeg).extract(PART).resize(120, 90, { fit: 'fill' }).toColourspace('srgb').removeAlpha().raw().toBuffer();

for (const [kind, draw] of Object.entries(KINDS)) {
  picture(`parts of one that is ${kind} are bit for bit what each would be alone`, async () => {
    const jpeg = await draw();
    const ahead = await openPicture(jpeg);
    ahead.decodeAhead();
    assert.ok(Buffer.from((await ahead.pixels(120, 90, PART)).pixels).equals(await alone(jpeg)));
    const shared = await openPicture(jpeg);
    for (let turn = 0; turn < 2; turn++) {
      const views = await modelViews(shared, AREA, INPUT, 'normal', CUT);
      assert.equal(views, await modelViews(jpeg, AREA, INPUT, 'normal', CUT));
      assert.equal(await trayView(shared, AREA), await trayView(jpeg, AREA));
      assert.equal(await greyArea(shared, AREA), await greyArea(jpeg, AREA));
      assert.equal(await storedCrop(shared, AREA, CUT), await storedCrop(jpeg, AREA, CUT));
      assert.equal(await storedCrop(shared, AREA), await storedCrop(jpeg, AREA));
    }
    const { data } = await sharp(jpeg)
      .extract(PART)
      .toColourspace('srgb')
      .extractChannel('green')
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.ok(data.equals(Buffer.from(await shared.grey(PART.width, PART.height, PART))), 'what is read of it');
  });
}

picture('it is decoded once for all of them', async () => {
  const jpeg = await drawn(1280, 720).jpeg().toBuffer();
  const [part, grey] = [await alone(jpeg), await (await openPicture(jpeg)).grey(PART.width, PART.height, PART)];
  const shared = await openPicture(jpeg);
  await shared.pixels(10, 10, PART);
  jpeg.fill(0);
  assert.ok(Buffer.from((await shared.pixels(120, 90, PART)).pixels).equals(part));
  assert.equal(await shared.grey(PART.width, PART.height, PART), grey);
});

picture('of one that is large only what is looked at is kept', async () => {
  const jpeg = await drawn(...LARGE)
    .jpeg()
    .toBuffer();
  const large = await openPicture(jpeg);
  large.decodeAhead();
  await large.pixels(10, 10, PART);
  jpeg.fill(0);
  const refused = await large.pixels(10, 10, PART).catch((error: unknown) => error);
  assert.instance(refused, FrameRefused);
});

picture('what it has decoded is given back when that is asked for, and a part of it is decoded anew', async () => {
  const [width, height] = [1280, 720];
  const jpeg = await drawn(width, height).jpeg().toBuffer();
  const shared = await openPicture(jpeg);
  const read = () => Promise.all([shared.pixels(120, 90, PART), shared.grey(PART.width, PART.height, PART)]);
  const before = await read();
  const held = process.memoryUsage().external;
  await shared.release();
  const given = held - process.memoryUsage().external;
  assert.ok(given > 0.9 * width * height * 3, `${given} bytes`);
  assert.equal(await read(), before);
  await (await openPicture(jpeg)).release();
  const broken = await openPicture(jpeg.subarray(0, jpeg.length - 3000));
  broken.decodeAhead();
  await broken.release();
});

picture('the green of one can be handed over to another thread, whether it is large or not', async () => {
  for (const [width, height] of [[1280, 720], LARGE] as const) {
    const green = await (await openPicture(await drawn(width, height).jpeg().toBuffer())).grey(64, 36, PART);
    assert.is(structuredClone(green, { transfer: [green.buffer] }).length, 64 * 36);
    assert.is(green.length, 0);
  }
});

picture('one that cannot be decoded is refused to each caller, and is no unhandled failure', async () => {
  const whole = await drawn(1280, 720).jpeg().toBuffer();
  const broken = await openPicture(whole.subarray(0, whole.length - 3000));
  broken.decodeAhead();
  // others of it fail, too; by then the first has
  for (let turn = 0; turn < 3; turn++)
    await (await openPicture(whole.subarray(0, whole.length - 3000))).pixels(9, 9, PART).catch(() => null);
  for (const asked of [broken.pixels(9, 9, PART), broken.grey(9, 9, PART), broken.pixels(9, 9, PART)]) {
    const refused = await asked.catch((error: unknown) => error);
    assert.instance(refused, FrameRefused);
  }
});

picture.run();
