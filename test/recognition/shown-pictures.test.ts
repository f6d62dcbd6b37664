/** The pictures that a machine without a camera shows: as they were drawn, small, and good for trying the device out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CameraError, DRAWN_THINGS, isDrawnCamera } from '../../drivers/camera/contract.ts';
import { openCamera } from '../../drivers/camera/registry.ts';
import { PictureFolder } from '../../drivers/camera/replay.ts';
import { Embedder } from '../../firmware/recognition/embedding/embedder.ts';
import { ROOT } from '../root.ts';
import { problem } from '../support.ts';
import { render, SHOWN, type ShownPicture } from '../tools/scenes/render.ts';
import { SHIPPED_MANIFEST } from './fixtures/models.ts';
import { type Rig, startRig } from './support.ts';

const test = suite('shown pictures');
const FOLDER = join(ROOT, 'drivers/camera/pictures');
const MAX_BYTES = 40 * 1024;
/** Mean difference of a channel, of 255, that other versions of the libraries which draw may make. */
const TOLERANCE = 2;

/** Each item twice, and the empty tray. */
const TWICE = SHOWN.slice(0, 12);

const committed = ({ file }: ShownPicture): Buffer => readFileSync(join(FOLDER, file));
const pixelsOf = (jpeg: Buffer): Promise<Buffer> => sharp(jpeg).raw().toBuffer();

function difference(one: Buffer, other: Buffer): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / one.length;
}

test('the folder holds these and nothing else, each of 1280×720 and at most 40 KB', async () => {
  assert.equal(readdirSync(FOLDER).sort(), SHOWN.map(({ file }) => file).sort());
  for (const shown of SHOWN) {
    const jpeg = committed(shown);
    const { width, height, format } = await sharp(jpeg).metadata();
    assert.equal({ width, height, format }, { width: 1280, height: 720, format: 'jpeg' }, shown.file);
    assert.ok(jpeg.length <= MAX_BYTES, `${shown.file} has ${jpeg.length} bytes`);
  }
});

test('each is what the program draws, and no other of them', async () => {
  const [first, second] = SHOWN;
  if (first === undefined || second === undefined) throw new Error('there are no pictures');
  for (const shown of SHOWN) {
    const apart = difference(await pixelsOf(committed(shown)), await pixelsOf(await render(shown)));
    assert.ok(apart < TOLERANCE, `${shown.file} differs by ${apart}: node test/tools/scenes/render.ts draws it anew`);
  }
  assert.ok(difference(await pixelsOf(committed(first)), await pixelsOf(committed(second))) > TOLERANCE);
});

test('without a folder the thing laid on the drawn tray is shown, laid again from another side', async () => {
  const camera = await openCamera({ driver: 'replay', directory: null });
  if (!isDrawnCamera(camera)) throw new Error('nothing can be laid there');
  try {
    assert.is(camera.lies, 'banana');
    const shown: string[] = [];
    for (const thing of ['orange', ...DRAWN_THINGS, 'orange', 'orange', 'orange', 'orange'] as const) {
      const { jpeg } = await camera.lay(thing);
      assert.equal([camera.lies, camera.latest().jpeg], [thing, jpeg]);
      const picture = SHOWN.find((one) => committed(one).equals(jpeg));
      assert.is(picture?.item ?? 'nothing', thing);
      shown.push(picture?.file ?? 'none of ours');
    }
    assert.equal([shown[0], shown.at(-1)], ['03-orange.jpg', '03-orange.jpg'], 'the five take turns');
    assert.is(shown[1 + DRAWN_THINGS.indexOf('orange')], '09-orange.jpg');
    await Promise.all([camera.lay('banana'), camera.lay('nothing')]);
    assert.is(camera.lies, 'nothing', 'the last one that was laid');
  } finally {
    await camera.close();
  }
  const late = await camera.lay('banana').catch((error: unknown) => error);
  assert.ok(late instanceof CameraError && late.code === 'closed', String(late));
});

test('a folder of pictures is shown in their order', async () => {
  const source = new PictureFolder(FOLDER, assert.unreachable);
  for (const shown of [...SHOWN, ...SHOWN.slice(0, 1)])
    assert.ok((await source.next()).jpeg.equals(committed(shown)), shown.file);
});

async function resultOf(rig: Rig, shown: ShownPicture) {
  await rig.show(committed(shown));
  return (await rig.get('/api/get_result')).body.data;
}

for (const [what, isFirst] of [
  ['first', true],
  ['second', false],
] as const) {
  test(`${what} pictures teach what the others show, certain for most, and no empty tray`, async () => {
    const goods = TWICE.filter(({ item }) => item !== null);
    const half = goods.length / 2;
    const [known, others] = isFirst
      ? [goods.slice(0, half), goods.slice(half)]
      : [goods.slice(half), goods.slice(0, half)];
    assert.equal(known.map(({ item }) => item).sort(), others.map(({ item }) => item).sort());
    // the device closes its model
    const model = await Embedder.open({ manifestPath: SHIPPED_MANIFEST });
    await using rig = await startRig({ model });
    for (const shown of known) await rig.learn(String(shown.item), committed(shown));
    const reasons: string[] = [];
    for (const shown of others) {
      const { items, verdict } = await resultOf(rig, shown);
      assert.is(items[0].id, shown.item, shown.file);
      if (!verdict.certain) reasons.push(verdict.reason);
    }
    // one template each is little: some do not lead by enough
    assert.ok(reasons.length < others.length / 2, reasons.join());
    const areFew = reasons.every((reason) => reason === 'few-templates');
    assert.ok(areFew, reasons.join());
    for (const shown of SHOWN.filter(({ item }) => item === null)) {
      const { verdict } = await resultOf(rig, shown);
      assert.is(verdict.certain, false, shown.file);
      // with five items, whose confidence no gallery was fitted to, the floor decides
      assert.ok(verdict.unknown || verdict.reason === 'not-similar-enough', `${shown.file}: ${verdict.reason}`);
    }
  });
}

test('each thing of the drawn tray is taught by its five pictures, none of them unlike it', async () => {
  await using rig = await startRig({ model: await Embedder.open({ manifestPath: SHIPPED_MANIFEST }) });
  const goods = Map.groupBy(SHOWN, ({ item }) => item);
  goods.delete(null);
  for (const [item, looks] of goods) {
    assert.is(looks.length, 5, String(item));
    for (const shown of looks) {
      await rig.show(committed(shown));
      const { status, text } = await rig.post(`/v1/items/${item}/templates?unlike=refuse`);
      assert.is(status, 201, `${shown.file}: ${text}`);
    }
  }
  for (const shown of SHOWN.filter(({ item }) => item !== null))
    assert.is((await resultOf(rig, shown)).items[0].id, shown.item, shown.file);
});

test('with unlike=refuse a look unlike the item, or clearly of another one, is refused', async () => {
  await using rig = await startRig({ model: await Embedder.open({ manifestPath: SHIPPED_MANIFEST }) });
  const look = async (item: string, file: string, query: string) => {
    await rig.show(readFileSync(join(FOLDER, `${file}.jpg`)));
    return await rig.post(`/v1/items/${item}/templates${query}`);
  };
  const careful = (item: string, file: string) => look(item, file, '?unlike=refuse');
  assert.is((await careful('banana', '05-banana')).status, 201, 'the first is unlike nothing');
  for (const file of ['06-empty', '01-apple-green', '03-orange', '04-tea-box'])
    assert.equal(problem(await careful('banana', file)), [409, 'Templates.Unlike'], file);
  assert.is((await careful('banana', '11-banana')).status, 201);
  assert.is((await careful('milk', '02-milk-carton')).status, 201);
  assert.is((await careful('tea', '04-tea-box')).status, 201);
  const { status, body } = await careful('milk', '04-tea-box');
  assert.equal([status, body.code], [409, 'Templates.Unlike'], 'similar to milk, and more to tea');
  assert.match(body.detail, /looks more like item tea; nothing was learned/);
  assert.is(rig.recognition.templates.reader.countOf('milk'), 1);
  assert.is((await look('milk', '04-tea-box', '')).status, 201, 'a person has said so');
});

for (const speed of ['fast', 'normal']) {
  test(`at ${speed} tea is no certain milk of three known items, and each of these stays certain`, async () => {
    await using rig = await startRig({ model: await Embedder.open({ manifestPath: SHIPPED_MANIFEST }) });
    await rig.post('/api/set_predict_speed', { speed });
    const goods = TWICE.filter(({ item }) => item !== null);
    const known = goods.filter(({ item }) => ['apple-green', 'milk-carton', 'orange'].includes(String(item)));
    assert.is(known.length, 6);
    for (const shown of known.slice(0, 3)) await rig.learn(String(shown.item), committed(shown));
    const tea = goods.filter(({ item }) => item === 'tea-box');
    assert.is(tea.length, 2);
    for (const shown of tea) {
      const { verdict } = await resultOf(rig, shown);
      assert.equal([verdict.certain, verdict.reason], [false, 'not-similar-enough'], shown.file);
    }
    for (const shown of known.slice(3)) assert.ok((await resultOf(rig, shown)).verdict.certain, shown.file);
  });
}

test.run();
