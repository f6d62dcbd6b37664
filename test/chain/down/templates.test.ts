/** Templates for all stores, by the very commands, over a real hub, into real stores: theirs go first. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOWN, downAtHub } from '../../../firmware/chain/subjects.ts';
import { isOfChain } from '../../../firmware/recognition/templates/template-name.ts';
import { needing } from '../../needing.ts';
import { FakeModel } from '../../recognition/support.ts';
import { temporaryFolder, until } from '../../support.ts';
import { startLane, startMaster } from '../../sync/real-rig.ts';
import { agree, joinStore, type Lane } from '../../sync/rig.ts';
import { joinChain, NO_HUB, sharedHub } from '../hub.ts';
import { dealt, openCentre, said, startStore } from './centre.ts';

const templates = suite('chain: templates for all stores');
const test = needing(NO_HUB, 'chain: templates for all stores', templates);
const emptyHub = sharedHub(templates);

const chainsOf = (lane: Lane, item: string): number => lane.recognition.exchange.namesOf(item).filter(isOfChain).length;
const ownOf = (lane: Lane, item: string): number =>
  lane.recognition.exchange.namesOf(item).length - chainsOf(lane, item);

test('what is put down is in each store, on its slaves too, but for items that a store has taught itself', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  await using one = await startStore(hub, 'A');
  await using two = await startStore(hub, 'B');
  await using slave = await startLane('S');
  await joinStore(slave, one);
  await two.learn('4012');
  assert.match(await said(hub, 'list'), 'nothing is put down');
  const file = await centre.packageOf({ 4011: 2, 4012: 2, 'ü b/>': 1 });
  assert.match(await said(hub, 'put', file), /^3 items are put down/);
  await dealt(hub, one);
  await agree([one, slave], 5);
  assert.equal([chainsOf(slave, '4011'), chainsOf(slave, '4012'), chainsOf(slave, 'ü b/>')], [2, 2, 1]);
  await dealt(hub, two);
  assert.equal([chainsOf(two, '4011'), chainsOf(two, '4012'), ownOf(two, '4012')], [2, 0, 1]);
  assert.is(one.recognition.templates.chainTemplateCount(), 5);

  // the same again is no other
  assert.match(await said(hub, 'put', file), 'is new');
  assert.match(await said(hub, 'list'), /^4011 {2}2 {2}\d+ {2}fake/m);

  // a store that has deleted an item, from a slave, keeps it deleted; so does one that declined it, when its own are gone
  await slave.must('delete_item', { id: '4011' });
  await agree([one, slave], 3);
  await two.must('delete_item', { id: '4012' });
  await said(hub, 'put', await centre.packageOf({ 5000: 1 }));
  for (const master of [one, two]) await dealt(hub, master);
  await agree([one, slave], 4);
  assert.equal([chainsOf(one, '4011'), chainsOf(two, '4012'), chainsOf(two, '4011')], [0, 0, 2]);

  // taken back: it goes where it is still the chain's
  await two.learn('4011', 3);
  assert.match(await said(hub, 'drop', '4011'), /^1 items are taken back/);
  await said(hub, 'drop', '5000');
  for (const master of [one, two]) await dealt(hub, master);
  await agree([one, slave], 3);
  assert.equal([chainsOf(two, '4011'), ownOf(two, '4011'), chainsOf(two, '5000')], [2, 1, 0]);
  await said(hub, 'drop', '--all');
  await dealt(hub, one).catch(() => null);
  await agree([one, slave], 0);
});

test('what items are sold as comes down with them, to slaves too; what a store says itself goes first', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  using folder = temporaryFolder();
  await using master = await startStore(hub, 'A');
  await using slave = await startLane('S');
  await joinStore(slave, master);
  const table = (name: string, text: string): string => {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  };
  const sold = (lane: Lane, id: string) => {
    const item = lane.recognition.items.find(id);
    return item === null ? null : [item.name, item.price, item.barcodes.join()];
  };
  const both = (id: string, wanted: unknown) =>
    until(`${id}: ${wanted}`, () =>
      [master, slave].every((lane) => JSON.stringify(sold(lane, id)) === JSON.stringify(wanted)),
    );
  await said(hub, 'put', await centre.packageOf({ 4011: 1, 4012: 1 }));
  const first = table(
    'first.csv',
    'id,name,price,barcodes\n4011,Bananas,9900,4006381333931\n4012,Apples,5000,\n1,Matches,1,\n',
  );
  assert.match(await said(hub, 'describe', first), /^3 items are described/);
  assert.match(await said(hub, 'describe', first), 'is new');
  await dealt(hub, master);
  await both('4011', ['Bananas', 9900, '4006381333931']);
  await both('1', ['Matches', 1, '']); // of which the chain has no templates
  await slave.recognition.items.patch('4012', { name: 'Our apples' });
  await both('4012', ['Our apples', 5000, '']);
  // templates stay as they are; another package of them leaves what they are sold as
  const held = master.held();
  await said(hub, 'describe', table('second.csv', 'id,price\n4011,8900\n4012,4000\n'));
  await dealt(hub, master);
  await both('4011', ['Bananas', 8900, '4006381333931']);
  assert.equal([sold(master, '4012'), master.held()], [['Our apples', 5000, ''], held]);
  await said(hub, 'put', await centre.packageOf({ 1: 1, 4011: 2 }));
  await dealt(hub, master);
  await both('4011', ['Bananas', 8900, '4006381333931']);
  await both('1', ['Matches', 1, '']);
  await said(hub, 'describe', table('third.csv', 'id,name,price\n2,Salt,3000\n'));
  assert.match(await said(hub, 'list'), /^2 {2}0 {2}\d+ {2}no templates\n4011 {2}2 {2}/m);
  await dealt(hub, master);
  await both('2', ['Salt', 3000, '']);
  assert.match(await said(hub, 'drop', '2'), /^1 items/);
  await dealt(hub, master);
  await both('2', null);
  await said(hub, 'drop', '--all');
  await dealt(hub, master).catch(() => null);
  await both('4011', null);
  await both('1', null);
  await both('4012', ['Our apples', 5000, '']);
  assert.match(
    await said(hub, 'describe', table('wrong.csv', 'name\nBananas\n')).catch(String),
    'must name the columns',
  );
});

test('another change of an item replaces the one before, in every store that has not made it its own', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  await using master = await startStore(hub, 'A', { max: 3 });
  await using slave = await startLane('S', { max: 3 });
  await joinStore(slave, master);
  await said(hub, 'put', await centre.packageOf({ 1: 2, 2: 5, 3: 1 }));
  await dealt(hub, master);
  // of a full item as many as it may have
  await agree([master, slave], 6);
  await slave.must('delete_item', { id: '3' });
  await agree([master, slave], 5);
  const before = master.held();
  await said(hub, 'put', await centre.packageOf({ 1: 1, 2: 4, 3: 2 }));
  await dealt(hub, master);
  const now = await agree([master, slave], 6);
  assert.equal(
    now.filter((name) => before.includes(name)),
    [],
  );
  assert.is(chainsOf(slave, '3'), 2);
  // nothing is left at the hub of what was replaced
  await using chain = await hub.asChain();
  const manager = await jetstreamManager(chain);
  const { state } = await manager.streams.info(DOWN, { subjects_filter: downAtHub(null, 'templates.template.>') });
  assert.is(Object.keys(state.subjects ?? {}).length, 7);
});

test('templates of another model are not taken, and that is reported', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  await using master = await startStore(hub, 'A');
  await said(hub, 'put', await centre.packageOf({ 1: 1, 2: 1 }, new FakeModel('another')));
  await said(hub, 'put', await centre.packageOf({ 2: 1 }));
  const number = await dealt(hub, master);
  assert.equal([master.storeTemplates.state?.number, master.storeTemplates.state?.foreign], [number, 1]);
  assert.equal([chainsOf(master, '1'), chainsOf(master, '2')], [0, 1]);
});

test('a master that is replaced brings back nothing that the store has deleted, and takes what it lacks', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  const old = await startStore(hub, 'A');
  await using slave = await startLane('S');
  await joinStore(slave, old);
  await said(hub, 'put', await centre.packageOf({ 1: 2, 2: 2 }));
  await dealt(hub, old);
  await agree([old, slave], 4);
  await old.must('set_deletion_all_flag', { id: '1' });
  await agree([old, slave], 2);
  await old.close();
  // the slave becomes the master, and joins with a new file
  await slave.must('set_sync_master', { upload: true, download: true });
  await joinChain(slave, await hub.admit('A', '--again'));
  await dealt(hub, slave);
  assert.equal([chainsOf(slave, '1'), chainsOf(slave, '2')], [0, 2]);
  await said(hub, 'put', await centre.packageOf({ 1: 1 }));
  await dealt(hub, slave);
  assert.equal([chainsOf(slave, '1'), chainsOf(slave, '2')], [1, 2]);
  await old[Symbol.asyncDispose]();
});

test('broken off and begun again, with a line that was cut, all comes in once', async () => {
  using folder = temporaryFolder();
  const hub = await emptyHub();
  using centre = openCentre();
  const items = Object.fromEntries(Array.from({ length: 24 }, (_, at) => [String(at), 1]));
  {
    await using master = await startStore(hub, 'A', { folder: folder.path });
    await said(hub, 'put', await centre.packageOf(items));
    await until('the first', () => master.held().length > 0 || null);
  }
  for (const server of hub.servers) await server.stop();
  {
    // begins without a line
    await using master = await startMaster('A', { folder: folder.path });
    for (const server of hub.servers) server.start();
    await hub.ready();
    await dealt(hub, master);
    assert.is(master.held().length, 24);
  }
  await using again = await startMaster('A', { folder: folder.path });
  await dealt(hub, again);
  assert.is(again.held().length, 24);
  assert.is(again.storeTemplates.problem, null);
});

test('templates without room are reported, and come in when there is room', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  const items = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [String(at), 3]));
  using folder = temporaryFolder();
  {
    await using master = await startStore(hub, 'A', { folder: folder.path, storageMb: 1 });
    await said(hub, 'put', await centre.packageOf(items));
    const problem = await until('the problem', () => master.storeTemplates.problem);
    assert.match(problem, /room|full|space/i);
    assert.is(master.health.report().parts.find(({ part }) => part === 'chain-templates')?.state, 'degraded');
  }
  await using master = await startMaster('A', { folder: folder.path });
  await dealt(hub, master);
  assert.is(master.held().length, 120);
});

test('what was changed on its way is not taken, and a wrong file or item changes nothing', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  using folder = temporaryFolder();
  await using chain = await hub.asChain();
  const file = await centre.packageOf({ 1: 1 });
  await said(hub, 'put', file);
  const manager = await jetstreamManager(chain);
  const { state } = await manager.streams.info(DOWN, { subjects_filter: downAtHub(null, 'templates.template.>') });
  const [subject = ''] = Object.keys(state.subjects ?? {});
  chain.publish(subject, 'made-up');
  await chain.flush();
  await using master = await startStore(hub, 'A');
  assert.match(await until('the problem', () => master.storeTemplates.problem), 'not what the chain has signed');
  assert.is(master.held().length, 0);
  const wrong = join(folder.path, 'wrong.zip');
  writeFileSync(wrong, 'no package');
  const failure = (...words: readonly string[]): Promise<string> =>
    said(hub, ...words).then(
      () => 'done',
      (error: unknown) => String(error),
    );
  assert.match(await failure('put', wrong), 'wrong.zip');
  assert.match(await failure('drop', '77'), 'nothing of item 77');
  assert.match(await failure('drop'), '--all');
  assert.match(await said(hub, 'list'), /^1 items/m);
});

templates.run();
