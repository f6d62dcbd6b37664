/** Templates that name the present model, with vectors that it never made: nothing is lost, and nothing stops. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/store/database.ts';
import { pick, temporaryFolder, until } from '../support.ts';
import { repack, samplePackage, unzip } from './packages-support.ts';
import { FakeModel, learnedRig, picture, type Rig, startRig } from './support.ts';

const test = suite('misfits');
const { identity: MODEL } = new FakeModel();
const DIMENSION = 192;
const sidOf = (number: number): string => `20260101${String(number).padStart(15, '0')}`;

const unit = (dimension = DIMENSION): Float32Array => new Float32Array(dimension).fill(1 / Math.sqrt(dimension));
const withValue = (value: number): Float32Array => {
  const vector = unit();
  vector[7] = value;
  return vector;
};
const bytesOf = (vector: Float32Array): Uint8Array => new Uint8Array(vector.buffer);

const WRONG: readonly (readonly [string, Float32Array])[] = [
  ['too short', unit(3)],
  ['too long', unit(DIMENSION * 2)],
  ['no number', withValue(Number.NaN)],
  ['infinite', withValue(Number.POSITIVE_INFINITY)],
  ['larger than a vector of length 1 has', withValue(3)],
];

function warningsOf() {
  const lines: { message: string; details: object }[] = [];
  const log = {
    info: (): void => undefined,
    warn: (details: object, message: string): void => void lines.push({ message, details }),
  };
  return { lines, log };
}

const standing = (rig: Rig) => ({
  ...rig.recognition.templates.counts(MODEL),
  ...rig.recognition.reembedding?.progress,
});

const ready = (rig: Rig): Promise<true> =>
  until('vectors are made anew', () => rig.recognition.reembedding?.progress.left === 0 || null);

const best = async (rig: Rig, kind: number): Promise<string> => {
  await rig.show(await picture(kind));
  return (await rig.get('/api/get_result')).body.data.items[0].id;
};

/** What the device would store of a picture. */
const cropOf = async (rig: Rig, kind: number): Promise<Uint8Array> => {
  const { crop } = await rig.recognition.recogniser.captureFrom(await picture(kind));
  return crop;
};

/** What synchronisation brings of a picture. */
const received = (item: string, number: number, crop: Uint8Array, vector: Float32Array) => ({
  ...{ item, sid: sidOf(number), origin: 'ELSEWHERE', createdAt: 1, model: MODEL },
  crop: Uint8Array.from(crop),
  cropSha256: createHash('sha256').update(crop).digest(),
  vector: bytesOf(vector).slice(),
});

/** A model that looks at nothing until it is let. */
function gated() {
  const model = new FakeModel();
  const gate = Promise.withResolvers<void>();
  const shut = (): void => {
    model.before = () => gate.promise;
  };
  return { model, shut, open: gate.resolve };
}

const templatesOf = (rig: Rig, change: (db: DatabaseSync) => void): void => {
  const db = openFile(join(rig.folder, 'templates.db'));
  change(db);
  db.close();
};

test('a database that holds them starts, and their vectors are made anew from their pictures', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await learnedRig({ folder: folder.path });
    const right = rig.recognition.templates.items();
    assert.is(right.length, 7);
    templatesOf(rig, (db) => {
      const spoil = db.prepare('UPDATE templates SET vector = ? WHERE item = ?');
      for (const [index, [, vector]] of WRONG.entries()) spoil.run(bytesOf(vector), `item${index + 1}`);
    });
  }
  {
    const { lines, log } = warningsOf();
    await using rig = await startRig({ folder: folder.path, service: { log } });
    await ready(rig);
    assert.equal(standing(rig), { total: 7, foreign: 0, left: 0, damaged: 0 });
    for (const kind of [1, 2, 3, 4, 5, 6, 7]) assert.is(await best(rig, kind), `item${kind}`);
    assert.is(lines.length, 1);
    assert.equal(lines[0]?.details, { templates: WRONG.length, model: MODEL });
  }
  const { lines, log } = warningsOf();
  await using again = await startRig({ folder: folder.path, service: { log } });
  assert.equal(standing(again), { total: 7, foreign: 0, left: 0, damaged: 0 });
  assert.equal(lines, []);
});

test('one whose picture is damaged too is reported in the health, and everything else goes on', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await learnedRig({ folder: folder.path });
    templatesOf(rig, (db) => {
      db.prepare("UPDATE templates SET vector = ? WHERE item = 'item1'").run(bytesOf(unit(3)));
      db.prepare("UPDATE crops SET jpeg = ? WHERE template = (SELECT id FROM templates WHERE item = 'item1')").run(
        Buffer.from('no picture'),
      );
    });
  }
  await using rig = await startRig({ folder: folder.path });
  // settles: what cannot be embedded is not tried for ever
  await rig.recognition.reembedding?.start();
  assert.equal(standing(rig), { total: 7, foreign: 0, left: 1, damaged: 1 });
  assert.match(JSON.stringify((await rig.get('/health')).body), /1 picture is damaged/);
  assert.is(await best(rig, 3), 'item3');
  const [sid = ''] = rig.recognition.templates.sidsOf('item1');
  assert.is((await rig.post('/api/delete_item_template', { id: 'item1', sid })).body.code, 0);
  assert.equal(standing(rig), { total: 6, foreign: 0, left: 0, damaged: 1 });
});

test('a picture that is still one, but not the one that was stored, is never shown or made a vector of', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await learnedRig({ folder: folder.path });
    templatesOf(rig, (db) => {
      db.prepare("UPDATE templates SET vector = ? WHERE item IN ('item1', 'item2')").run(bytesOf(unit(3)));
      // as if a card had mixed them up: a whole picture, of something else
      db.exec(`UPDATE crops SET jpeg = (SELECT jpeg FROM crops WHERE template = (SELECT id FROM templates WHERE item = 'item5'))
        WHERE template = (SELECT id FROM templates WHERE item = 'item1')`);
      db.exec("DELETE FROM crops WHERE template = (SELECT id FROM templates WHERE item = 'item2')");
    });
  }
  await using rig = await startRig({ folder: folder.path });
  await rig.recognition.reembedding?.start();
  assert.equal(standing(rig), { total: 7, foreign: 0, left: 2, damaged: 2 });
  for (const id of ['item1', 'item2']) {
    const [sid = ''] = rig.recognition.templates.sidsOf(id);
    const { body } = await rig.post('/api/get_template_image', { id, sid });
    assert.is(body.code, -6202);
    assert.match(body.msg, new RegExp(`${sid}.*damaged.*delete`));
  }
  const named = rig.recognition.exchange.names().filter(({ item }) => item < 'item3');
  const pictures = named.map((name) => rig.recognition.exchange.read(name));
  assert.equal(pictures, [null, null]);
});

for (const [what, vector] of WRONG) {
  test(`one that synchronisation brings, ${what}, is taken in with a vector of its picture`, async () => {
    const { lines, log } = warningsOf();
    await using rig = await learnedRig({ service: { log } });
    const crop = await cropOf(rig, 0);
    const right = await rig.recognition.recogniser.vectorOf(await picture(7));
    await rig.recognition.exchange.receive([received('wrong', 0, crop, vector), received('item7', 1, crop, right)]);
    await ready(rig);
    assert.equal(standing(rig), { total: 9, foreign: 0, left: 0, damaged: 0 });
    assert.is(await best(rig, 0), 'wrong');
    assert.is(await best(rig, 7), 'item7');
    assert.is(lines.length, 1);
  });
}

test('a package of them is imported, and recognised then', async () => {
  const parts = await unzip(await samplePackage());
  const zip = await repack(parts, (all, lines) => {
    all.set('vectors.f32', Buffer.concat(lines.map(() => bytesOf(unit(3)))));
    for (const line of lines) line.dimension = 3;
  });
  using folder = temporaryFolder();
  const { lines, log } = warningsOf();
  {
    await using rig = await startRig({ folder: folder.path, service: { log } });
    const { status, msg } = await rig.importPackage(zip);
    assert.is(status, 4, msg);
    await ready(rig);
    assert.equal(standing(rig), { total: 6, foreign: 0, left: 0, damaged: 0 });
    assert.is(await best(rig, 1), 'item1');
    assert.equal(pick(lines, 'details'), [{ templates: 6, model: MODEL }]);
  }
  await using again = await startRig({ folder: folder.path });
  assert.is(await best(again, 2), 'item2');
});

test('those of a batch are warned of once, however many pieces it comes in', async () => {
  const { lines, log } = warningsOf();
  const { model, shut, open } = gated();
  await using rig = await startRig({ model, service: { log } });
  const crop = await cropOf(rig, 1);
  shut();
  for (const piece of [1, 2, 3])
    await rig.recognition.exchange.receive(
      [0, 1].map((place) => received(`item${piece}`, 2 * piece + place, crop, unit(3))),
    );
  assert.equal(standing(rig), { total: 6, foreign: 0, left: 6, damaged: 0 });
  open();
  await ready(rig);
  assert.is(lines.length, 1);
});

test('those that are deleted before their vectors are made are gone', async () => {
  const { model, shut, open } = gated();
  await using rig = await learnedRig({ model });
  const crop = await cropOf(rig, 1);
  shut();
  await rig.recognition.exchange.receive([0, 1].map((place) => received(`wrong${place}`, place, crop, unit(3))));
  await rig.recognition.templates.deleteItem('wrong0');
  assert.is(rig.recognition.reembedding?.progress.left, 1);
  await rig.recognition.templates.clear();
  assert.is(rig.recognition.reembedding?.progress.left, 0);
  open();
  await rig.recognition.reembedding?.start();
  assert.equal(standing(rig), { total: 0, foreign: 0, left: 0, damaged: 0 });
});

test.run();
