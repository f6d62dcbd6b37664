/** The key of the secrets, damaged: the device goes on, and says in /health what must be sent again. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CFT, call, SCREEN, startTestDevice, type TestDevice, temporaryFolder } from '../support.ts';

const test = suite('terminal: the key of the secrets');

const SETTINGS = { bankProfile: 'p', bankProfiles: { p: CFT }, deviceConnection: SCREEN };

const send = ({ terminal }: TestDevice) => call(`${terminal}/updateDriverSettings`, { json: { settings: SETTINGS } });

async function settingsPart({ recognition }: TestDevice): Promise<{ state: string; reason: string }> {
  const { body } = await call(`${recognition}/health`);
  return body.data.parts.find(({ part }: { part: string }) => part === 'settings');
}

test('a damaged key stops nothing: it is set aside, and the settings sent again are kept', async () => {
  using folder = temporaryFolder();
  {
    await using device = await startTestDevice({}, folder.path);
    assert.is((await send(device)).status, 200);
  }
  for (const file of ['secret.key', 'secret.key.copy']) writeFileSync(join(folder.path, file), '');
  {
    await using device = await startTestDevice({}, folder.path);
    const { state, reason } = await settingsPart(device);
    assert.is(state, 'degraded');
    assert.ok(existsSync(/set aside as (\S+secret\.key\.damaged-[^\s,]+)/.exec(reason)?.[1] ?? ''), reason);
    assert.match(reason, /secrets included, with updateDriverSettings/);
    assert.is((await call(`${device.recognition}/api/get_device_info`)).body.code, 0);
    assert.is((await send(device)).status, 200);
    assert.is((await settingsPart(device)).state, 'ok');
  }
  await using device = await startTestDevice({}, folder.path);
  assert.is((await settingsPart(device)).state, 'ok');
});

test('a broken key of systemd is told in a sentence, and nothing is made in its place', async () => {
  using folder = temporaryFolder();
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
