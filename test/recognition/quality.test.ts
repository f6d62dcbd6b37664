import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { areaView, type View } from '../../firmware/recognition/vision/frame.ts';
import { flawsOf, measure } from '../../firmware/recognition/vision/quality.ts';
import {
  changedShare,
  isEmptyTray,
  isMoving,
  learnBackground,
  packBackground,
  unpackBackground,
} from '../../firmware/recognition/vision/quality-tray.ts';

const quality = suite('quality of a frame');
/** Of the camera's pictures; what is drawn is drawn for 1280×720. */
const [WIDTH, HEIGHT] = [640, 360];
const INPUT = { width: 128, height: 128, resize: 'cover' } as const;

interface Scene {
  readonly things?: string;
  readonly blur?: number | readonly number[];
  /** Factors of red, green and blue. */
  readonly light?: readonly [number, number, number];
  readonly noise?: number;
  /** Darkness of a shadow that falls over from the left, 0 to 1. */
  readonly shade?: number;
}

/** A steel tray with a rim, a grid of holes and a label: what a camera sees where nothing lies. */
const TRAY = `<rect width="1280" height="720" fill="#5d5f60"/><rect x="250" y="20" width="780" height="680" rx="40" fill="#9a9da0" stroke="#6c6f72" stroke-width="14"/>${Array.from(
  { length: 48 },
  (_, at) => `<circle cx="${320 + (at % 8) * 92}" cy="${90 + Math.floor(at / 8) * 108}" r="9" fill="#55585a"/>`,
).join('')}<text x="560" y="676" font-size="30" font-family="sans-serif" fill="#44484a">MAX 15 kg</text>`;
const APPLE = '<circle cx="640" cy="360" r="120" fill="#b3302a"/><circle cx="600" cy="310" r="22" fill="#ee9a85"/>';
const PLUM = '<ellipse cx="800" cy="250" rx="34" ry="30" fill="#4b2a55"/>';
const CARTON =
  '<rect x="300" y="60" width="640" height="600" fill="#f4f4ee"/><rect x="380" y="180" width="430" height="150" fill="#1f63b0"/>';

async function scene({ things = '', blur, light = [1, 1, 1], noise = 3, shade = 0 }: Scene = {}): Promise<View> {
  const fade = `<linearGradient id="shade"><stop offset="0" stop-opacity="${shade}"/><stop offset="1" stop-opacity="0"/></linearGradient>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" width="${WIDTH}" height="${HEIGHT}">${fade}${TRAY}${things}<rect width="1280" height="720" fill="url(#shade)"/></svg>`;
  let picture = sharp(Buffer.from(svg)).removeAlpha();
  if (typeof blur === 'number') picture = picture.blur(blur);
  else if (blur !== undefined)
    picture = picture.convolve({ width: blur.length, height: 1 + 2, kernel: motionKernel(blur) });
  const grain = { type: 'gaussian', mean: 0, sigma: noise } as const;
  const dots = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#000', noise: grain } })
    .jpeg()
    .toBuffer();
  const lit = await picture
    .linear([...light], [0, 0, 0])
    .composite([{ input: dots, blend: 'add' }])
    .jpeg({ quality: 88 })
    .toBuffer();
  return await areaView(lit, null, INPUT);
}

/** A kernel of three rows, the middle one with the given weights. */
function motionKernel(weights: readonly number[]): number[] {
  const empty = weights.map(() => 0);
  return [...empty, ...weights, ...empty];
}

async function emptyTrays(count: number): Promise<View[]> {
  return await Promise.all(Array.from({ length: count }, (_, at) => scene({ noise: 2 + (at % 3) })));
}

quality('a sharp, well lit scene has no flaw', async () => {
  assert.equal(flawsOf(measure(await scene())), []);
  assert.equal(flawsOf(measure(await scene({ things: APPLE }))), []);
});

quality('a blurred scene says so, and the more it is blurred the more it measures', async () => {
  const measures = await Promise.all([0.3, 2, 4, 9].map(async (blur) => measure(await scene({ things: APPLE, blur }))));
  const blurs = measures.map(({ blur }) => blur ?? assert.unreachable('nothing to see'));
  assert.equal(
    blurs,
    blurs.toSorted((one, other) => (one ?? 0) - (other ?? 0)),
  );
  assert.equal(
    measures.map((one) => flawsOf(one).includes('blurred')),
    [false, false, false, true],
  );
});

quality('a scene that moved sideways during the exposure is blurred', async () => {
  const smeared = await scene({ things: APPLE, blur: new Array(81).fill(1) });
  assert.ok(flawsOf(measure(smeared)).includes('blurred'));
});

quality('a dark scene is dark, and not taken for a blurred one', async () => {
  assert.equal(flawsOf(measure(await scene({ things: APPLE, light: [0.2, 0.2, 0.2], noise: 1 }))), ['dark']);
});

quality('a bag that reflects the lamp is glare, a white carton is not', async () => {
  const bag = '<ellipse cx="640" cy="360" rx="230" ry="190" fill="#fff"/>';
  assert.ok(flawsOf(measure(await scene({ things: bag }))).includes('glare'));
  assert.not.ok(flawsOf(measure(await scene({ things: CARTON }))).includes('glare'));
});

quality('a view of one colour has no blur to tell', () => {
  const flat = { width: 128, height: 128, pixels: new Uint8Array(128 * 128 * 3).fill(90) };
  assert.is(measure(flat).blur, null);
  assert.equal(flawsOf(measure(flat)), []);
});

quality('a tray that was learned is empty, also under other noise', async () => {
  const background = learnBackground(await emptyTrays(6));
  for (const noise of [1, 4, 7]) {
    const view = await scene({ noise });
    assert.ok(isEmptyTray(background, view), `noise ${noise}: ${changedShare(background, view)}`);
  }
});

quality('light that changes, in brightness and a little in colour, leaves an empty tray empty', async () => {
  const background = learnBackground(await emptyTrays(6));
  for (const light of [
    [0.6, 0.6, 0.6],
    [0.8, 0.8, 0.8],
    [1.25, 1.25, 1.25],
    [1.05, 1, 0.93],
  ] as const) {
    const view = await scene({ light });
    assert.ok(isEmptyTray(background, view), `light ${light}: ${changedShare(background, view)}`);
  }
  const shaded = await scene({ shade: 0.12 });
  assert.ok(isEmptyTray(background, shaded), `a weak shadow: ${changedShare(background, shaded)}`);
});

quality('whatever lies on the tray is something, small or large, in any light', async () => {
  const background = learnBackground(await emptyTrays(6));
  for (const things of [PLUM, APPLE, CARTON, `${APPLE}${PLUM}`]) {
    for (const light of [
      [1, 1, 1],
      [0.7, 0.7, 0.7],
      [1.2, 1.2, 1.2],
    ] as const) {
      const view = await scene({ things, light });
      assert.not.ok(isEmptyTray(background, view), `${things} in ${light}: ${changedShare(background, view)}`);
    }
  }
});

quality('an item of one colour that fills the view is not taken for another light', async () => {
  const background = learnBackground(await emptyTrays(6));
  for (const colour of ['#2f7d32', '#b3302a', '#e8d23a']) {
    const view = await scene({ things: `<rect width="1280" height="720" fill="${colour}"/>` });
    assert.not.ok(isEmptyTray(background, view), `${colour}: ${changedShare(background, view)}`);
  }
});

quality('the larger the item, the larger the changed share', async () => {
  const background = learnBackground(await emptyTrays(4));
  const shares: number[] = [];
  for (const things of [PLUM, APPLE, CARTON]) shares.push(changedShare(background, await scene({ things })));
  assert.equal(
    shares,
    shares.toSorted((one, other) => one - other),
  );
});

quality('an item that is put down moves, one that lies there does not, whatever the light does', async () => {
  const [before, now] = [await scene({ things: APPLE }), await scene({ things: APPLE, light: [0.85, 0.85, 0.85] })];
  assert.not.ok(isMoving(before, now));
  const shifted = APPLE.replaceAll('cx="6', 'cx="7');
  assert.ok(isMoving(before, await scene({ things: shifted })));
  assert.ok(isMoving(await scene(), before));
});

quality('a background survives its way through a store, and foreign bytes are none', async () => {
  const background = learnBackground(await emptyTrays(2));
  const packed = packBackground(background);
  assert.equal(unpackBackground(packed), background);
  // a store may hand out bytes that start anywhere
  const shifted = new Uint8Array(packed.length + 3);
  shifted.set(packed, 3);
  assert.equal(unpackBackground(shifted.subarray(3)), background);
  assert.is(unpackBackground(packed.subarray(4)), null);
  assert.is(unpackBackground(new Uint8Array(packed.length).fill(255)), null);
});

quality('a background needs at least one view', () => {
  assert.throws(
    () => learnBackground([]),
    (error: Error) => error instanceof RangeError,
  );
});

quality.run();
