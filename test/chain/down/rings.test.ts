/** A description that goes to some stores first, over a real hub, into real stores; by the very commands where they say more. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Inventory } from '../../../firmware/chain/inventory.ts';
import { INVENTORY } from '../../../firmware/chain/reporter.ts';
import { DOWN, downAtHub } from '../../../firmware/chain/subjects.ts';
import { Exporter } from '../../../scripts/chain/exporter.ts';
import { pairOf } from '../../../scripts/chain/keys.ts';
import { keeperOf } from '../../../scripts/chain/reader.ts';
import { TemplateDesk } from '../../../scripts/chain/templates/desk.ts';
import { withPackage } from '../../../scripts/chain/templates/package.ts';
import { needing } from '../../needing.ts';
import { call, temporaryFolder, until } from '../../support.ts';
import { startMaster } from '../../sync/real-rig.ts';
import type { Lane } from '../../sync/rig.ts';
import { type Hub, joinChain, NO_HUB, sharedHub } from '../hub.ts';
import { dealt, openCentre, said, startStore } from './centre.ts';

const rings = suite('chain: a description by rings of stores');
const test = needing(NO_HUB, 'chain: a description by rings of stores', rings);
const emptyHub = sharedHub(rings);

const ALL = { percent: 100, accounts: [] };
const BARCODE = '4006381333931';

const only = (hub: Hub, ...names: readonly string[]) => ({
  percent: 0,
  accounts: names.map((name) => pairOf(hub.folder().store(name).seed).getPublicKey()),
});

const deskAt = (hub: Hub, chain: NatsConnection): TemplateDesk =>
  new TemplateDesk(chain, hub.folder().keys, Date.now, async () => []);

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => String(error),
  );

const pricesAt = ({ recognition: { items } }: Lane) =>
  ['4011', '4012'].map((id) => (items.find(id) === null ? 'none' : items.get(id).price));

/** What the process of a device says of itself every five minutes. */
async function report(lane: Lane): Promise<void> {
  const { state } = lane.storeTemplates;
  const inventory: Inventory = {
    ...{ format: 1, serial: lane.serial, version: '1.2.3', instance: 'i', role: 'master', state: 'ok', parts: [] },
    ...(state !== null && { chainTemplates: { templates: 1, ...state } }),
    ...{ counts: { items: 1, templates: 2, openPayments: 3 }, uptimeSeconds: 1, at: '2026-01-01T00:00:00Z' },
  };
  await lane.chain.link.report(INVENTORY, JSON.stringify(inventory));
}

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
  await desk.describe([{ id: '4011', price: 9900 }], ALL);
  await both([9900, 'none'], [9900, 'none']);

  const next = [
    { id: '4011', price: 8900 },
    { id: '4012', price: 5000 },
  ];
  assert.is((await desk.describe(next, only(hub, 'A'))).items, 2);
  await both([8900, 5000], [9900, 'none']);
  // one at a time
  assert.match(await failure(desk.describe(next, ALL)), 'is with some stores alone');
  // a package of the same items leaves both descriptions
  const again = await centre.packageOf({ 4011: 2 });
  await withPackage(again, (packaged) => desk.put(packaged));
  await both([8900, 5000], [9900, 'none']);

  // taken back: as it was, where it was
  assert.is((await desk.stop()).items, 2);
  await both([9900, 'none'], [9900, 'none']);
  assert.match(await failure(desk.stop()), 'no description is with some stores');

  await desk.describe(next, only(hub, 'A'));
  await two.close();
  assert.is(await desk.widen(only(hub, 'B')), false);
  assert.is(await desk.widen(ALL), true);
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

test('a share is drawn among masters that are heard, at least one, and never shrinks; each store says how it stands', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  using folder = temporaryFolder();
  await using one = await startStore(hub, 'A');
  await using two = await startStore(hub, 'B');
  await using three = await startStore(hub, 'C');
  await hub.admit('D');
  const all = [one, two, three];
  await said(hub, 'put', await centre.packageOf({ 4011: 1, 4012: 1, 4013: 1 }));
  const dealtAll = async () => {
    for (const master of all) await dealt(hub, master);
  };
  const table = join(folder.path, 'table.csv');
  writeFileSync(table, `id,price,barcodes\n4011,8900,\n4012,5000,${BARCODE}\n`);
  assert.match(await failure(said(hub, 'describe', table, '--ring', '10')), 'has been heard');
  await dealtAll();
  for (const master of all) {
    await report(master);
    await master.recognition.items.put('4011', { price: 1 });
    await master.recognition.items.put('4013', { barcodes: [BARCODE] });
  }
  await said(hub, 'describe', table, '--ring', '10');
  await dealtAll();
  const having = () => all.filter((lane) => pricesAt(lane)[1] === 5000);
  const [tried = one, ...more] = having();
  assert.is(more.length, 0);
  for (const master of all) await report(master);
  const lines = (await said(hub, 'status')).trimEnd().split('\n');
  const lineOf = (name: string) => lines.find((line) => line.startsWith(`${name}  `)) ?? '';
  const has = tried.storeTemplates.state?.description.number ?? 0;
  assert.is(
    lineOf(tried.serial),
    `${tried.serial}  ring  has ${has} of ${new Date(has).toISOString()}  1 taken, 1 kept  refused: 0 of another model, 1 for a barcode`,
  );
  for (const lane of all.filter((each) => each !== tried))
    assert.match(lineOf(lane.serial), /rest {2}has none {2}0 taken/);
  assert.match(lineOf('D'), 'has not reported');

  await using exporter = new Exporter({ reader: keeperOf(hub.keys), now: Date.now, warn: () => undefined }).start();
  const url = await exporter.listen({ port: 0 });
  const figure = `laneware_chain_store_items{store="${tried.serial}",state=`;
  const text = await until('the figures', async () => {
    const answer = (await call(`${url}/metrics`)).text;
    return answer.includes(figure) ? answer : null;
  });
  for (const [state, count] of Object.entries({ taken: 1, kept: 1, model: 0, barcode: 1 }))
    assert.match(text, `${figure}"${state}"} ${count}\n`);
  assert.match(text, `laneware_chain_store_description_timestamp_seconds{store="${tried.serial}"} ${has / 1000}\n`);

  await said(hub, 'widen', '--ring', '50');
  await dealtAll();
  assert.equal([having().length, having().includes(tried)], [2, true]);
  // what was reported before the change
  assert.match(await said(hub, 'status'), 'and is behind');
  await said(hub, 'widen', '--ring', '1');
  await dealtAll();
  assert.is(having().length, 2);
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
  await desk.widen(ALL);
  await joinChain(master, await hub.admit('A', '--again'));
  await dealt(hub, master);
  assert.equal(pricesAt(master), [9900, 'none']);
});

rings.run();
