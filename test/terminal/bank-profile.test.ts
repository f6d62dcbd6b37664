/** Fields of a bank profile that cannot work: told when they are set, and nothing that they name harms the device. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  CFT,
  call,
  SANDBOX_SETTINGS,
  SCREEN,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../support.ts';

const test = suite('terminal: bank profiles that cannot work');

const settingsOf = (profile: object) => ({
  bankProfile: 'p',
  bankProfiles: { p: profile },
  deviceConnection: SCREEN,
});
const send = ({ terminal }: TestDevice, profile: object) =>
  call(`${terminal}/updateDriverSettings`, { json: { settings: settingsOf(profile) } });

test('a certificate path to anything but a plain file of its size is refused, and the device goes on', async () => {
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  execFileSync('mkfifo', [at('pipe')]);
  mkdirSync(at('folder'));
  writeFileSync(at('large'), '');
  truncateSync(at('large'), 10 * 1024 ** 3);
  writeFileSync(at('text'), 'no certificate');
  await using device = await startTestDevice();
  await setUp(device);
  const paths = [
    '/dev/zero',
    '/dev/ptmx',
    '/dev/random',
    at('pipe'),
    at('folder'),
    at('large'),
    at('text'),
    at('none'),
  ];
  for (const field of ['caPath', 'pfxPath']) {
    for (const path of paths) {
      const { status, body } = await send(device, { ...CFT, [field]: path });
      assert.equal([status, body.error_category], [400, 'RequestParams'], `${field} ${path}`);
      assert.match(body.error_message, new RegExp(`^${field} cannot be used: it `), path);
    }
  }
  const { bankProfiles } = (await call(`${device.terminal}/getDriverSettings`)).body.settings;
  assert.equal(bankProfiles, SANDBOX_SETTINGS.bankProfiles);
  assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
});

test('an address without encryption and a header that cannot be sent are refused by their field', async () => {
  await using device = await startTestDevice();
  for (const [changes, why] of [
    [{ baseUrl: 'http://bank.example' }, /^baseUrl cannot be used: it must begin with https:/],
    [{ authsp: 'банк' }, /^authsp cannot be used: it is sent in an HTTP header/],
  ] as const) {
    const { status, body } = await send(device, { ...CFT, ...changes });
    assert.equal([status, body.error_category], [400, 'RequestParams']);
    assert.match(body.error_message, why);
  }
  assert.is((await call(`${device.terminal}/getDriverSettings`)).body.settings.bankProfile, '');
});

test('stored settings that may no longer be set keep nothing from starting: they stay, and /health tells', async () => {
  using folder = temporaryFolder();
  {
    await using device = await startTestDevice({}, folder.path);
    assert.is((await send(device, CFT)).status, 200);
  }
  const file = join(folder.path, 'settings.json');
  for (const [changes, field] of [
    [{ authsp: 'банк' }, 'authsp'],
    [{ baseUrl: 'http://bank.example' }, 'baseUrl'],
    [{ caPath: '/dev/zero' }, 'caPath'],
  ] as const) {
    const stored = JSON.parse(readFileSync(file, 'utf8'));
    const { p } = stored.settings.bankProfiles;
    writeFileSync(
      file,
      JSON.stringify({ settings: { ...stored.settings, bankProfiles: { p: { ...p, ...changes } } } }),
    );
    await using device = await startTestDevice({}, folder.path);
    const reason = await until('the notice', async () => {
      const { parts } = (await call(`${device.terminal}/health`)).body.health;
      return parts.find(({ part }: { part: string }) => part === 'bank').reason;
    });
    assert.match(reason, `no payment can be registered: ${field} cannot be used: it `);
    const { settings } = (await call(`${device.terminal}/getDriverSettings`)).body;
    assert.is(settings.bankProfiles.p.accAlias, CFT.accAlias);
    const { status, body } = await call(`${device.terminal}/showQR`, { json: { amount: 100 } });
    assert.equal([status, body.error_category], [400, 'RequestParams']);
    assert.match(body.error_message, field);
    writeFileSync(file, JSON.stringify(stored));
  }
});

test.run();
