/** Fields of a bank profile that cannot work: told when they are set, and nothing that they name harms the device. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
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

test.run();
