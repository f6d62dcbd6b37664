/** A fresh device, a display on its wire and a phone: what the display shows makes the token that opens everything. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Picture } from '../../drivers/display/contract.ts';
import { SimulatedDisplay } from '../../drivers/display/wire/simulator-device.ts';
import type { DisplayEvent } from '../../firmware/console/display-view.ts';
import { EventReader } from '../events.ts';
import { ownAddress } from '../http/network.ts';
import { type SecureCall, secureCall } from '../http/secure.ts';
import { call, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { PtyDisplay } from '../tools/display/pty.ts';

const claim = suite('a device is claimed over the network');
const LAN = {
  LANEWARE_TERMINAL_HOST: '0.0.0.0',
  LANEWARE_RECOGNITION_HOST: '0.0.0.0',
  LANEWARE_API_CLAIM: 'true',
};
const OWN = 'a-made-up-token-of-my-own';

/** A display that answers with what it was sent, as some may. */
async function plugged() {
  const device = new SimulatedDisplay();
  const pty = new PtyDisplay(device);
  await pty.plug();
  return { device, pty, path: pty.path(), [Symbol.asyncDispose]: () => pty.close() };
}

/** Calls as a phone does. */
const phone =
  (base: string) =>
  async (path: string, token: string | null = null, { json, ...rest }: SecureCall & { json?: object } = {}) => {
    const headers = {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const sent = json === undefined ? rest : { method: 'POST', ...rest, body: JSON.stringify(json) };
    const answer = await secureCall(`https://${ownAddress}:${new URL(base).port}${path}`, { ...sent, headers });
    const isJson = /json/.test(answer.headers['content-type'] ?? '');
    return { ...answer, body: isJson ? JSON.parse(answer.text) : null };
  };

const LINK = /^https:\/\/[^/]+\/claim#([0-9A-Z]{4}-[0-9A-Z]{4})&/;
const codeOf = (picture: Picture): string | null =>
  picture.kind === 'qr' ? (LINK.exec(picture.payload)?.[1] ?? null) : null;
const shownOn = (device: SimulatedDisplay): Promise<string> => until('a code', () => codeOf(device.picture));

const fresh = (path: string, folder?: string, settings: Record<string, string> = {}): Promise<TestDevice> =>
  startTestDevice({ ...LAN, ...settings }, folder, { firstDisplays: ['/nonexistent/display', path] });

/** Everything that a folder holds, as one text. */
const contents = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');

claim('the code on the wire makes a token over TLS, which outlives a restart', async () => {
  using folder = temporaryFolder();
  await using display = await plugged();
  let token = '';
  {
    await using device = await fresh(display.path, folder.path);
    const ask = phone(device.recognition);
    const code = await shownOn(display.device);
    assert.is((await ask('/health')).status, 401, 'no one comes in before');
    assert.match((await call(`${device.recognition}/health`)).text, 'No technician’s token yet');
    const made = await ask('/console/api/claim', null, { json: { code: code.toLowerCase() } });
    assert.is(made.status, 200, made.text);
    assert.is(made.headers['cache-control'], 'no-store');
    token = made.body.token;
    assert.match(token, /^([0-9A-Z]{4}-){5}[0-9A-Z]{4}$/);
    await until('a clear display', () => display.device.picture.kind === 'clear');
    for (const base of [device.terminal, device.recognition])
      assert.is((await phone(base)('/health', token)).status, 200);
    const learn = { json: { mode: 0 } };
    assert.is((await ask('/api/set_learning_mode', token, learn)).body.code, 0);
    assert.is((await ask('/console/api/claim', null, { json: { code } })).body.code, 'Claim.NoCode');
    assert.match((await ask('/health', token)).text, '"part":"access","state":"ok"');
  }
  await using device = await fresh(display.path, folder.path);
  const ask = phone(device.recognition);
  assert.is((await ask('/health', token)).status, 200);
  assert.is((await ask('/health', `${token.slice(0, -1)}!`)).status, 401);
  assert.is(display.device.picture.kind, 'clear', 'no code is shown by itself any more');
  assert.not.match(contents(folder.path), token, 'it is kept nowhere');
});

claim('the code is in no log, no answer and no file', async () => {
  using folder = temporaryFolder();
  const device = new SimulatedDisplay('echo');
  // answers with all that it was sent, which displays may do
  const feed = device.feed.bind(device);
  device.feed = (bytes) => Buffer.concat([feed(bytes), Buffer.from(bytes)]);
  const pty = new PtyDisplay(device);
  await pty.plug();
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  try {
    const settings = { ...LAN, LANEWARE_LOG_LEVEL: 'trace' };
    const parts = { log, firstDisplays: [pty.path()] };
    await using own = await startTestDevice(settings, folder.path, parts);
    const ask = phone(own.recognition);
    const code = await shownOn(device);
    await until('an answer of the display', () => lines.some((line) => line.includes('the display answered')));
    const kept = [contents(folder.path)];
    await ask('/console/api/claim', null, { json: { code: code.replace(/.$/, (last) => (last === '0' ? '1' : '0')) } });
    await ask('/console/api/claim', null, { json: { code: [code] } });
    const { token } = (await ask('/console/api/claim', null, { json: { code } })).body;
    const paths = ['/health', '/metrics', '/console/api/overview', '/display/state', '/console/api/audit'];
    // what came after the claim would have none in any case: these were asked before
    const answers = await Promise.all(paths.map(async (path) => (await ask(path, token)).text));
    kept.push(contents(folder.path), ...answers, ...lines);
    for (const part of [code, code.slice(1), code.slice(0, -1), code.replace('-', '')])
      assert.not.match(kept.join('\n'), part);
    const hex = (text: string) => Buffer.from(text).toString('hex');
    for (const part of [code.slice(0, 4), code.slice(-4)]) assert.not.match(lines.join('\n'), hex(part));
    assert.not.match(lines.join('\n'), token);
  } finally {
    await pty.close();
  }
});

claim('a code is shown on the screen of the machine, and to no caller', async () => {
  await using device = await startTestDevice({ ...LAN, LANEWARE_API_TOKENS_TILL: OWN }, undefined, {
    firstDisplays: [],
  });
  const ask = phone(device.recognition);
  const here = await until('a code', async () => {
    const { body } = await call(`${device.recognition}/display/state`);
    return body.claim && body;
  });
  assert.match(here.claim.code, /^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  assert.is(here.claim.address, `https://${ownAddress}:${new URL(device.recognition).port}/claim`);
  const passed = { headers: { 'x-forwarded-for': '192.0.2.7', authorization: `Bearer ${OWN}` } };
  for (const path of ['/display/state', '/console/api/overview', '/health'])
    for (const text of [(await ask(path, OWN)).text, (await call(device.recognition + path, passed)).text]) {
      assert.not.match(text, here.claim.code);
      assert.not.match(text, '/claim#');
    }
  assert.is((await ask('/display/state', OWN)).body.kind, 'clear');
  assert.not.match((await call(`${device.recognition}/console/api/overview`)).text, here.claim.code);
  await using events = await EventReader.open<DisplayEvent>(`${device.recognition}/display/events`);
  assert.is((await events.state()).claim?.code, here.claim.code);
});

claim('without TLS no token is made, and from no network that is not allowed', async () => {
  for (const settings of [{ LANEWARE_TLS_MODE: 'off' }, { LANEWARE_RECOGNITION_HOST: '127.0.0.1' }]) {
    await using device = await startTestDevice({ ...LAN, ...settings }, undefined, { firstDisplays: [] });
    assert.is((await call(`${device.recognition}/display/state`)).body.kind, 'clear');
    assert.match((await call(`${device.recognition}/health`)).text, '"part":"access","state":"degraded"');
    const refused = await call(`${device.recognition}/console/api/claim`, { json: { code: '0000-0000' } });
    assert.is(refused.body.code, 'Claim.NoCode');
  }
  const settings = { ...LAN, LANEWARE_API_ALLOW: '198.51.100.0/24' };
  await using device = await startTestDevice(settings, undefined, { firstDisplays: [] });
  assert.is((await phone(device.recognition)('/console/api/claim', null, { json: { code: '0000-0000' } })).status, 403);
  assert.is((await phone(device.recognition)('/claim')).status, 403);
  const plain = await call(`http://${ownAddress}:${new URL(device.recognition).port}/console/api/claim`, {
    json: { code: 'x' },
  });
  assert.is(plain.status, 426);
});

claim('a caller with wrong codes waits, and a person at the device does not wait with him', async () => {
  await using device = await fresh('/nonexistent/other');
  const { code } = await until('a code', async () => (await call(`${device.recognition}/display/state`)).body.claim);
  const ask = phone(device.recognition);
  const wrong = (n: number) => `000${n}-${code.endsWith('0000') ? '1111' : '0000'}`;
  for (let n = 0; n < 5; n += 1)
    assert.is((await ask('/console/api/claim', null, { json: { code: wrong(n) } })).body.code, 'Claim.WrongCode');
  const slowed = await ask('/console/api/claim', null, { json: { code } });
  assert.equal(
    { status: slowed.status, code: slowed.body.code, seconds: slowed.body.seconds },
    { status: 429, code: 'Claim.TooManyTries', seconds: 1 },
  );
  assert.is(slowed.headers['retry-after'], '1');
  assert.is((await call(`${device.recognition}/console/api/claim`, { json: { code } })).status, 200);
});

claim('tokens are made, replaced and taken back, each for its role', async () => {
  using folder = temporaryFolder();
  const settings = { ...LAN, LANEWARE_API_TOKEN: 'made-up-token-of-the-configuration' };
  await using device = await startTestDevice(settings, folder.path, { firstDisplays: [] });
  const ask = phone(device.recognition);
  const first = settings.LANEWARE_API_TOKEN;
  const put = async (role: string, token: string, json: object = {}) =>
    ask(`/console/api/tokens/${role}`, token, { method: 'PUT', json });
  const till = (await put('till', first)).body.token;
  assert.is((await ask('/health', till)).status, 200);
  assert.is((await put('till', till)).status, 403, 'a till makes none');
  assert.is((await put('technician', first, { token: till })).body.code, 'Claim.TokenInUse');
  assert.is((await put('technician', first, { token: first })).body.code, 'Claim.TokenInUse');
  assert.is((await put('technician', first, { token: 'too-short' })).body.field, 'token');
  assert.is((await put('technician', first, { token: 'with "quotes" in it…' })).body.field, 'token');
  assert.is((await put('cashier', first)).body.field, 'role');
  assert.is((await put('technician', first, { token: OWN })).body.token, OWN);
  const other = (await put('till', OWN)).body.token;
  assert.is((await ask('/health', till)).status, 401, 'the one before');
  assert.is((await ask('/health', other)).status, 200);
  const listed = await ask('/console/api/tokens', OWN);
  assert.equal(listed.body.tokens, [
    { role: 'till', made: true, configured: false },
    { role: 'technician', made: true, configured: true },
  ]);
  const gone = await ask('/console/api/tokens/technician', OWN, { method: 'DELETE' });
  assert.equal(gone.body.tokens[1], { role: 'technician', made: false, configured: true });
  assert.is((await ask('/health', OWN)).status, 401);
  assert.is((await ask('/health', first)).status, 200, 'those of the configuration go on working');
});

claim('a token that was taken back does not come back with the copy of a damaged file', async () => {
  using folder = temporaryFolder();
  const settings = { ...LAN, LANEWARE_API_TOKEN: 'made-up-token-of-the-configuration' };
  {
    await using device = await startTestDevice(settings, folder.path, { firstDisplays: [] });
    const ask = phone(device.recognition);
    await ask('/console/api/tokens/technician', settings.LANEWARE_API_TOKEN, { method: 'PUT', json: { token: OWN } });
    await ask('/console/api/tokens/technician', settings.LANEWARE_API_TOKEN, { method: 'DELETE' });
  }
  writeFileSync(join(folder.path, 'tokens.json'), '{');
  await using device = await startTestDevice(settings, folder.path, { firstDisplays: [] });
  assert.is((await phone(device.recognition)('/health', OWN)).status, 401);
});

claim('tokens of a key that is gone are reported as lost, and made anew', async () => {
  using folder = temporaryFolder();
  const settings = { ...LAN, LANEWARE_API_TOKEN: 'made-up-token-of-the-configuration' };
  const make = async (device: TestDevice) =>
    (
      await phone(device.recognition)('/console/api/tokens/till', settings.LANEWARE_API_TOKEN, {
        method: 'PUT',
        json: {},
      })
    ).body;
  let before = '';
  {
    await using device = await startTestDevice(settings, folder.path, { firstDisplays: [] });
    before = (await make(device)).token;
    assert.is((await phone(device.recognition)('/console/api/overview', before)).status, 200);
  }
  for (const name of ['secret.key', 'secret.key.copy']) rmSync(join(folder.path, name));
  await using device = await startTestDevice(settings, folder.path, { firstDisplays: [] });
  const ask = phone(device.recognition);
  assert.is((await ask('/console/api/tokens', settings.LANEWARE_API_TOKEN)).body.tokens[0].made, false);
  assert.match((await call(`${device.recognition}/health`)).text, /tokens created here are lost/);
  const { token } = await make(device);
  assert.is((await ask('/console/api/overview', token)).status, 200);
  assert.is((await ask('/console/api/overview', before)).status, 401);
});

claim('a token is not returned over plain HTTP, also where the network is spoken to so', async () => {
  const settings = { ...LAN, LANEWARE_API_TOKEN: 'made-up-token-of-the-configuration', LANEWARE_TLS_MODE: 'off' };
  await using device = await startTestDevice(settings);
  const url = `http://${ownAddress}:${new URL(device.recognition).port}/console/api/tokens/till`;
  const headers = { authorization: `Bearer ${settings.LANEWARE_API_TOKEN}`, 'content-type': 'application/json' };
  const refused = await call(url, { method: 'PUT', headers, body: '{}' });
  assert.is(refused.status, 426);
  assert.is((await call(`${device.recognition}/console/api/tokens`)).body.tokens[0].made, false);
  const key = { name: 'shop.key', content: Buffer.from('made-up').toString('base64') };
  const kept = await call(url.replace('tokens/till', 'settings/certificates'), {
    ...{ method: 'POST', headers, body: JSON.stringify(key) },
  });
  assert.is(kept.status, 426, 'nor is a key taken');
});

claim('the pairing code of a master is returned to a technician over TLS, and to no till', async () => {
  const settings = {
    ...LAN,
    LANEWARE_API_TOKENS_TILL: 'made-up-token-of-the-till',
    LANEWARE_API_TOKENS_TECHNICIAN: OWN,
  };
  await using device = await startTestDevice(settings);
  const ask = phone(device.recognition);
  const pair = { method: 'POST' };
  assert.is((await ask('/api/get_sync_pairing_code', 'made-up-token-of-the-till', pair)).status, 403);
  assert.is((await ask('/api/get_sync_pairing_code', OWN, pair)).body.code, -6301, 'it is no master');
  for (const other of [
    { ...settings, LANEWARE_TLS_MODE: 'off' },
    { ...LAN, LANEWARE_API_CLAIM: 'false', LANEWARE_TLS_MODE: 'off', LANEWARE_API_ALLOW: `${ownAddress}` },
  ]) {
    await using open = await startTestDevice(other);
    const url = `http://${ownAddress}:${new URL(open.recognition).port}/api/get_sync_pairing_code`;
    const refused = await call(url, { method: 'POST', headers: { authorization: `Bearer ${OWN}` } });
    assert.is(refused.status, 403, 'it could be read on the way');
  }
  await using open = await startTestDevice({
    ...LAN,
    LANEWARE_API_CLAIM: 'false',
    LANEWARE_API_ALLOW: `${ownAddress}`,
  });
  assert.is(
    (await phone(open.recognition)('/api/get_sync_pairing_code', null, pair)).status,
    403,
    'no caller with a role',
  );
});

claim.run();
