/** Which calls leave a line in the audit trail: each its one, with who and what, and never a secret. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recordButton, recordPairing } from '../../firmware/core/audit/device-events.ts';
import { type AuditLine, AuditLineSchema } from '../../firmware/core/audit/line.ts';
import { fits } from '../../firmware/core/schema/schema.ts';
import { AUDITED, RECOGNITION_ROLES, TERMINAL_ROLES } from '../http/declared.ts';
import { ownAddress } from '../http/network.ts';
import { raw } from '../http/raw.ts';
import { tinyFolder } from '../recognition/fixtures/models.ts';
import { picture } from '../recognition/support.ts';
import {
  type Answer,
  CFT,
  call,
  each,
  fieldsOf,
  inFolder,
  SCREEN,
  startTestDevice,
  type TestDevice,
  until,
} from '../support.ts';
import { allText, openTrail } from './support.ts';

const test = suite('audit trail: calls');
const inOwn = each(test, inFolder);

const SECRET = 'made-up-secret-of-the-audit';
const TILL = `${SECRET}-till`;
const TECHNICIAN = `${SECRET}-technician`;

const model = tinyFolder();
test.after(() => model[Symbol.dispose]());

const start = (settings: Record<string, string> = {}): Promise<TestDevice> =>
  startTestDevice({ LANEWARE_CAMERA_DRIVER: 'push', LANEWARE_MODEL_MANIFEST: model.manifestPath, ...settings });

const it = each(test, (run: (device: TestDevice) => Promise<void>) => async (): Promise<void> => {
  await using device = await start();
  await run(device);
});

async function trailOf({ recognition }: TestDevice, query = ''): Promise<AuditLine[]> {
  const { status, body } = await call(`${recognition}/console/api/audit${query}`);
  assert.is(status, 200, body.detail);
  return body.lines;
}

/** Lines that came since the device was started, oldest first. */
const eventsOf = async (device: TestDevice): Promise<AuditLine[]> =>
  (await trailOf(device, '?limit=1000')).filter(({ deed }) => deed !== 'release-changed').reverse();

const settingsWith = (profiles: object, bankProfile: string, deviceConnection: object = SCREEN) => ({
  settings: { bankProfile, bankProfiles: profiles, deviceConnection },
});

/** A body that a call understands; a call that is not here gets one that it refuses. */
const BODIES: Readonly<Record<string, object>> = {
  'POST /updateDriverSettings': settingsWith({ p: { ...CFT, password: SECRET, itsToken: SECRET } }, 'p'),
  'POST /exportToCSV': { path: 'payments.csv' },
  'POST /api/feedback': { session: 'none', id: '4011' },
  'POST /api/add_item_template': { id: '4011' },
  'POST /api/delete_item_template': { id: '4011', sid: 'none' },
  'POST /api/delete_item': { id: '4012' },
  'POST /api/set_deletion_all_flag': { id: '4011' },
  'POST /api/clear_deletion_all_flag': { id: '4011' },
  'POST /api/export_template': { ids: ['4011', '4012'] },
  'POST /api/set_predict_speed': { speed: 'normal' },
  'POST /api/set_learning_mode': { mode: 2 },
  'POST /api/set_result_count': { count: 3 },
  'POST /api/set_calib': { top: 0, left: 0, height: 720, width: 1280 },
  'POST /api/set_time': { sec: 0, usec: 0 },
  'POST /api/set_extra_info': { info: SECRET },
  'POST /api/set_sync_slave': {
    masterIP: '127.0.0.1',
    mastersyncPort: 9,
    upload: true,
    download: false,
    pairingCode: SECRET,
  },
  'POST /api/set_sync_limit': { limit: 5 },
  'POST /api/revoke_sync_device': { sn: 'S1' },
};

async function send(device: TestDevice, route: string): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const base = route in TERMINAL_ROLES && !(route in RECOGNITION_ROLES) ? device.terminal : device.recognition;
  const body = { ...BODIES[route], password: SECRET, [SECRET]: SECRET };
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${SECRET}`, cookie: SECRET };
  return await call(`${base}${path.replace(':filename', 'made-up.zip')}?token=${SECRET}`, {
    method,
    headers,
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  });
}

inOwn('every audited call leaves one line, and no other call any; no secret is in any of them', async (folder) => {
  await using device = await startTestDevice(
    { LANEWARE_CAMERA_DRIVER: 'push', LANEWARE_MODEL_MANIFEST: model.manifestPath },
    folder.path,
  );
  const jpeg = { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: new Uint8Array(await picture(1)) };
  assert.is((await call(`${device.recognition}/camera/frame`, jpeg)).status, 200);
  const routes = [...new Set([...Object.keys(TERMINAL_ROLES), ...Object.keys(RECOGNITION_ROLES)])];
  let count = (await eventsOf(device)).length;
  const isAnyones = (route: string): boolean => RECOGNITION_ROLES[route] === 'anyone';
  for (const route of routes.filter((each) => !each.endsWith('/events') && !isAnyones(each))) {
    await send(device, route);
    const lines = await eventsOf(device);
    const expected = AUDITED[route]?.event;
    // a deed that failed before in the same minute is counted there
    const isCounted = lines.some(({ deed, outcome }) => deed === expected && outcome === 'failed');
    if (lines.length === count && isCounted) continue;
    assert.equal(fieldsOf(lines.slice(count), 'deed'), expected === undefined ? [] : [expected], route);
    count = lines.length;
  }
  for (const line of await eventsOf(device)) {
    assert.ok(fits(AuditLineSchema, line), JSON.stringify(line));
    assert.equal([line.address, line.credential], ['127.0.0.1', 'loopback']);
  }
  const text = allText(join(folder.path, 'audit'));
  assert.match(text, 'settings');
  assert.not.match(text, SECRET);
});

test('no line contains a token, be it a caller’s own or the device’s, or a field with a secret', async () => {
  const SECRETS = /token|pass|secret|^pin$|^code$|key/i;
  for (const [route, call] of Object.entries(AUDITED))
    for (const name of [...(call?.fields ?? []), ...(call?.answers ?? [])]) assert.not.match(name, SECRETS, route);
  await using device = await start();
  const put = async (role: string, json: object): Promise<string> =>
    (await call(`${device.recognition}/console/api/tokens/${role}`, { method: 'PUT', json })).body.token;
  const made = [await put('till', {}), await put('technician', { token: TECHNICIAN })];
  const lines = await eventsOf(device);
  assert.equal(fieldsOf(lines, 'deed', 'what', 'outcome'), [
    ['token-made', { role: 'till' }, 'done'],
    ['token-made', { role: 'technician' }, 'done'],
  ]);
  for (const token of made) assert.not.match(allText(join(device.dataDir, 'audit')), token);
});

it('what was done and what failed is distinguished', async (device) => {
  await call(`${device.recognition}/api/set_result_count`, { json: { count: 3 } });
  await call(`${device.recognition}/api/delete_item`, { json: { id: 'none' } });
  await call(`${device.terminal}/updateDriverSettings`, { json: settingsWith({}, 'p') });
  await call(`${device.terminal}/exportToCSV`, { json: { path: 'a.csv' } });
  const recorded = fieldsOf(await eventsOf(device), 'deed', 'what', 'outcome', 'code', 'why');
  assert.equal(recorded, [
    ['result-count-set', { count: 3 }, 'done', undefined, undefined],
    ['item-deleted', { id: 'none' }, 'failed', -6302, undefined],
    ['settings', {}, 'failed', 3, 'DriverSettings'],
    ['payments-exported', { path: 'a.csv' }, 'failed', 1, 'DriverSettings'],
  ]);
});

it('a line stays short, however long the names are that a caller makes up', async (device) => {
  await call(`${device.terminal}/exportToCSV`, { json: { path: `${'x'.repeat(4000)}.csv` } });
  const long = { bankName: 'B'.repeat(2000) };
  const fixed = { bankName: 'Static', staticQR: 'https://shop.example/pay' };
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`profile-${at}`, long]));
  const json = settingsWith({ ...many, main: { ...fixed, ['y'.repeat(2000)]: 1 } }, 'main');
  assert.is((await call(`${device.terminal}/updateDriverSettings`, { json })).status, 200);
  const lines = await eventsOf(device);
  assert.equal(fieldsOf(lines, 'deed', 'outcome'), [
    ['payments-exported', 'failed'],
    ['settings', 'done'],
  ]);
  assert.is(lines[1]?.what.bankProfiles, '5 more');
  for (const line of lines) assert.ok(JSON.stringify(line).length < 3000, `${JSON.stringify(line).length} characters`);
});

it('a line is cut between whole characters, so that strict readers can read all of the answer', async (device) => {
  await call(`${device.terminal}/exportToCSV`, { json: { path: `${'x'.repeat(199)}🍏.csv` } });
  await call(`${device.recognition}/api/delete_item`, { json: { id: 'a\ud83c' } });
  await call(`${device.recognition}/api/${'x'.repeat(60)}\ud83c`, { headers: { origin: 'http://evil.example' } });
  const answer = await call(`${device.recognition}/console/api/audit`);
  assert.is(answer.status, 200);
  const lines = await eventsOf(device);
  assert.equal(fieldsOf(lines, 'deed'), ['payments-exported', 'item-deleted', 'call']);
  for (const line of lines) assert.not.match(JSON.stringify(line), /\\ud[89a-f]/i, JSON.stringify(line));
});

test('what the lane may do is written elsewhere than what only a technician may', async () => {
  await using device = await start({ LANEWARE_API_TOKENS_TILL: TILL, LANEWARE_API_TOKENS_TECHNICIAN: TECHNICIAN });
  await call(`${device.recognition}/api/add_item_template`, { json: { id: 'a' } });
  await call(`${device.recognition}/api/set_result_count`, { json: { count: 3 } });
  await call(`${device.terminal}/version`, { headers: { origin: 'http://evil.example' } });
  for (const token of [TILL, TECHNICIAN]) {
    const { headers } = await call(`${device.recognition}/console/api/session`, { json: { token } });
    const { origin } = new URL(device.recognition);
    const cookie = headers.get('set-cookie') ?? '';
    await call(`${device.recognition}/console/api/session`, { method: 'DELETE', headers: { cookie, origin } });
  }
  const folder = join(device.dataDir, 'audit');
  const eventsIn = (book: string) =>
    readdirSync(folder)
      .filter((name) => name.startsWith(`${book}-`))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
      .filter(Boolean)
      .map((text) => JSON.parse(text).deed);
  await until('the refusals', () => eventsIn('refusals').length === 2);
  assert.equal(['technician', 'lane', 'refusals'].map(eventsIn), [
    ['release-changed', 'result-count-set', 'signed-in', 'signed-out'],
    ['signed-in', 'signed-out'],
    ['template-learned', 'call'],
  ]);
});

it('a change of settings is recorded with the names of what has changed, from and to', async (device) => {
  const update = async (json: object) => {
    const { status, text } = await call(`${device.terminal}/updateDriverSettings`, { json });
    assert.is(status, 200, text);
    return (await eventsOf(device)).at(-1)?.what;
  };
  const fixed = { bankName: 'Static', staticQR: 'https://shop.example/pay' };
  const serial = { connectionType: 'Serial', portName: '/dev/ttyACM7' };
  assert.equal(await update(settingsWith({ main: fixed }, 'main')), {
    bankProfile: 'none → main',
    'bankProfiles.main': 'added: Static',
    deviceConnection: 'none → Screen',
  });
  assert.equal(await update(settingsWith({ main: fixed, other: CFT }, 'other', serial)), {
    bankProfile: 'main → other',
    'bankProfiles.other': 'added: CFT',
    deviceConnection: 'Screen → Serial /dev/ttyACM7',
  });
  const renewed = { ...CFT, password: SECRET, merchantId: 'm2' };
  assert.equal(await update(settingsWith({ main: fixed, other: renewed }, 'other', serial)), {
    'bankProfiles.other': 'changed: merchantId, password',
  });
  assert.equal(await update(settingsWith({ other: { ...renewed, password: '<PASSWORD>' } }, 'other', serial)), {
    'bankProfiles.main': 'removed: Static',
  });
  assert.equal(await update(settingsWith({ other: fixed }, 'other', { ...serial, colour: 'red' })), {
    'bankProfiles.other': 'CFT → Static',
    deviceConnection: 'changed: colour',
  });
  assert.equal(await update(settingsWith({ other: fixed }, 'other', { ...serial, colour: 'red' })), {});
});

it('a learned template is recorded with its number, also where a confirmation taught it', async (device) => {
  const post = (name: string, json: object) => call(`${device.recognition}/api/${name}`, { json });
  const show = async (kind: number) =>
    call(`${device.recognition}/camera/frame`, {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      body: new Uint8Array(await picture(kind)),
    });
  await post('set_learning_mode', { mode: 2 });
  await show(1);
  const { sid } = (await post('add_item_template', { id: 'a' })).body.data;
  await show(4);
  const confirm = async () => {
    const { session } = (await call(`${device.recognition}/api/get_result`)).body.data;
    return (await post('feedback', { session, id: 'b' })).body.data;
  };
  const taught = await confirm();
  const [known, none] = [await confirm(), await post('feedback', { session: 'none', id: 'b' })];
  assert.equal([known.sid, none.body.code], [null, -6310]);
  const recorded = (await eventsOf(device)).map(({ deed, what, outcome }) => [deed, what, outcome]);
  assert.equal(recorded, [
    ['learning-mode-set', { mode: 2 }, 'done'],
    ['template-learned', { id: 'a', sid }, 'done'],
    ['template-learned', { id: 'b', sid: taught.sid }, 'done'],
    ['template-learned', { id: 'b' }, 'failed'],
  ]);
});

it('a deleted item is recorded with its picture, and with how many templates went with it', async (device) => {
  const item = `${device.recognition}/v1/items/4011`;
  await call(item, { method: 'PUT', json: { name: 'Bananas', price: 1 } });
  await call(item, { method: 'PATCH', json: { picture: null } });
  await call(`${item}?templates=delete`, { method: 'DELETE' });
  const recorded = (await eventsOf(device)).filter(({ deed }) => deed.startsWith('item-')).map(({ what }) => what);
  assert.equal(recorded, [
    { id: '4011', name: 'Bananas', price: 1 },
    { id: '4011', picture: null },
    { id: '4011', templates: 0 },
  ]);
});

it('a page or a name of a stranger is refused, and recorded once for many times', async (device) => {
  for (let turn = 0; turn < 20; turn++) {
    const evil = { origin: 'http://evil.example' };
    assert.is((await call(`${device.terminal}/version`, { headers: evil })).status, 403);
  }
  const [line, ...others] = await eventsOf(device);
  assert.equal([line?.deed, line?.what, line?.outcome, line?.code], ['call', { call: 'GET /version' }, 'refused', 403]);
  assert.match(line?.why ?? '', /"http:\/\/evil\.example" may not call/);
  assert.equal(others, []);
});

test('a caller over the network is recorded with address and credential', async () => {
  await using device = await start({
    LANEWARE_TERMINAL_HOST: '0.0.0.0',
    LANEWARE_TLS_MODE: 'off',
    LANEWARE_RECOGNITION_HOST: '0.0.0.0',
    LANEWARE_API_TOKENS_TILL: TILL,
    LANEWARE_API_TOKENS_TECHNICIAN: TECHNICIAN,
  });
  const url = `http://${ownAddress}:${new URL(device.recognition).port}`;
  const post = (path: string, token: string | null, json: object) =>
    call(`${url}${path}`, {
      json,
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
    });
  await post('/api/set_result_count', TECHNICIAN, { count: 3 });
  await post('/api/add_item_template', TILL, { id: 'a' });
  await post('/api/set_result_count', TILL, { count: 4 });
  await post('/api/set_result_count', `${SECRET}-wrong`, { count: 5 });
  await post('/api/set_result_count', null, { count: 6 });
  const { status } = await call(`${url}/no-such-path-${SECRET}`);
  assert.is(status, 401);
  const lines = await until('all lines', async () => {
    const all = await eventsOf(device);
    return all.length >= 4 ? all : null;
  });
  assert.ok(lines.every(({ address }) => address === ownAddress));
  assert.equal(fieldsOf(lines, 'deed', 'credential', 'outcome', 'code', 'what'), [
    ['result-count-set', 'technician', 'done', undefined, { count: 3 }],
    ['template-learned', 'till', 'failed', -6308, { id: 'a' }],
    ['call', 'till', 'refused', 403, { call: 'POST /api/set_result_count' }],
    ['call', 'none', 'refused', 401, { call: 'POST /api/set_result_count' }],
  ]);
  assert.not.match(JSON.stringify(lines), SECRET);
  assert.is((await call(`${url}/console/api/audit`, { headers: { authorization: `Bearer ${TILL}` } })).status, 403);
});

test('exports of a till are one line at once, and one for all others of the minute', async () => {
  await using device = await start({ LANEWARE_API_TOKENS_TILL: TILL });
  await call(`${device.terminal}/updateDriverSettings`, { json: settingsWith({ p: CFT }, 'p') });
  for (const path of ['a.csv', 'b.csv', 'c.csv'])
    assert.is(
      (await call(`${device.terminal}/exportToCSV`, { json: { path }, headers: { authorization: `Bearer ${TILL}` } }))
        .status,
      200,
    );
  assert.equal(
    (await eventsOf(device)).flatMap(({ deed, what }) => (deed === 'payments-exported' ? [what] : [])),
    [{ path: 'a.csv' }],
  );
});

test('a caller who was not let in writes only to the file of refusals, whatever the call’s fault', async () => {
  const settings = { LANEWARE_RECOGNITION_HOST: '0.0.0.0', LANEWARE_API_TOKENS_TILL: TILL };
  await using device = await start(settings);
  const network = `http://${ownAddress}:${new URL(device.recognition).port}`;
  for (const [base, status, ...headers] of [
    [network, 426, `Host: ${ownAddress}`],
    [network, 400, `Host: ${ownAddress}`, `Host: ${ownAddress}`],
    [device.recognition, 400, 'Host: localhost', 'Host: localhost'],
  ] as const) {
    const head = ['POST /api/set_result_count HTTP/1.1', ...headers, 'Content-Length: 0', 'Connection: close'];
    assert.match(await raw(base, `${head.join('\r\n')}\r\n\r\n`), new RegExp(`^HTTP/1\\.1 ${status}`));
  }
  const lines = await until('all lines', async () => {
    const all = await eventsOf(device);
    return all.length >= 3 ? all : null;
  });
  assert.equal(
    fieldsOf(lines, 'deed', 'outcome', 'code', 'credential'),
    [426, 400, 400].map((code) => ['call', 'refused', code, 'none']),
  );
});

test('a failed call that anyone may make writes nothing but a refusal, one line a minute', async () => {
  await using device = await start({ LANEWARE_API_TOKENS_TILL: TILL });
  const open = Object.entries(RECOGNITION_ROLES).filter(([route, role]) => role === 'anyone' && AUDITED[route]);
  assert.ok(open.length >= 3);
  for (const more of [{}, { 'x-forwarded-for': '203.0.113.9' }])
    for (const [route] of open)
      for (const body of ['{}', '{"pin":7}', '{"token":"x"}', '{', '[]']) {
        const [method = '', path = ''] = route.split(' ');
        const headers = { 'content-type': 'application/json', ...more };
        for (let turn = 0; turn < 5; turn += 1) await call(device.recognition + path, { method, headers, body });
      }
  const lines = await eventsOf(device);
  assert.equal([...new Set(lines.map(({ deed, outcome }) => `${deed} ${outcome}`))], ['call refused']);
  const kinds = new Set(lines.map(({ credential, code }) => `${credential} ${code}`));
  assert.is(lines.length, kinds.size, 'one for each kind');
  const books = readdirSync(join(device.dataDir, 'audit'));
  const technicians = books.filter((name) => name.startsWith('technician-'));
  const written = technicians.flatMap((name) =>
    readFileSync(join(device.dataDir, 'audit', name), 'utf8')
      .split('\n')
      .filter(Boolean),
  );
  assert.is(written.length, 1, 'the release');
});

it('of a call with wrong fields no field is recorded: one may hold what belongs into another', async (device) => {
  const post = (json: object) => call(`${device.recognition}/api/set_sync_slave`, { json });
  assert.is((await post({ masterIP: SECRET, upload: 'yes', download: true })).body.code, -6213);
  assert.is((await post({ masterIP: 7, pairingCode: SECRET, upload: true, download: true })).body.code, -6213);
  const lines = await eventsOf(device);
  assert.equal(
    fieldsOf(lines, 'deed', 'what', 'outcome', 'code'),
    [1, 2].map(() => ['became-slave', {}, 'failed', -6213]),
  );
});

it('the trail is read page by page; a wrong query is reported by its field', async (device) => {
  for (const count of [1, 2, 3, 4]) await call(`${device.recognition}/api/set_result_count`, { json: { count } });
  const counts = (lines: readonly AuditLine[]) => lines.map(({ what }) => what.count);
  const first = await trailOf(device, '?limit=2');
  assert.equal(counts(first), [4, 3]);
  assert.equal(counts(await trailOf(device, `?limit=2&cursor=${first.at(-1)?.n}`)), [2, 1]);
  const whole = await call(`${device.recognition}/console/api/audit`);
  assert.is(whole.body.cursor, null, 'there is no further page');
  for (const [query, field] of [
    ['limit=0', 'limit'],
    ['limit=ten', 'limit'],
    ['cursor=-1', 'cursor'],
    ['cursor=1&cursor=2', 'cursor'],
  ] as const) {
    const { status, body } = await call(`${device.recognition}/console/api/audit?${query}`);
    assert.equal([status, body.code, body.field], [400, 'RequestParams.InvalidField', field], query);
  }
});

inOwn('another release than before leaves a line, the same one none', async (folder) => {
  const restart = async (): Promise<AuditLine[]> => {
    await using device = await startTestDevice({}, folder.path);
    return (await trailOf(device)).filter(({ deed }) => deed === 'release-changed');
  };
  const version = (await restart())[0]?.what.to;
  assert.type(version, 'string');
  assert.is((await restart()).length, 1);
  writeFileSync(join(folder.path, 'audit', 'last-release'), '0.0.9\n');
  const [line, ...others] = await restart();
  assert.equal([line?.what, line?.credential, others.length], [{ from: '0.0.9', to: version }, 'device', 1]);
});

inOwn('the button, devices that pair and those that may not are recorded though no one calls', async (folder) => {
  const { trail } = openTrail(folder.path);
  recordButton(trail, 'empty-tray-learned')(true);
  recordButton(trail, 'empty-tray-learned')(false);
  const pair = recordPairing(trail);
  pair('S1', null);
  for (let turn = 0; turn < 5; turn++) pair('S2', 'no pairing code is shown');
  await trail.close();
  const { lines } = await openTrail(folder.path).trail.page(Number.POSITIVE_INFINITY, 10);
  assert.equal(fieldsOf(lines.toReversed(), 'deed', 'what', 'credential', 'outcome', 'times'), [
    ['empty-tray-learned', {}, 'button', 'done', undefined],
    ['empty-tray-learned', {}, 'button', 'failed', undefined],
    ['device-paired', { sn: 'S1' }, 'pairing-code', 'done', undefined],
    ['device-paired', { sn: 'S2' }, 'pairing-code', 'refused', undefined],
    ['device-paired', { sn: 'S2' }, 'pairing-code', 'refused', 4],
  ]);
});

test.run();
