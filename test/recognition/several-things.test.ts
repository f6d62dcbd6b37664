/** What a device makes of things that lie anywhere on a learned tray, of and of several of them. */
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Classification } from '../../firmware/recognition/matching/classifier.ts';
import { together } from '../../firmware/recognition/matching/several.ts';
import { averageVectors } from '../../firmware/recognition/model/vectors.ts';
import { isCut, modelViews } from '../../firmware/recognition/vision/frame.ts';
import { openPicture } from '../../firmware/recognition/vision/frame-picture.ts';
import { each, opening, rowsOf } from '../support.ts';
import { BLUE, drawTray, halves, RED } from './drawn-tray.ts';
import { FakeModel, type Rig, startRig } from './support.ts';

const test = suite('recognition: several things');
const it = each(test, opening(trayRig));

/** A device that has learned the tray, and two items in its middle. */
async function trayRig(model = new FakeModel()): Promise<Rig> {
  const rig = await startRig({ model });
  await rig.show(await drawTray());
  assert.is((await rig.post('/api/learn_background')).body.code, 0);
  for (const [item, colours] of [
    ['red', RED],
    ['blue', BLUE],
  ] as const)
    await rig.learn(item, await drawTray({ things: halves(480, 200, 300, colours) }));
  return rig;
}

async function seen(rig: Rig, things: string) {
  await rig.show(await drawTray({ things }));
  return (await rig.get('/v1/recognition')).body;
}

it('an item is known where it lies, small or large, and reported with its box', async (rig) => {
  for (const [x, y, side] of [
    [300, 80, 120],
    [860, 520, 140],
    [420, 120, 460],
  ] as const) {
    const { candidates, certain, things } = await seen(rig, halves(x, y, side, BLUE));
    assert.equal([candidates[0].id, certain, things.length], ['blue', true, 1], `at ${x}, ${y}`);
    const [{ box, candidates: own }] = things;
    assert.ok(Math.abs(box.x - x) <= 14 && Math.abs(box.width - side) <= 26, `${JSON.stringify(box)} at ${x}, ${y}`);
    assert.is(own[0].id, 'blue');
  }
});

it('two items are never certain; each is reported with its own box and answer', async (rig) => {
  const { certain, reason, state, candidates, things } = await seen(
    rig,
    halves(320, 240, 220, RED) + halves(700, 240, 190, BLUE),
  );
  assert.equal([certain, reason, state], [false, 'several-items', 'item']);
  const first = things.map(({ candidates: [first] }: { candidates: [{ id: string }] }) => first.id);
  assert.equal(first, ['red', 'blue'], 'the largest first');
  assert.equal(candidates.map(({ id }: { id: string }) => id).toSorted(), ['blue', 'red']);
  const sum = candidates.reduce((total: number, { share }: { share: number }) => total + share, 0);
  assert.ok(Math.abs(sum - 1) < 1e-6, `shares sum to ${sum}`);
  const { verdict } = (await rig.get('/api/get_result')).body.data;
  assert.equal(verdict, { certain: false, unknown: false, reason: 'several-items' });
});

it('two of one item are that item', async (rig) => {
  const { certain, candidates, things } = await seen(rig, halves(320, 240, 220, RED) + halves(700, 240, 190, RED));
  assert.equal([certain, candidates[0].id, things.length], [true, 'red', 2]);
});

it('a tray learned from a picture of another size is reported, until it is learned again', async (rig) => {
  const trayPart = async () => await rig.part('tray');
  await seen(rig, '');
  assert.is((await trayPart()).state, 'ok');
  const other = await sharp(await drawTray())
    .resize(640, 300)
    .jpeg()
    .toBuffer();
  await rig.show(other);
  await rig.get('/v1/recognition');
  const part = await trayPart();
  assert.is(part.state, 'degraded');
  assert.match(part.reason, /learned at another picture size.*learn it again/);
  await rig.post('/api/learn_background');
  assert.is((await trayPart()).state, 'ok', 'before anybody looks');
  assert.is((await rig.get('/v1/recognition')).body.state, 'empty');
  assert.is((await trayPart()).state, 'ok');
});

test('of a heap of things four are looked at', async () => {
  let pictures = 0;
  const model = new FakeModel();
  await using rig = await trayRig(model);
  model.before = () => {
    pictures += 1;
  };
  const many = Array.from({ length: 6 }, (_, at) =>
    halves(300 + (at % 3) * 230, 120 + Math.floor(at / 3) * 260, 130, RED),
  );
  const { things } = await seen(rig, many.join(''));
  assert.equal([things.length, pictures], [4, 4]);
});

it('a template is cut around its thing and says so; the whole area where nothing stands out', async (rig) => {
  await rig.show(await drawTray({ things: halves(300, 80, 120, RED) }));
  const { image } = await rig.recognition.learning.add('small');
  const { width, height } = await sharp(image).metadata();
  assert.is(width, height);
  assert.ok(width > 60 && width < 80, `${width}: 120 of 1280 with its margin, and never enlarged`);
  assert.ok(isCut(await openPicture(image)));
  await using bare = await startRig();
  const loaded = await drawTray({ things: halves(-50, -50, 1400, RED) });
  await bare.show(loaded);
  const whole = await bare.recognition.learning.add('whole');
  assert.is(isCut(await openPicture(whole.image)), false);
  const { viewer } = bare.recognition;
  await viewer.learnBackground(true); // as the technician may, where the tray itself has changed
  const looked = await viewer.cropFrom(loaded);
  assert.is(isCut(await openPicture(looked)), false, 'what was looked at before is not refused as an empty tray');
});

test('a crop that was cut around a thing is not cut again', async () => {
  const model = new FakeModel();
  await using rig = await startRig({ model });
  const frame = await drawTray({
    things: `<rect width="1280" height="720" fill="#8f959a"/>${halves(420, 200, 320, RED)}`,
  });
  const { recogniser } = rig.recognition;
  const cut = await recogniser.captureFrom(frame);
  assert.ok(isCut(await openPicture(cut.crop)));
  const [whole] = await modelViews(cut.crop, null, model.manifest.input);
  assert.equal(cut.vector, averageVectors([await model.embed(whole.pixels)]));
});

const answer = (id: string, certain: boolean, unknown = false): Classification => ({
  items: [
    { id, score: 0.8, similarity: 0.7 },
    { id: 'other', score: 0.2, similarity: 0.3 },
  ],
  verdict: { certain, unknown, reason: certain ? null : unknown ? 'unlike-all' : 'look-alikes' },
});

test('several things are as sure as the least sure of them', () => {
  const sure = answer('a', true);
  assert.is(together([sure], 3), sure);
  assert.is(together([sure, answer('a', true)], 3).verdict.certain, true);
  assert.equal(together([sure, answer('a', false)], 3).verdict, answer('a', false).verdict);
  const { reason, unknown } = together([sure, answer('a', false, true)], 3).verdict;
  assert.equal([reason, unknown], ['several-items', false], 'one of them is unknown');
  assert.equal(together([answer('a', false, true), answer('b', false, true)], 3).verdict, {
    certain: false,
    unknown: true,
    reason: 'several-items',
  });
  const { items } = together([answer('a', true), answer('b', true)], 2);
  assert.equal(rowsOf(items, 'id', 'score'), [
    ['a', 0.5],
    ['b', 0.5],
  ]);
  assert.throws(() => together([], 3), /no thing/);
});

test.run();
