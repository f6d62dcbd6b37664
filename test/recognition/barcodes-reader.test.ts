/** Codes in pictures of a tray: read as they lie, never taken for what they are not. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Area } from '../../firmware/recognition/model/area.ts';
import { BarcodeReader, type ReaderState } from '../../firmware/recognition/vision/barcode-reader.ts';
import { placeInPicture, straightenedPixels } from '../../firmware/recognition/vision/straightened-patch.ts';
import { until } from '../support.ts';
import { type Conditions, type Label, labelled, middleOf, patientReader } from './barcodes-support.ts';
import { scene } from './support.ts';

const AREA: Area = Object.freeze({ x: 0, y: 0, width: 1280, height: 720 });
const EAN: Label = Object.freeze({ kind: 'ean13', text: '4006381333931' });

const reading = suite('reading codes');
const reader = patientReader();
reading.after(() => reader.close());

const read = async (jpeg: Uint8Array, area = AREA) => (await reader.read(jpeg, area)) ?? [];
const textsIn = async (labels: readonly Label[], conditions?: Conditions): Promise<string[]> =>
  (await read(await labelled(labels, conditions))).map(({ symbology, text }) => `${symbology} ${text}`);

const KINDS: readonly [Label, string][] = [
  [EAN, 'ean-13 4006381333931'],
  [{ kind: 'ean8', text: '96385074' }, 'ean-8 96385074'],
  [{ kind: 'upca', text: '036000291452' }, 'ean-13 0036000291452'],
  [{ kind: 'upce', text: '01234565' }, 'upc-e 0012345000065'],
  [{ kind: 'itf14', text: '10614141000415' }, 'itf-14 10614141000415'],
  [{ kind: 'code128', text: 'LANE-42' }, 'code-128 LANE-42'],
  [{ kind: 'databaromni', text: '(01)09506000134352' }, 'gs1-databar 0109506000134352'],
  [{ kind: 'qrcode', text: 'https://shop.example/a' }, 'qr https://shop.example/a'],
  [{ kind: 'datamatrix', text: 'Plum 7' }, 'datamatrix Plum 7'],
];

reading('each kind is read in half the light, blurred, at quality 70', async () => {
  for (const [label, text] of KINDS) assert.equal(await textsIn([label], { light: 0.5, blur: 1 }), [text], text);
});

reading('bars are read at any angle and size', async () => {
  for (const angle of [10, 30, 45, 100, 180, 250, 315])
    assert.equal(await textsIn([{ ...EAN, angle }]), ['ean-13 4006381333931'], `${angle}°`);
  for (const scale of [1, 3, 4]) assert.equal(await textsIn([{ ...EAN, scale }]), ['ean-13 4006381333931'], `${scale}`);
});

reading('two codes are both read', async () => {
  const other = { kind: 'ean8', text: '96385074', left: 800, top: 400, angle: 20 };
  assert.equal((await textsIn([EAN, other])).sort(), ['ean-13 4006381333931', 'ean-8 96385074']);
});

reading('a tray without a code has none, with anything on it', async () => {
  for (const item of [null, 'orange', 'kiwi'] as const)
    assert.equal(await read(await scene(item, 3)), [], String(item));
});

reading('damaged bars and a wrong check digit are no code', async () => {
  const stain = { left: 320, top: 150, width: 130, height: 200 };
  assert.equal(await textsIn([EAN], { stain }), []);
  assert.equal(await textsIn([{ kind: 'interleaved2of5', text: '10614141000416' }]), []);
  assert.equal(await textsIn([{ kind: 'interleaved2of5', text: '10614141000415' }]), ['itf-14 10614141000415']);
});

reading('what lies outside of the area is not read', async () => {
  const jpeg = await labelled([EAN]);
  assert.equal(await read(jpeg, { x: 700, y: 0, width: 580, height: 720 }), []);
  assert.is((await read(jpeg, { x: 200, y: 60, width: 500, height: 400 })).length, 1);
});

reading('where a code lies is reported in shares of the area, at any size and angle', async () => {
  const area: Area = { x: 100, y: 40, width: 1000, height: 600 };
  const QR = { kind: 'qrcode', text: 'plum' };
  for (const label of [
    { ...EAN, left: 500, top: 300 },
    { ...EAN, scale: 4, left: 200, top: 100 },
    { ...EAN, angle: 90, left: 700, top: 200 },
    { ...EAN, angle: 30, left: 400, top: 300 },
    { ...QR, scale: 6, left: 300, top: 200 },
  ]) {
    const { x, y } = await middleOf(label);
    const [code] = await read(await labelled([label]), area);
    const [place] = code?.places ?? [];
    const [left, top] = [area.x + (place?.x ?? 0) * area.width, area.y + (place?.y ?? 0) * area.height];
    assert.ok(Math.hypot(left - x, top - y) < 12, `${JSON.stringify(label)} at ${left}, ${top}`);
  }
  const [two] = await read(await labelled([EAN, { ...EAN, left: 800, top: 450 }]));
  assert.is(two?.places.length, 2);
});

reading('a place of a patch that was laid straight is found again in its picture', () => {
  const picture = { width: 200, height: 100, pixels: new Uint8Array(200 * 100) };
  const patch = { x: 100, y: 50, width: 60, height: 40, angle: Math.PI / 6, areBars: true };
  const spot = { x: 118, y: 62 };
  for (let y = -3; y <= 3; y++)
    for (let x = -3; x <= 3; x++) picture.pixels[(spot.y + y) * picture.width + spot.x + x] = 255;
  for (const scale of [1, 2]) {
    const laid = { picture, patch, scale };
    const { width, pixels } = straightenedPixels(laid);
    const bright = [...pixels.keys()].filter((at) => (pixels[at] ?? 0) > 200);
    const mean = (of: (at: number) => number) => bright.reduce((sum, at) => sum + of(at), 0) / bright.length;
    const { x, y } = placeInPicture(laid, mean((at) => at % width) + 0.5, mean((at) => Math.floor(at / width)) + 0.5);
    assert.ok(Math.hypot(x - spot.x - 0.5, y - spot.y - 0.5) < 0.7, `${x}, ${y} at ${scale}`);
  }
});

reading('a GS1 symbol says that it is one', async () => {
  const [code] = await read(await labelled([{ kind: 'gs1-128', text: '(01)09506000134352(10)AB' }]));
  assert.equal([code?.symbology, code?.text, code?.isGs1], ['code-128', '010950600013435210AB', true]);
});

reading('hostile text is text, and a long one is cut', async () => {
  const controls = `\u001b[2J\u0000${'\u0007'.repeat(8)}`;
  const [code] = await read(await labelled([{ kind: 'qrcode', text: controls, scale: 3 }]));
  assert.is(code?.text, controls);
  const long = await read(
    await labelled([
      { kind: 'qrcode', text: '7'.repeat(4000), scale: 2, left: 100, top: 40, options: { eclevel: 'L' } },
    ]),
  );
  assert.is(long[0]?.text, '7'.repeat(512));
});

reading.run();

const faults = suite('a reader in trouble');
const worker = (name: string) => new URL(`./fixtures/${name}`, import.meta.url);

faults('one that hangs is late, is lost, and is started again', async () => {
  const limits = { patienceMs: 20, hangMs: 50, startMs: 60_000, backoffMs: 1, maxBackoffMs: 1 };
  const states: ReaderState[] = [];
  const log = (message: string) => {
    if (message.startsWith('reader of codes')) states.push(hanging.state);
  };
  const hanging = new BarcodeReader(log, limits, worker('deaf-reader.ts'));
  await hanging.start();
  assert.is(await hanging.read(await scene(null), AREA), null);
  await until('its new start', () => states.filter(({ name }) => name === 'ready').length > 1);
  const lost = states.find(({ name }) => name === 'lost');
  assert.match(lost?.name === 'lost' ? lost.reason : '', /said nothing for 50 ms/);
  await hanging.close();
});

faults('one that is late says when it can read again, once', async () => {
  const slow = new BarcodeReader(() => undefined, { patienceMs: 1, hangMs: 60_000, startMs: 60_000 });
  let times = 0;
  slow.onCaughtUp(() => {
    times += 1;
  });
  await slow.start();
  assert.is(times, 0, 'nobody was left without an answer');
  assert.is(await slow.read(await labelled([EAN]), AREA), null);
  await until('the end of its work', () => times > 0 || null);
  await slow.close();
  assert.is(times, 1);
});

faults('one that is replaced says when it can read again', async () => {
  const limits = { patienceMs: 20, hangMs: 50, startMs: 60_000, backoffMs: 1, maxBackoffMs: 1 };
  const hanging = new BarcodeReader(() => undefined, limits, worker('deaf-reader.ts'));
  let isHeard = false;
  hanging.onCaughtUp(() => {
    isHeard = true;
  });
  assert.is(await hanging.read(await scene(null), AREA), null);
  await until('its new start', () => isHeard);
  await hanging.close();
});

faults('one that never starts delays no caller', async () => {
  const silent = new BarcodeReader(
    () => undefined,
    { patienceMs: 20, startMs: 100, backoffMs: 60_000 },
    worker('silent-worker.ts'),
  );
  assert.is(await silent.read(await scene(null), AREA), null);
  await until('its loss', () => silent.state.name === 'lost' || null);
  assert.is(await silent.read(await scene(null), AREA), null);
  await silent.close();
  assert.is(await silent.read(await scene(null), AREA), null, 'nor one that is closed');
});

faults('a picture that is none gives nothing, and the next is read', async () => {
  const own = patientReader();
  assert.is(await own.read(Buffer.from('no picture'), AREA), null);
  assert.is((await own.read(await labelled([EAN]), AREA))?.length, 1);
  await own.close();
});

faults.run();
