/** A disk that is full, fails or can only be read: `/health` says so, no payment is taken, and all goes on when it can be written. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { TerminalError } from '../../firmware/payments/model/terminal-error.ts';
import { exportToCsv } from '../../firmware/payments/reports/papers/export.ts';
import { ExportRoom } from '../../firmware/payments/reports/papers/export-room.ts';
import { Disk, NO_POWER_CUTS } from '../disk.ts';
import { suiteNeeding } from '../needing.ts';
import { SmallDisk } from '../small-disk.ts';
import { call, failed, fieldsOf, setUp, startTestDevice, until } from '../support.ts';
import { FULL, isRefused, ledgerHealth, REFUSED, sell, status } from './closed-ledger.ts';
import { showQR } from './device-calls.ts';
import { NO_CARE } from './ledger-rig.ts';

const onDisk = suiteNeeding(NO_POWER_CUTS, 'terminal: a disk that fills up or fails');

/** One which becomes read-only when the kernel finds an error in it, as a card does. */
class FailingDisk extends Disk {
  constructor() {
    super('48M', 'loop,errors=remount-ro');
  }

  fill(): void {
    for (const size of ['1M', '64k', '4k', '1k']) {
      spawnSync('sh', [
        '-c',
        `dd if=/dev/zero of=${this.mount}/filler-${size} bs=${size} 2>/dev/null; sync -f ${this.mount}`,
      ]);
    }
  }

  empty(): void {
    execFileSync('sh', ['-c', `rm ${this.mount}/filler-*`]);
  }

  becomeReadOnly(): void {
    writeFileSync(`/sys/fs/ext4/${this.device}/trigger_fs_error`, '1');
  }
}

onDisk('full: /health says so before a payment fails, and no more when there is room again', async () => {
  using disk = new FailingDisk();
  await using device = await startTestDevice({}, join(disk.mount, 'device'));
  await setUp(device);
  assert.is((await ledgerHealth(device)).state, 'ok');
  disk.fill();
  const { state, reason } = await ledgerHealth(device);
  assert.is(state, 'degraded');
  assert.match(reason, /^No space left on the device: payments are not possible/);
  disk.empty();
  await until('all is well', async () => (await ledgerHealth(device)).state === 'ok');
  assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
});

onDisk('read-only: /health says so when it is asked, or with the first payment that fails', async () => {
  for (const isAskedBefore of [false, true]) await readOnly(isAskedBefore);
});

async function readOnly(isAskedBefore: boolean): Promise<void> {
  using disk = new FailingDisk();
  const device = await startTestDevice({}, join(disk.mount, 'device'));
  try {
    await setUp(device);
    if (isAskedBefore) assert.is((await ledgerHealth(device)).state, 'ok');
    disk.becomeReadOnly();
    await until('it can only be read', () =>
      /emergency_ro|\bro\b/.test(
        readFileSync('/proc/self/mounts', 'utf8')
          .split('\n')
          .find((line) => line.includes(disk.mount)) ?? '',
      ),
    );
    const fail = async () => assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 1 } })).status, 500);
    if (isAskedBefore) await fail();
    const { state, reason } = await ledgerHealth(device);
    assert.is(state, 'degraded');
    assert.match(reason, /^The ledger cannot be written: payments are not possible/);
    if (!isAskedBefore) await fail();
  } finally {
    await device[Symbol.asyncDispose]();
  }
}

onDisk('a damaged ledger on a full disk: payments are refused until it can be made anew', async () => {
  using disk = new SmallDisk(24);
  const data = join(disk.path, 'data');
  mkdirSync(data);
  await sell(data);
  const bytes = readFileSync(join(data, 'money.db'));
  writeFileSync(join(data, 'money.db'), bytes.fill(0x58, 0, 4096), { flag: 'r+' });
  disk.fill();
  await using device = await startTestDevice({}, data);
  await until('the try', async () => (await showQR(device, 300)).body.error_code === FULL.code);
  await isRefused(device, FULL);
  disk.empty();
  await until('a new ledger', async () => /was damaged and set aside/.test((await ledgerHealth(device)).reason));
  assert.is((await showQR(device, 400)).status, 200);
  const { recent } = (await call(`${device.recognition}/console/api/overview`)).body;
  assert.equal(fieldsOf(recent, 'amount'), [400, 100]);
});

onDisk('a till that exports under one name after the other leaves the device its room', async () => {
  using disk = new SmallDisk(280);
  const data = join(disk.path, 'data');
  mkdirSync(data);
  await using device = await startTestDevice({}, data);
  await setUp(device);
  const exported = (path: string) => call(`${device.terminal}/exportToCSV`, { json: { path } });
  assert.is((await exported('first.csv')).status, 200);
  writeFileSync(join(disk.path, 'more'), Buffer.alloc(90 * 1024 * 1024));
  const refused = await exported('second.csv');
  assert.is(refused.status, 500);
  assert.match(refused.text, /200 MiB are free.*delete earlier exports/);
  assert.equal(readdirSync(join(data, 'exports')), ['first.csv']);
  // another medium has its own room
  using stick = new SmallDisk(4);
  assert.is((await exported(join(stick.path, 'third.csv'))).status, 200);
});

onDisk('nor do exports that are written at once take it', async () => {
  using disk = new SmallDisk(280);
  const folder = join(disk.path, 'data', 'exports');
  mkdirSync(folder, { recursive: true });
  const page = { id: 1, payment: null, isDamaged: false };
  const checked = (after: number) => {
    if (after === 0) writeFileSync(join(disk.path, 'another'), Buffer.alloc(90 * 1024 * 1024));
    return after === 0 ? [page] : [];
  };
  const places = { folder, roots: null, room: new ExportRoom(folder, 1024) };
  const refusal = await failed(
    TerminalError,
    exportToCsv({ ledger: { checked }, care: NO_CARE, refundsOf: () => [] }, 'one.csv', places, async () => undefined),
  );
  assert.match(refusal.message, /200 MiB are free/);
  assert.equal(readdirSync(folder), []);
});

onDisk('a disk that can only be read: payments are refused until it can be written', async () => {
  using disk = new SmallDisk(24);
  const data = join(disk.path, 'data');
  mkdirSync(data);
  await sell(data);
  for (const left of ['settings.json.1.tmp', 'incoming/half', 'packages/x.part']) writeFileSync(join(data, left), 'x');
  disk.becomeReadOnly();
  await using device = await startTestDevice({}, data);
  await isRefused(device, REFUSED);
  disk.becomeWritable();
  await until('an open ledger', async () => (await ledgerHealth(device)).state === 'ok');
  assert.is((await status(device)).body.dynamicQRStatus, 'ERROR', 'of the call that was refused');
  assert.is((await showQR(device, 400)).status, 200);
});

onDisk('an empty folder that can only be read: the device starts, and keeps nothing', async () => {
  using disk = new SmallDisk(24);
  const data = join(disk.path, 'data');
  mkdirSync(data);
  disk.becomeReadOnly();
  await using device = await startTestDevice({}, data);
  assert.match((await ledgerHealth(device)).reason, REFUSED.pattern);
  for (const url of [device.terminal, device.recognition]) assert.is((await call(`${url}/health`)).status, 200);
  disk.becomeWritable();
  await until('an open ledger', async () => (await ledgerHealth(device)).state === 'ok');
  await setUp(device);
  assert.is((await showQR(device, 400)).status, 200);
  assert.is(readFileSync(join(data, 'secret.key')).length, 32, 'what was sealed can be opened after a restart');
});

onDisk.run();
