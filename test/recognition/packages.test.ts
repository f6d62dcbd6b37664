/** Export and import through HTTP: what goes out comes in again, on any device with any model. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../firmware/core/files/index.ts';
import { NO_MARKS } from '../../firmware/recognition/model/deletion-marks.ts';
import { checkPackage } from '../../firmware/recognition/templates/check-package.ts';
import { importPackage } from '../../firmware/recognition/templates/import-package.ts';
import { OpenPackage } from '../../firmware/recognition/templates/open-package.ts';
import { cropName, MAX_CROP_BYTES } from '../../firmware/recognition/templates/package-format.ts';
import { loadTask } from '../../firmware/recognition/templates/package-task-states.ts';
import { each, rowsOf, temporaryFolder } from '../support.ts';
import { everything, learnSome, repack, samplePackage, sha256, unzip, zipOf } from './packages-support.ts';
import { onRig, picture, startRig } from './support.ts';

const packages = suite('packages');
const it = each(packages, onRig);
const sample = await samplePackage();
const sampleParts = () => unzip(sample);

packages('a package brings every template with picture, vector and identifier to another device', async () => {
  await using source = await startRig({ serial: 'SOURCE01' });
  await learnSome(source);
  const zip = await source.exportPackage();
  await using target = await startRig({ serial: 'TARGET01' });
  const { status, msg } = await target.importPackage(zip);
  assert.is(status, 4, msg);
  assert.equal(await everything(target), await everything(source));
  const [sid = ''] = source.recognition.templates.reader.sidsOf('item1');
  const ask = { id: 'item1', sid };
  const image = (await target.post('/api/get_template_image', ask)).body;
  assert.equal(image, (await source.post('/api/get_template_image', ask)).body);
  for (const rig of [source, target]) await rig.show(await picture(1, 5));
  const [one, other] = [await source.get('/api/get_result'), await target.get('/api/get_result')];
  assert.equal(one.body.data.items, other.body.data.items);
});

packages('the package is a plain zip of manifest, lines, vectors and JPEGs with their checksums', async () => {
  const parts = await sampleParts();
  const crops = [...parts.keys()].filter((name) => name.startsWith('crops/'));
  assert.is(crops.length, 6);
  const lines = String(parts.get('templates.jsonl')).trim().split('\n');
  for (const [index, line] of lines.entries()) {
    const crop = parts.get(crops[index] ?? '') ?? Buffer.alloc(0);
    assert.is(JSON.parse(line).cropSha256, sha256(crop));
  }
  assert.is(JSON.parse(String(parts.get('manifest.json'))).serial, 'OTHER001');
});

it('exports only the items that were asked for, and names the unknown ones', async (rig) => {
  await learnSome(rig);
  const parts = await unzip(await rig.exportPackage(['item1', 'gone', 'item1']));
  const items = String(parts.get('templates.jsonl')).trim().split('\n');
  assert.ok(items.length === 2 && items.every((line) => JSON.parse(line).item === 'item1'));
  const { msg } = (await rig.get('/api/export_template_status')).body;
  assert.match(msg, /unknown items left out: gone/);
});

it('an export of unknown items alone ends in 6', async (rig) => {
  await learnSome(rig, 1);
  assert.is((await rig.post('/api/export_template', { ids: ['gone'] })).body.code, 0);
  const { status, filename } = (await rig.get('/api/export_template_status')).body;
  assert.is(status, 6);
  assert.is(filename, undefined);
});

it('an empty list of ids is a wrong parameter; no body, an empty one and {} mean all items', async (rig) => {
  await learnSome(rig, 2, 1);
  const empty = await rig.post('/api/export_template', { ids: [] });
  assert.is(empty.status, 400);
  assert.is(empty.body.code, -6213);
  const ways: RequestInit[] = [
    {},
    { headers: { 'content-type': 'application/json' }, body: '' },
    { headers: { 'content-type': 'application/json' }, body: '{}' },
    { headers: { 'content-type': 'text/plain' }, body: '' },
  ];
  for (const way of ways) {
    const response = await fetch(`${rig.url}/api/export_template`, { method: 'POST', ...way });
    assert.is(((await response.json()) as { code: number }).code, 0, JSON.stringify(way));
    const state = await rig.ended('export');
    assert.match(state.msg, /2 templates of 2 items/);
  }
});

it('a second import of the same package adds nothing and says so', async (rig) => {
  await rig.importPackage(sample);
  const before = await everything(rig);
  const { status, msg } = await rig.importPackage(sample);
  assert.is(status, 4);
  assert.match(msg, /0 templates imported, 6 were there already/);
  assert.equal(await everything(rig), before);
});

packages('an import fills items up to their limit, the oldest first, and says what it left out', async () => {
  await using rig = await startRig({ service: { maxTemplatesPerItem: 2 } });
  const own = await rig.learn('item0', await picture(0));
  const { status, msg } = await rig.importPackage(sample);
  assert.is(status, 4);
  assert.match(msg, /5 templates imported, 1 were left out/);
  const lines = String((await sampleParts()).get('templates.jsonl')).split('\n');
  const oldest = JSON.parse(lines[0] ?? '').sid;
  assert.equal(rig.recognition.templates.reader.sidsOf('item0').toSorted(), [oldest, own].toSorted());
});

packages('in a store an import leaves out what is deleted for good or to be deleted, and says so', async () => {
  const marks = { ...NO_MARKS, items: () => new Set(['item1']) };
  await using rig = await startRig({ service: { marks, maxTemplatesPerItem: 1 } });
  const { templates, exchange } = rig.recognition;
  templates.leavesTombstones = true;
  const [first = ''] = String((await sampleParts()).get('templates.jsonl')).split('\n');
  await exchange.addTombstones([JSON.parse(first)]);
  const { status, msg, counts } = await rig.importPackage(sample);
  assert.is(status, 4);
  assert.match(msg, /^completed: 2 templates imported, 1 were .* full, 3 were left out because they are deleted, or/);
  assert.equal(counts, { imported: 2, known: 0, beyondLimit: 1, deleted: 3 }, 'they take no room');
  assert.equal(rowsOf(templates.reader.items(), 'id', 'count'), [
    ['item0', 1],
    ['item2', 1],
  ]);
  templates.leavesTombstones = false; // it has left the store
  const took = (await rig.importPackage(sample)).msg;
  assert.match(took, /^completed: 1 templates imported, 2 were there already, 3 were .* full$/);
});

packages('what is learned, received and deleted for good during an import comes before it', async () => {
  await using source = await startRig({ serial: 'SOURCE01' });
  await learnSome(source);
  await using rig = await startRig({ service: { maxTemplatesPerItem: 2 } });
  const { exchange, templates } = rig.recognition;
  const file = join(rig.folder, 'package.zip');
  writeFileSync(file, await source.exportPackage());
  const received = source.recognition.exchange
    .namesOf('item1')
    .flatMap((name) => source.recognition.exchange.read(name) ?? []);
  const meanwhile = [
    async () => undefined, // the batch
    async () => undefined, // the rows
    async () => {
      await rig.learn('item0', await picture(0, 7));
      await exchange.receive(received.slice(0, 1));
      await exchange.addTombstones(source.recognition.exchange.namesOf('item2').slice(0, 1));
    },
  ].values();
  const parts = await OpenPackage.open(file, 10 * 1024 * 1024);
  using db = connect(join(rig.folder, 'templates.db'));
  await importPackage(db, parts, await checkPackage(parts), {
    ...{ max: 2, marked: new Set<string>(), onProgress: () => undefined },
    turn: async (work) => {
      await meanwhile.next().value?.();
      return work();
    },
  });
  parts.close();
  assert.equal(loadTask(db, 'import').counts, { imported: 3, known: 1, deleted: 1, beyondLimit: 1 });
  const items = ['item0', 'item1', 'item2'] as const;
  const counts = items.map((item) => templates.reader.sidsOf(item).length);
  assert.equal(counts, [2, 2, 1]);
  assert.is(templates.reader.sidsOf('item0')[0], source.recognition.templates.reader.sidsOf('item0')[0], 'the oldest');
});

packages('the order of the lines does not decide which templates find room', async () => {
  const reversed = await repack(await sampleParts(), (parts, lines) => {
    const size = (parts.get('vectors.f32')?.length ?? 0) / lines.length;
    const vectors = parts.get('vectors.f32') ?? Buffer.alloc(0);
    const pieces = lines.map((_, index) => vectors.subarray(index * size, (index + 1) * size)).reverse();
    const crops = lines.map((_, index) => parts.get(`crops/00000${index}.jpg`) ?? Buffer.alloc(0)).reverse();
    for (const [index, crop] of crops.entries()) parts.set(`crops/00000${index}.jpg`, crop);
    parts.set('vectors.f32', Buffer.concat(pieces));
    lines.reverse();
  });
  const kept: unknown[] = [];
  for (const zip of [sample, reversed]) {
    await using rig = await startRig({ service: { maxTemplatesPerItem: 1 } });
    assert.is((await rig.importPackage(zip)).status, 4);
    kept.push(await everything(rig));
  }
  assert.equal(kept[0], kept[1]);
});

packages('a part that is read in many pieces is whole, and an empty one is empty', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'package.zip');
  const crops = [randomBytes(MAX_CROP_BYTES), Buffer.alloc(0)];
  const parts = crops.map((crop, index) => [cropName(index), crop] as const);
  writeFileSync(path, await zipOf(new Map([...(await sampleParts()), ...parts])));
  const open = await OpenPackage.open(path, 2 * MAX_CROP_BYTES);
  assert.equal(await open.crops([0, 1]), crops);
  open.close();
});

packages.run();
