/**
 * A store of five devices in network namespaces, its master behind a cable with delay and loss:
 * `node test/tools/soak-sync-network.ts [--templates 5000] [--delay 50] [--loss 5]` (as root; a few minutes). Prints how long
 * it took until all held the same; the exit code is 1 when they do not within the limit.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Network, NO_LOSSY_LINK, startStore } from '../sync/network.ts';

const LIMIT_MS = 30 * 60_000;
const LOOK_AGAIN_MS = 2000;
const CROP_BYTES = 2000;
const JITTER_MS = 10;

const { values } = parseArgs({
  options: {
    templates: { type: 'string', default: '5000' },
    delay: { type: 'string', default: '50' },
    loss: { type: 'string', default: '5' },
  },
});
const templates = Number(values.templates);
if (NO_LOSSY_LINK !== null) throw new Error(NO_LOSSY_LINK);

await using network = new Network();
const wire = { delayMs: Number(values.delay), jitterMs: JITTER_MS, lossPercent: Number(values.loss) };
const hosts = await startStore(network, wire);
const began = performance.now();
const each = Math.floor(templates / hosts.length);
await Promise.all(hosts.map((host) => host.ask({ learn: { count: each, bytes: CROP_BYTES } })));
const wanted = each * hosts.length;
const seconds = (): string => ((performance.now() - began) / 1000).toFixed(0);
let lists: string[][] = [];
do {
  await pause(LOOK_AGAIN_MS);
  lists = await Promise.all(hosts.map((host) => host.ask<string[]>({ held: true })));
  process.stdout.write(`${seconds()} s: ${lists.map((list) => list.length).join(' ')}\n`);
} while (lists.some((list) => list.length < wanted) && performance.now() - began < LIMIT_MS);
const isAgreed = lists.every((list) => list.join() === lists[0]?.join() && new Set(list).size === wanted);
process.stdout.write(`${isAgreed ? 'all hold the same' : 'they DIFFER'}: ${wanted} templates after ${seconds()} s\n`);
process.exitCode = isAgreed ? 0 : 1;
