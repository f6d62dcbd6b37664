/** Exports and imports as tasks: one at a time, with honest states, within their room. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { SystemClock } from '../../firmware/core/host/clock.ts';
import { StillClock } from '../still-clock.ts';
import { each, temporaryFolder, until } from '../support.ts';
import { everything, learnSome, samplePackage } from './packages-support.ts';
import { onRig, picture, startRig } from './support.ts';

const packages = suite('package tasks');
const it = each(packages, onRig);
const sample = await samplePackage();
/** Shorter than that of the sample as it comes in. */
const LONG_LOG_BYTES = 64 * 1024;

it('one task at a time: a second export or import is -6305 while one runs', async (rig) => {
  await learnSome(rig);
  // an import whose upload has not ended holds the place
  const slot = rig.recognition.tasks.reserveImport();
  for (const answer of [await rig.post('/api/export_template'), await rig.upload(sample)]) {
    assert.is(answer.status, 200);
    assert.is(answer.body.code, -6305);
  }
  slot.release();
  assert.is((await rig.importPackage(sample)).status, 4);
});

it('a download that was cut off goes on where it ended; what lies beyond the file is refused', async (rig) => {
  await learnSome(rig);
  const whole = await rig.exportPackage();
  const { filename } = (await rig.get('/api/export_template_status')).body;
  const fetched = async (headers: Record<string, string>, method = 'GET') => {
    const answer = await fetch(`${rig.url}/download/${filename}`, { method, headers });
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const size = whole.length;
  for (const [range, from, to] of [
    ['bytes=0-9', 0, 10],
    [`bytes=${size - 5}-`, size - 5, size],
    ['bytes=-7', size - 7, size],
    [`bytes=${size - 3}-999999999`, size - 3, size],
    ['Bytes= 2-2 ', 2, 3],
    ['bytes=-999999999', 0, size],
  ] as const) {
    const { answer, bytes } = await fetched({ range });
    const { headers } = answer;
    assert.equal([answer.status, headers.get('content-length')], [206, String(to - from)], range);
    assert.is(headers.get('content-range'), `bytes ${from}-${to - 1}/${size}`);
    assert.equal(bytes, whole.subarray(from, to), range);
  }
  for (const headers of [
    {},
    { range: 'bytes=0-1,5-9' },
    { range: 'items=0-1' },
    { range: 'nonsense' },
    { range: 'bytes=-' },
    { range: 'bytes=9-2' },
    { range: 'bytes=0-1', 'if-range': '"another"' },
  ]) {
    const { answer, bytes } = await fetched(headers);
    assert.equal([answer.status, answer.headers.get('accept-ranges')], [200, 'bytes'], JSON.stringify(headers));
    assert.equal(bytes, whole);
  }
  assert.is((await fetched({ range: 'bytes=-0' })).answer.status, 416);
  const beyond = await fetched({ range: `bytes=${size}-` });
  assert.equal([beyond.answer.status, beyond.answer.headers.get('content-range')], [416, `bytes */${size}`]);
  const { code, msg } = JSON.parse(beyond.bytes.toString());
  assert.is(code, -6213);
  assert.match(msg, `Range: the package has ${size} bytes`);
  const head = await fetched({ range: 'bytes=0-9' }, 'HEAD');
  assert.equal([head.answer.headers.get('accept-ranges'), head.bytes.length], ['bytes', 0]);
});

packages('while the clock stands, each package has a name of its own', async () => {
  const clock = new SystemClock(0, new StillClock());
  await using rig = await startRig({ service: { clock } });
  const names: string[] = [];
  for (const item of ['a', 'b', 'c']) {
    await rig.learn(item, await picture(1));
    await rig.exportPackage();
    names.push((await rig.get('/api/export_template_status')).body.filename);
    if (names.length === 2) rmSync(join(rig.folder, 'packages', names[0] ?? ''));
  }
  const first = names[0]?.replace('.zip', '');
  assert.equal(names, [`${first}.zip`, `${first}-2.zip`, `${first}-3.zip`], 'nor that of one that is gone');
});

it('an export of as many items as it may name, with ids as long as they may be', async (rig) => {
  await learnSome(rig, 1, 1);
  const ids = Array.from({ length: 10_000 }, (_, index) => `${'€'.repeat(59)}${String(index).padStart(5, '0')}`);
  const { status, body } = await rig.post('/api/export_template', { ids: ['item0', ...ids.slice(1)] });
  assert.is(status, 200);
  assert.is(body.code, 0);
  const { status: end, msg } = await rig.ended('export');
  assert.is(end, 3);
  assert.match(msg, /1 templates of 1 items; unknown items left out: €/);
  assert.match(msg, / and 9979 more$/);
});

it('an import leaves no long log behind, which would take room and time at each start', async (rig) => {
  await rig.importPackage(sample);
  assert.ok(statSync(join(rig.folder, 'templates.db-wal')).size < LONG_LOG_BYTES);
});

it('the status has changed when the call is answered', async (rig) => {
  await learnSome(rig);
  await rig.post('/api/export_template');
  assert.ok([1, 3].includes((await rig.get('/api/export_template_status')).body.status));
  await until('the export', async () => (await rig.get('/api/export_template_status')).body.status === 3);
  await rig.upload(sample);
  assert.ok([2, 3, 4].includes((await rig.get('/api/import_template_status')).body.status));
  await until('the import', async () => (await rig.get('/api/import_template_status')).body.status === 4);
});

packages('the states of finished tasks survive a restart; one that was running then has failed', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await startRig({ folder: folder.path });
    await learnSome(rig);
    await rig.exportPackage();
    await rig.importPackage(Buffer.from('nonsense'));
  }
  {
    await using rig = await startRig({ folder: folder.path });
    const { status, filename } = (await rig.get('/api/export_template_status')).body;
    assert.is(status, 3);
    assert.is((await rig.get(`/download/${filename}`)).status, 200);
    assert.is((await rig.get('/api/import_template_status')).body.status, 7);
    // closed while the import runs
    await rig.upload(sample);
  }
  await using rig = await startRig({ folder: folder.path });
  const { status, msg } = (await rig.get('/api/import_template_status')).body;
  assert.ok(status === 4 || (status === 5 && /restarted/.test(msg)), `${status} ${msg}`);
  assert.is((await everything(rig)).items.length, 3);
});

it('download serves packages and nothing else', async (rig) => {
  await learnSome(rig, 1, 1);
  await rig.exportPackage();
  const { filename } = (await rig.get('/api/export_template_status')).body;
  const found = await rig.get(`/download/${filename}`);
  assert.is(found.headers.get('content-type'), 'application/zip');
  assert.is(found.headers.get('content-disposition'), `attachment; filename="${filename}"`);
  const wrong = [
    'templates.db',
    '..%2ftemplates.db',
    '%2e%2e%2ftemplates.db',
    '..%5ctemplates.db',
    `${filename}.part`,
    `x${filename}`,
    '%00',
    'templates-%00.zip',
    'templates-..zip',
  ];
  for (const name of wrong) {
    const { status, body } = await rig.get(`/download/${name}`);
    assert.is(status, 404, name);
    assert.is(body.code, -6202, name);
  }
  assert.is((await rig.get('/download/a/b')).body.code, -6117);
});

packages('old packages make room for new ones, and one that does not fit ends in 6', async () => {
  await using rig = await startRig({ config: { downloadsMb: 1 }, service: { maxTemplatesPerItem: 1000 } });
  await rig.show(await picture(1));
  await rig.post('/api/add_item_template', { id: 'a' });
  const names: string[] = [];
  const { crop } = await rig.recognition.recogniser.capture();
  const perPackage = Math.ceil(400_000 / crop.length);
  const add = { model: 'other@1#0', vector: Float32Array.of(1), crop };
  for (let count = 0; count < perPackage; count++) await rig.recognition.templates.add({ item: 'a', ...add });
  for (let round = 0; round < 3; round++) {
    await rig.exportPackage();
    names.push((await rig.get('/api/export_template_status')).body.filename);
  }
  assert.is((await rig.get(`/download/${names[0]}`)).status, 404);
  assert.is((await rig.get(`/download/${names[2]}`)).status, 200);
  for (let count = 0; count < perPackage; count++) await rig.recognition.templates.add({ item: 'b', ...add });
  await rig.post('/api/export_template');
  const state = await rig.ended('export');
  assert.is(state.status, 6);
  assert.match(state.msg, /larger than the room/);
});

packages('an import that fails gives its room back at once', async () => {
  const zip = await (async () => {
    await using other = await startRig({ serial: 'OTHER001', service: { maxTemplatesPerItem: 1000 } });
    await other.show(await picture(1));
    const capture = await other.recognition.recogniser.capture();
    const count = Math.ceil((2 * 1024 * 1024) / capture.crop.length);
    for (let at = 0; at < count; at++) await other.recognition.templates.add({ item: 'a', ...capture });
    return await other.exportPackage();
  })();
  await using rig = await startRig({ config: { storageMb: 1 }, service: { maxTemplatesPerItem: 1000 } });
  const { status, msg } = await rig.importPackage(zip);
  assert.is(status, 5);
  assert.match(msg, /nothing was imported: the storage of the device is full/);
  await rig.show(await picture(1));
  await until('the room', async () => (await rig.post('/api/add_item_template', { id: 'b' })).body.code === 0);
  assert.equal((await rig.get('/api/get_item_list')).body.data, [{ id: 'b', count: 1 }]);
});

packages('what is cleared while an import is taken in is not recognised any more', async () => {
  const many = { service: { maxTemplatesPerItem: 1000 } };
  const zip = await (async () => {
    await using other = await startRig({ ...many, serial: 'OTHER001' });
    await other.show(await picture(1));
    const capture = await other.recognition.recogniser.capture();
    for (let count = 0; count < 250; count++) await other.recognition.templates.add({ item: 'old', ...capture });
    return await other.exportPackage();
  })();
  await using rig = await startRig(many);
  const { templates } = rig.recognition;
  const cleared: Promise<void>[] = [];
  templates.onChange(({ kind }) => {
    // in the middle: the rest of the batch is not in memory yet
    if (kind === 'added' && cleared.length === 0) cleared.push(templates.clear());
  });
  await rig.importPackage(zip);
  await Promise.all(cleared);
  await rig.show(await picture(1));
  const { items, verdict } = (await rig.get('/api/get_result')).body.data;
  assert.equal(items, []);
  assert.is(verdict.reason, 'no-templates');
});

packages('a picture that the card has damaged ends the export in 6, naming the template', async () => {
  using folder = temporaryFolder();
  let sid = '';
  {
    await using rig = await startRig({ folder: folder.path });
    sid = await rig.learn('7', await picture(1));
  }
  const db = openFile(`${folder.path}/templates.db`);
  db.exec("UPDATE crops SET jpeg = x'ffd8ff00'");
  db.close();
  await using rig = await startRig({ folder: folder.path });
  await rig.post('/api/export_template');
  const { status, msg } = await rig.ended('export');
  assert.is(status, 6, msg);
  assert.match(msg, new RegExp(sid));
});

packages.run();
