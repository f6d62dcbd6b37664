/** Items and templates that a chain has put down are ordinary ones: in a database of an earlier release, a backup, a package, and the words of an earlier release. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { copyBefore, requireReadable } from '../../firmware/core/store/before-migration.ts';
import { openFile } from '../../firmware/core/store/database.ts';
import { openSealer } from '../../firmware/core/store/sealer.ts';
import { copyInto } from '../../firmware/features/backup/contents.ts';
import { makeBackup } from '../../firmware/features/backup/make.ts';
import { judge, prepareRestore } from '../../firmware/features/backup/prepare.ts';
import { finishRestore } from '../../firmware/features/backup/swap.ts';
import type { ItemWord } from '../../firmware/recognition/items/item-versions.ts';
import { picture, startRig } from '../recognition/support.ts';
import { replaced } from '../replaced.ts';
import { call, temporaryFolder, until } from '../support.ts';
import { agree, BOTH, joinStore, type Lane, running, startLane } from './rig.ts';
import { inStore, Store } from './store.ts';

const test = suite('synchronisation: what a chain has put down');

const DUMPS = new URL('../recognition/fixtures/of-a-chain/', import.meta.url);
/** Origin of the one template that was deleted for good. */
const BURIED = 'chain.9.0a1b2c3d';

/** The databases of a device M that was in a chain, as release 0.1.0 wrote them. */
function dump(folder: string): void {
  for (const name of ['items', 'templates']) {
    using db = openFile(join(folder, `${name}.db`));
    db.exec(readFileSync(new URL(`${name}.sql`, DUMPS), 'utf8'));
  }
}

async function openOld(options: { orphanMs?: number } = {}) {
  const store = await Store.open(options, dump);
  return { store, master: store.master, items: store.master.recognition.items };
}

const said = ({ recognition: { items } }: Lane, id: string) => {
  const item = items.find(id);
  return item && [item.name, item.price, item.barcodes.join(), item.hasPicture];
};

const rowsIn = (path: string) => {
  using db = openFile(path, { readOnly: true });
  const count = (table: string) => Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
  return ['fixed_items', 'chain_pictures', 'items'].map(count);
};

test('its items are as they were, nothing of them is fixed, and a copy from before is kept', async () => {
  using folder = temporaryFolder();
  dump(folder.path);
  await using lane = await startLane('M', { folder: folder.path });
  const ids = ['a', 'b', 'c', 'described', 'fixed', 'gone', 'own', 'theirs', 'waits', 'z'];
  const found = ids.map((id) => said(lane, id));
  assert.equal(found, [
    ['Of the chain', null, 'X2', false],
    ['Ours too', null, '', false],
    ['Fixed', null, 'Y1', false],
    ['Pears', 9900, '4006381333931', true],
    ['Bread', 4500, '', true],
    null,
    ['Own', 5000, '', true],
    ['Theirs', null, 'Z1', false],
    ['Waits', null, '', false],
    ['Ours', null, 'X1', false],
  ]);
  const { body } = await call(`${lane.url}/v1/items/fixed`);
  assert.not('fixed' in body);
  // the release before opens it after an update that is undone, and reads these tables
  const path = join(folder.path, 'items.db');
  using db = openFile(path, { readOnly: true });
  requireReadable(db, { oldest: 7, newest: 7 }, '0.1.0');
  const rows = [rowsIn(path), rowsIn(copyBefore(path))];
  assert.equal(rows, [
    [0, 0, 10],
    [3, 2, 10],
  ]);
});

test('a code stays with the item that had it, and a claim of a device on one that is freed is kept', async () => {
  using folder = temporaryFolder();
  dump(folder.path);
  await using lane = await startLane('M', { folder: folder.path });
  const { items } = lane.recognition;
  const owners = () => ['X1', 'X2', 'Y1', 'Z1', '4006381333931'].map((code) => items.ownerOf(code));
  assert.equal(owners(), ['z', 'a', 'c', 'theirs', 'described']);
  for (const id of ['z', 'c', 'theirs']) await items.delete(id);
  assert.equal(owners(), [null, 'a', null, 'waits', 'described']);
  await items.patch('b', { barcodes: ['X1', 'Y1'] });
  assert.equal(owners(), ['b', 'a', 'b', 'waits', 'described']);
});

test('they are renamed, priced, given another picture and deleted on any lane, and all lanes have it', async () => {
  const { store, master, items } = await openOld();
  await using _store = store;
  const lane = await store.add('S1');
  const all = (id: string, wanted: unknown) =>
    until(`${id}: ${wanted}`, () =>
      [master, lane].every((each) => JSON.stringify(said(each, id)?.slice(0, 3) ?? null) === JSON.stringify(wanted)),
    );
  const change = async (at: Lane, method: string, path: string, json?: object) => {
    const { status, text } = await call(`${at.url}/v1/${path}`, { method, ...(json !== undefined && { json }) });
    assert.ok(status < 300, text);
  };
  for (const id of ['a', 'b', 'c', 'described', 'fixed', 'own', 'theirs', 'waits', 'z'])
    await all(id, said(master, id)?.slice(0, 3));
  assert.is(said(lane, 'gone'), null);
  assert.is(lane.recognition.items.ownerOf('X1'), 'z');

  await change(master, 'PATCH', 'items/fixed', { name: 'Loaf', price: 4700, picture: null });
  await all('fixed', ['Loaf', 4700, '']);
  assert.is(said(master, 'fixed')?.[3], false);
  await change(lane, 'PATCH', 'items/fixed', { price: 4800 });
  await all('fixed', ['Loaf', 4800, '']);
  await change(lane, 'PUT', 'items/described', { name: 'Plums' });
  await all('described', ['Plums', null, '']);
  await change(master, 'POST', 'catalogue', { items: [{ id: 'own', price: 100 }] });
  await all('own', ['Own', 100, '']);
  await change(lane, 'PATCH', 'items/c', { barcodes: [] });
  await all('c', ['Fixed', null, '']);
  await change(lane, 'PUT', 'items/gone', { name: 'Back' });
  await all('gone', ['Back', null, '']);
  await items.delete('fixed');
  await all('fixed', null);
});

const result = async (lane: Pick<Lane, 'get'>) => {
  const { items, verdict } = (await lane.get('get_result')).body.data;
  return [verdict, items[0]?.id];
};

test('its templates recognise, reach other lanes, and are deleted there for the whole store; so are those deleted before', async () => {
  const { store, master } = await openOld({ orphanMs: 0 });
  await using _store = store;
  // of a lane that was away when one was deleted for good
  const away = await store.start('S2', { orphanMs: 0 });
  await away.learn('4011', 1);
  const [own] = away.recognition.exchange.namesOf('4011');
  const template = own && away.recognition.exchange.read(own);
  if (!template) throw new Error('nothing was learned');
  const [buried] = master.recognition.exchange.tombstonesOf('4011');
  assert.equal(buried?.ref.origin, BURIED);
  await away.recognition.exchange.receive([{ ...template, ...buried?.ref, crop: template.crop.slice() }]);
  await away.recognition.exchange.drop([template]);
  assert.is(away.held().length, 1);
  const lane = await store.add('S1', BOTH, { orphanMs: 0 });
  await joinStore(away, master);
  const held = await agree([master, lane, away], 3);
  assert.is(held.filter((name) => name.startsWith('4011/chain.10.')).length, 2);
  for (const each of [master, lane]) {
    const body = new Uint8Array(await picture(1));
    await call(`${each.url}/camera/frame`, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body });
    assert.is((await result(each))[1], '4011');
  }
  const [sid] = lane.recognition.templates.sidsOf('4011');
  await lane.must('delete_item_template', { id: '4011', sid });
  await agree([master, lane, away], 2);
  await master.must('set_deletion_all_flag', { id: '4011' });
  assert.equal((await agree([master, lane, away], 1))[0]?.slice(0, 7), '4012/M/');
});

test('a device on its own that deletes one may have it again, as any other', async () => {
  using folder = temporaryFolder();
  dump(folder.path);
  await using rig = await startRig({ serial: 'M', folder: folder.path });
  const zip = await rig.exportPackage();
  const { templates } = rig.recognition;
  await templates.deleteItem('4011');
  assert.equal(templates.sidsOf('4011'), []);
  const tombstones = rig.recognition.exchange.tombstonesOf('4011').map(({ ref }) => ref.origin);
  assert.equal(tombstones, [BURIED], 'none but the one from before');
  await rig.importPackage(zip);
  assert.is(templates.sidsOf('4011').length, 2);

  await using other = await startRig({ serial: 'OTHER' });
  await other.importPackage(zip);
  const [sid = ''] = other.recognition.templates.sidsOf('4011');
  await other.recognition.templates.delete('4011', sid);
  await other.importPackage(zip);
  assert.is(other.recognition.templates.sidsOf('4011').length, 2);
});

test('a backup that holds them is taken, and what it brings is ordinary', async () => {
  using from = temporaryFolder();
  using into = temporaryFolder();
  dump(from.path);
  const passphrase = 'seven lamps over the counter';
  const about = { version: '0.1.0', device: 'M', madeAt: '2026-11-21T00:00:00.000Z' };
  using made = await makeBackup(from.path, null, passphrase, about, copyInto);
  const sealer = openSealer(join(into.path, 'secret.key'), undefined);
  const incoming = { file: made.content, passphrase, isForced: true };
  await prepareRestore(incoming, { folder: into.path, sealer, version: '0.1.0' }, 0, judge, '--over');
  finishRestore(into.path);
  await using lane = await startLane('NEW', { folder: into.path });
  await lane.recognition.items.patch('fixed', { price: 1, picture: null });
  assert.equal(said(lane, 'fixed'), ['Bread', 1, '', false]);
  assert.is(lane.held().length, 3);
});

test(
  'what a device of an earlier release says to be fixed is ignored: its word counts as any other, and the next change goes before it',
  inStore(async (store) => {
    const old = await store.start('Z9');
    const { items } = store.master.recognition;
    const fixed = { number: 2 ** 52, item: { price: 1, name: 'Theirs' } };
    const word: ItemWord & { fixed: unknown } = {
      ...{ id: 'bread', revision: 7, by: 'chain.4503599627370496', item: { name: 'Theirs', price: 1 } },
      fixed,
    };
    const broken = { ...word, id: 'milk', fixed: 'of no form' };
    using _words = replaced(old.recognition.items, 'words', async function* words() {
      yield [word, broken];
    });
    await items.put('bread', { name: 'Ours', price: 5 });
    await joinStore(old, store.master);
    await until('it is heard', () => items.find('milk')?.price === 1 && items.find('bread')?.price === 1);
    assert.is((await call(`${store.master.url}/v1/items/bread`, { method: 'PATCH', json: { price: 9 } })).status, 200);
    for (const lane of [store.master, old]) await running(lane);
    await until('it reaches the other', () => old.recognition.items.find('bread')?.price === 9);
    assert.equal(said(store.master, 'bread'), ['Theirs', 9, '', false]);
    await items.take([word], 'M');
    assert.is(items.get('bread').price, 9);
    for await (const page of items.words('M')) for (const each of page) assert.not('fixed' in each, each.id);
  }),
);

test.run();
