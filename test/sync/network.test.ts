/** A store on a network: devices with addresses of their own, thousands of templates, cut and lossy cables. */
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needing } from '../needing.ts';
import { until } from '../support.ts';
import { type Host, Network, NO_LOSSY_LINK, NO_NAMESPACES, startStore } from './network.ts';
import { NO_SERVER } from './real-rig.ts';

const network = suite('synchronisation: a store on a network');

/** Enough for the cable to be cut on the way; `test/tools/soak-sync-network.ts` moves 5,000. */
const TEMPLATES = 2000;
const CROP_BYTES = 2000;
/** On a lossy cable. */
const LOSSY_TEMPLATES = 250;

const test = needing(NO_SERVER ?? NO_NAMESPACES, 'a store on a network', network);
const lossyTest = needing(NO_SERVER ?? NO_LOSSY_LINK, 'a store on lossy cables', network);

async function learnOn(hosts: readonly Host[], templates: number): Promise<void> {
  const each = templates / hosts.length;
  await Promise.all(hosts.map((host) => host.ask({ learn: { count: each, bytes: CROP_BYTES } })));
}

/** All hold the same templates, each once. */
async function agree(hosts: readonly Host[], templates: number): Promise<void> {
  const lists = await until(`${hosts.length} devices hold ${templates} templates`, async () => {
    await pause(250);
    const all = await Promise.all(hosts.map((host) => host.ask<string[]>({ held: true })));
    return all.every((list) => list.length === templates) ? all : null;
  });
  for (const list of lists) {
    assert.is(new Set(list).size, templates);
    assert.equal(list, lists[0]);
  }
}

test(`${TEMPLATES} templates of five devices reach all, and a cut cable heals, losing none`, async () => {
  await using net = new Network();
  const hosts = await startStore(net);
  const [, cut] = hosts;
  if (cut === undefined) throw new Error('no slave');
  const others = hosts.filter((host) => host !== cut);
  const own = TEMPLATES / hosts.length;
  const held = async (host: Host): Promise<number> => (await host.ask<string[]>({ held: true })).length;
  // it has learned before the others, so that it shows at any moment how many of theirs have come
  await learnOn([cut], own);
  const learned = learnOn(others, TEMPLATES - own);
  await until('some have come', async () => (await held(cut)) > own || null);
  net.setLink(cut, 'down');
  const before = await held(cut);
  assert.ok(before < TEMPLATES, 'the cable was cut too late: nothing was on the way any more');
  await learned;
  await until('the others go on without it', async () => {
    const counts = await Promise.all(others.map(held));
    return counts.every((count) => count > before) || null;
  });
  assert.ok((await held(cut)) < TEMPLATES);
  net.setLink(cut, 'up');
  await agree(hosts, TEMPLATES);
});

test('the pairing code is shown on the master itself and to no one on the network', async () => {
  await using net = new Network();
  const [master, slave] = await startStore(net);
  const call = `:${master.port}/api/get_sync_pairing_code`;
  assert.equal(await slave?.ask({ elsewhere: `http://${master.address}${call}` }), { status: 403, code: -6306 });
  assert.equal(await master.ask({ elsewhere: `http://127.0.0.1${call}` }), { status: 200, code: 0 });
});

lossyTest(`${LOSSY_TEMPLATES} templates reach all through a cable with 5 % loss and 50 ms delay`, async () => {
  await using net = new Network();
  const hosts = await startStore(net, { delayMs: 50, jitterMs: 10, lossPercent: 5 });
  await learnOn(hosts, LOSSY_TEMPLATES);
  await agree(hosts, LOSSY_TEMPLATES);
});

network.run();
