/** Settings as a till sends them: one profile in use, others kept as they came, fields that are unknown here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSealer } from '../../firmware/core/secrets/sealer.ts';
import {
  CFT,
  call,
  each,
  keptText,
  onDevice,
  SCREEN,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
} from '../support.ts';
import { healthOf } from './device-calls.ts';

const test = suite('terminal: settings as they come');

const STATIC = { bankName: 'Static', staticQR: 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G' };
/** Of a bank that this driver does not know. */
const PIGGY = { bankName: 'Piggy Bank', shop: 'shop', password: 'made-up-secret' };
const MASK = '<PASSWORD>';

const settingsOf = (profiles: object, more: object = {}, connection: object = SCREEN) => ({
  bankProfile: 'used',
  bankProfiles: profiles,
  deviceConnection: connection,
  ...more,
});

const send = ({ terminal }: TestDevice, settings: object) =>
  call(`${terminal}/updateDriverSettings`, { json: { settings } });

async function taken(device: TestDevice, settings: object): Promise<void> {
  const { status, text } = await send(device, settings);
  assert.is(status, 200, text);
}

const read = async ({ terminal }: TestDevice) => (await call(`${terminal}/getDriverSettings`)).body.settings;

const it = each(test, onDevice);

it('a profile that is not in use keeps no other from working, and comes back as it came', async (device) => {
  const idle = {
    alfa: { bankName: 'Alfa Bank', userName: 'shop' },
    empty: {},
    nothing: null,
    text: 'no profile at all',
    gazprom: {
      bankName: ' gazprombank',
      account: 40702810,
      merchantId: 'MA1',
      test: true,
      hosts: [{ a: null }, 2.5],
    },
    piggy: { bankName: 'Piggy', mode: 'sandbox' },
    half: { bankName: 'cft', accAlias: 'alias' },
    elsewhere: { bankName: 'Static', staticQR: 'x'.repeat(2000) },
    '': { staticQR: 5 },
  };
  await taken(device, settingsOf({ ...idle, used: STATIC }));
  assert.equal(await read(device), settingsOf({ ...idle, used: STATIC }));
  assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
});

it('a profile that was idle is judged when it is put in use, and what is in use stays then', async (device) => {
  const profiles = { used: STATIC, piggy: PIGGY, half: { bankName: 'CFT', accAlias: 'a' }, no: 7 };
  await taken(device, settingsOf(profiles));
  for (const [bankProfile, category, word] of [
    ['piggy', 'DriverSettings', 'Piggy Bank'],
    ['half', 'CFTBankSettings', 'extEntityId'],
    ['no', 'RequestParams', 'settings.bankProfiles.no'],
    ['toString', 'DriverSettings', 'toString'],
  ] as const) {
    const { status, body } = await send(device, { ...settingsOf(profiles), bankProfile });
    assert.is(status, 400, bankProfile);
    assert.is(body.error_category, category);
    assert.ok(body.error_message.includes(word), body.error_message);
  }
  assert.is((await read(device)).bankProfile, 'used');
  assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
});

test('idle profiles and unknown fields survive a restart, with no secret open on the disk', async () => {
  using folder = temporaryFolder();
  const settings = settingsOf(
    {
      used: { ...STATIC, note: 'till 4', apiKey: 'made-up-key-1' },
      piggy: {
        ...PIGGY,
        auth: { secretKey: 'made-up-key-2', keys: [{ access_token: 'made-up-key-3' }] },
        pin_secret: 4711,
      },
    },
    { theme: { colour: 'blue' }, licence_token: 'made-up-key-4' },
    { ...SCREEN, brightness: 7, wifiPassword: 'made-up-key-5' },
  );
  {
    await using device = await startTestDevice({}, folder.path);
    await taken(device, settings);
  }
  assert.not.match(readFileSync(join(folder.path, 'settings.json'), 'utf8'), /made-up|4711/);
  await using device = await startTestDevice({}, folder.path);
  assert.equal(
    await read(device),
    settingsOf(
      {
        used: { ...STATIC, note: 'till 4', apiKey: MASK },
        piggy: {
          ...PIGGY,
          password: MASK,
          auth: { secretKey: MASK, keys: [{ access_token: MASK }] },
          pin_secret: MASK,
        },
      },
      { theme: { colour: 'blue' }, licence_token: MASK },
      { ...SCREEN, brightness: 7, wifiPassword: MASK },
    ),
  );
});

/** Puts the CFT profile in use, unchanged after reading: works only while its stored secret was kept. */
const putInUse = async (device: TestDevice) => {
  const settings = await read(device);
  return send(device, { ...settings, bankProfile: 'other' });
};

it('a masked secret of an idle profile keeps the stored one while its bank and its ids stay', async (device) => {
  await taken(device, settingsOf({ used: STATIC, other: CFT }));
  await taken(device, await read(device));
  await taken(
    device,
    settingsOf({ used: STATIC, other: { ...CFT, bankName: 'cft', password: MASK, baseUrl: CFT.baseUrl } }),
  );
  assert.is((await putInUse(device)).status, 200);
  const text = (await call(`${device.terminal}/getDriverSettings`)).text;
  assert.not.match(text, /made-up-secret/);
});

it('a masked secret of a profile that is paid elsewhere now stands for nothing, idle or not', async (device) => {
  for (const change of [
    { merchantId: 'another' },
    { baseUrl: 'http://127.0.0.2:9' },
    { baseUrl: null },
    { bankName: 'Alfa Bank' },
    { bankName: undefined },
  ]) {
    await taken(device, settingsOf({ used: STATIC, other: CFT }));
    await taken(device, settingsOf({ used: STATIC, other: { ...CFT, ...change, password: MASK } }));
    await taken(device, settingsOf({ used: STATIC, other: { ...CFT, password: MASK } }));
    const { status, body } = await putInUse(device);
    assert.is(status, 400, JSON.stringify(change));
    assert.match(body.error_message, /settings\.bankProfiles\.other\.password is <PASSWORD>.*send the secret itself/);
  }
});

it('a masked secret of a bank that is not known is kept only while all of its profile stays', async (device) => {
  const shared = { ...PIGGY, merchantId: 'MA1' };
  const kept = async (piggy: object) => {
    await taken(device, settingsOf({ used: STATIC, piggy }));
    const { more } = JSON.parse(keptText(join(device.dataDir, 'settings.json')));
    const opened = openSealer(join(device.dataDir, 'secret.key'), undefined).open(more, 'settings/more');
    return JSON.parse(opened).bankProfiles.piggy.password;
  };
  assert.is(await kept(shared), 'made-up-secret');
  assert.is(await kept((await read(device)).bankProfiles.piggy), 'made-up-secret');
  assert.is(await kept({ ...shared, password: MASK }), 'made-up-secret');
  assert.is(await kept({ ...shared, password: MASK, shop: 'another' }), MASK);
  await kept(shared);
  const cft = { ...CFT, password: MASK };
  const { status } = await send(device, { ...settingsOf({ used: STATIC, piggy: cft }), bankProfile: 'piggy' });
  assert.is(status, 400, 'another bank does not get it');
});

it('CFT takes an account beside its ids, and an empty password', async (device) => {
  await taken(device, settingsOf({ used: { ...CFT, account: '40702810' } }));
  assert.is((await read(device)).bankProfiles.used.account, '40702810');
  const { password: _, ...none } = CFT;
  const missing = await send(device, settingsOf({ used: none }));
  assert.is(missing.body.error_category, 'CFTBankSettings');
  await taken(device, settingsOf({ used: { ...CFT, password: '' } }));
  const pem = await send(
    device,
    settingsOf({ used: { ...CFT, password: '', certPath: '/none.pem', keyPath: '/none.key' } }),
  );
  assert.match(pem.body.error_message, /certPath cannot be (read|used)/, 'its files are what is looked at');
});

it('CFT without an address is accepted, and in /health; a console form without it is refused', async (device) => {
  const { baseUrl: _, ...without } = CFT;
  await taken(device, settingsOf({ used: STATIC, other: { ...without, password: '' } }));
  const { body } = await putInUse(device);
  assert.match(body.error_message, /baseUrl cannot be used: the device has no address of the CFT bank/);
  const { state, reason } = await healthOf(device, 'bank');
  assert.is(state, 'degraded');
  assert.match(reason, /baseUrl/);
  const { bankProfile, bankProfiles, deviceConnection } = await read(device);
  const form = { bankProfile, bankProfiles, deviceConnection };
  const byForm = await call(`${device.recognition}/console/api/settings`, { method: 'PUT', json: form });
  assert.equal([byForm.status, byForm.body.field], [400, 'baseUrl'], byForm.text);
});

it('null and an empty text are absent, where a field may be left out', async (device) => {
  const nulls = { baseUrl: CFT.baseUrl, pfxPath: null, certPath: '', keyPath: '', caPath: null, authsp: '' };
  await taken(device, settingsOf({ used: { ...CFT, ...nulls } }, {}, { ...SCREEN, portName: null, deviceName: null }));
  assert.equal(await read(device), settingsOf({ used: { ...CFT, password: MASK } }, {}, SCREEN));
  for (const broken of [
    { ...CFT, accAlias: null },
    { ...CFT, bankName: null },
    { bankName: 'Static', staticQR: null },
  ])
    assert.is((await send(device, settingsOf({ used: broken }))).status, 400);
  assert.is((await send(device, settingsOf({ used: STATIC }, {}, { connectionType: null }))).status, 400);
});

it('names of JavaScript are names like any other: no 500 wherever a till writes one', async (device) => {
  const at = `${device.terminal}/updateDriverSettings`;
  const put = (text: string) =>
    call(at, { method: 'POST', headers: { 'content-type': 'application/json' }, body: `{"settings":${text}}` });
  const used = JSON.stringify(STATIC);
  const screen = '"deviceConnection":{"connectionType":"Screen"}';
  for (const name of ['constructor', '__proto__']) {
    for (const settings of [
      `{"bankProfile":"used","bankProfiles":{"used":${used}},"deviceConnection":{"connectionType":"${name}"}}`,
      `{"bankProfile":"${name}","bankProfiles":{"used":${used}},${screen}}`,
      `{"bankProfile":"used","bankProfiles":{"used":{"bankName":"${name}"}},${screen}}`,
    ])
      assert.is((await put(settings)).status, 400, settings);
    for (const settings of [
      `{"bankProfile":"used","bankProfiles":{"used":{"${name}":{"a":1},${used.slice(1)}},${screen}}`,
      `{"bankProfile":"used","bankProfiles":{"used":${used}},${screen},"${name}":1}`,
      `{"bankProfile":"${name}","bankProfiles":{"${name}":${used}},${screen}}`,
    ]) {
      assert.is((await put(settings)).status, 200, settings);
      assert.ok((await call(`${device.terminal}/getDriverSettings`)).text.includes(`"${name}":`), settings);
    }
  }
  assert.is(({} as { a?: number }).a, undefined);
});

it('settings have bounds: of their profiles, the names of these, and of their size', async (device) => {
  const many = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`p${index}`, {}]));
  assert.is((await send(device, settingsOf({ ...many, used: STATIC }))).status, 400);
  delete many.p0;
  await taken(device, settingsOf({ ...many, used: STATIC }));
  const name = 'x'.repeat(64);
  await taken(device, settingsOf({ used: STATIC, [name]: STATIC }));
  const { status, body } = await send(device, settingsOf({ used: STATIC, [`${name}x`]: STATIC }));
  assert.is(status, 400);
  assert.match(body.error_message, /settings\.bankProfiles\.x{65} must have at most 64 characters$/);
  const large = { ...STATIC, notes: Array.from({ length: 1000 }, () => 'x'.repeat(100)) };
  assert.is((await send(device, settingsOf({ used: STATIC, large }))).status, 413);
});

test('only the profile and display in use lie in the clear, and no field unknown to the bank', async () => {
  using folder = temporaryFolder();
  await using device = await startTestDevice({}, folder.path);
  await taken(device, settingsOf({ piggy: PIGGY, used: { ...CFT, account: 1 } }, { more: 1 }, { ...SCREEN, more: 1 }));
  const { settings } = JSON.parse(keptText(join(folder.path, 'settings.json')));
  assert.equal(Object.keys(settings).sort(), ['bankProfile', 'bankProfiles', 'deviceConnection']);
  assert.equal(Object.keys(settings.bankProfiles), ['used']);
  assert.equal(Object.keys(settings.bankProfiles.used).sort(), Object.keys(CFT).sort());
  assert.equal(settings.deviceConnection, SCREEN);
});

test.run();
