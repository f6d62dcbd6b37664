/**
 * A ledger that cannot be opened at the start: a full disk, one that can only be read, one that fails, another program's lock. The
 * device starts, refuses payments with the storage's error, says so in /health, and goes on as soon as the ledger can be opened.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../skipping.ts';
import { SmallDisk, whyNoSmallDisk } from '../small-disk.ts';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';

const test = suite('a ledger that cannot be opened');

const ledgerHealth = async ({ terminal }: TestDevice): Promise<{ state: string; reason: string }> =>
  (await call(`${terminal}/health`)).body.health.parts.find(({ part }: { part: string }) => part === 'ledger');
const showQR = ({ terminal }: TestDevice, amount: number) => call(`${terminal}/showQR`, { json: { amount } });
/** The same of a sale that the till has named. */
const showNamed = ({ terminal }: TestDevice, amount: number) =>
  call(`${terminal}/showQR`, {
    json: { amount },
    headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
  });
const status = ({ terminal }: TestDevice) => call(`${terminal}/getDynamicQRStatus`);

/** Leaves an open payment. Returns the bank's id of it. */
async function sell(folder: string): Promise<string> {
  await using device = await startTestDevice({}, folder);
  await setUp(device);
  assert.is((await showQR(device, 100)).status, 200);
  return (await call(`${device.sandbox}/sandbox/payments`)).body[0].qrcId;
}

/** Every call that needs no ledger works, and the others say why they do not. */
async function isRefused(device: TestDevice, { category, code, told }: Refusal): Promise<void> {
  for (const ask of [() => showQR(device, 300), () => showNamed(device, 300), () => status(device)]) {
    const { status: http, body } = await ask();
    const first = ask.toString();
    if (http === 200) assert.is(body.dynamicQRStatus, 'ERROR', first);
    else assert.is(http, 500, first);
    assert.equal([body.error_category, body.error_code], [category, code], first);
  }
  const exported = await call(`${device.terminal}/exportToCSV`, { json: { path: 'all.csv' } });
  assert.equal([exported.status, exported.body.error_category], [500, category]);
  assert.match(exported.body.error_message, /nothing was exported/);
  const { state, reason } = await ledgerHealth(device);
  assert.is(state, 'degraded');
  assert.match(reason, told);
  assert.is((await call(`${device.terminal}/clearScreen`, { json: {} })).status, 200);
  assert.is((await call(`${device.terminal}/showInfoQR`, { json: { infoQR: 'x' } })).status, 200);
  for (const path of ['/health', '/v1/overview', '/metrics'])
    assert.is((await call(device.recognition + path)).status, 200, path);
  assert.is((await call(`${device.recognition}/api/get_device_info`)).body.code, 0);
}

interface Refusal {
  readonly category: string;
  readonly code: number;
  readonly told: RegExp;
}

const REFUSED: Refusal = { category: 'File', code: 2, told: /ledger cannot be written.*no payment can be taken/ };
const FULL: Refusal = { category: 'Internal', code: 2, told: /storage of the device is full.*free some space/ };

/** The payment of the process before is followed, and the next one is taken. */
async function goesOn(device: TestDevice, qrcId: string): Promise<void> {
  assert.is((await call(`${device.sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' })).status, 200);
  const recent = async () => (await call(`${device.recognition}/v1/overview`)).body.recent;
  await until('the payment of the process before', async () => (await recent())[0]?.state === 'ACCEPTED');
  const refused = await showQR(device, 400);
  assert.match(refused.body.error_message ?? '', /has been paid/, 'the till is told once');
  assert.is((await showQR(device, 400)).status, 200);
  assert.is((await status(device)).body.dynamicQRStatus, 'PENDING');
}

test('before anything was sold the status says that nothing can be told, and not that there is no payment', async () => {
  using folder = temporaryFolder();
  await sell(folder.path);
  rmSync(join(folder.path, 'ledger.db'));
  symlinkSync('/proc/self/mem', join(folder.path, 'ledger.db'));
  await using device = await startTestDevice({}, folder.path);
  const { status: http, body } = await status(device);
  assert.equal([http, body.error_category, body.dynamicQRStatus], [500, 'File', undefined]);
  assert.match(body.error_message, /what became of the last payment cannot be told/);
});

test('a read error (EIO): payments are refused, and taken as soon as the file can be read', async () => {
  using folder = temporaryFolder();
  const qrcId = await sell(folder.path);
  const path = join(folder.path, 'ledger.db');
  renameSync(path, `${path}.real`);
  symlinkSync('/proc/self/mem', path); // a plain file whose every read fails with EIO
  await using device = await startTestDevice({}, folder.path);
  await isRefused(device, REFUSED);
  rmSync(path);
  renameSync(`${path}.real`, path);
  await goesOn(device, qrcId);
});

test("another program's lock: payments are refused, and taken as soon as it is gone", async () => {
  using folder = temporaryFolder();
  const qrcId = await sell(folder.path);
  const other = new DatabaseSync(join(folder.path, 'ledger.db'));
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  await using device = await startTestDevice({}, folder.path);
  await isRefused(device, REFUSED);
  other.close();
  await goesOn(device, qrcId);
});

const onDisk = suiteNeeding(whyNoSmallDisk(), 'a ledger on a disk that is full or can only be read');

onDisk(
  'a damaged ledger on a full disk: payments are refused until there is room, and then it is made anew',
  async () => {
    using disk = new SmallDisk(24);
    const data = join(disk.path, 'data');
    mkdirSync(data);
    await sell(data);
    const bytes = readFileSync(join(data, 'ledger.db'));
    writeFileSync(join(data, 'ledger.db'), bytes.fill(0x58, 0, 4096), { flag: 'r+' });
    disk.fill();
    await using device = await startTestDevice({}, data);
    await isRefused(device, FULL);
    disk.empty();
    await until('a new ledger', async () => /was damaged and set aside/.test((await ledgerHealth(device)).reason));
    assert.is((await showQR(device, 400)).status, 200);
    const { recent } = (await call(`${device.recognition}/v1/overview`)).body;
    assert.equal(
      recent.map(({ amount }: { amount: number }) => amount),
      [400, 100],
    );
  },
);

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
  assert.match((await ledgerHealth(device)).reason, REFUSED.told);
  for (const url of [device.terminal, device.recognition]) assert.is((await call(`${url}/health`)).status, 200);
  disk.becomeWritable();
  await until('an open ledger', async () => (await ledgerHealth(device)).state === 'ok');
  await setUp(device);
  assert.is((await showQR(device, 400)).status, 200);
  assert.is(readFileSync(join(data, 'secret.key')).length, 32, 'what was sealed can be opened after a restart');
});

test.run();
onDisk.run();
