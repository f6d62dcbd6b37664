/** What is confirmed and becomes no template: it draws the item a little, and only where learning is allowed. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { Confirmations } from '../../firmware/recognition/feedback/confirmations.ts';
import { Classifier } from '../../firmware/recognition/matching/classifier.ts';
import { prototypesOf, weightOfEach } from '../../firmware/recognition/matching/prototypes-of.ts';
import { TemplatesFile } from '../../firmware/recognition/templates/templates-database.ts';
import { each, opening, temporaryFolder } from '../support.ts';
import { coloured, FakeModel, type Rig, type RigOptions, scene, startRig } from './support.ts';

const test = suite('confirmations');
const it = each(test, opening(fullRig));
const AUTOMATIC = 2;

/** Like item `red`, but not so much that it is certain. */
const REDDISH = await coloured(200, 90);
const BLUISH = await coloured(90, 200);

/** Two items that may have one template and have it, in the automatic learning mode. */
async function fullRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await startRig({ service: { maxTemplatesPerItem: 1 }, ...options });
  if (rig.recognition.templates.reader.itemCount() > 0) return rig;
  await rig.learn('red', await coloured(200, 20));
  await rig.learn('blue', await coloured(20, 200));
  await rig.post('/api/set_learning_mode', { mode: AUTOMATIC });
  return rig;
}

async function look(rig: Rig, jpeg: Buffer) {
  await rig.show(jpeg);
  return (await rig.get('/api/get_result')).body.data;
}

async function confirm(rig: Rig, jpeg: Buffer, id: string | null): Promise<{ sid: string | null; reason: string }> {
  const { session } = await look(rig, jpeg);
  return (await rig.post('/api/feedback', { session, id })).body.data;
}

const similarityOf = async (rig: Rig, jpeg: Buffer, id: string): Promise<number> =>
  (await look(rig, jpeg)).items.find((item: { id: string }) => item.id === id).similarity;

const confirmationsOf = async (rig: Rig): Promise<number> => (await rig.part('model')).gallery.confirmations;

function rowsOf(folder: string): number {
  const db = openFile(join(folder, 'templates.db'));
  const count = Number(db.prepare('SELECT count(*) AS count FROM confirmations').get()?.count);
  db.close();
  return count;
}

it('an item that is full is drawn towards what is confirmed, and found better next time', async (rig) => {
  const before = await similarityOf(rig, REDDISH, 'red');
  const other = await similarityOf(rig, REDDISH, 'blue');
  const { sid, reason } = await confirm(rig, REDDISH, 'red');
  assert.is(sid, null);
  assert.match(reason, /as many templates as it may; what the item is compared by was drawn/);
  assert.ok((await similarityOf(rig, REDDISH, 'red')) > before + 0.02);
  assert.is(await similarityOf(rig, REDDISH, 'blue'), other);
  assert.is(rig.recognition.templates.reader.countOf('red'), 1);
  assert.equal([await confirmationsOf(rig), rowsOf(rig.folder)], [1, 1]);
});

test('nothing is learned without the automatic mode, also if it was on when looked at', async () => {
  for (const mode of [0, 1]) {
    await using rig = await fullRig();
    const before = await similarityOf(rig, REDDISH, 'red');
    const { session } = await look(rig, REDDISH);
    await rig.post('/api/set_learning_mode', { mode });
    const { body } = await rig.post('/api/feedback', { session, id: 'red' });
    assert.match(body.data.reason, /not automatic$/);
    await confirm(rig, REDDISH, 'red');
    // nor is kept for later what was seen meanwhile
    const { session: later } = await look(rig, REDDISH);
    await rig.post('/api/set_learning_mode', { mode: AUTOMATIC });
    const { rank, reason } = (await rig.post('/api/feedback', { session: later, id: 'red' })).body.data;
    assert.equal([rank, reason], [1, 'the picture is not kept any more']);
    assert.is(await similarityOf(rig, REDDISH, 'red'), before);
    assert.equal([await confirmationsOf(rig), rowsOf(rig.folder)], [0, 0]);
  }
});

it('"none of these", and a certain, unlike, unoffered or unlearned answer, draw nothing', async (rig) => {
  assert.match((await confirm(rig, REDDISH, null)).reason, /none of/);
  assert.match((await confirm(rig, await coloured(200, 20), 'red')).reason, /certain already/);
  assert.match((await confirm(rig, REDDISH, 'blue')).reason, /as it may$/);
  await rig.post('/api/set_result_count', { count: 1 });
  assert.match((await confirm(rig, await coloured(112, 110), 'blue')).reason, /as it may$/);
  assert.equal([await confirmationsOf(rig), rowsOf(rig.folder)], [0, 0]);
});

it('what lay there beside something else draws nothing', async (rig) => {
  await rig.show(await scene(null));
  await rig.recognition.viewer.learnBackground();
  const two = await sharp(await scene(null))
    .composite([
      { input: await sharp(REDDISH).resize(200, 200).toBuffer(), left: 200, top: 250 },
      { input: await sharp(BLUISH).resize(200, 200).toBuffer(), left: 850, top: 250 },
    ])
    .jpeg()
    .toBuffer();
  await rig.show(two);
  assert.is((await rig.get('/v1/recognition')).body.things.length, 2);
  for (const id of ['red', 'blue']) assert.not.match((await confirm(rig, two, id)).reason, /drawn/);
  assert.is(await confirmationsOf(rig), 0);
});

test('what was answered is durable, over a restart and a pulled plug', async () => {
  using folder = temporaryFolder();
  using copy = temporaryFolder();
  let drawn = 0;
  {
    await using rig = await fullRig({ folder: folder.path });
    await confirm(rig, REDDISH, 'red');
    cpSync(folder.path, copy.path, { recursive: true });
    drawn = await similarityOf(rig, REDDISH, 'red');
  }
  for (const { path } of [folder, copy]) {
    await using rig = await fullRig({ folder: path });
    assert.equal([await similarityOf(rig, REDDISH, 'red'), await confirmationsOf(rig)], [drawn, 1]);
  }
});

test('eight of an item are kept, the newest, in memory as on the disk', async () => {
  using copy = temporaryFolder();
  await using rig = await fullRig();
  const shades = Array.from({ length: 11 }, (_, at) => 130 + 2 * at);
  for (const shade of shades) assert.match((await confirm(rig, await coloured(200, shade), 'red')).reason, /drawn/);
  await confirm(rig, BLUISH, 'blue');
  assert.equal([await confirmationsOf(rig), rowsOf(rig.folder)], [9, 9]);
  cpSync(rig.folder, copy.path, { recursive: true });
  await using again = await fullRig({ folder: copy.path });
  assert.is(await similarityOf(again, REDDISH, 'red'), await similarityOf(rig, REDDISH, 'red'));
});

test('it is forgotten with any template of its item, with the item, and with all', async () => {
  for (const forget of [
    async (rig: Rig, sid: string) => void (await rig.post('/api/delete_item_template', { id: 'red', sid })),
    async (rig: Rig) => void (await rig.post('/api/delete_item', { id: 'red' })),
    async (rig: Rig) => void (await rig.post('/api/clear_all_template')),
    async (rig: Rig) => rig.recognition.exchange.dropItems(['red']),
    async (rig: Rig) => rig.recognition.exchange.addTombstones(rig.recognition.exchange.names()),
  ]) {
    await using rig = await fullRig({ service: { maxTemplatesPerItem: 2 } });
    await rig.post('/api/set_learning_mode', { mode: 1 });
    const sid = await rig.learn('red', await coloured(200, 21));
    await rig.post('/api/set_learning_mode', { mode: AUTOMATIC });
    assert.match((await confirm(rig, REDDISH, 'red')).reason, /drawn/);
    await forget(rig, sid);
    assert.equal([await confirmationsOf(rig), rowsOf(rig.folder)], [0, 0], `${forget}`);
  }
});

it('other items’ confirmations stay when a template goes, and all when an import is swept', async (rig) => {
  await confirm(rig, REDDISH, 'red');
  await confirm(rig, BLUISH, 'blue');
  await rig.post('/api/delete_item', { id: 'blue' });
  assert.equal([await confirmationsOf(rig), rowsOf(rig.folder)], [1, 1]);
  const db = openFile(join(rig.folder, 'templates.db'));
  db.exec(`INSERT INTO batches (id, kind, state) VALUES (99, 'import', 'landing');
    INSERT INTO templates (batch, item, sid, origin, created_at, model, vector)
      SELECT 99, item, sid, 'OTHER', 0, model, vector FROM templates WHERE item = 'red';`);
  db.close();
  const { templates } = rig.recognition;
  assert.is(templates.reader.templateCount(), 1, 'what an import has not ended does not count');
  await templates.file.dropLandings();
  await templates.file.sweep();
  assert.is(rowsOf(rig.folder), 1);
});

test('what another model saw is not used', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await fullRig({ folder: folder.path });
    await confirm(rig, REDDISH, 'red');
  }
  await using rig = await fullRig({ folder: folder.path, model: new FakeModel('other') });
  assert.is(await confirmationsOf(rig), 0);
});

test('nothing is kept of an item without templates of the present model', async () => {
  using folder = temporaryFolder();
  const file = new TemplatesFile(join(folder.path, 'templates.db'), 16, Date.now());
  const { db } = file;
  const confirmations = new Confirmations(file, 'present');
  let calls = 0;
  confirmations.onAdded(() => calls++);
  const take = () => confirmations.add({ item: 'a', vector: axis(0) });
  assert.is(await take(), false);
  const insert = db.prepare(
    "INSERT INTO templates (batch, item, sid, origin, created_at, model, vector) VALUES (1, 'a', ?, 'X', 0, ?, x'00')",
  );
  insert.run('1', 'another');
  assert.is(await take(), false);
  insert.run('2', 'present');
  assert.is(await take(), true);
  assert.equal([calls, confirmations.all().length], [1, 1]);
  db.close();
});

const DIMENSION = 6;
const axis = (at: number): Float32Array => Float32Array.from({ length: DIMENSION }, (_, one) => Number(one === at));
const RULES = { dimension: DIMENSION, temperature: 0.05 };

test('one that was wrong captures nothing, many of them no more than a third', () => {
  const made = new Classifier(RULES);
  made.add({ item: 'a', key: '1', vector: axis(0) });
  made.add({ item: 'b', key: '2', vector: axis(1) });
  made.confirm('a', axis(1));
  const first = (at: number) => made.classify(axis(at), 1).items[0]?.id;
  assert.equal([first(0), first(1)], ['a', 'b']);
  for (let again = 0; again < 30; again++) made.confirm('a', axis(1));
  assert.equal([first(0), first(1), made.confirmationCount], ['a', 'b', 8]);
  const [drawn] = made.prototypesOf('a');
  assert.ok(Math.abs((drawn?.[1] ?? 0) / (drawn?.[0] ?? 1) - 0.5) < 1e-6, `${drawn}`);
});

test('each counts half a template, and all of them half of the templates', () => {
  const shares = [1, 2, 8].map((count) => weightOfEach(count, 64));
  assert.equal(shares, [32, 16, 4]);
  assert.equal([weightOfEach(8, 30 * 64), weightOfEach(8, 5 * 64)], [32, 20]);
});

test('a confirmation draws the view that it is nearest to, defines no views, and needs an item', () => {
  const templates = [0, 0, 1, 1].map((at) => ({ vector: axis(at), madeAt: null }));
  const near = Float32Array.from([0.6, 0, 0.8, 0, 0, 0]);
  for (const [first, second] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const turned = Float32Array.from(
      { length: DIMENSION },
      (_, at) => near[at === 0 ? first : at === 1 ? second : at] ?? 0,
    );
    const views = prototypesOf(templates, [turned]);
    assert.is(views.length, 2);
    for (const direction of views) {
      const isNearest = (direction[first] ?? 0) > 0.5;
      assert.is((direction[2] ?? 0) > 0, isNearest, `${first}: ${direction}`);
    }
  }
  assert.is(prototypesOf([{ vector: axis(0), madeAt: null }], [axis(1), axis(1), axis(1)]).length, 1);
  const made = new Classifier(RULES);
  made.confirm('a', axis(0));
  assert.equal([made.itemCount, made.confirmationCount], [0, 0]);
  assert.throws(() => made.confirm('a', new Float32Array(2)), RangeError);
});

test('a template that is made anew keeps what was confirmed beside it', () => {
  const made = new Classifier(RULES);
  made.addAll([
    { item: 'a', key: '1', vector: axis(0) },
    { item: 'a', key: '2', vector: axis(0) },
  ]);
  made.confirm('a', axis(1));
  made.add({ item: 'a', key: '1', vector: axis(0) });
  assert.is(made.confirmationCount, 1);
  made.remove('2');
  assert.is(made.confirmationCount, 0);
});

test.run();
