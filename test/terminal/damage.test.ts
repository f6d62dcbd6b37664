/** Damaged files at start: the device goes on, and says in /health what happened and what to do. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import {
  CFT,
  call,
  each,
  inFolder,
  keptText,
  SANDBOX_SETTINGS,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
  writeUnkept,
} from '../support.ts';
import { healthOf, sendProfile, showQR } from './device-calls.ts';

const test = suite('terminal: damaged files');
const it = each(test, inFolder);

/** Runs a device on a folder, damages the folder, and runs it again. */
async function damaged(
  before: (device: TestDevice) => Promise<void>,
  damage: (folder: string) => void,
  after: (device: TestDevice) => Promise<void>,
): Promise<void> {
  using folder = temporaryFolder();
  {
    await using device = await startTestDevice({}, folder.path);
    await before(device);
  }
  damage(folder.path);
  await using device = await startTestDevice({}, folder.path);
  await after(device);
}

const paidTo = async ({ terminal }: TestDevice): Promise<string> =>
  (await call(`${terminal}/getDriverSettings`)).body.settings.bankProfiles.p?.accAlias;

for (const end of ['', '.copy'])
  it(`a zeroed byte in settings.json${end} never changes who is paid, at later starts too`, async (folder) => {
    {
      await using device = await startTestDevice({}, folder.path);
      for (const account of ['OLD', 'NEW']) await sendProfile(device, { ...CFT, accAlias: account });
    }
    const file = join(folder.path, `settings.json${end}`);
    const bytes = readFileSync(file);
    bytes[bytes.indexOf('"NEW"') + 1] = 0;
    writeFileSync(file, bytes);
    for (const start of ['first', 'second']) {
      await using device = await startTestDevice({}, folder.path);
      assert.is(await paidTo(device), 'NEW', start);
      assert.is((await healthOf(device, 'settings')).state, 'ok');
    }
  });

it('where only older settings are whole nothing is sold until somebody sends them again', async (folder) => {
  const file = join(folder.path, 'settings.json');
  let older = Buffer.alloc(0);
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    older = readFileSync(file);
    await setUp(device);
  }
  const bytes = readFileSync(file);
  bytes[bytes.indexOf('"sandbox"') + 1] = 0;
  writeFileSync(file, bytes);
  writeFileSync(`${file}.copy`, older);
  for (const start of ['first', 'second']) {
    await using device = await startTestDevice({}, folder.path);
    const { state, reason } = await healthOf(device, 'settings');
    assert.is(state, 'failed', start);
    assert.match(reason, /nothing is sold until somebody has looked whose account it names/);
    const { status, body } = await call(`${device.terminal}/showQR`, { json: { amount: 100 } });
    assert.equal(
      { status, error_category: body.error_category, error_code: body.error_code },
      { status: 400, error_category: 'DriverSettings', error_code: 1 },
    );
    assert.match(body.error_message, /nothing is sold/);
    const headers = { 'idempotency-key': `sale-${start}` };
    const sold = await call(`${device.terminal}/v1/payments`, { json: { amount: 100 }, headers });
    assert.equal([sold.status, sold.body.code], [409, 'DriverSettings.IsNotConfigured']);
    const printed = await call(`${device.terminal}/v1/cash-links`, { json: { description: 'a table' } });
    assert.is(printed.body.code, 'DriverSettings.IsNotConfigured');
    assert.equal((await call(`${device.terminal}/v1/payments`)).body.payments, []);
  }
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    assert.is((await healthOf(device, 'settings')).state, 'ok');
    assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
  }
  await using device = await startTestDevice({}, folder.path);
  assert.is((await healthOf(device, 'settings')).state, 'ok');
});

for (const [from, to, named] of [
  ['"Screen"', '"Scrden"', /connectionType is "Scrden".*updateDriverSettings/],
  ['"Sandbox"', '"Sandcox"', /bankName is "Sandcox"/],
  ['"bankProfile": "sandbox"', '"bankProfile": "sandbpx"', /bankProfile is "sandbpx"/],
] as const)
  test(`settings without a copy, ${from} damaged: not configured, and in /health`, () =>
    damaged(
      setUp,
      (folder) => {
        const file = join(folder, 'settings.json');
        const text = keptText(file);
        assert.ok(text.includes(from));
        writeUnkept(file, text.replace(from, to));
      },
      async (device) => {
        assert.match((await healthOf(device, 'settings')).reason, named);
        await setUp(device);
        assert.is((await healthOf(device, 'settings')).state, 'ok');
      },
    ));

test('secrets lie sealed on disk; with the key lost the settings must be sent again', () =>
  damaged(
    async (device) => {
      await sendProfile(device, CFT);
      await showQR(device, 100);
      for (const entry of readdirSync(device.dataDir, { withFileTypes: true, recursive: true })) {
        if (!entry.isFile()) continue;
        assert.not.match(readFileSync(join(entry.parentPath, entry.name), 'latin1'), /made-up-secret/, entry.name);
      }
    },
    (folder) => {
      for (const file of ['secret.key', 'secret.key.copy']) rmSync(join(folder, file));
    },
    async (device) => {
      const part = await healthOf(device, 'settings');
      assert.is(part.state, 'degraded');
      assert.match(part.reason, /updateDriverSettings/);
    },
  ));

for (const [file, part] of [
  ['money.db', 'ledger'],
  ['templates.db', 'templates'],
] as const)
  it(`a damaged ${file} is set aside, and reported at each start until it is moved away`, async (folder) => {
    const data = join(folder.path, 'data');
    mkdirSync(data);
    writeFileSync(join(data, file), Buffer.alloc(8192, 0x58));
    let aside = '';
    for (const start of ['first', 'second']) {
      await using device = await startTestDevice({}, data);
      const { reason } = await until(`the end of the repair, ${start}`, async () => {
        const health = await healthOf(device, part);
        return /set aside/.test(health.reason) ? health : null;
      });
      aside = /set aside as ([^\s;:]+)/.exec(reason)?.[1] ?? '';
      assert.match(basename(aside), new RegExp(`^${file}\\.damaged-`));
      assert.ok(existsSync(aside), reason);
    }
    renameSync(aside, join(folder.path, basename(aside)));
    await using device = await startTestDevice({}, data);
    assert.is((await healthOf(device, part)).state, 'ok');
  });

test('alien tables let the device start: the ledger is made anew, others are set aside', () =>
  damaged(
    async (device) => {
      await setUp(device);
      await showQR(device, 10_000);
    },
    (folder) => {
      for (const [file, table] of [
        ['money.db', 'payments'],
        ['templates.db', 'ranks'],
      ] as const) {
        const db = openFile(join(folder, file));
        db.exec(`CREATE TRIGGER other BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'made up'); END`);
        db.close();
      }
    },
    async (device) => {
      const list = () => call(`${device.terminal}/v1/payments`);
      await until('the ledger', async () => (await list()).status === 200);
      assert.is((await list()).body.payments[0]?.amount, 10_000);
      assert.is((await call(`${device.recognition}/api/get_device_info`)).body.code, 0);
    },
  ));

test('an unconfigured device says what to do', async () => {
  await using device = await startTestDevice();
  assert.match((await healthOf(device, 'settings')).reason, /Set up/);
  await call(`${device.terminal}/updateDriverSettings`, { json: { settings: SANDBOX_SETTINGS } });
  assert.is((await healthOf(device, 'settings')).state, 'ok');
});

it('a damaged key stops nothing: it is set aside, and the settings sent again are kept', async (folder) => {
  {
    await using device = await startTestDevice({}, folder.path);
    assert.is((await sendProfile(device, CFT)).status, 200);
  }
  for (const file of ['secret.key', 'secret.key.copy']) writeFileSync(join(folder.path, file), '');
  {
    await using device = await startTestDevice({}, folder.path);
    const { state, reason } = await healthOf(device, 'settings');
    assert.is(state, 'degraded');
    assert.ok(existsSync(/set aside as (\S+secret\.key\.damaged-[^\s,]+)/.exec(reason)?.[1] ?? ''), reason);
    assert.match(reason, /secrets included, with updateDriverSettings/);
    assert.is((await call(`${device.recognition}/api/get_device_info`)).body.code, 0);
    assert.is((await sendProfile(device, CFT)).status, 200);
    assert.is((await healthOf(device, 'settings')).state, 'ok');
  }
  await using device = await startTestDevice({}, folder.path);
  assert.is((await healthOf(device, 'settings')).state, 'ok');
});

it('a broken key of systemd is reported in a sentence, and no key is made in its place', async (folder) => {
  using credentials = temporaryFolder();
  writeFileSync(join(credentials.path, 'laneware-key'), '');
  const data = join(folder.path, 'data');
  process.env.CREDENTIALS_DIRECTORY = credentials.path;
  try {
    const refused = await startTestDevice({ LANEWARE_SANDBOXBANK_ENABLED: 'false' }, data).catch(String);
    assert.match(String(refused), /the key that systemd hands over .* has 0 bytes/);
  } finally {
    delete process.env.CREDENTIALS_DIRECTORY;
  }
  assert.not(existsSync(join(data, 'secret.key')));
});

test.run();
