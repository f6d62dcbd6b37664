/** A master that misses devices of its store is not well; what it says of them, in words and in figures. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lanAddress } from '../../firmware/core/config/index.ts';
import { HealthBoard } from '../../firmware/core/host/health.ts';
import { Metrics } from '../../firmware/core/host/metrics.ts';
import { ForeignDeletions } from '../../firmware/sync/centre/foreign-deletions.ts';
import { countSync, type WatchedSync, watchSync } from '../../firmware/sync/health.ts';
import { temporaryFolder, until } from '../support.ts';
import { joinStore, startLane, startMaster } from './rig.ts';

const test = suite('synchronisation: silent devices');

const MINUTE_MS = 60_000;
const heard = (serial: string, unheard: number, silent: number | null = unheard) => ({
  ...{ serial, status: null, silent, unheard, conflict: false, deleted: 0, isStopped: false },
});
const WELL: WatchedSync = {
  ...{ role: 'master', paired: true, problem: null, devices: [], settingsProblem: null, devicesProblem: null },
  marksProblem: null,
  address: '',
  refused: [],
  state: { lastSuccess: 1, lag: 1500, pending: 3, failure: null },
};

function judged(status: Partial<WatchedSync>) {
  const health = new HealthBoard(() => ({
    ...{ version: '1', serial: 'M', instance: 'i', ports: { terminal: 1, recognition: 2 }, uptimeSeconds: 0 },
  }));
  const metrics = new Metrics();
  watchSync(health, () => ({ ...WELL, ...status }));
  countSync(metrics, () => ({ ...WELL, ...status }));
  const [part] = health.report().parts;
  return { state: part?.state, reason: part?.reason ?? '', figures: metrics.registry.metrics() };
}

test('a master that hears all is well', async () => {
  const { state, figures } = judged({ devices: [heard('M', 0), heard('S1', 10 * MINUTE_MS)] });
  assert.is(state, 'ok');
  assert.match(await figures, /^laneware_sync_devices\{state="heard"\} 2$/m);
  assert.match(await figures, /^laneware_sync_devices\{state="silent"\} 0$/m);
  assert.match(await figures, /^laneware_sync_lag_seconds 1\.5$/m);
  assert.match(await figures, /^laneware_sync_pending 3$/m);
});

test('a device that falls silent, and one that never came, are named', async () => {
  const devices = [heard('M', 0), heard('S1', 10 * MINUTE_MS + 1), heard('S2', 25 * MINUTE_MS, null)];
  const { state, reason, figures } = judged({ devices });
  assert.is(state, 'degraded');
  assert.match(reason, 'S1, S2 not seen for 10 min');
  assert.match(await figures, /^laneware_sync_devices\{state="silent"\} 2$/m);
});

test('one that deletes far more of what others learned than people do is named until shut out', () => {
  const devices = [heard('M', 0), { ...heard('S1', 0), deleted: 1200 }];
  assert.match(judged({ devices }).reason, /^S1 has deleted 1200 templates of other devices/);
  const deletions = new ForeignDeletions();
  const noted = (count: number, now: number): number => {
    deletions.record(new Map([['S1', count]]), now * MINUTE_MS);
    return deletions.of('S1');
  };
  // what lay there at the start, and what a person deletes
  assert.equal([noted(5000, 0), noted(5400, 20), noted(5400, 60), noted(5900, 61)], [0, 0, 0, 0]);
  assert.equal([noted(6001, 62), noted(6100, 119)], [601, 700]);
  deletions.forget('S1', 200 * MINUTE_MS);
  deletions.record(new Map([['S2', 6500]]), 201 * MINUTE_MS);
  assert.equal([deletions.of('S1'), deletions.of('S2')], [0, 0]);
});

test('of many, five are named', () => {
  const devices = Array.from({ length: 8 }, (_, at) => heard(`S${at}`, 11 * MINUTE_MS));
  assert.match(judged({ devices }).reason, 'S0, S1, S2, S3, S4 + 3 not seen for 11 min');
});

test('a master that is one no longer has no such figures any more', async () => {
  const metrics = new Metrics();
  const status = { ...WELL, devices: [heard('M', 0)] };
  countSync(metrics, () => status);
  assert.match(await metrics.registry.metrics(), /^laneware_sync_devices\{/m);
  Object.assign(status, { role: 'slave' });
  assert.not.match(await metrics.registry.metrics(), /^laneware_sync_devices\{/m);
});

test('a device alone has no such figures', async () => {
  const { state, figures } = judged({ role: 'standalone', state: null });
  assert.is(state, 'ok');
  assert.not.match(await figures, /^laneware_sync_(lag|pending|devices)\S* \d/m);
});

test('a device that was not heard of since the master started is counted from that start', async () => {
  using folder = temporaryFolder();
  const clock = { now: 1_000_000 };
  const options = { folder: folder.path, monotonic: () => clock.now };
  {
    await using master = await startMaster('M', options);
    await using slave = await startLane('S1');
    await joinStore(slave, master);
  }
  await using again = await startMaster('M', options);
  clock.now += 5 * MINUTE_MS;
  const line = again.sync.status().devices.find(({ serial }) => serial === 'S1');
  assert.equal([line?.silent, line?.unheard], [null, 5 * MINUTE_MS]);
});

test('a device tells its master where it is in the network of the shop', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  const told = await until('it has told', () =>
    master.sync.status().devices.find(({ serial, status }) => serial === 'S1' && status !== null),
  );
  assert.is(told.status?.address, lanAddress() ?? undefined);
});

test.run();
