/** Which names the device answers to, and whose web pages may call it: no stranger's page by a name made to point here. */
import { hostname } from 'node:os';
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readAuthority } from '../../firmware/core/http/guard/authority.ts';
import { listen } from '../../firmware/core/http/listen.ts';
import { takePort } from '../ports.ts';
import { startTestDevice, type TestDevice } from '../support.ts';
import { ownAddress } from './network.ts';
import { get, raw } from './raw.ts';

const test = suite('http: names of the device');

const ROUTERS = ['terminal', 'recognition'] as const;

const statusFor = async (base: string, ...headers: string[]) => (await get(base, '/health', ...headers)).status;

/** The same port under another address of this machine. */
const at = (base: string, address: string): string => `http://${address}:${new URL(base).port}`;

let device: TestDevice;
/** One that the LAN reaches without a token. */
let lan: TestDevice;
test.before(async () => {
  device = await startTestDevice({ LANEWARE_API_HOSTS: 'Lane-7.shop.example, 203.0.113.7, fd00::7' });
  lan = await startTestDevice({
    LANEWARE_TERMINAL_HOST: '0.0.0.0',
    LANEWARE_RECOGNITION_HOST: '0.0.0.0',
    LANEWARE_API_ALLOW: '0.0.0.0/0',
    LANEWARE_TLS_MODE: 'off',
  });
});
test.after(async () => {
  await device[Symbol.asyncDispose]();
  await lan[Symbol.asyncDispose]();
});

test('a name of a stranger is refused on every interface, in the envelope, naming api.hosts', async () => {
  for (const router of ROUTERS) {
    for (const address of ['127.0.0.1', ownAddress]) {
      for (const host of ['evil.example', 'evil.example:1234', '127.0.0.1.evil.example', 'localhost.evil.example']) {
        const { status, body } = await get(at(lan[router], address), '/health', `Host: ${host}`);
        assert.is(status, 403, `${router} ${address} ${host}`);
        assert.match(body.error_message ?? body.msg, /api\.hosts/);
        assert.match(body.error_message ?? body.msg, host);
      }
    }
  }
});

test('a link-local address may carry the zone of its sender, and no other address may', () => {
  const port = 1234;
  for (const zone of ['%eth0', '%25eth0', '%wlan0.2', '%12'])
    assert.equal(readAuthority(`[fe80::1${zone}]:1234`), { host: 'fe80::1', port });
  assert.equal(readAuthority('[FE80::1]'), { host: 'fe80::1', port: null });
  for (const host of ['[::1%eth0]', '[2001:db8::1%eth0]', '[fe80::1%]', '[fe80::1%eth0', '[fe80::1%e]h0]'])
    assert.is(readAuthority(host), null, host);
});

test('an address that cannot be decoded is refused as any other would be, and then in words', async () => {
  for (const router of ROUTERS)
    for (const [path, headers, status, detail] of [
      ['/v1/items/%ff', ['Host: evil.example'], 403, /api\.hosts/],
      ['http://evil.example/v1/%ff', ['Host: localhost'], 403, /api\.hosts/],
      ['/v1/items/%ff', ['Host: localhost', 'Origin: https://stranger.example'], 403, /api\.cors/],
      ['/v1/items/%ff', ['Host: localhost'], 400, /percent-encoded UTF-8/],
      ['/v1/items/50%', ['Host: localhost'], 400, /%25/],
    ] as const) {
      const { status: answered, text, body } = await get(device[router], path, ...headers);
      assert.is(answered, status, text);
      if (path.startsWith('/')) assert.match(body.detail, detail);
      if (path.startsWith('/')) assert.match(text, /content-type: application\/problem\+json\r\n/i);
    }
});

test('what is refused before it is a request is a problem under /v1, also as a whole address', async () => {
  for (const router of ROUTERS) {
    const whole = `http://localhost:${new URL(device[router]).port}`;
    for (const [path, headers, status, detail] of [
      ['/v1/items?search=бан', [], 400, /percent-encoded UTF-8/],
      ['/V1//items', ['a b: c'], 400, /not a valid HTTP request/],
      ['/v1/items', ['Expect: wonders'], 400, /Expect/],
      [`${whole}/v1/nowhere`, [], 404, /nowhere/],
    ] as const) {
      const { status: answered, text, body } = await get(device[router], path, 'Host: localhost', ...headers);
      assert.is(answered, status, text);
      assert.match(text, /content-type: application\/problem\+json\r\n/i);
      assert.match(body.detail, detail);
    }
    const { body } = await get(device[router], '/health?x=бан', 'Host: localhost');
    assert.match(body.error_message ?? body.msg, /percent-encoded UTF-8/);
  }
});

test('loopback answers to each of its names, in any case, with a final dot, with or without port', async () => {
  for (const router of ROUTERS) {
    const { port } = new URL(device[router]);
    for (const host of [
      'localhost',
      'LocalHost',
      'LOCALHOST.',
      'localhost:',
      '127.0.0.1',
      '127.0.0.1.',
      '127.8.9.10',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::FFFF:7f00:1]',
    ]) {
      assert.is(await statusFor(device[router], `Host: ${host}`), 200, host);
      if (!host.endsWith(':')) assert.is(await statusFor(device[router], `Host: ${host}:${port}`), 200, host);
    }
  }
});

test('the network calls the device by its name, with and without .local; loopback by neither', async () => {
  for (const host of [hostname(), `${hostname()}.local`, `${hostname().toUpperCase()}.LOCAL.`]) {
    assert.is(await statusFor(at(lan.terminal, ownAddress), `Host: ${host}:1234`), 200, host);
    assert.is(await statusFor(lan.terminal, `Host: ${host}:1234`), 403, `${host} through loopback`);
    const origin = `Origin: http://${host}:${new URL(lan.recognition).port}`;
    assert.is(await statusFor(lan.terminal, 'Host: localhost', origin), 403, `a page of ${host} through loopback`);
  }
});

test('what cannot be a host is refused', async () => {
  for (const host of [
    'a b',
    'localhost/x',
    'user@localhost',
    'localhost:12:34',
    '[::1',
    'localhost:port',
    '[localhost]',
  ])
    assert.is(await statusFor(device.terminal, `Host: ${host}`), 403, host);
});

test('who names no host is no browser, and is served', async () => {
  for (const request of ['GET /health HTTP/1.0\r\n\r\n', 'GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'])
    assert.match(await raw(device.terminal, request), /^HTTP\/1\.1 200/);
});

test('names of the configuration are answered to; others are not', async () => {
  for (const host of ['lane-7.shop.example', 'LANE-7.SHOP.EXAMPLE.:443', '203.0.113.7:9000', '[fd00:0::7]'])
    assert.is(await statusFor(device.terminal, `Host: ${host}`), 200, host);
  for (const host of ['lane-8.shop.example', 'x.lane-7.shop.example', '203.0.113.8', '[fd00::8]'])
    assert.is(await statusFor(device.terminal, `Host: ${host}`), 403, host);
});

test('the address that was called is a name of the device; another one of the network is not', async () => {
  const base = at(lan.terminal, ownAddress);
  assert.is(await statusFor(base, `Host: ${ownAddress}:1234`), 200);
  assert.is(await statusFor(base, `Host: ${ownAddress}`), 200);
  assert.is(await statusFor(base, 'Host: 203.0.113.99'), 403);
  assert.is(await statusFor(lan.terminal, `Host: ${ownAddress}`), 403, 'through loopback it is not the one called');
});

test('a page of the device itself may call it, on either port; a page beside it may not', async () => {
  const terminalPort = new URL(device.terminal).port;
  const recognitionPort = new URL(device.recognition).port;
  const sandboxPort = new URL(device.sandbox).port;
  for (const [expected, host, origin] of [
    [200, 'localhost', `http://localhost:${recognitionPort}`],
    [200, 'localhost', `http://127.0.0.1:${terminalPort}`],
    [200, 'localhost', `https://LOCALHOST:${terminalPort}`],
    [200, `127.0.0.1:${terminalPort}`, `http://[::1]:${recognitionPort}`],
    // a proxy of the shop in front, or another port forwarded to this one
    [200, 'lane-7.shop.example', 'https://lane-7.shop.example'],
    [200, 'lane-7.shop.example:9443', 'https://lane-7.shop.example:9443'],
    [403, 'localhost', `http://localhost:${sandboxPort}`],
    [403, `localhost:${terminalPort}`, 'http://localhost'],
    [403, `localhost:${terminalPort}`, 'http://localhost:3000'],
    [403, 'localhost', `http://evil.example:${terminalPort}`],
    [403, 'localhost', `http://localhost.evil.example:${terminalPort}`],
    [403, 'localhost', `http://evil.example@localhost:${terminalPort}`],
    [403, 'localhost', `ftp://localhost:${terminalPort}`],
    [403, 'localhost', `http://localhost:${terminalPort}/`],
    [403, 'localhost', 'null'],
    [403, 'localhost', ''],
    [403, 'localhost', 'file://'],
  ] as const)
    assert.is(await statusFor(device.terminal, `Host: ${host}`, `Origin: ${origin}`), expected, `${host} ${origin}`);
});

const NAVIGATED = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document', 'Upgrade-Insecure-Requests: 1'];

test('a page of another site is refused, with or without an Origin; a link may be opened', async () => {
  const own = `http://localhost:${new URL(device.recognition).port}`;
  for (const [expected, ...headers] of [
    [200],
    [200, 'Sec-Fetch-Site: none', ...NAVIGATED],
    [200, 'Sec-Fetch-Site: same-origin'],
    [200, 'Sec-Fetch-Site: same-site', `Origin: ${own}`],
    [200, 'Sec-Fetch-Site: cross-site', ...NAVIGATED],
    [200, 'Sec-Fetch-Site: cross-site', 'Referer: http://evil.example/', ...NAVIGATED],
    [200, 'Referer: http://evil.example/', 'Upgrade-Insecure-Requests: 1'],
    [200, `Referer: ${own}/reference`],
    [200, 'Referer: '],
    [403, 'Sec-Fetch-Site: cross-site'],
    [403, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image'],
    [403, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'],
    [403, 'Referer: http://evil.example/'],
    [403, `Referer: http://evil.example/?${own}/`],
    [403, 'Referer: http://localhost:3000/'],
    [403, 'Referer: about:blank'],
    [403, 'Referer: evil'],
    [403, 'Origin: http://evil.example', `Referer: ${own}/`],
    [403, 'Origin: http://evil.example', ...NAVIGATED],
  ] as const)
    assert.is(await statusFor(device.terminal, 'Host: localhost', ...headers), expected, headers.join(', '));
});

test('a form of another site changes nothing, with any headers of its browser, or none', async () => {
  const settings = JSON.stringify({ settings: { bankProfile: '', bankProfiles: {} } });
  const post = async (path: string, ...headers: string[]): Promise<number> => {
    const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
    const length = `Content-Length: ${Buffer.byteLength(settings)}`;
    const base = path.startsWith('/console/') ? device.recognition : device.terminal;
    return Number((await raw(base, `${[...head, length].join('\r\n')}\r\n\r\n${settings}`)).slice(9, 12));
  };
  const json = 'Content-Type: application/json';
  for (const marks of [
    ['Sec-Fetch-Site: cross-site', ...NAVIGATED],
    ['Referer: http://evil.example/', ...NAVIGATED],
    ['Referer: http://evil.example/'],
    ['Origin: null'],
  ])
    for (const path of ['/updateDriverSettings', '/clearScreen', '/showQR'])
      assert.is(await post(path, json, ...marks), 403, `${path} ${marks}`);
  for (const path of ['/updateDriverSettings', '/console/api/settings/bank-test', '/console/api/settings/certificates'])
    for (const type of ['text/plain', 'Text/Plain; charset=utf-8'])
      assert.is(await post(path, `Content-Type: ${type}`), 415, `${path} ${type}`);
  assert.is(await post('/updateDriverSettings', 'Content-Type: text/plain', 'Authorization: Bearer x'), 400);
  assert.is(await post('/updateDriverSettings', 'Content-Type: text/plain', 'Authorization: Basic eDp5'), 415);
  assert.is(await post('/updateDriverSettings'), 400);
});

test('two Host headers are refused, and a whole address as target names the host that counts', async () => {
  const { port } = new URL(device.terminal);
  for (const [status, target, ...hosts] of [
    [400, '/health', 'localhost', 'evil.example'],
    [400, '/health', 'localhost', 'localhost'],
    [200, `http://localhost:${port}/health`, 'localhost'],
    [200, `http://localhost:${port}/health`, 'evil.example'],
    [403, 'http://evil.example/health', 'localhost'],
    [403, 'HTTP://evil.example/health', 'localhost'],
    [200, '/health?http://evil.example/', 'localhost'],
  ] as const) {
    const headers = hosts.map((host) => `Host: ${host}`);
    assert.is((await get(device.terminal, target, ...headers)).status, status, `${target} ${hosts}`);
  }
});

test("a page of the caller's own machine is none of the device, from any port", async () => {
  const [terminal, recognition] = [at(lan.terminal, ownAddress), at(lan.recognition, ownAddress)];
  const { port } = new URL(recognition);
  const calls = (host: string, origin: string) => statusFor(terminal, `Host: ${host}`, `Origin: ${origin}`);
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    assert.is(await calls(new URL(terminal).host, `http://${host}:${port}`), 403, host);
  assert.is(await calls(new URL(terminal).host, new URL(recognition).origin), 200);
  assert.is(await calls('localhost:9000', 'http://localhost:9000'), 200, 'a tunnel, whose page calls itself');
});

/** A server that is opened as those of a device. */
async function listening(host: string, port = 0) {
  const app = fastify();
  app.get('/', async () => 'here');
  const url = await listen(app, { host, port });
  const answersAt = async (address: string): Promise<boolean> =>
    /here$/.test(await raw(at(url, address), 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'));
  return { url, answersAt, [Symbol.asyncDispose]: () => app.close() };
}

test('a port listens on 127.0.0.1 and ::1 whatever its host: localhost may mean either', async () => {
  for (const [host, url] of [
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '127.0.0.1'],
    ['::1', '[::1]'],
    [ownAddress, '127.0.0.1'],
  ] as const) {
    await using server = await listening(host);
    assert.is(new URL(server.url).hostname, url, host);
    for (const address of ['127.0.0.1', '[::1]']) assert.ok(await server.answersAt(address), `${host} ${address}`);
  }
});

test('where another program has ::1, a port is open without it', async () => {
  await using taken = await takePort('::1');
  await using server = await listening('127.0.0.1', taken.port);
  assert.ok(await server.answersAt('127.0.0.1'));
});

test.run();
