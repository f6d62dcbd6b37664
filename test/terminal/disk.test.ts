/** A disk that is full or can only be read: `/health` says so before a payment fails for it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { StorageProbe } from '../../firmware/terminal/ledger/storage-probe.ts';
import { skippedSuite } from '../drivers/display/support.ts';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { HandClock } from './harness.ts';

const test = suite('terminal: a disk that takes nothing');

const MINUTE_MS = 60_000;

/** What a probe says of a ledger whose writes end as told, and how often it has written. */
function probing(folder: string) {
  const clock = new HandClock();
  const state = { failure: null as Error | null, writes: 0 };
  const write = () => {
    state.writes += 1;
    if (state.failure !== null) throw state.failure;
  };
  return { clock, state, probe: new StorageProbe({ folder, write, clock }) };
}

test('it writes once in five minutes at most, however often it is asked', () => {
  using folder = temporaryFolder();
  const { clock, state, probe } = probing(folder.path);
  for (let n = 0; n < 100; n += 1) assert.is(probe.problem, null);
  assert.is(state.writes, 1);
  clock.now += 5 * MINUTE_MS;
  assert.is(probe.problem, null);
  assert.is(state.writes, 2);
});

test('after a write that failed it tries at once, and again each two seconds until one succeeds', () => {
  using folder = temporaryFolder();
  const { clock, state, probe } = probing(folder.path);
  assert.is(probe.problem, null);
  state.failure = Object.assign(new Error('disk I/O error'), { errcode: 778 });
  assert.is(probe.problem, null, 'not asked yet');
  probe.suspect();
  assert.match(String(probe.problem), /cannot be written \(disk I\/O error\).*no payment can be taken.*restart/);
  const { writes } = state;
  assert.ok(probe.problem);
  assert.is(state.writes, writes);
  state.failure = null;
  clock.now += 2000;
  assert.is(probe.problem, null);
});

test('a full database is told as such', () => {
  using folder = temporaryFolder();
  const { state, probe } = probing(folder.path);
  state.failure = Object.assign(new Error('database or disk is full'), { errcode: 13 });
  assert.match(String(probe.problem), /is full.*free some space/);
});

test('a file system that tells nothing of its room is no problem', () => {
  assert.is(probing('/nonexistent').probe.problem, null);
});

/** An ext4 of its own on a loop device, which becomes read-only when the kernel finds an error in it, as a card does. */
class Disk implements Disposable {
  readonly #image = join(mkdtempSync(join(tmpdir(), 'laneware-disk-')), 'disk.img');
  readonly path = mkdtempSync(join(tmpdir(), 'laneware-mount-'));

  constructor() {
    execFileSync('truncate', ['--size', '48M', this.#image]);
    execFileSync('mke2fs', ['-q', '-F', '-t', 'ext4', '-m', '0', this.#image]);
    execFileSync('mount', ['-o', 'loop,errors=remount-ro', this.#image, this.path]);
  }

  fill(): void {
    for (const size of ['1M', '64k', '4k', '1k']) {
      spawnSync('sh', [
        '-c',
        `dd if=/dev/zero of=${this.path}/filler-${size} bs=${size} 2>/dev/null; sync -f ${this.path}`,
      ]);
    }
  }

  empty(): void {
    execFileSync('sh', ['-c', `rm ${this.path}/filler-*`]);
  }

  becomeReadOnly(): void {
    const device = execFileSync('findmnt', ['-no', 'SOURCE', this.path], { encoding: 'utf8' }).trim();
    writeFileSync(`/sys/fs/ext4/${basename(device)}/trigger_fs_error`, '1');
  }

  [Symbol.dispose](): void {
    execFileSync('umount', [this.path]);
    rmSync(join(this.#image, '..'), { recursive: true });
    rmSync(this.path, { recursive: true });
  }
}

/** Null, or why this machine has no such disk: root and a kernel with loop devices. */
function whyNoDisk(): string | null {
  if (process.getuid?.() !== 0) return 'a full or failing disk: needs root';
  try {
    new Disk()[Symbol.dispose]();
    return null;
  } catch (error) {
    return `a full or failing disk: no loop device here (${String(error).split('\n')[0]})`;
  }
}

const ledgerHealth = async ({ terminal }: TestDevice): Promise<{ state: string; reason: string }> =>
  (await call(`${terminal}/health`)).body.health.parts.find(({ part }: { part: string }) => part === 'ledger');

test.run();

const absent = whyNoDisk();
if (absent !== null) skippedSuite(absent);
else {
  const onDisk = suite('terminal: a disk that fills up or fails');

  onDisk('full: /health says so while no payment has failed yet, and no more when there is room again', async () => {
    using disk = new Disk();
    await using device = await startTestDevice({}, join(disk.path, 'device'));
    await setUp(device);
    assert.is((await ledgerHealth(device)).state, 'ok');
    disk.fill();
    const { state, reason } = await ledgerHealth(device);
    assert.is(state, 'degraded');
    assert.match(reason, /storage of the device is full: no payment can be taken; free some space/);
    disk.empty();
    await until('all is well', async () => (await ledgerHealth(device)).state === 'ok');
    assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
  });

  onDisk('read-only: /health says so when it is asked, or with the first payment that fails', async () => {
    for (const isAskedBefore of [false, true]) await readOnly(isAskedBefore);
  });

  async function readOnly(isAskedBefore: boolean): Promise<void> {
    using disk = new Disk();
    const device = await startTestDevice({}, join(disk.path, 'device'));
    try {
      await setUp(device);
      if (isAskedBefore) assert.is((await ledgerHealth(device)).state, 'ok');
      disk.becomeReadOnly();
      await until('it can only be read', () =>
        /emergency_ro|\bro\b/.test(
          readFileSync('/proc/self/mounts', 'utf8')
            .split('\n')
            .find((line) => line.includes(disk.path)) ?? '',
        ),
      );
      const fail = async () =>
        assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 1 } })).status, 500);
      if (isAskedBefore) await fail();
      const { state, reason } = await ledgerHealth(device);
      assert.is(state, 'degraded');
      assert.match(reason, /ledger cannot be written.*restart the device/);
      if (!isAskedBefore) await fail();
    } finally {
      await device[Symbol.asyncDispose]();
    }
  }

  onDisk.run();
}
