/** The tray is measured with the printed sheet: what is read of pictures of it, what is refused, and what is kept. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, temporaryFolder } from '../support.ts';
import { drawSheet, type SheetScene } from './drawn-sheet.ts';
import { drawTray } from './drawn-tray.ts';
import { type Rig, startRig } from './support.ts';

const test = suite('recognition: the measured tray');

async function measured(rig: Rig, scene: SheetScene, body: object = {}) {
  await rig.show(await drawSheet(scene));
  return await rig.post('/console/api/calibration', body);
}

/** Whether two numbers are within some per cent of each other. */
const near = (value: number, expected: number, percent: number, what = ''): void =>
  assert.ok(Math.abs(value / expected - 1) <= percent / 100, `${what}: ${value}, expected ${expected}`);

test('a sheet tells how many pixels are a centimetre, however it is turned and where it lies', async () => {
  await using rig = await startRig();
  for (const scene of [
    {},
    { turn: 90, pixelsPerMm: 2.2 },
    { turn: 180, x: 40, y: -20 },
    { turn: 33, pixelsPerMm: 1.9, blur: 1.5, noise: 10 },
    { pixelsPerMm: 1.5, turn: 20, width: 640, height: 360 },
    { pixelsPerMm: 2.4, width: 1920, height: 1080 },
  ]) {
    const { status, body, text } = await measured(rig, scene);
    assert.is(status, 200, `${JSON.stringify(scene)}: ${text}`);
    const { pixelsPerCm, unevenPercent, picture } = body.measured;
    const expected = 10 * (scene.pixelsPerMm ?? 2.4);
    near(pixelsPerCm.across, expected, 1.5, JSON.stringify(scene));
    near(pixelsPerCm.down, expected, 1.5, JSON.stringify(scene));
    assert.ok(unevenPercent < 7, `${unevenPercent} % of ${JSON.stringify(scene)}`);
    assert.equal([body.inUse, body.reason, picture.width], [true, null, scene.width ?? 1280]);
  }
});

test('pictures of another shape have other pixels to the right than downwards', async () => {
  await using rig = await startRig();
  const { body } = await measured(rig, { pixelsPerMm: 2, width: 960, height: 720 });
  near(body.measured.pixelsPerCm.across, 20, 1.5);
  near(body.measured.pixelsPerCm.down, 20, 1.5);
  assert.equal(body.measured.picture, { width: 960, height: 720 });
});

test('a camera that leans is told by how uneven the tray is seen, and refused where it leans too much', async () => {
  await using rig = await startRig();
  const { body } = await measured(rig, { lean: 8, pixelsPerMm: 2 });
  // seen from 600 mm: at ±330 mm it is 8 % nearer or farther, and a square's area goes with the third power of that
  assert.ok(body.measured.unevenPercent > 24 && body.measured.unevenPercent < 36, `${body.measured.unevenPercent} %`);
  near(body.measured.pixelsPerCm.down, 20, 2);
  const { status, body: refused } = await measured(rig, { lean: 24, pixelsPerMm: 2 });
  assert.equal([status, refused.code], [409, 'Calibration.TooSlanted']);
  assert.match(refused.detail, /straight down/);
  assert.equal(
    (await rig.get('/console/api/calibration')).body.measured,
    body.measured,
    'what was measured before stays',
  );
});

test('a sheet that was printed at another scale is taken with the length of its line', async () => {
  await using rig = await startRig();
  await rig.show(await drawSheet({}));
  const plain = (await rig.post('/console/api/calibration', {})).body.measured;
  const { body } = await rig.post('/console/api/calibration', { rulerMm: 80 });
  near(body.measured.pixelsPerCm.across, plain.pixelsPerCm.across / 0.8, 0.6);
  assert.is(body.measured.rulerMm, 80);
  for (const rulerMm of [0, 49.9, 201, '100', -100]) {
    const wrong = await rig.post('/console/api/calibration', { rulerMm });
    assert.equal([wrong.status, wrong.body.field], [400, 'rulerMm'], String(rulerMm));
  }
  assert.match(
    (await rig.post('/console/api/calibration', { rulerMm: 10 })).body.detail,
    /rulerMm must be at least 50/,
  );
});

test('no sheet, a part of one, a bent one, two of them: each is told as what it is, and measures nothing', async () => {
  await using rig = await startRig();
  const none = await rig.post('/console/api/calibration', {});
  assert.equal([none.status, none.body.code], [503, 'Camera.NoPicture']);
  await rig.show(await drawTray());
  const empty = await rig.post('/console/api/calibration', {});
  assert.equal([empty.status, empty.body.code], [409, 'Calibration.SheetNotFound']);
  const part = await measured(rig, { x: 200 });
  assert.equal([part.status, part.body.code], [409, 'Calibration.SheetIncomplete']);
  assert.match(part.body.detail, /^2 of the 4 codes/);
  const covered = await measured(rig, { things: '<circle cx="400" cy="230" r="60" fill="#b3302a"/>' });
  assert.match(covered.body.detail, /^3 of the 4 codes/);
  const bent = await measured(rig, { bend: 12 });
  assert.equal([bent.status, bent.body.code], [409, 'Calibration.SheetNotFlat']);
  const { body } = await rig.get('/console/api/calibration');
  assert.equal([body.inUse, body.measured], [false, null]);
  assert.match(body.reason, /never measured/);
  assert.is(existsSync(join(rig.folder, 'calibration.json')), false);
});

test('it is kept over a restart, told in /health, and forgotten when asked', async () => {
  using folder = temporaryFolder();
  const health = async (rig: Rig) => await rig.part('calibration');
  let before: unknown;
  {
    await using rig = await startRig({ folder: folder.path });
    assert.equal((await health(rig)).state, 'ok');
    assert.match((await health(rig)).reason, /never measured: print/);
    before = (await measured(rig, {})).body;
    assert.equal([(await health(rig)).state, (await health(rig)).reason], ['ok', '']);
  }
  await using rig = await startRig({ folder: folder.path });
  assert.equal((await rig.get('/console/api/calibration')).body, before);
  const { body, status } = await rig.send('DELETE', '/console/api/calibration');
  assert.equal([status, body.inUse, body.measured], [200, false, null]);
  assert.match((await health(rig)).reason, /never measured/);
});

test('it holds for the area and the pictures that it was made with, and counts again when they are back', async () => {
  await using rig = await startRig();
  await measured(rig, {});
  const inUse = async () => (await rig.get('/console/api/calibration')).body;
  await rig.post('/api/set_calib', { top: 0, left: 280, height: 720, width: 720 });
  assert.is((await inUse()).inUse, false);
  assert.match((await inUse()).reason, /area was changed/);
  const [part] = (await rig.get('/health')).body.data.parts.filter(
    ({ part: name }: { part: string }) => name === 'calibration',
  );
  assert.is(part.state, 'degraded');
  await rig.post('/api/set_calib', { top: 0, left: 0, height: 720, width: 1280 });
  assert.is((await inUse()).inUse, true);
  await rig.show(await drawTray());
  assert.is((await inUse()).inUse, false);
  assert.match((await inUse()).reason, /pictures of 640×360.*measured in one of 1280×720/);
  await rig.show(await drawSheet({ height: 960 }));
  assert.match((await inUse()).reason, /pictures of 1280×960/, 'as wide, and of another shape');
});

test('a file that says what no camera sees is damaged: it is told of, and measured anew', async () => {
  const area = { top: 0, left: 0, height: 720, width: 1280 };
  const straight = [2, 0, 0, 0, 2, 0, 0, 0];
  const stored = { at: 1, rulerMm: 100, area, picture: { width: 1280, height: 720 }, projection: straight };
  for (const wrong of [
    { projection: [1, 2] },
    { projection: new Array(8).fill(0) },
    { projection: new Array(8).fill(1e308) },
    { projection: [2, 0, 0, 0, 2, 0, 3, 0] },
    { area: { top: 0, left: 1200, height: 720, width: 80 }, projection: [2, 0, 0, 0, 2, 0, -20, 0] },
    { at: 1e17 },
    { at: -1e17 },
    {},
  ]) {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'calibration.json'), JSON.stringify({ measured: { ...stored, ...wrong } }));
    await using rig = await startRig({ folder: folder.path });
    const { status, body } = await rig.get('/console/api/calibration');
    assert.is(status, 200, JSON.stringify(wrong));
    if (Object.keys(wrong).length === 0) assert.is(body.measured.pixelsPerCm.across, 21.3);
    else assert.match(body.reason, /calibration.json was damaged/, JSON.stringify(wrong));
    await measured(rig, {});
    assert.is((await rig.get('/console/api/calibration')).body.inUse, true);
  }
});

test('the sheet is a page that prints as it is', async () => {
  await using rig = await startRig();
  const { status, text, headers } = await call(`${rig.url}/console/api/calibration/sheet`);
  assert.is(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/html/);
  assert.match(text, /@page \{ size: A4 landscape; margin: 0 \}/);
  assert.match(text, /width="297mm" height="210mm"/);
});

test.run();
