/** Templates that name the present model, with vectors that it never made: they are left out, and nothing stops. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { pick, temporaryFolder } from '../support.ts';
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
  ...rig.recognition.templates.reader.counts(MODEL),
  ...rig.recognition.reembedding?.progress,
});

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

const templatesOf = (rig: Rig, change: (db: DatabaseSync) => void): void => {
  const db = openFile(join(rig.folder, 'templates.db'));
  change(db);
  db.close();
};

test('a database that holds them starts without them, and says so once', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await learnedRig({ folder: folder.path });
    templatesOf(rig, (db) => {
      const spoil = db.prepare('UPDATE templates SET vector = ? WHERE item = ?');
      for (const [index, [, vector]] of WRONG.entries()) spoil.run(bytesOf(vector), `item${index + 1}`);
    });
  }
  const { lines, log } = warningsOf();
  await using rig = await startRig({ folder: folder.path, service: { log } });
  for (const kind of [6, 7]) assert.is(await best(rig, kind), `item${kind}`);
  assert.equal(pick(lines, 'details'), [{ item: 'item1', model: MODEL }]);
});

test('another model’s template with a damaged picture is in the health, and all else goes on', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await learnedRig({ folder: folder.path });
    templatesOf(rig, (db) => {
      db.exec("UPDATE templates SET model = 'another' WHERE item = 'item1'");
      db.prepare("UPDATE crops SET jpeg = ? WHERE template = (SELECT id FROM templates WHERE item = 'item1')").run(
        Buffer.from('no picture'),
      );
    });
  }
  await using rig = await startRig({ folder: folder.path });
  // settles: what cannot be embedded is not tried for ever
  await rig.recognition.reembedding?.start();
  assert.equal(standing(rig), { total: 7, foreign: 1, left: 1, damaged: 1 });
  assert.match(JSON.stringify((await rig.get('/health')).body), /1 picture is damaged/);
  assert.is(await best(rig, 3), 'item3');
  const [sid = ''] = rig.recognition.templates.reader.sidsOf('item1');
  assert.is((await rig.post('/api/delete_item_template', { id: 'item1', sid })).body.code, 0);
  assert.equal(standing(rig), { total: 6, foreign: 0, left: 0, damaged: 1 });
});

test('a valid picture that is not the stored one is never shown or made a vector of', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await learnedRig({ folder: folder.path });
    templatesOf(rig, (db) => {
      db.exec("UPDATE templates SET model = 'another' WHERE item IN ('item1', 'item2')");
      // as if a card had mixed them up: a whole picture, of something else
      db.exec(`UPDATE crops SET jpeg = (SELECT jpeg FROM crops WHERE template = (SELECT id FROM templates WHERE item = 'item5'))
        WHERE template = (SELECT id FROM templates WHERE item = 'item1')`);
      db.exec("DELETE FROM crops WHERE template = (SELECT id FROM templates WHERE item = 'item2')");
    });
  }
  await using rig = await startRig({ folder: folder.path });
  await rig.recognition.reembedding?.start();
  assert.equal(standing(rig), { total: 7, foreign: 2, left: 2, damaged: 2 });
  for (const id of ['item1', 'item2']) {
    const [sid = ''] = rig.recognition.templates.reader.sidsOf(id);
    const { body } = await rig.post('/api/get_template_image', { id, sid });
    assert.is(body.code, -6202);
    assert.match(body.msg, new RegExp(`${sid}.*damaged.*delete`));
  }
  const named = rig.recognition.exchange.names().filter(({ item }) => item < 'item3');
  const pictures = named.map((name) => rig.recognition.exchange.read(name));
  assert.equal(pictures, [null, null]);
});

test('one that synchronisation brings changes nothing of the others', async () => {
  await using rig = await learnedRig();
  const crop = await cropOf(rig, 0);
  const right = await rig.recognition.recogniser.vectorOf(await picture(7));
  const wrong = WRONG.map(([what, vector], place) => received(what, place, crop, vector));
  const before = await best(rig, 0);
  assert.match(before, /^item/);
  await rig.recognition.exchange.receive([...wrong, received('item7', WRONG.length, crop, right)]);
  assert.is(await best(rig, 7), 'item7');
  assert.is(await best(rig, 0), before);
});

test.run();
