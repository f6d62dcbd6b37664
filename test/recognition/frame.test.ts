import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FrameRefusalCode, FrameRefused } from '../../drivers/camera/contract.ts';
import type { Area } from '../../firmware/recognition/model/area.ts';
import { scaledSize } from '../../firmware/recognition/vision/cut.ts';
import { modelViews, storedCrop, type View } from '../../firmware/recognition/vision/frame.ts';
import { failed } from '../support.ts';
import { firstView } from './view.ts';

const frame = suite('frame');
const INPUT = { width: 96, height: 96 } as const;
const WHOLE: Area = { x: 0, y: 0, width: 1280, height: 720 };
type Colour = readonly [red: number, green: number, blue: number];
const RED: Colour = [200, 30, 30];
const GREEN: Colour = [30, 160, 40];
const BLUE: Colour = [40, 60, 190];

const css = (colour: Colour): string => `rgb(${colour.join()})`;

function jpegOf(svg: string, width = 1280, height = 720, quality = 92): Promise<Buffer> {
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" width="${width}" height="${height}" preserveAspectRatio="none">${svg}</svg>`;
  return sharp(Buffer.from(picture)).jpeg({ quality }).toBuffer();
}

/** Left third red, middle third green, right third blue. */
const THIRDS = [RED, GREEN, BLUE]
  .map((colour, at) => `<rect x="${at * 427}" width="427" height="720" fill="${css(colour)}"/>`)
  .join('');
const FRUIT = `<rect width="1280" height="720" fill="#777"/>${Array.from(
  { length: 40 },
  (_, at) =>
    `<circle cx="${(at * 211) % 1280}" cy="${(at * 97) % 720}" r="${15 + (at % 9) * 6}" fill="hsl(${at * 37},70%,50%)"/>`,
).join('')}`;

function colourAt({ width, height, pixels }: View, x: number, y: number): Colour {
  const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 3;
  return [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
}

function near(actual: Colour, expected: Colour, what: string): void {
  const away = Math.max(...actual.map((value, at) => Math.abs(value - (expected[at] ?? 0))));
  assert.ok(away <= 12, `${what}: ${actual.join()} instead of ${expected.join()}`);
}

function difference(one: View, other: View): number {
  assert.is(one.pixels.length, other.pixels.length);
  return one.pixels.reduce((sum, value, at) => sum + Math.abs(value - (other.pixels[at] ?? 0)), 0) / one.pixels.length;
}

const refusal = async (work: Promise<unknown>) => (await failed(FrameRefused, work)).code;

frame('the model sees the middle of the area', async () => {
  const jpeg = await jpegOf(THIRDS);
  const cover = await firstView(jpeg, WHOLE, INPUT);
  assert.equal(
    { width: cover.width, height: cover.height, pixels: cover.pixels.length },
    { width: 96, height: 96, pixels: 96 * 96 * 3 },
  );
  near(colourAt(cover, 0.5, 0.5), GREEN, 'the middle of cover');
  near(colourAt(cover, 0.1, 0.5), RED, 'the left of cover, inside of the 281st pixel');
});

frame('an area is what it says in frames of every size', async () => {
  for (const [width, height] of [
    [1280, 720],
    [640, 360],
    [1920, 1080],
    [800, 600],
    [320, 180],
  ] as const) {
    const jpeg = await jpegOf(THIRDS, width, height);
    for (const [x, colour] of [
      [20, RED],
      [447, GREEN],
      [874, BLUE],
    ] as const) {
      const seen = await firstView(jpeg, { x, y: 100, width: 380, height: 380 }, INPUT);
      for (const corner of [0.05, 0.95]) near(colourAt(seen, corner, corner), colour, `${width}×${height} at ${x}`);
    }
  }
});

frame('an area that reaches out of the frame ends at its edge', async () => {
  const jpeg = await jpegOf(THIRDS);
  near(colourAt(await firstView(jpeg, { x: 1000, y: 500, width: 900, height: 900 }, INPUT), 0.9, 0.9), BLUE, 'edge');
  near(colourAt(await firstView(jpeg, { x: 5000, y: 5000, width: 10, height: 10 }, INPUT), 0.5, 0.5), BLUE, 'outside');
  near(colourAt(await firstView(jpeg, { x: -50, y: -50, width: 100, height: 100 }, INPUT), 0.5, 0.5), RED, 'corner');
});

frame('cutting first and scaling first show the same', async () => {
  const jpeg = await jpegOf(FRUIT);
  // the limit between the two ways lies at a scale of 0.36
  const scaledWhole = await firstView(jpeg, { x: 400, y: 200, width: 268, height: 268 }, INPUT);
  const cutFirst = await firstView(jpeg, { x: 400, y: 200, width: 265, height: 265 }, INPUT);
  assert.ok(difference(scaledWhole, cutFirst) < 4, `they differ by ${difference(scaledWhole, cutFirst)}`);
});

frame('the stored crop is the whole area, bounded in size, never enlarged, always the same bytes', async () => {
  const jpeg = await jpegOf(FRUIT);
  const size = async (area: Area | null): Promise<number[]> => {
    const { format, width, height } = await sharp(await storedCrop(jpeg, area)).metadata();
    assert.is(format, 'jpeg');
    return [width, height];
  };
  assert.equal(await size(WHOLE), [455, 256]);
  assert.equal(await size(null), [455, 256]);
  assert.equal(await size({ x: 0, y: 0, width: 1280, height: 100 }), [512, 40]);
  assert.equal(await size({ x: 100, y: 100, width: 120, height: 90 }), [120, 90]);
  assert.equal(await storedCrop(jpeg, WHOLE), await storedCrop(jpeg, WHOLE));
});

frame('the stored crop shows the model what the frame did', async () => {
  const jpeg = await jpegOf(FRUIT);
  const area = { x: 200, y: 50, width: 900, height: 600 };
  const fromFrame = await firstView(jpeg, area, INPUT);
  const fromCrop = await firstView(await storedCrop(jpeg, area), null, INPUT);
  assert.ok(difference(fromFrame, fromCrop) < 5, `they differ by ${difference(fromFrame, fromCrop)}`);
});

frame('a grey JPEG has three equal channels', async () => {
  const grey = await sharp(await jpegOf(THIRDS))
    .greyscale()
    .jpeg()
    .toBuffer();
  const { pixels } = await firstView(grey, null, INPUT);
  assert.is(pixels.length, 96 * 96 * 3);
  assert.ok(pixels.every((value, at) => value === pixels[at - (at % 3)]));
});

frame('fast is one view of the area; normal adds the closer ones that the model asks for', async () => {
  const jpeg = await jpegOf(FRUIT);
  const area = { x: 100, y: 60, width: 600, height: 600 };
  const plain = await firstView(jpeg, area, INPUT);
  const input = { ...INPUT, closerLooks: [0.9, 0.5] };
  assert.equal(await modelViews(jpeg, area, input, 'fast'), [plain]);
  assert.equal(await modelViews(jpeg, area, input, 'normal'), [
    plain,
    await firstView(jpeg, { x: 130, y: 90, width: 540, height: 540 }, INPUT),
    await firstView(jpeg, { x: 250, y: 210, width: 300, height: 300 }, INPUT),
  ]);
  assert.equal(await modelViews(jpeg, area, INPUT, 'normal'), [plain], 'a model that asks for none');
});

frame('a side that is made smaller has a pixel left', () => {
  assert.equal(scaledSize({ width: 1280, height: 2 }, 0.125), { width: 160, height: 1 });
});

frame('what is no JPEG says so, and what is damaged or cut off is undecodable', async () => {
  const jpeg = await jpegOf(FRUIT);
  const damaged = Buffer.from(jpeg);
  damaged.fill(0xff, 2, 300);
  const halves = Buffer.concat([jpeg.subarray(0, jpeg.length / 2), jpeg]);
  const cases: [FrameRefusalCode, string, Uint8Array][] = [
    ['not-jpeg', 'nothing', new Uint8Array()],
    ['not-jpeg', 'text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['not-jpeg', 'PNG', await sharp(jpeg).png().toBuffer()],
    ['undecodable', 'only a start', Buffer.from([0xff, 0xd8, 0xff])],
    ['undecodable', 'cut off', jpeg.subarray(0, jpeg.length - 2000)],
    ['undecodable', 'without a header', damaged],
    ['undecodable', 'half a frame and a whole one', halves],
  ];
  for (const [code, name, bytes] of cases) {
    assert.is(await refusal(firstView(bytes, WHOLE, INPUT)), code, name);
    assert.is(await refusal(storedCrop(bytes, WHOLE)), code, name);
    assert.is(await refusal(modelViews(bytes, null, INPUT, 'normal')), code, name);
  }
});

frame('too many bytes, or a header that promises too many pixels, is too large', async () => {
  assert.is(await refusal(firstView(Buffer.alloc(8 * 1024 * 1024 + 1, 0xff), null, INPUT)), 'too-large');
  const bomb = Buffer.from(await jpegOf(THIRDS, 64, 64));
  const size = bomb.indexOf(Buffer.from([0xff, 0xc0])) + 5;
  bomb.writeUInt16BE(65_000, size);
  bomb.writeUInt16BE(65_000, size + 2);
  assert.is(await refusal(firstView(bomb, null, INPUT)), 'too-large');
});

frame.run();
