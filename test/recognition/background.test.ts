import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  changedShare,
  isMoving,
  learnBackground,
  lightChange,
  packBackground,
  unpackBackground,
} from '../../firmware/recognition/vision/background.ts';
import { trayView, type View } from '../../firmware/recognition/vision/frame.ts';
import { isEmptyTray } from '../../firmware/recognition/vision/thing-finder.ts';
import { APPLE, drawTray, type Scene } from './drawn-tray.ts';

const tray = suite('the learned tray');
const SHAPE = { width: 160, height: 90 };

const scene = async (wanted?: Scene): Promise<View> => await trayView(await drawTray(wanted), null);

async function emptyTrays(count: number): Promise<View[]> {
  return await Promise.all(Array.from({ length: count }, (_, at) => scene({ noise: 2 + (at % 3) })));
}

tray('an item of one colour that fills the view is not taken for another light', async () => {
  const background = learnBackground(await emptyTrays(6));
  for (const colour of ['#2f7d32', '#b3302a', '#e8d23a']) {
    const view = await scene({ things: `<rect width="1280" height="720" fill="${colour}"/>` });
    assert.not.ok(isEmptyTray(view, background), `${colour}: ${changedShare(background, view)}`);
  }
});

tray('an item that is put down moves, one that lies there does not, in any change of light', async () => {
  const [before, now] = [await scene({ things: APPLE }), await scene({ things: APPLE, light: [0.85, 0.85, 0.85] })];
  assert.not.ok(isMoving(before, now));
  const shifted = APPLE.replaceAll('cx="6', 'cx="7');
  assert.ok(isMoving(before, await scene({ things: shifted })));
  assert.ok(isMoving(await scene(), before));
});

tray('a background survives its way through a store, and foreign bytes are none', async () => {
  const background = learnBackground(await emptyTrays(2));
  const packed = packBackground(background);
  assert.equal(unpackBackground(packed), background);
  // a store may hand out bytes that start anywhere
  const shifted = new Uint8Array(packed.length + 3);
  shifted.set(packed, 3);
  assert.equal(unpackBackground(shifted.subarray(3)), background);
  const cutShort = [packed.subarray(0, 7), packed.subarray(0, packed.length - 1)];
  const ofNoWidth = packed.slice(0, 8).fill(0, 4);
  const foreign = [packed.subarray(4), new Uint8Array(packed.length).fill(255)];
  for (const bytes of [...foreign, ...cutShort, ofNoWidth])
    assert.throws(() => unpackBackground(bytes), /no learned tray/);
});

tray('light is measured by what is not burnt out', () => {
  const view = (levels: readonly number[]): View => ({
    width: 40,
    height: 30,
    pixels: Uint8Array.from({ length: 40 * 30 * 3 }, (_, at) => levels[Math.floor(at / 3) % levels.length] ?? 0),
  });
  const change = lightChange(view([240, 240, 240, 240, 60]), view([255, 255, 255, 255, 90]));
  for (const factor of change) assert.ok(Math.abs(factor - 1.5) < 0.05, change.join());
  assert.equal(lightChange(view([255]), view([255])), [1, 1, 1], 'nothing to measure it by');
});

tray('a few places that grow brighter alike are no other light', () => {
  const shape = { width: 40, height: 30 };
  const pixels = new Uint8Array(40 * 30 * 3).fill(10);
  pixels.fill(200, 0, 36 * 3); // some of 1,200 cells; all others are darker than any lamp makes them
  const before = { ...shape, pixels: new Uint8Array(40 * 30 * 3).fill(100) };
  assert.equal(lightChange(before, { ...shape, pixels }), [1, 1, 1]);
});

tray('a glint of the lamp that stays burnt out in less light is the tray', () => {
  const view = (level: number): View => {
    const pixels = new Uint8Array(SHAPE.width * SHAPE.height * 3).fill(level);
    for (let row = 30; row < 45; row++) pixels.fill(255, (row * SHAPE.width + 60) * 3, (row * SHAPE.width + 80) * 3);
    return { ...SHAPE, pixels };
  };
  assert.ok(isEmptyTray(view(84), learnBackground([view(140)])));
});

tray('what flickers while a tray is learned, and where it has an edge, may differ more', () => {
  const view = (...levels: number[]): View => ({
    width: levels.length,
    height: 1,
    pixels: Uint8Array.from(levels.flatMap((level) => [level, 100, 100])),
  });
  const steady = learnBackground([view(100, 100, 100), view(100, 100, 100)]).tolerance;
  const [flat = 0] = steady;
  assert.equal([...steady], [flat, flat, flat]);
  assert.equal([...learnBackground([view(100, 100, 90), view(100, 100, 110)]).tolerance], [flat, flat, flat + 20]);
  assert.equal([...learnBackground([view(100, 100, 200)]).tolerance], [flat, flat + 20, flat + 20]);
});

tray.run();
