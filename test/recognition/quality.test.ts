import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { View } from '../../firmware/recognition/vision/frame.ts';
import { flawsOf, measure } from '../../firmware/recognition/vision/quality.ts';
import { APPLE, CARTON, drawTray, type Scene } from './drawn-tray.ts';
import { firstView } from './view.ts';

const quality = suite('quality of a frame');
const INPUT = { width: 128, height: 128 } as const;

const scene = async (wanted?: Scene): Promise<View> => await firstView(await drawTray(wanted), null, INPUT);

quality('a sharp, well lit scene has no flaw', async () => {
  assert.equal(flawsOf(measure(await scene())), []);
  assert.equal(flawsOf(measure(await scene({ things: APPLE }))), []);
});

quality('a blurred scene says so, and the more it is blurred the more it measures', async () => {
  const measures = await Promise.all([0.3, 2, 4, 9].map(async (blur) => measure(await scene({ things: APPLE, blur }))));
  const blurs = measures.map(({ blur }) => blur ?? assert.unreachable('nothing to see'));
  const rising = blurs.toSorted((one, other) => (one ?? 0) - (other ?? 0));
  assert.equal(blurs, rising);
  const areBlurred = measures.map((one) => flawsOf(one).includes('blurred'));
  assert.equal(areBlurred, [false, false, false, true]);
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

quality('a view of one colour has no blur to measure', () => {
  const flat = { width: 128, height: 128, pixels: new Uint8Array(128 * 128 * 3).fill(90) };
  assert.is(measure(flat).blur, null);
  assert.equal(flawsOf(measure(flat)), []);
});

quality.run();
