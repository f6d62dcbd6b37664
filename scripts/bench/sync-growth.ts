/**
 * Measures what synchronisation costs as a store grows: `node scripts/bench/sync-growth.ts [--templates
 * 1000,5000,20000,50000]`.
 *
 * A master and a slave, each its own process, begin with the same templates; the slave, who made them, gives them to
 * the centre. Then in turns one learns a template and the other reports when its recognition has it. A stall is the
 * computing time of one turn of the event loop. While nothing is learned, the processes are first watched for stalls,
 * which takes CPU itself, then left alone, and their CPU is measured by the minute. A third device stands alone beside
 * them: its figures are not synchronisation's.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LaneChild } from '../../test/sync/lane-child.ts';
import { memoryOf, percentile, watchMemory } from './firmware.ts';
import { amountOf } from './quick.ts';

const SIZES = amountOf({ full: 0, quick: 1 }) === 1 ? '100' : '1000,5000,20000,50000';
const { values } = parseArgs({
  options: { templates: { type: 'string', default: SIZES }, quick: { type: 'boolean' } },
});
const ADDS = amountOf({ full: 30, quick: 2 });
/** Longer than the interval of synchronisations. */
const WATCHED_MS = amountOf({ full: 35_000, quick: 100 });
const IDLE_MS = amountOf({ full: 60_000, quick: 200 });
/** Longer than the time in which several changes are gathered. */
const BETWEEN_MS = 600;
const REST_MS = amountOf({ full: 8000, quick: 100 });
const CROP_BYTES = 2000;
const MS_PER_MINUTE = 60_000;

interface Cost {
  readonly cpu: number;
  readonly stall: number;
}

async function ready(lane: LaneChild): Promise<void> {
  await lane.answer();
  // memory of the seeding must not count
  watchMemory(lane.child.pid ?? 0);
}

async function pairUp(master: LaneChild, slave: LaneChild): Promise<void> {
  for (const lane of [master, slave]) await ready(lane);
  await master.must('set_sync_master', { upload: true, download: true });
  await master.ask({ synchronised: true });
  const { pairingCode } = await master.must('get_sync_pairing_code');
  const { mastersyncPort } = await master.must('get_device_info');
  const directions = { upload: true, download: true, pairingCode };
  await slave.must('set_sync_slave', { masterIP: '127.0.0.1', mastersyncPort, ...directions });
  await slave.ask({ synchronised: true });
  for (const lane of [master, slave]) await lane.must('start_sync');
  await pause(REST_MS);
}

/** Milliseconds from learning on one device to knowing on the other, for each template. */
async function teachInTurns(lanes: readonly [LaneChild, LaneChild]): Promise<number[]> {
  const took: number[] = [];
  for (let number = 0; number < ADDS; number++) {
    const [teacher, pupil] = number % 2 === 0 ? lanes : ([lanes[1], lanes[0]] as const);
    const item = `taught ${number}`;
    const began = await teacher.ask<number>({ teach: item });
    took.push((await pupil.ask<number>({ known: item })) - began);
    await pause(BETWEEN_MS);
  }
  return took;
}

async function measure(count: number): Promise<string> {
  const seeded = { count, bytes: CROP_BYTES, origin: 'S1' };
  await using master = new LaneChild('M', undefined, [], seeded);
  await using slave = new LaneChild('S1', undefined, [], seeded);
  await using alone = new LaneChild('A', undefined, [], seeded);
  await ready(alone);
  await pairUp(master, slave);
  const costs = async (next: 'watch' | 'leave'): Promise<Cost[]> =>
    await Promise.all([master, slave, alone].map((lane): Promise<Cost> => lane.ask({ cost: next })));
  const stalls = async (next: 'watch' | 'leave'): Promise<string> =>
    (await costs(next)).map(({ stall }) => stall.toFixed(0)).join(', ');
  const joining = await stalls('watch');
  const took = await teachInTurns([master, slave]);
  const adding = await stalls('watch');
  await pause(WATCHED_MS);
  const resting = await stalls('leave');
  await pause(IDLE_MS);
  const idle = (await costs('leave')).map(({ cpu }) => ((cpu * MS_PER_MINUTE) / IDLE_MS).toFixed(2));
  const memory = [master, slave, alone].map(({ child }) => memoryOf(child.pid ?? 0).toFixed(0));
  return [
    `${count} templates: added to known p50 ${percentile(took, 0.5).toFixed(0)} ms, p95 ${percentile(took, 0.95).toFixed(0)} ms`,
    `  longest stall (master, slave, alone): joining ${joining} ms; adding ${adding} ms; idle ${resting} ms`,
    `  idle CPU of a minute (the same): ${idle.join(', ')} s; most memory: ${memory.join(', ')} MiB`,
    '',
  ].join('\n');
}

for (const count of values.templates.split(',')) process.stdout.write(await measure(Number(count)));
