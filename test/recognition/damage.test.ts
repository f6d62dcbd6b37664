/** Damage in templates.db, as cards and memory make it: nothing of it stops the device, and all of it is reported. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { call, setUp, startTestDevice, temporaryFolder } from '../support.ts';
import { learnedRig, picture, type Rig, startRig } from './support.ts';

const test = suite('damage');
const PAGE_BYTES = 4096;

const templatesOf = (folder: string): string => join(folder, 'templates.db');

/** Changes the database of a device that has stopped. */
function spoil(folder: string, sql: string): void {
  const db = openFile(templatesOf(folder));
  db.exec(sql);
  db.close();
}

const health = (rig: Rig): Promise<{ state: string; reason: string }> => rig.part('templates');

/** What a device that has learned seven items left behind, and what another one exports. */
const original = temporaryFolder();
test.after(() => original[Symbol.dispose]());
let exported: Buffer = Buffer.alloc(0);
test.before(async () => {
  await (await learnedRig({ folder: original.path }))[Symbol.asyncDispose]();
  await using other = await startRig({ serial: 'OTHER001' });
  await other.learn('far', await picture(5));
  exported = await other.exportPackage();
});

function learnedFolder() {
  const folder = temporaryFolder();
  copyFileSync(templatesOf(original.path), templatesOf(folder.path));
  return folder;
}

test('a template whose vector became text is left out', async () => {
  using folder = learnedFolder();
  spoil(folder.path, "UPDATE templates SET vector = CAST('no vector' AS TEXT) WHERE item = 'item3'");
  await using rig = await startRig({ folder: folder.path });
  await rig.show(await picture(4));
  assert.is((await rig.get('/api/get_result')).body.data.items[0].id, 'item4');
});

const WRONG_ROWS: readonly (readonly [string, string])[] = [
  ['a moment that is no number', "UPDATE facts SET value = 'x' WHERE name = 'last_moment'"],
  ['a moment of no calendar', "UPDATE facts SET value = '8e99' WHERE name = 'last_moment'"],
  ['a moment far ahead', "UPDATE facts SET value = '99999999999999' WHERE name = 'last_moment'"],
  ['a last identifier that is none', "UPDATE facts SET value = '2026' WHERE name = 'last_sid'"],
  ['a last identifier of no calendar', "UPDATE facts SET value = '20269931000000000000000' WHERE name = 'last_sid'"],
  [
    'a last identifier at the end of time',
    "UPDATE facts SET value = '99991231235959999999999' WHERE name = 'last_sid'",
  ],
  [
    'a state that is none',
    "INSERT INTO tasks VALUES ('export', 'x', 'm', NULL, NULL), ('import', 1152921504606846976, 'm', NULL, '{')",
  ],
];

for (const [what, sql] of WRONG_ROWS) {
  test(`rows with ${what} stop neither the start nor learning`, async () => {
    using folder = learnedFolder();
    spoil(folder.path, sql);
    await using rig = await startRig({ folder: folder.path });
    for (const kind of ['export', 'import']) assert.is((await rig.get(`/api/${kind}_template_status`)).body.status, 0);
    const sid = await rig.learn('new', await picture(0));
    assert.match(sid, /^20[2-9]\d{20}$/);
  });
}

test('a device whose templates cannot be opened takes payments, and says what is wrong', async () => {
  using folder = temporaryFolder();
  symlinkSync(join(folder.path, 'nowhere', 'templates.db'), templatesOf(folder.path)); // no permission would do the same, but not to root
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  const { status } = await call(`${device.terminal}/showQR`, { json: { amount: 100, purpose: 'x' } });
  assert.is(status, 200);
  const { parts } = (await call(`${device.recognition}/health`)).body.data;
  const part = parts.find((entry: { part: string }) => entry.part === 'templates');
  assert.is(part.state, 'failed');
  assert.match(part.reason, /^Item pictures cannot be opened: nothing can be recognised or taught\. \(.+\)$/);
  const cleared = await call(`${device.recognition}/api/clear_all_template`, { method: 'POST' });
  assert.is(cleared.body.code, -6203, cleared.text);
});

/** Overwrites a page that holds crops and nothing else. */
function spoilCrops(folder: string): void {
  const db = openFile(templatesOf(folder));
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const row = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'crops'").get();
  db.close();
  const file = openSync(templatesOf(folder), 'r+');
  writeSync(file, Buffer.alloc(PAGE_BYTES, 0x5a), 0, PAGE_BYTES, (Number(row?.rootpage) - 1) * PAGE_BYTES);
  closeSync(file);
}

test('a damaged page of pictures is reported with a code, and set aside by the next start', async () => {
  using folder = learnedFolder();
  spoilCrops(folder.path);
  {
    await using rig = await startRig({ folder: folder.path });
    const [sid = ''] = rig.recognition.templates.reader.sidsOf('item1');
    const image = await rig.post('/api/get_template_image', { id: 'item1', sid });
    await rig.show(await picture(3));
    const added = await rig.post('/api/add_item_template', { id: 'new' });
    const deleted = await rig.post('/api/delete_item', { id: 'item2' });
    for (const { status, body } of [image, added, deleted]) {
      assert.is(status, 200);
      assert.is(body.code, -6203, body.msg);
      assert.match(body.msg, /templates\.db is damaged.*restart the device/);
    }
    assert.is((await health(rig)).state, 'failed');
    assert.match((await health(rig)).reason, /restart the device/);
    // what is in memory goes on
    assert.is((await rig.get('/api/get_result')).body.data.items[0].id, 'item3');
  }
  {
    await using rig = await startRig({ folder: folder.path });
    assert.match((await health(rig)).reason, /set aside/);
    const asides = readdirSync(folder.path).filter((name) => name.startsWith('templates.db.damaged-'));
    assert.ok(asides.length > 0);
    await rig.learn('new', await picture(3));
    for (const name of asides) rmSync(join(folder.path, name)); // what ends the notice
  }
  await using again = await startRig({ folder: folder.path });
  assert.is((await health(again)).state, 'ok');
});

test('templates are refused once their file is gone or replaced: the next start would lose them', async () => {
  for (const away of [
    (path: string) => rmSync(path),
    (path: string) => renameSync(path, `${path}.old`),
    (path: string) => {
      copyFileSync(path, `${path}.new`);
      renameSync(`${path}.new`, path);
    },
  ]) {
    using folder = learnedFolder();
    await using rig = await startRig({ folder: folder.path });
    await rig.show(await picture(3));
    away(templatesOf(folder.path));
    const learned = await rig.post('/v1/items/new/templates');
    assert.equal([learned.status, learned.body.code], [500, 'Internal.StorageRefused']);
    assert.match(learned.body.detail, /templates\.db was taken away.*restart the device/);
    const deleted = await rig.post('/api/delete_item', { id: 'item1' });
    assert.is(deleted.body.code, -6203, deleted.body.msg);
    assert.match((await rig.upload(exported)).body.msg, /taken away/);
    assert.match((await health(rig)).reason, /was removed/);
    assert.is((await health(rig)).state, 'failed');
    assert.is((await rig.get('/api/get_result')).body.data.items[0].id, 'item3', 'what is in memory goes on');
  }
});

for (const job of ['export', 'import'] as const) {
  test(`an ${job} that meets a damaged page says so, and has the next start check`, async () => {
    using folder = learnedFolder();
    spoilCrops(folder.path);
    await using rig = await startRig({ folder: folder.path });
    if (job === 'export') await rig.post('/api/export_template');
    else await rig.upload(exported);
    const { status, msg } = await rig.ended(job);
    assert.ok([5, 6].includes(status), msg);
    assert.match(msg, /templates\.db is damaged/);
    assert.ok(existsSync(`${templatesOf(folder.path)}.suspect`));
  });
}

test.run();
