/**
 * Every file and folder that a device writes, damaged in every way: after each damage the device starts, both ports
 * answer, /health reports it, and an open payment is followed. LANEWARE_SWEEP=all tries every damage of every file,
 * LANEWARE_SWEEP=NAME of those whose name holds that; else each file gets a few of them.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tinyFolder } from './recognition/fixtures/models.ts';
import { picture, scene } from './recognition/support.ts';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from './support.ts';
import { untilAccepted } from './terminal/device-calls.ts';
import { seeded } from './tools/seeded.ts';

const SWEPT = process.env.LANEWARE_SWEEP ?? null;
/** Damages that each file gets where not all are tried. */
const A_FEW = 2;

const test = suite(`what a device has written, damaged (${SWEPT === null ? A_FEW : 'all'} ways each)`);

const LOCAL = { LANEWARE_SYNC_HOST: '127.0.0.1', LANEWARE_SYNC_PORT: '0' };

const bytes = (length: number): Buffer => {
  const random = seeded(length);
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
};
const inItsPlace = (path: string, write: () => void): void => {
  rmSync(path, { recursive: true });
  write();
};

const GARBAGE = 'holds 512 bytes of anything';
const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  [GARBAGE]: (path) => inItsPlace(path, () => writeFileSync(path, bytes(512))),
  'is empty': (path) => inItsPlace(path, () => writeFileSync(path, '')),
  'is a folder': (path) => inItsPlace(path, () => mkdirSync(join(path, 'inner'), { recursive: true })),
  'holds JSON of another shape': (path) =>
    inItsPlace(path, () => writeFileSync(path, '{"settings":[1,{"deep":null}],"n":"1"}\n')),
  'holds null': (path) => inItsPlace(path, () => writeFileSync(path, 'null')),
  'is zeroed': (path) => writeFileSync(path, Buffer.alloc(readFileSync(path).length)),
  'is cut in half': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  'has one bit flipped': (path) => {
    const content = readFileSync(path);
    const place = Math.floor(content.length / 3);
    content[place] = (content[place] ?? 0) ^ 0x04;
    writeFileSync(path, content);
  },
  'is gone': (path) => rmSync(path),
};
const FOLDER_DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  'is a file': (path) => inItsPlace(path, () => writeFileSync(path, 'x')),
  'is gone': (path) => rmSync(path, { recursive: true }),
  'holds a folder and what a crash left': (path) => {
    for (const name of ['inner', 'inner.part', 'x.1.tmp']) mkdirSync(join(path, name));
    writeFileSync(join(path, 'half.zip.part'), 'x');
    writeFileSync(join(path, 'upload-1'), 'x');
  },
};

/** The part of /health that reports garbage in a file. */
const PART_OF: Readonly<Record<string, string>> = {
  'money.db': 'ledger',
  'settings.json': 'settings',
  'templates.db': 'templates',
  'recognition.json': 'templates',
  'sync.json': 'sync',
};

/** A device that has written all that it ever writes, with a payment that is open. Returns the bank's id of that. */
async function fill(folder: string): Promise<string> {
  using model = tinyFolder();
  await using device = await startTestDevice(
    { ...LOCAL, LANEWARE_CAMERA_DRIVER: 'push', LANEWARE_MODEL_MANIFEST: model.manifestPath },
    folder,
  );
  const ask = async (name: string, json: unknown = {}): Promise<void> => {
    const { body, text } = await call(`${device.recognition}/api/${name}`, { json });
    if (body.code !== 0) throw new Error(`${name}: ${text}`);
  };
  for (const _ of [1, 2]) await setUp(device);
  const show = async (jpeg: Buffer): Promise<void> => {
    const frame = { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: new Uint8Array(jpeg) };
    assert.is((await call(`${device.recognition}/camera/frame`, frame)).status, 200);
  };
  await show(await picture(1));
  for (const count of [3, 4]) await ask('set_result_count', { count });
  for (const info of ['a shop', 'another shop']) await ask('set_extra_info', { info });
  await ask('add_item_template', { id: '4011' });
  await show(await scene(null, 1));
  await ask('learn_background');
  await ask('export_template');
  await until(
    'the package',
    async () => (await call(`${device.recognition}/api/export_template_status`)).body.filename,
  );
  await ask('set_sync_master', { upload: true, download: true });
  await until('a master', async () => readdirSync(join(folder, 'sync')).includes('certificate.pem'));
  await ask('set_deletion_all_flag', { id: '4012' });
  for (const amount of [100, 200])
    assert.is((await call(`${device.terminal}/showQR`, { json: { amount } })).status, 200);
  assert.is((await call(`${device.terminal}/exportToCSV`, { json: { path: 'all.csv' } })).status, 200);
  return (await call(`${device.sandbox}/sandbox/payments`)).body[0].qrcId;
}

async function mustReport({ recognition }: TestDevice, part: string): Promise<void> {
  const { parts } = (await call(`${recognition}/health`)).body.data;
  const reported = parts.find((entry: { part: string }) => entry.part === part);
  assert.is.not(reported?.state ?? 'ok', 'ok', `${part} of ${parts.map((entry: { part: string }) => entry.part)}`);
}

/** Both ports answer, and the open payment is followed to its end. */
async function works(device: TestDevice, qrcId: string): Promise<void> {
  assert.is((await call(`${device.terminal}/health`)).status, 200);
  const health = await call(`${device.recognition}/health`);
  assert.is(health.status, 200);
  assert.is((await call(`${device.terminal}/version`)).status, 200);
  assert.is((await call(`${device.recognition}/api/get_device_info`)).body.code, 0);
  assert.is((await call(`${device.recognition}/console/api/overview`)).status, 200);
  const paid = await call(`${device.sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
  if (paid.status !== 200) return; // the bank itself was damaged
  await untilAccepted(device);
}

test('it starts, answers and follows what is open, with any damage to one file or folder', async () => {
  using source = temporaryFolder();
  const data = join(source.path, 'data');
  const qrcId = await fill(data);
  const entries = readdirSync(data, { recursive: true, withFileTypes: true }).map((entry) => ({
    name: relative(data, join(entry.parentPath, entry.name)),
    isFile: entry.isFile(),
  }));
  const names = entries.map(({ name }) => name);
  for (const name of ['money.db', 'money.journal', 'settings.json', 'owner.lock', 'exports/all.csv'])
    assert.ok(names.includes(name), `${name} is not among ${names.join(', ')}`);
  const failures: string[] = [];
  let tried = 0;
  for (const [index, { name, isFile }] of entries.entries()) {
    if (name.startsWith(join('sync', 'store'))) continue; // the message server's own
    if (SWEPT !== null && SWEPT !== 'all' && !name.includes(SWEPT)) continue;
    const ways = Object.entries(isFile ? DAMAGES : FOLDER_DAMAGES);
    const isChosen = (n: number): boolean => (n + index) % Math.ceil(ways.length / A_FEW) === 0;
    const chosen = ways.filter(([what], n) => SWEPT !== null || isChosen(n) || (what === GARBAGE && name in PART_OF));
    for (const [what, damage] of chosen) {
      using folder = temporaryFolder();
      const copy = join(folder.path, 'data');
      cpSync(data, copy, { recursive: true });
      const part = what === GARBAGE ? PART_OF[name] : undefined;
      damage(join(copy, name));
      // a small file lies there twice: with one of them nothing is lost, and there is nothing to report
      if (part !== undefined && names.includes(`${name}.copy`)) damage(join(copy, `${name}.copy`));
      tried += 1;
      try {
        await using device = await startTestDevice(LOCAL, copy);
        if (part !== undefined) await mustReport(device, part);
        await works(device, qrcId);
      } catch (error) {
        failures.push(`${name} ${what}: ${String(error)}`);
      }
    }
  }
  assert.equal(failures, [], `${tried} tried`);
  process.stdout.write(`  ${tried} damages of ${entries.length} files and folders\n`);
});

test.run();
