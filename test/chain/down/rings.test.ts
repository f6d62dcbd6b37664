/** A description that goes to named stores first, over a real hub, into real stores. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOWN, downAtHub } from '../../../firmware/chain/subjects.ts';
import { withPackage } from '../../../scripts/chain/templates/package.ts';
import { needing } from '../../needing.ts';
import { temporaryFolder, until } from '../../support.ts';
import { startMaster } from '../../sync/real-rig.ts';
import { joinChain, NO_HUB, sharedHub } from '../hub.ts';
import { ALL_STORES, dealt, deskAt, failure, only, openCentre, pricesAt, startStore } from './centre.ts';

const rings = suite('chain: a description by rings of stores');
const test = needing(NO_HUB, 'chain: a description by rings of stores', rings);
const emptyHub = sharedHub(rings);

test('named stores have it first, then all; others keep what they have, and one that was away catches up', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  using folder = temporaryFolder();
  await using one = await startStore(hub, 'A');
  const two = await startStore(hub, 'B', { folder: folder.path });
  const both = async (...prices: readonly unknown[]) => {
    for (const master of [one, two]) await dealt(hub, master);
    assert.equal([one, two].map(pricesAt), prices);
  };
  await using chain = await hub.asChain();
  const desk = deskAt(hub, chain);
  const file = await centre.packageOf({ 4011: 1, 4012: 1 });
  await withPackage(file, (packaged) => desk.put(packaged));
  await desk.describe([{ id: '4011', price: 9900 }], ALL_STORES);
  await both([9900, 'none'], [9900, 'none']);

  const next = [
    { id: '4011', price: 8900 },
    { id: '4012', price: 5000 },
  ];
  assert.is((await desk.describe(next, only(hub, 'A'))).items, 2);
  await both([8900, 5000], [9900, 'none']);
  // one at a time
  assert.match(await failure(desk.describe(next, ALL_STORES)), 'is with some stores alone');
  // a package of the same items leaves both descriptions
  const again = await centre.packageOf({ 4011: 2 });
  await withPackage(again, (packaged) => desk.put(packaged));
  await both([8900, 5000], [9900, 'none']);

  // taken back: the stores of the ring have what they had before
  assert.is((await desk.stop()).items, 2);
  await both([9900, 'none'], [9900, 'none']);
  assert.match(await failure(desk.stop()), 'no description is with some stores');

  await desk.describe(next, only(hub, 'A'));
  await two.close();
  assert.is(await desk.widen(only(hub, 'B')), false);
  assert.is(await desk.widen(ALL_STORES), true);
  await dealt(hub, one);
  await using back = await startMaster('B', { folder: folder.path });
  await dealt(hub, back);
  assert.equal([one, back].map(pricesAt), [
    [8900, 5000],
    [8900, 5000],
  ]);
  assert.equal(one.storeTemplates.state?.description, back.storeTemplates.state?.description);
  // what was taken back whole leaves no ring behind
  await desk.describe([{ id: '4011', price: 1 }], only(hub, 'A'));
  await desk.drop(null);
  assert.is((await desk.list()).head.ring, undefined);
  await dealt(hub, one);
  assert.equal(pricesAt(one), ['none', 'none']);
});

test('one who has the hub brings no earlier ring back, and a store that leaves keeps what it has', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  await using master = await startStore(hub, 'A');
  await using chain = await hub.asChain();
  const desk = deskAt(hub, chain);
  const file = await centre.packageOf({ 4011: 1 });
  await withPackage(file, (packaged) => desk.put(packaged));
  await desk.describe([{ id: '4011', price: 8900 }], only(hub, 'A'));
  await dealt(hub, master);
  assert.equal(pricesAt(master), [8900, 'none']);
  const manager = await jetstreamManager(chain);
  const subject = downAtHub(null, 'templates');
  const old = await manager.streams.getMessage(DOWN, { last_by_subj: subject });
  await desk.stop();
  await dealt(hub, master);
  await jetstream(chain).publish(subject, old?.data ?? '');
  master.storeTemplates.ask();
  assert.match(await until('the problem', () => master.storeTemplates.problem), 'older');
  assert.equal(pricesAt(master), ['none', 'none']);

  // the hub is put right, and the store leaves and comes back
  await withPackage(file, (packaged) => desk.put(packaged));
  await desk.describe([{ id: '4011', price: 9900 }], only(hub, 'A'), ['price']);
  await dealt(hub, master);
  const { items } = master.recognition;
  assert.match(await failure(items.patch('4011', { price: 1 })), 'the chain fixes price');
  await items.patch('4011', { name: 'Ours' });
  await master.chain.leave();
  await until('it has left', () => master.storeTemplates.state === null || null);
  assert.is((await items.patch('4011', { price: 1 })).name, 'Ours');
  await desk.widen(ALL_STORES);
  await joinChain(master, await hub.admit('A', '--again'));
  await dealt(hub, master);
  assert.equal(pricesAt(master), [9900, 'none']);
});

rings.run();
