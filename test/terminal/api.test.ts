/** The nine calls of the interface document, over HTTP, right and wrong. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  call,
  each,
  onDevice,
  onSetUpDevice,
  SANDBOX_SETTINGS,
  SCREEN,
  setUp,
  type TestDevice,
  until,
} from '../support.ts';
import { healthOf, newestAtBank, payNewest, statusOf, untilAccepted } from './device-calls.ts';

const test = suite('terminal: the nine calls');

const CFT = {
  bankName: 'CFT',
  accAlias: 'alias',
  extEntityId: 'entity',
  merchantId: 'MA0000000001',
  password: 'made-up-secret',
};
const STATIC = {
  bankName: 'Static',
  staticQR: 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G?type=01&bank=100000000007&crc=0C8A',
};

const settingsWith = (profile: object, connection: object = SCREEN) => ({
  settings: { bankProfile: 'p', bankProfiles: { p: profile }, deviceConnection: connection },
});

const it = each(test, onDevice);
const configured = each(test, onSetUpDevice);

const onDisplay = async ({ recognition }: TestDevice) => (await call(`${recognition}/display/state`)).body;

it('version answers three dotted parts', async ({ terminal }) => {
  const { status, body } = await call(`${terminal}/version`);
  assert.is(status, 200);
  assert.is(body.status, 'success');
  assert.match(body.version, /^\d+\.\d+\.\d+$/);
});

it('without a driver five calls answer 400 DriverSettings IsNotConfigured, and change nothing', async ({
  terminal,
}) => {
  const calls: [string, object | undefined][] = [
    ['clearScreen', undefined],
    ['showQR', { amount: 100 }],
    ['showInfoQR', { infoQR: 'x' }],
    ['exportToCSV', { path: 'a.csv' }],
    ['displayStatus', { status: 3 }],
  ];
  for (const [name, json] of calls) {
    const { status, body } = await call(`${terminal}/${name}`, json === undefined ? { method: 'POST' } : { json });
    assert.is(status, 400, name);
    assert.is(body.status, 'error');
    assert.is(body.error_category, 'DriverSettings');
    assert.is(body.error_code, 1);
  }
  const settings = await call(`${terminal}/getDriverSettings`);
  assert.is(settings.status, 200);
  assert.equal(settings.body.settings.bankProfiles, {});
});

configured('no QR yet: 400 with dynamicQRStatus EMPTY', async ({ terminal }) => {
  const { status, body } = await call(`${terminal}/getDynamicQRStatus`);
  assert.is(status, 400);
  assert.is(body.dynamicQRStatus, 'EMPTY');
  assert.is(body.error_category, 'RequestParams');
});

configured('answers are compact JSON with status first', async ({ terminal }) => {
  const { text, headers } = await call(`${terminal}/clearScreen`, { method: 'POST' });
  assert.is(text, '{"status":"success"}');
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  const wrong = await call(`${terminal}/showQR`, { json: {} });
  assert.ok(wrong.text.startsWith('{"status":"error","error_category":"RequestParams","error_message":"amount '));
});

it('settings come back in canonical spelling, with secrets masked', async ({ terminal }) => {
  const sent = {
    settings: {
      bankProfile: 'Bank1',
      bankProfiles: { Bank1: { ...STATIC, bankName: ' static ' }, Bank2: { ...CFT, bankName: 'cft' } },
      deviceConnection: { connectionType: 'bluetooth', deviceAddress: 'd9:24:d0:38:94:22', deviceName: 'V8BL120025' },
    },
  };
  const taken = await call(`${terminal}/updateDriverSettings`, { json: sent });
  assert.equal([taken.status, taken.body.error_category], [200, 'BLEController'], 'the display is not there');
  const { text, body } = await call(`${terminal}/getDriverSettings`);
  assert.is(body.settings.bankProfile, 'Bank1');
  assert.is(body.settings.bankProfiles.Bank1.bankName, 'Static');
  assert.is(body.settings.bankProfiles.Bank2.password, '<PASSWORD>');
  assert.is(body.settings.deviceConnection.connectionType, 'BLE');
  assert.not.match(text, /made-up-secret/);
});

configured('a bad update names the field, answers 400 and changes nothing', async ({ terminal }) => {
  const wrong: [object, string, string][] = [
    [{}, 'RequestParams', 'settings'],
    [{ settings: {} }, 'RequestParams', 'settings.bankProfile'],
    [{ settings: { ...SANDBOX_SETTINGS, bankProfile: 'none' } }, 'DriverSettings', 'settings.bankProfile'],
    [settingsWith({ bankName: 'Static', staticQR: 'x'.repeat(1001) }), 'RequestParams', 'staticQR'],
    [settingsWith({ ...CFT, password: undefined }), 'CFTBankSettings', 'password'],
    [settingsWith({ ...CFT, baseUrl: 'ftp://bank.example' }), 'RequestParams', 'baseUrl'],
    [settingsWith({ bankName: 'Piggy' }), 'DriverSettings', 'Piggy'],
    [settingsWith({ staticQR: 'x' }), 'RequestParams', 'bankName'],
    [settingsWith({ ...STATIC, staticQR: 5 }), 'RequestParams', 'staticQR'],
    [settingsWith(STATIC, { connectionType: 'pigeon' }), 'RequestParams', 'connectionType'],
    [settingsWith(STATIC, { connectionType: 'Serial' }), 'RequestParams', 'portName'],
    [settingsWith(STATIC, { connectionType: 'Serial', portName: 'a b' }), 'RequestParams', 'portName'],
    [settingsWith(STATIC, { connectionType: 'BLE' }), 'RequestParams', 'deviceAddress'],
    [settingsWith(STATIC, { connectionType: 'BLE', deviceAddress: 'D9:24' }), 'RequestParams', 'deviceAddress'],
  ];
  const before = (await call(`${terminal}/getDriverSettings`)).text;
  for (const [json, category, field] of wrong) {
    const { status, body } = await call(`${terminal}/updateDriverSettings`, { json });
    assert.is(status, 400, JSON.stringify(json));
    assert.is(body.error_category, category, body.error_message);
    assert.ok(body.error_message.includes(field), `${body.error_message} names ${field}`);
  }
  assert.is((await call(`${terminal}/getDriverSettings`)).text, before);
});

it('a path as deviceAddress means serial, and an unknown bankName is found by its fields', async ({ terminal }) => {
  const json = settingsWith(
    { bankName: 'Bank of the Corner', staticQR: STATIC.staticQR },
    { connectionType: 'BLE', deviceAddress: '/dev/ttyLaneware9' },
  );
  assert.is((await call(`${terminal}/updateDriverSettings`, { json })).status, 200);
  const { settings } = (await call(`${terminal}/getDriverSettings`)).body;
  assert.is(settings.deviceConnection.connectionType, 'Serial');
  assert.is(settings.bankProfiles.p.bankName, 'Static');
  for (const connectionType of ['a display of the corner', 'Bluetooth']) {
    const path = settingsWith(STATIC, { connectionType, deviceAddress: 'COM3' });
    assert.is((await call(`${terminal}/updateDriverSettings`, { json: path })).status, 200, connectionType);
    const { settings: known } = (await call(`${terminal}/getDriverSettings`)).body;
    assert.is(known.deviceConnection.connectionType, 'Serial', connectionType);
  }
});

test(
  'the sandbox bank is refused by name where it does not run',
  onDevice(
    async ({ terminal }) => {
      const { status, body } = await call(`${terminal}/updateDriverSettings`, { json: { settings: SANDBOX_SETTINGS } });
      assert.is(status, 400);
      assert.match(body.error_message, /sandbox/);
    },
    { LANEWARE_SANDBOXBANK_ENABLED: 'false' },
  ),
);

test(
  'a payment: QR shown, PENDING, paid, ACCEPTED, success symbol, idle, a line in the CSV',
  onSetUpDevice(
    async (device) => {
      assert.is(
        (await call(`${device.terminal}/showQR`, { json: { amount: 12_345, purpose: 'Apples; "red"' } })).text,
        '{"status":"success"}',
      );
      const shown = await onDisplay(device);
      assert.is(shown.kind, 'qr');
      assert.is(shown.amount, 12_345);
      assert.is(await statusOf(device), 'PENDING');
      assert.ok(shown.payload.endsWith((await newestAtBank(device)).qrcId));
      await payNewest(device);
      await untilAccepted(device);
      assert.equal((await onDisplay(device)).status, 'success');
      await until('an idle display', async () => (await onDisplay(device)).kind === 'clear');
      assert.is((await call(`${device.terminal}/exportToCSV`, { json: { path: 'day.csv' } })).status, 200);
      const lines = readFileSync(join(device.dataDir, 'exports', 'day.csv'), 'utf8').split('\r\n');
      assert.ok(lines[0]?.startsWith('\uFEFFid,created_at,state,amount_kopecks'));
      assert.match(lines[1] ?? '', /^1,[^,]+,ACCEPTED,12345,"Apples; ""red""",sandbox,Sandbox,/);
    },
    {},
    { tuning: { pace: { symbolMs: 300 } } },
  ),
);

configured('showQR refuses what is no payment, naming the field and the limit', async (device) => {
  const wrong: [unknown, RegExp][] = [
    [{}, /amount is required/],
    [{ amount: '100' }, /amount must be a whole number from 1 kopeck/],
    [{ amount: 1.5 }, /amount must be/],
    [{ amount: 0 }, /amount must be at least 1 kopeck \(0\.01 roubles\)/],
    [{ amount: -1 }, /amount must be at least 1 kopeck \(0\.01 roubles\)/],
    [{ amount: 100_000_001 }, /amount must be at most 100000000 kopecks \(1000000\.00 roubles\)/],
    [{ amount: true }, /amount must be a whole number from 1 kopeck/],
    [{ amount: null }, /amount must be a whole number from 1 kopeck/],
    [{ amount: 1, ttl: -1 }, /ttl must be from 0 to 129600 minutes$/],
    [{ amount: 1, ttl: 129_601 }, /ttl must be from 0 to 129600 minutes$/],
    [{ amount: 1, ttl: '5' }, /ttl must be a whole number from 0 minutes to 129600 minutes or null, not a text/],
    [{ amount: 1, purpose: 5 }, /purpose must be a text or null, not a number/],
    [[{ amount: 1 }], /body must be an object, not a list/],
    ['amount', /body must be an object, not a text/],
  ];
  for (const [json, message] of wrong) {
    const { status, body } = await call(`${device.terminal}/showQR`, { json });
    assert.is(status, 400, JSON.stringify(json));
    assert.is(body.error_category, 'RequestParams');
    assert.match(body.error_message, message);
  }
  assert.equal((await call(`${device.sandbox}/sandbox/payments`)).body, []);
  assert.is(await statusOf(device), 'EMPTY');
});

it('showQR with a static profile shows the fixed code; the status is STATIC and stays so', async (device) => {
  await call(`${device.terminal}/updateDriverSettings`, { json: settingsWith(STATIC) });
  assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 500 } })).status, 200);
  assert.is((await onDisplay(device)).payload, STATIC.staticQR);
  assert.is(await statusOf(device), 'STATIC');
});

it('a static link that payers may find unreadable is accepted, and reported in /health', async ({ terminal }) => {
  const bare = 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G';
  for (const [staticQR, problem] of [
    [STATIC.staticQR, null],
    [STATIC.staticQR.replace('0C8A', '0c8a'), null],
    [bare, null],
    ['https://shop.example/pay?type=01&sum=x', null],
    [STATIC.staticQR.replace('0C8A', 'FFFF'), /fails its own checksum/],
    [`${bare}?type=01&type=02`, /malformed: it holds type twice/],
    [`${bare}?type=01&sum=1e3`, /malformed: its sum is not a whole number/],
    [`${bare}/1?type=01`, /malformed: its id is not made of letters and digits/],
  ] as const) {
    await call(`${terminal}/updateDriverSettings`, { json: settingsWith({ ...STATIC, staticQR }) });
    const { state, reason } = await healthOf({ terminal }, 'settings');
    assert.is(state, problem === null ? 'ok' : 'degraded', staticQR);
    assert.match(reason, problem ?? /^$/, staticQR);
  }
});

configured('showInfoQR shows 1 to 1000 bytes of any text, and refuses more or less', async (device) => {
  for (const infoQR of ['x', 'Привет, мир 🍏', 'y'.repeat(1000), 'я'.repeat(500)]) {
    assert.is((await call(`${device.terminal}/showInfoQR`, { json: { infoQR } })).status, 200);
    assert.is((await onDisplay(device)).payload, infoQR);
  }
  for (const infoQR of ['', 'y'.repeat(1001), 'я'.repeat(501), '\ud800']) {
    const { status, body } = await call(`${device.terminal}/showInfoQR`, { json: { infoQR } });
    assert.is(status, 400);
    assert.match(body.error_message, /infoQR/);
  }
  assert.is((await call(`${device.terminal}/showInfoQR`, { json: { infoQR: 7 } })).status, 400);
  assert.is((await onDisplay(device)).payload, 'я'.repeat(500));
});

configured('displayStatus: 3 success, 1 4 5 failure, 0 and 6 clear, 2 redraws or asks to wait', async (device) => {
  const show = (status: number) => call(`${device.terminal}/displayStatus`, { json: { status } });
  await call(`${device.terminal}/showQR`, { json: { amount: 700 } });
  const code = await onDisplay(device);
  assert.is((await show(3)).status, 200);
  assert.is((await onDisplay(device)).status, 'success');
  for (const ordinal of [1, 4, 5]) {
    await show(ordinal);
    assert.is((await onDisplay(device)).status, 'failure', String(ordinal));
  }
  await show(2);
  assert.is((await onDisplay(device)).payload, code.payload);
  await show(3);
  await show(6);
  assert.is((await onDisplay(device)).kind, 'clear');
  await show(0);
  await show(2);
  assert.is((await onDisplay(device)).status, 'waiting', 'what was cleared is not shown again');
  await show(0);
  assert.is((await onDisplay(device)).kind, 'clear');
  for (const status of [7, -1, 2.5, '3', null]) {
    const answer = await call(`${device.terminal}/displayStatus`, { json: { status } });
    assert.is(answer.status, 400, String(status));
    assert.match(answer.body.error_message, /status/);
  }
  await until('what was cleared is taken out of use', async () => (await statusOf(device)) === 'CANCELED');
});

it('/health has no bank and no display before they are set up', async (device) => {
  const partNames = async (): Promise<readonly string[]> =>
    (await call(`${device.terminal}/health`)).body.health.parts.map(({ part }: { part: string }) => part);
  const wanted = async () => (await partNames()).filter((part) => ['settings', 'bank', 'display'].includes(part));
  assert.equal(await wanted(), ['settings']);
  await setUp(device);
  assert.equal(await wanted(), ['settings', 'bank', 'display']);
});

it('without a display: 500 SerialPort, no payment at the bank, and the status reads ERROR', async (device) => {
  const settings = {
    ...SANDBOX_SETTINGS,
    deviceConnection: { connectionType: 'Serial', portName: '/dev/ttyLaneware9' },
  };
  const taken = await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
  assert.equal(
    { status: taken.status, error_category: taken.body.error_category, error_code: taken.body.error_code },
    { status: 200, error_category: 'SerialPort', error_code: 1 },
    taken.text,
  );
  const both = { ...settings, bankProfile: 'c', bankProfiles: { c: CFT } };
  const named = await call(`${device.terminal}/updateDriverSettings`, { json: { settings: both } });
  assert.equal(
    { status: named.status, error_category: named.body.error_category, error_code: named.body.error_code },
    { status: 200, error_category: 'RequestParams', error_code: 1 },
  );
  assert.match(named.body.error_message, /baseUrl.*; .*ttyLaneware9/);
  await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
  for (const [name, json] of [
    ['showQR', { amount: 100 }],
    ['showInfoQR', { infoQR: 'x' }],
    ['displayStatus', { status: 3 }],
    ['clearScreen', {}],
  ] as const) {
    const { status, body } = await call(`${device.terminal}/${name}`, { json });
    assert.is(status, 500, name);
    assert.equal([body.error_category, body.error_code], ['SerialPort', 1], `${name}: ${body.error_message}`);
  }
  assert.equal((await call(`${device.sandbox}/sandbox/payments`)).body, []);
  assert.is(await statusOf(device), 'ERROR');
  assert.is((await healthOf(device, 'display')).state, 'degraded');
});

test.run();
