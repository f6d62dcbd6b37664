/** `/console/api/camera` returns what recognition looks at, in the pixels of the frame as it is. */
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { each } from '../support.ts';
import { drawTray } from './drawn-tray.ts';
import { onRig, type Rig } from './support.ts';

const test = suite('recognition: what the camera sees, shown to people');
const it = each(test, onRig);

/** In a square frame, which the calls of the original device stretch. */
const SIDE = 256;
const square = async (things: string): Promise<Buffer> =>
  await sharp(await drawTray({ things }))
    .resize(SIDE, SIDE, { fit: 'fill' })
    .jpeg({ quality: 95 })
    .toBuffer();
const THING = '<rect x="640" y="180" width="320" height="360" fill="#b3302a"/>';
const sight = async (rig: Rig) => (await rig.get('/console/api/camera')).body;

it('without a picture all three are refused by a code', async (rig) => {
  for (const path of ['/console/api/camera', '/console/api/camera/frame', '/console/api/camera/crop']) {
    const { status, body } = await rig.get(path);
    assert.equal([status, body.code], [503, 'Camera.NoPicture'], path);
  }
});

it('the frame is given as it came, with its number and size', async (rig) => {
  const jpeg = await square(THING);
  await rig.show(await square(''));
  await rig.show(jpeg);
  const answer = await fetch(`${rig.url}/console/api/camera/frame`);
  assert.is(answer.headers.get('laneware-frame'), '2');
  assert.is(answer.headers.get('laneware-frame-size'), '256x256');
  assert.is(answer.headers.get('cache-control'), 'no-store');
  assert.ok(Buffer.from(await answer.arrayBuffer()).equals(jpeg), 'byte for byte');
});

it('the area, the thing and the look are in the pixels of the frame', async (rig) => {
  await rig.post('/api/set_calib', { left: 320, top: 90, width: 960, height: 540 });
  await rig.show(await square(''));
  assert.is((await sight(rig)).learned, false);
  await rig.post('/api/learn_background');
  assert.equal((({ tray, learned, looks, measures }) => ({ tray, learned, looks, measures }))(await sight(rig)), {
    tray: 'empty',
    learned: true,
    looks: [],
    measures: null,
  });
  assert.is((await rig.get('/console/api/camera/crop')).body.code, 'Tray.Empty');
  await rig.show(await square(THING));
  const { area, tray, things, looks, frame, play } = await sight(rig);
  assert.equal(area, { left: 64, top: 32, width: 192, height: 192 });
  assert.equal(
    { tray, things: things.length, looks: looks.length, width: frame.width, play },
    { tray: 'things', things: 1, looks: 1, width: SIDE, play: true },
  );
  const [{ box }] = things;
  for (const [name, value] of Object.entries({ left: 128, top: 64, width: 64, height: 128 }))
    assert.ok(Math.abs(box[name] - value) < 3, `${name}: ${box[name]}, not ${value}`);
  const [look] = looks;
  assert.ok(Math.abs(look.width - look.height) < 1e-6, 'the model is given a square');
  assert.ok(look.left < box.left && look.top < box.top + 1 && look.height >= box.height, 'around the thing');
  const crop = await sharp(await (await fetch(`${rig.url}/console/api/camera/crop`)).arrayBuffer()).metadata();
  assert.is(crop.width, Math.round(look.width), 'the crop is that look');
});

test.run();
