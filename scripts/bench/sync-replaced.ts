/**
 * How long a store needs to agree when its master was replaced: `node scripts/bench/sync-replaced.ts [--templates 1000]`.
 *
 * A master that has made half of the templates is gone for good. One of its slaves, which made the other half, is made the
 * master, the other slave is paired with it, and a device that holds nothing joins. Counted is from the call that makes the new
 * master until all three hold the same: what the old one made is given by another only when it has been missing for a while
 * (30 to 45 s, drawn at the start of each device), and with `--quick` at once.
 */
import { parseArgs } from 'node:util';
import { JPEG_START } from '../../test/jpeg-start.ts';
import { until } from '../../test/support.ts';
import { startLane, startMaster } from '../../test/sync/real-rig.ts';
import { BOTH, joinStore, type Lane, running } from '../../test/sync/rig.ts';
import { amountOf } from './quick.ts';

const { values } = parseArgs({
  options: {
    templates: { type: 'string', default: String(amountOf({ full: 1000, quick: 20 })) },
    quick: { type: 'boolean' },
  },
});
const templates = Number(values.templates);
const CROP = Buffer.concat([JPEG_START, Buffer.alloc(20_000)]);
const MODEL = 'fake@1#0123456789abcdef';
const options = { orphanMs: amountOf({ full: 1, quick: 0 }) === 0 ? 0 : null };

async function learn({ serial, recognition }: Lane): Promise<void> {
  for (let at = 0; at < templates / 2; at++) {
    const vector = new Float32Array(192).fill(1 / Math.sqrt(192));
    await recognition.templates.add({ item: `${serial} ${Math.floor(at / 10)}`, model: MODEL, vector, crop: CROP });
  }
}

function allHold(lanes: readonly Lane[]): Promise<true> {
  const isWhole = (lane: Lane): boolean => lane.held().length === templates;
  return until('all to hold the same', () => lanes.every(isWhole) || null);
}

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

await using old = await startMaster('M', options);
await using next = await startLane('S1', options);
await using other = await startLane('S2', options);
await using fresh = await startLane('S3', options);
await learn(old);
await learn(next);
for (const lane of [next, other]) await joinStore(lane, old);
await allHold([old, next, other]);
await old.close();
const began = performance.now();
await next.must('set_sync_master', BOTH);
await running(next);
for (const lane of [other, fresh]) await joinStore(lane, next);
process.stdout.write(`${templates} templates; the new master is set up and both are paired after ${seconds(began)}\n`);
await allHold([next, other, fresh]);
process.stdout.write(`all hold the same after ${seconds(began)} (asked: under 60 s)\n`);
