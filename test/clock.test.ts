/** The time of the whole device: a wrong one does no lasting harm, and the machine's own clock is the host's affair. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BUILD_TIME } from '../drivers/lib/version.ts';
import { machineTime, pauseBy, type Timekeeper } from '../firmware/core/host/clock.ts';
import { startFirmware } from './process.ts';
import { type Answer, call, setUp, startTestDevice, type TestDevice, temporaryFolder } from './support.ts';
import { healthOf, showQR } from './terminal/device-calls.ts';

const test = suite('the time of the device');

const YEAR_MS = 365 * 86_400_000;

const setTime = (device: Pick<TestDevice, 'recognition'>, wall: number): Promise<Answer> =>
  call(`${device.recognition}/api/set_time`, { json: { sec: Math.floor(wall / 1000), usec: 0 } });

const clockPart = (device: TestDevice) => healthOf(device, 'clock');

/** The day of each payment in the ledger, in the order of their making. */
async function daysOfPayments({ terminal, dataDir }: TestDevice): Promise<string[]> {
  await call(`${terminal}/exportToCSV`, { json: { path: 'days.csv' } });
  const [, ...lines] = readFileSync(join(dataDir, 'exports', 'days.csv'), 'utf8')
    .trim()
    .split('\r\n');
  return lines.map((line) => line.split(',')[1]?.slice(0, 10) ?? '');
}

const dayOf = (wall: number): string => new Date(wall).toISOString().slice(0, 10);

test('a wrong time is in /health, corrected by set_time, and does not return with a restart', async () => {
  using folder = temporaryFolder();
  const wrong = Date.now() + 2 * YEAR_MS;
  const right = dayOf(Date.now());
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    assert.is((await clockPart(device)).state, 'ok');
    await setTime(device, wrong);
    await showQR(device, 100);
    const { state, reason } = await clockPart(device);
    assert.is(state, 'degraded');
    assert.match(reason, new RegExp(`${dayOf(wrong)} \\d\\d:\\d\\d UTC has already passed`));
    await setTime(device, Date.now());
    assert.is((await clockPart(device)).state, 'ok');
    await showQR(device, 200);
    assert.equal(await daysOfPayments(device), [dayOf(wrong), right]);
  }
  await using device = await startTestDevice({}, folder.path);
  assert.is((await clockPart(device)).state, 'ok');
  await showQR(device, 300);
  assert.equal(await daysOfPayments(device), [dayOf(wrong), right, right]);
});

test('a time that was taken back stays so even when the power fails in the next moment', async () => {
  using folder = temporaryFolder();
  const { program, urls } = await startFirmware(folder.path);
  await setTime(urls, Date.now() + 2 * YEAR_MS);
  await setTime(urls, Date.now());
  await program.kill('SIGKILL');
  await using device = await startTestDevice({}, folder.path);
  assert.is((await clockPart(device)).state, 'ok');
});

test('a time of more than twenty years after the build is refused, naming the limit', async () => {
  await using device = await startTestDevice();
  const { status, body } = await setTime(device, BUILD_TIME + 21 * YEAR_MS);
  assert.equal([status, body.code], [400, -6213]);
  const limit = Number(/^sec must be at most (\d+)$/.exec(body.msg)?.[1]);
  assert.is(new Date(limit * 1000).getUTCFullYear(), new Date(BUILD_TIME).getUTCFullYear() + 20);
  assert.is((await clockPart(device)).state, 'ok');
});

test('set_time on a machine that is not ours leaves the system’s clock alone and says so', async () => {
  using folder = temporaryFolder();
  const touched = join(folder.path, 'touched');
  for (const program of ['date', 'busctl', 'timedatectl']) {
    const file = join(folder.path, program);
    writeFileSync(file, `#!/bin/sh\necho "$0" >> ${touched}\n`);
    chmodSync(file, 0o755);
  }
  const PATH = `${folder.path}:${process.env.PATH}`;
  const { program, urls } = await startFirmware(join(folder.path, 'data'), { env: { PATH } });
  await using _program = program;
  const { status, body } = await setTime(urls, Date.now() + 60_000);
  assert.equal([status, body.code], [200, -6309]);
  assert.match(body.msg, /not an installed Laneware device/);
  assert.not(existsSync(touched));
});

test('a pause by a clock ends when due, or at once when aborted, and leaves no timer', async () => {
  const due: { ms: number; task: () => void }[] = [];
  let calledOff = 0;
  const clock: Timekeeper = {
    ...machineTime(),
    after: (ms, task) => {
      due.push({ ms, task });
      return () => {
        calledOff += 1;
      };
    },
  };
  const { signal } = new AbortController();
  const passed = pauseBy(clock, 5000, signal);
  assert.equal([due.length, due[0]?.ms], [1, 5000]);
  due[0]?.task();
  await passed;
  const closing = new AbortController();
  const broken = pauseBy(clock, 5000, closing.signal);
  const before = calledOff;
  closing.abort();
  await broken;
  assert.is(calledOff, before + 1);
  await pauseBy(clock, 5000, closing.signal);
  assert.is(due.length, 2, 'none is begun any more');
});

test.run();
