/** A description that goes to a drawn share of the stores first, by the very commands; and what each store says of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Inventory } from '../../../firmware/chain/inventory.ts';
import { INVENTORY } from '../../../firmware/chain/reporter.ts';
import { Exporter } from '../../../scripts/chain/exporter.ts';
import { keeperOf } from '../../../scripts/chain/reader.ts';
import { withPackage } from '../../../scripts/chain/templates/package.ts';
import { needing } from '../../needing.ts';
import { call, temporaryFolder, until } from '../../support.ts';
import type { Lane } from '../../sync/rig.ts';
import { NO_HUB, sharedHub } from '../hub.ts';
import { dealt, deskAt, failure, openCentre, pricesAt, said, startStore } from './centre.ts';

const drawn = suite('chain: a description to a share of the stores');
const test = needing(NO_HUB, 'chain: a description to a share of the stores', drawn);
const emptyHub = sharedHub(drawn);

const BARCODE = '4006381333931';

/** What the process of a device says of itself every five minutes. */
async function report(lane: Lane): Promise<void> {
  const { state } = lane.storeTemplates;
  const inventory: Inventory = {
    ...{
      format: 1,
      serial: lane.serial,
      version: '1.2.3',
      instance: 'i',
      role: 'master',
      state: 'ok',
      sales: 'sells',
      parts: [],
    },
    ...(state !== null && { chainTemplates: { templates: 1, ...state } }),
    ...{ counts: { items: 1, templates: 2, openPayments: 3 }, uptimeSeconds: 1, at: '2026-01-01T00:00:00Z' },
  };
  await lane.chain.link.report(INVENTORY, JSON.stringify(inventory));
}

test('a share is drawn among masters that are heard, at least one, and never shrinks; each store says how it stands', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  using folder = temporaryFolder();
  await using one = await startStore(hub, 'A');
  await using two = await startStore(hub, 'B');
  await using three = await startStore(hub, 'C');
  await hub.admit('D');
  const all = [one, two, three];
  await using chain = await hub.asChain();
  const file = await centre.packageOf({ 4011: 1, 4012: 1, 4013: 1 });
  await withPackage(file, (packaged) => deskAt(hub, chain).put(packaged));
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

drawn.run();
