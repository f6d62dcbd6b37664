/** The size of things on a measured tray: told, learned, weighed, and passed on with the templates. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TEMPLATE_MIGRATIONS } from '../../firmware/recognition/templates/templates-schema.ts';
import { openDatabase } from '../../firmware/store/database.ts';
import { decodeTemplate, encodeTemplate } from '../../firmware/sync/member/codec.ts';
import { temporaryFolder } from '../support.ts';
import { drawSheet } from './drawn-sheet.ts';
import { APPLE, drawTray } from './drawn-tray.ts';
import { type Rig, type RigOptions, startRig } from './support.ts';

const test = suite('recognition: sizes');

/** Of a frame of 1280×720. */
const PIXELS_PER_MM = 2;
const SHEET = { pixelsPerMm: PIXELS_PER_MM, width: 640, height: 360 };

const rectangle = (width: number, height: number, turn = 0, x = 640, y = 360): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn})"><rect x="${-width / 2}" y="${-height / 2}" width="${width / 2}" height="${height}" fill="#b3302a"/><rect y="${-height / 2}" width="${width / 2}" height="${height}" fill="#e8d23a"/></g>`;

async function measuredRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await startRig(options);
  await rig.show(await drawTray());
  assert.is((await rig.post('/api/learn_background')).body.code, 0);
  await rig.show(await drawSheet(SHEET));
  const { status, text } = await rig.post('/console/api/calibration', {});
  assert.is(status, 200, text);
  return rig;
}

async function seen(rig: Rig, things: string) {
  await rig.show(await drawTray({ things }));
  return (await rig.get('/v1/recognition')).body;
}

const near = (value: number, expected: number, percent: number, what: string): void =>
  assert.ok(Math.abs(value / expected - 1) <= percent / 100, `${what}: ${value}, expected ${expected}`);

test('a thing is told with its length and width in centimetres, wherever it lies and however it is turned', async () => {
  await using rig = await measuredRig();
  for (const [width, height, turn, x, y] of [
    [300, 120, 0, 640, 360],
    [300, 120, 90, 500, 330],
    [300, 120, 35, 700, 400],
    [160, 160, 20, 400, 240],
  ] as const) {
    const [{ size }] = (await seen(rig, rectangle(width, height, turn, x, y))).things;
    const what = `${width} by ${height}, turned by ${turn}`;
    near(size.length, Math.max(width, height) / PIXELS_PER_MM / 10, 8, what);
    near(size.width, Math.min(width, height) / PIXELS_PER_MM / 10, 12, what);
  }
  const [{ size: round }] = (await seen(rig, APPLE)).things;
  near(round.length, 12, 5, 'a disc of 12 cm');
  near(round.width, 12, 5, 'a disc of 12 cm');
});

test('what is cut by the rim, or not told from what it lies on, has no size; nor has anything on a tray that was not measured', async () => {
  await using rig = await measuredRig();
  const [cut] = (await seen(rig, rectangle(500, 300, 0, 1180, 360))).things;
  assert.is(cut.size, null, JSON.stringify(cut.box));
  await using bare = await startRig();
  await bare.learn('red', await drawTray({ things: rectangle(300, 300) }));
  const { things, candidates } = await seen(bare, rectangle(300, 300));
  assert.equal([things[0].size, candidates[0].id], [null, 'red']);
});

test('an item is not certain in another size than it was learned in, and where one of that size is known it comes first', async () => {
  await using rig = await measuredRig();
  await rig.learn('melon', await drawTray({ things: rectangle(360, 360) }));
  const same = await seen(rig, rectangle(340, 340, 0, 600, 330));
  assert.equal([same.certain, same.candidates[0].id], [true, 'melon']);
  const small = await seen(rig, rectangle(120, 120));
  assert.equal([small.certain, small.reason, small.candidates[0].id], [false, 'size-differs', 'melon']);
  assert.equal([small.things[0].certain, small.things[0].reason], [false, 'size-differs']);
  assert.is((await rig.get('/api/get_result')).body.data.verdict.reason, 'size-differs');
  await rig.learn('lime', await drawTray({ things: rectangle(120, 120) }));
  assert.is((await seen(rig, rectangle(130, 130))).candidates[0].id, 'lime');
  assert.is((await seen(rig, rectangle(360, 360))).candidates[0].id, 'melon');
});

test('an item that was learned in several sizes is known in each, and one without a size in any', async () => {
  await using rig = await measuredRig();
  for (const side of [120, 360]) await rig.learn('both', await drawTray({ things: rectangle(side, side) }));
  for (const side of [120, 240, 360])
    assert.is((await seen(rig, rectangle(side, side))).certain, true, `both, ${side} pixels`);
  await using bare = await startRig();
  await bare.show(await drawTray());
  await bare.post('/api/learn_background');
  await bare.learn('old', await drawTray({ things: rectangle(360, 360) }));
  await bare.show(await drawSheet(SHEET));
  assert.is((await bare.post('/console/api/calibration', {})).status, 200);
  const { certain, things } = await seen(bare, rectangle(120, 120));
  assert.equal([certain, things[0].size !== null], [true, true]);
});

test('sizes travel with a package; one of an earlier release has none, and does no harm', async () => {
  await using one = await measuredRig();
  await one.learn('melon', await drawTray({ things: rectangle(360, 360) }));
  const sizes = one.recognition.templates.sizesOf('melon');
  near(sizes?.length[0] ?? 0, 180, 6, 'learned');
  await using two = await startRig({ serial: 'TEST0002' });
  assert.is((await two.importPackage(await one.exportPackage())).status, 4);
  assert.equal(two.recognition.templates.sizesOf('melon'), sizes);
  await using bare = await startRig({ serial: 'TEST0003' });
  await bare.learn('old', await drawTray({ things: rectangle(360, 360) }));
  assert.is((await two.importPackage(await bare.exportPackage())).status, 4);
  assert.is(two.recognition.templates.sizesOf('old'), null);
  assert.is(two.recognition.templates.countOf('old'), 1);
});

test('sizes travel with a template of a store; one without a size has the same bytes as ever, and a wrong one is refused', async () => {
  await using rig = await measuredRig();
  await rig.learn('melon', await drawTray({ things: rectangle(360, 360) }));
  const [name] = rig.recognition.exchange.names();
  const whole = name === undefined ? null : rig.recognition.exchange.read(name);
  if (name === undefined || whole === null) throw new Error('no template');
  assert.ok(whole.size !== undefined);
  assert.equal(decodeTemplate(encodeTemplate(whole), name).size, whole.size);
  const { size: _, ...plain } = whole;
  const bytes = encodeTemplate(plain);
  assert.not.match(bytes.toString('latin1', 4, 600), /size/);
  assert.is('size' in decodeTemplate(bytes, name), false);
  for (const lengthMm of [0, -1, 1.5, 5001, Number.NaN])
    assert.throws(
      () => decodeTemplate(encodeTemplate({ ...whole, size: { lengthMm, widthMm: 10 } }), name),
      /head is not whole/,
      String(lengthMm),
    );
  await using two = await startRig({ serial: 'TEST0002' });
  await two.recognition.exchange.receive([whole]);
  assert.equal(two.recognition.templates.sizesOf('melon'), rig.recognition.templates.sizesOf('melon'));
});

test('a database of before is taken on, and its templates have no size', () => {
  using folder = temporaryFolder();
  const path = `${folder.path}/templates.db`;
  const before = openDatabase(path, TEMPLATE_MIGRATIONS.slice(0, 2), 0).db;
  before.exec(
    "INSERT INTO templates (batch, item, sid, origin, created_at, model, vector) VALUES (1, 'old', '1', 'A', 0, 'm', x'00000000')",
  );
  before.close();
  const { db } = openDatabase(path, TEMPLATE_MIGRATIONS, 0);
  const row = db.prepare('SELECT item, length_mm, width_mm FROM templates').get();
  assert.equal({ ...row }, { item: 'old', length_mm: null, width_mm: null });
  db.close();
});

test.run();
