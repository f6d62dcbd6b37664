/** A white place of the tray tells the lamp's colour, which is taken out of what is learned and recognised alike. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Colour, gainOf } from '../../firmware/recognition/calibration/white-colour.ts';
import { isCut } from '../../firmware/recognition/vision/frame.ts';
import { openPicture } from '../../firmware/recognition/vision/frame-picture.ts';
import { inLight } from '../../firmware/recognition/vision/in-light.ts';
import { temporaryFolder } from '../support.ts';
import { drawTray } from './drawn-tray.ts';
import { type Rig, type RigOptions, startRig } from './support.ts';

const test = suite('recognition: the white reference');

const STICKER = '<rect x="20" y="20" width="100" height="100" fill="#d4d4d2"/>';
/** One for all: each drawing has a grain of its own, and where a thing ends is told by a cell more or less of what was learned. */
const EMPTY = drawTray({ things: STICKER });
const PLACE = { left: 30, top: 30, width: 80, height: 80 };
/** Half taken out by the camera. */
const WARM = [1.15, 1, 0.75] as const;
const thing = (fill: string, x = 640): string =>
  `<rect x="${x - 150}" y="210" width="150" height="300" fill="${fill}"/><rect x="${x}" y="210" width="150" height="300" fill="#d8c23a"/>`;

const name = (rig: Rig, place: object = PLACE) => rig.send('PUT', '/v1/white-reference', place);

async function whiteRig(options: RigOptions = {}, named = true): Promise<Rig> {
  const rig = await startRig(options);
  await rig.show(await EMPTY);
  assert.is((await rig.post('/api/learn_background')).body.code, 0);
  if (named) assert.is((await name(rig)).status, 200);
  return rig;
}

/** Mean colour of a crop's middle. */
async function middleOf(crop: Uint8Array): Promise<number[]> {
  const { width = 0, height = 0 } = await sharp(crop).metadata();
  const part = { left: Math.round(width * 0.25), top: Math.round(height * 0.4), width: 20, height: 20 };
  const { channels } = await sharp(await sharp(crop).extract(part).toBuffer()).stats();
  return channels.map(({ mean }) => mean);
}

const flat = ([red, green, blue]: Colour, count = 64) => ({
  width: count,
  height: 1,
  pixels: Uint8Array.from({ length: count * 3 }, (_, at) => [red, green, blue][at % 3] ?? 0),
});

test('the gain takes the colour out and leaves the brightness', () => {
  const [red, green, blue] = gainOf([200, 200, 200], flat([230, 200, 150])) ?? [0, 0, 0];
  assert.ok(Math.abs(red * 230 - green * 200) < 1 && Math.abs(green * 200 - blue * 150) < 1, `${[red, green, blue]}`);
  assert.ok(Math.abs(red * green * blue - 1) < 1e-9);
  assert.equal(gainOf([200, 200, 200], flat([100, 100, 100])), null, 'half the light is no other colour');
  assert.equal(gainOf([200, 200, 200], flat([203, 200, 198])), null, 'noise changes nothing');
});

test('what is dark, burnt out, coloured or half covered tells nothing', () => {
  const learned: Colour = [200, 200, 200];
  for (const colour of [
    [255, 230, 170],
    [60, 45, 30],
    [220, 90, 60],
  ] as const)
    assert.is(gainOf(learned, flat(colour)), null, String(colour));
  const [white, other] = [flat([230, 200, 150], 30), flat([40, 90, 200], 34)];
  const mixed = { width: 64, height: 1, pixels: Uint8Array.from([...white.pixels, ...other.pixels]) };
  assert.is(gainOf(learned, mixed), null, 'more than half is something else');
  const specks = { width: 64, height: 1, pixels: flat([230, 200, 150]).pixels.fill(0, 0, 30) };
  assert.ok(gainOf(learned, specks) !== null, 'some specks do not matter');
});

test('each channel is multiplied by itself, within bounds, and print is read as it is', async () => {
  const jpeg = await sharp({ create: { width: 16, height: 16, channels: 3, background: { r: 200, g: 100, b: 50 } } })
    .jpeg({ quality: 100 })
    .toBuffer();
  const picture = await openPicture(jpeg);
  const lit = inLight(picture, [1.5, 1, 0.5]);
  const [before, after] = [await picture.pixels(4, 4), await lit.pixels(4, 4)];
  assert.equal(
    [...after.pixels],
    [...before.pixels].map((level, at) => Math.min(255, Math.round(level * ([1.5, 1, 0.5][at % 3] ?? 1)))),
  );
  const whole = { left: 0, top: 0, width: 16, height: 16 };
  assert.equal(await lit.grey(4, 4, whole), await picture.grey(4, 4, whole));
  assert.is(inLight(picture, null), picture);
});

test('under another lamp a template is what it would have been, and its vector is that of its crop, bit for bit', async () => {
  await using rig = await whiteRig();
  await using bare = await whiteRig({}, false);
  const learn = async (each: Rig, light: readonly [number, number, number]) => {
    await each.show(await drawTray({ things: STICKER + thing('#b3502a'), light }));
    return (await each.recognition.addTemplate('red')).image;
  };
  const usual = await middleOf(await learn(rig, [1, 1, 1]));
  const warm = await learn(rig, WARM);
  const [taken, left] = [await middleOf(warm), await middleOf(await learn(bare, WARM))];
  const colours = ([red = 1, green = 1, blue = 1]: number[]) => [red / green, blue / green];
  const far = (one: number[], other: number[]) =>
    Math.max(...colours(one).map((value, at) => Math.abs(value / (colours(other)[at] ?? 1) - 1)));
  assert.ok(far(taken, usual) < 0.06, `${taken} and ${usual}`);
  assert.ok(far(left, usual) > 0.1, `without it ${left}`);
  const { recogniser, templates, model } = rig.recognition;
  const vectors = templates.vectorsOf('red', model?.identity ?? '');
  assert.equal(await recogniser.vectorOf(warm), vectors[1]);
  assert.ok(isCut(await openPicture(warm)));
});

test('what is told apart by its colour is certain under another lamp, too', async () => {
  const asked = async (rig: Rig) => {
    for (const [item, fill] of [
      ['warm', '#b35a3c'],
      ['cool', '#a85a50'],
    ] as const)
      await rig.learn(item, await drawTray({ things: STICKER + thing(fill) }));
    await rig.show(await drawTray({ things: STICKER + thing('#a85a50', 660), light: WARM }));
    return (await rig.get('/v1/recognition')).body.candidates[0];
  };
  await using rig = await whiteRig();
  await using bare = await whiteRig({}, false);
  const [taken, left] = [await asked(rig), await asked(bare)];
  assert.is(taken.id, 'cool');
  assert.ok(taken.similarity > left.similarity, `${taken.similarity} and ${left.similarity}`);
});

test('what lies on the place hides it, and pictures are taken as they are', async () => {
  await using rig = await whiteRig();
  await using bare = await whiteRig({}, false);
  const frame = await drawTray({
    things: `${STICKER}<rect x="60" y="60" width="300" height="300" fill="#c9b98f"/>`,
    light: WARM,
  });
  const crops = [];
  for (const each of [rig, bare]) {
    await each.show(frame);
    crops.push((await each.recognition.addTemplate('box')).image);
  }
  assert.equal(crops[0], crops[1]);
});

test('a place that is not white is refused and says what it is; what was named before stays', async () => {
  await using rig = await startRig();
  assert.is((await name(rig)).body.code, 'Camera.NoPicture');
  await rig.show(await drawTray({ things: STICKER }));
  const { status, body } = await name(rig);
  assert.is(status, 200);
  assert.equal(body.white.place, PLACE);
  assert.ok(Math.abs(body.white.colour.red - 212) < 6, JSON.stringify(body.white.colour));
  for (const [things, words] of [
    ['<rect width="200" height="200" fill="#ffffff"/>', /burnt out/],
    ['<rect width="200" height="200" fill="#101010"/>', /too dark/],
    ['<rect width="200" height="200" fill="#c03030"/>', /coloured, not white/],
    [
      '<rect width="65" height="70" fill="#d4d4d2"/><rect x="65" width="70" height="140" fill="#707070"/>',
      /one colour/,
    ],
  ] as const) {
    await rig.show(await drawTray({ things }));
    const refused = await name(rig);
    assert.equal([refused.status, refused.body.code], [409, 'Calibration.WhiteUnusable'], things);
    assert.match(refused.body.detail, words);
  }
  assert.equal((await rig.get('/v1/white-reference')).body, body);
  for (const [place, field] of [
    [{ ...PLACE, left: 1250 }, 'width'],
    [{ ...PLACE, top: 700 }, 'height'],
    [{ ...PLACE, width: 7 }, 'width'],
    [{ ...PLACE, left: -1 }, 'left'],
  ] as const)
    assert.equal([(await name(rig, place)).status, (await name(rig, place)).body.field], [400, field]);
});

const IN_NO_CALENDAR = { at: 1e17, place: { left: 30, top: 30, width: 60, height: 60 }, colour: [200, 200, 200] };

for (const white of [{ at: 1 }, IN_NO_CALENDAR])
  test(`a damaged file is told of in /health, and the place named anew (at ${white.at})`, async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'white-reference.json'), JSON.stringify({ white }));
    await using rig = await startRig({ folder: folder.path });
    const health = async () => await rig.part('calibration');
    assert.match((await health()).reason, /white-reference.json was damaged/);
    assert.is((await health()).state, 'degraded');
    await rig.show(await drawTray({ things: STICKER }));
    assert.is((await name(rig)).status, 200);
    assert.is((await health()).state, 'ok');
  });

test('it is kept over a restart, and forgotten when asked', async () => {
  using folder = temporaryFolder();
  let before: unknown;
  {
    await using rig = await whiteRig({ folder: folder.path });
    before = (await rig.get('/v1/white-reference')).body;
  }
  await using rig = await startRig({ folder: folder.path });
  assert.equal((await rig.get('/v1/white-reference')).body, before);
  const { body } = await rig.send('DELETE', '/v1/white-reference');
  assert.equal(body, { white: null });
  assert.equal((await rig.get('/v1/white-reference')).body, { white: null });
});

test.run();
