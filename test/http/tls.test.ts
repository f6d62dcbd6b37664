/** TLS for callers from the network, on the same ports that speak plain HTTP with this machine. */
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect as dial } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigError } from '../../firmware/core/config/load.ts';
import type { Clock } from '../../firmware/core/host/clock.ts';
import { createLog } from '../../firmware/core/host/log.ts';
import { certificateNames } from '../../firmware/core/http/guard/origin-checks.ts';
import { ConnectionAdmission } from '../../firmware/core/http/port/connection-admission.ts';
import { makeCertificate } from '../../firmware/core/tls/certificate.ts';
import { TlsIdentity } from '../../firmware/core/tls/identity.ts';
import { openOwnPair } from '../../firmware/core/tls/pair.ts';
import { loadConfig, type WholeConfig } from '../../firmware/device/composition/config.ts';
import type { Tuning } from '../../firmware/device/composition/tuning.ts';
import { listening } from '../ports.ts';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder, thrown, until } from '../support.ts';
import { ownAddress } from './network.ts';
import { get, raw } from './raw.ts';
import { openSecure, secureCall } from './secure.ts';

const TILL = 'made-up-token-of-the-till';
const TECHNICIAN = 'made-up-token-of-the-technician';
const LAN = {
  LANEWARE_TERMINAL_HOST: '0.0.0.0',
  LANEWARE_RECOGNITION_HOST: '0.0.0.0',
  LANEWARE_API_TOKENS_TILL: TILL,
  LANEWARE_API_TOKENS_TECHNICIAN: TECHNICIAN,
};
const onTheLan = (settings: Record<string, string> = {}, folder?: string, tuning: Tuning = {}): Promise<TestDevice> =>
  startTestDevice({ ...LAN, ...settings }, folder, { tuning });
/** Names that a certificate is for, too. */
const NAMES = { LANEWARE_API_HOSTS: 'lane-7.shop.example, 203.0.113.7, fd00:0::7' };
/** Few enough that a crowd fills them. */
const FEW = Object.freeze({
  connections: { total: 8, perAddress: 8 },
  eventStreams: { total: 1, perAddress: 1 },
});

/** The same port as the network finds it. */
const https = (base: string, host = ownAddress): string => `https://${host}:${new URL(base).port}`;
const plain = (base: string): string => `http://${ownAddress}:${new URL(base).port}`;
const as = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const json = (token: string) => ({ ...as(token), 'content-type': 'application/json' });

/** The certificate that a port shows. */
async function shown(base: string): Promise<X509Certificate> {
  const socket = connect({ host: ownAddress, port: Number(new URL(base).port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  if (certificate === undefined) throw new Error('no certificate was shown');
  return certificate;
}

const healthOf = async ({ terminal }: TestDevice) =>
  (await call(`${terminal}/health`)).body.health.parts.find(({ part }: { part: string }) => part === 'tls');

const tls = suite('tls: callers from the network');
const own = suite('tls: this machine, and the configuration');

let device: TestDevice;
tls.before(async () => {
  device = await onTheLan({ ...NAMES, LANEWARE_CAMERA_DRIVER: 'push' }, undefined, { network: FEW });
  await setUp(device);
});
tls.after(async () => device[Symbol.asyncDispose]());

tls('a till of the network pays over TLS, and the name of the device’s certificate is checked', async () => {
  const ca = (await shown(device.terminal)).toString();
  const ask = (path: string, init: object = {}) =>
    secureCall(https(device.terminal) + path, { ca, headers: json(TILL), ...init });
  assert.is((await ask('/showQR', { method: 'POST', body: '{"amount":12345}' })).status, 200);
  assert.is(JSON.parse((await ask('/getDynamicQRStatus')).text).dynamicQRStatus, 'PENDING');
  assert.is((await secureCall(`${https(device.recognition)}/health`, { ca, headers: as(TILL) })).status, 200);
});

tls('tokens, roles and names count as ever', async () => {
  const base = https(device.terminal);
  const status = async (headers: Record<string, string>, method = 'GET', path = '/version') =>
    (await secureCall(base + path, { headers, method })).status;
  assert.is(await status({}), 401);
  assert.is(await status(as(TILL)), 200);
  assert.is(await status(json(TILL), 'POST', '/updateDriverSettings'), 403);
  assert.is(await status({ ...as(TILL), host: 'evil.example' }), 403);
  assert.is(await status({ ...as(TILL), origin: base }), 200, 'a page of the device');
  assert.is(await status({ ...as(TILL), origin: 'https://evil.example' }), 403);
});

tls('plain HTTP from the network is asked to come over TLS, and never served', async () => {
  for (const base of [device.terminal, device.recognition]) {
    const { port } = new URL(base);
    const { status, text, body } = await get(
      plain(base),
      '/health',
      `Host: ${ownAddress}:${port}`,
      `Authorization: Bearer ${TILL}`,
    );
    assert.is(status, 426);
    assert.match(text, /^upgrade: TLS\/1\.2/im);
    assert.match(body.error_message ?? body.msg, `https://${ownAddress}:${port}`);
    assert.match(body.error_message ?? body.msg, /tls\.mode/);
    assert.is((await get(plain(base), '/health', 'Host: evil.example')).status, 403, 'a strange name is refused first');
  }
  const payments = async () => (await call(`${device.terminal}/v1/payments`)).body.payments.length;
  const before = await payments();
  const body = '{"amount":100}';
  const answer = await raw(
    plain(device.terminal),
    `POST /showQR HTTP/1.1\r\nHost: ${ownAddress}\r\nContent-Length: ${body.length}\r\nAuthorization: Bearer ${TILL}\r\n\r\n${body}`,
  );
  assert.match(answer, /^HTTP\/1\.1 426/);
  assert.is(await payments(), before);
});

tls('a browser that opens a page over plain HTTP is sent to the same one over TLS', async () => {
  const { port } = new URL(device.recognition);
  const text = await raw(
    plain(device.recognition),
    `GET /display?x=1 HTTP/1.1\r\nHost: ${ownAddress}:${port}\r\nAccept: text/html,*/*\r\n\r\n`,
  );
  assert.match(text, /^HTTP\/1\.1 307/);
  const place = new RegExp(`^location: https://${ownAddress.replaceAll('.', '\\.')}:${port}/display\\?x=1\r$`, 'im');
  assert.match(text, place);
  const strange = await get(plain(device.recognition), '/', 'Host: evil.example', 'Accept: text/html');
  assert.is(strange.status, 403, 'a name that is not ours redirects no caller');
  for (const head of ['GET / HTTP/1.0', `GET http://${ownAddress}/ HTTP/1.1\r\nHost: ${ownAddress}`])
    assert.match(
      await raw(plain(device.recognition), `${head}\r\nAccept: text/html\r\n\r\n`),
      /^HTTP\/1\.1 426/,
      'nor without a Host, or to one in the path',
    );
});

tls('a page that came in plain HTTP may not call over TLS', async () => {
  const url = https(device.terminal);
  const ask = (page: string, name = 'origin') =>
    secureCall(`${url}/version`, { headers: { ...as(TILL), [name]: page } });
  assert.is((await ask(url)).status, 200);
  assert.is((await ask(plain(device.terminal))).status, 403);
  assert.is((await ask(`${plain(device.terminal)}/`, 'referer')).status, 403);
  assert.is((await ask(https(device.recognition))).status, 200);
});

tls('a large body comes over TLS, and one that is too large is refused as such', async () => {
  const headers = { ...as(TECHNICIAN), 'content-type': 'multipart/form-data; boundary=b' };
  const part = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n');
  const body = Buffer.concat([part, Buffer.alloc(3 * 1024 * 1024, 1), Buffer.from('\r\n--b--\r\n')]);
  const url = `${https(device.recognition)}/api/import_template`;
  assert.is(JSON.parse((await secureCall(url, { method: 'POST', headers, body })).text).code, 0);
  await until('the import has ended', async () => {
    const { body: state } = await call(`${device.recognition}/api/import_template_status`);
    return state.status === 7; // it is no package
  });
  const picture = { method: 'PUT', headers: { ...as(TILL), 'content-type': 'image/jpeg' } };
  const frame = `${https(device.recognition)}/camera/frame`;
  assert.is((await secureCall(frame, { ...picture, body: Buffer.alloc(1024 * 1024) })).status, 415);
});

tls('connections that never greet, or never end their handshake, make room for the till', async () => {
  const port = Number(new URL(device.terminal).port);
  for (const bytes of ['', Buffer.from('16030100', 'hex'), `GET /health HTTP/1.1\r\nX-Slow: `]) {
    const crowd = Array.from({ length: 40 }, () => dial(port, ownAddress).on('error', () => undefined));
    let closed = 0;
    for (const socket of crowd) {
      socket.on('close', () => closed++);
      socket.on('connect', () => socket.write(bytes));
    }
    await until('the crowd is as small as its places', () => closed >= 32);
    assert.is((await secureCall(`${https(device.terminal)}/version`, { headers: as(TILL) })).status, 200);
    for (const socket of crowd) socket.destroy();
  }
});

tls('a connection that is closed over TLS frees its place', async () => {
  for (let n = 0; n < 20; n += 1)
    assert.is((await secureCall(`${https(device.terminal)}/version`, { headers: as(TILL) })).status, 200);
  const events = openSecure(`${https(device.recognition)}/display/events`, { headers: as(TILL) });
  events.end();
  await once(events, 'response');
  const second = () => secureCall(`${https(device.recognition)}/console/api/overview/events`, { headers: as(TILL) });
  const { status, headers } = await second();
  assert.is(status, 503);
  assert.ok(Number(headers['retry-after']) > 0);
  events.destroy();
  await until('the place is free', async () => {
    const again = openSecure(`${https(device.recognition)}/display/events`, { headers: as(TILL) });
    again.end();
    const [response] = await once(again, 'response');
    again.destroy();
    return response.statusCode === 200;
  });
});

const identityIn = (folder: string, files: Partial<WholeConfig['tls']> = {}, clock: Partial<Clock> = {}) =>
  TlsIdentity.open(
    { ...loadConfig(null, {}).config.tls, ...files },
    join(folder, 'tls.pem'),
    { needed: ['localhost'], more: [] },
    { wall: Date.now, monotonic: () => performance.now(), bootId: 'test', ...clock },
    createLog('silent', []),
  );

/** Where nothing else is said, clients have for ever to greet: what is waited for is then not a time limit. */
async function serverOf(folder: string, greetingMs = 3_600_000) {
  const identity = await identityIn(folder);
  const server = createServer((_request, response) => response.end());
  const limits = { total: 8, perAddress: 8 };
  const admission = new ConnectionAdmission(server, { limits, tls: identity, onFull: () => undefined, greetingMs });
  const { url } = await listening(server, ownAddress);
  return { server, admission, url };
}

tls('who sends nothing, or no more of its handshake, is closed when its time is over', async () => {
  using folder = temporaryFolder();
  const { server, url } = await serverOf(folder.path, 100);
  for (const bytes of ['', '16', '16030100']) {
    const socket = dial(Number(new URL(url).port), ownAddress).resume();
    socket.on('error', () => undefined); // a reset is an end, too
    socket.write(Buffer.from(bytes, 'hex'));
    await once(socket, 'close');
  }
  server.close();
});

tls('a client that leaves in the middle of its handshake is not waited for', async () => {
  using folder = temporaryFolder();
  const { server, url } = await serverOf(folder.path);
  await shown(url); // leaves as soon as it has seen the certificate
  server.close();
  await once(server, 'close');
});

tls('nor is one that has not greeted, or not ended its handshake, when the server closes', async () => {
  using folder = temporaryFolder();
  const { server, admission, url } = await serverOf(folder.path);
  const silent = dial(Number(new URL(url).port), ownAddress);
  const half = dial(Number(new URL(url).port), ownAddress);
  half.write(Buffer.from('16030100', 'hex'));
  await shown(url); // both have arrived by now
  admission.close();
  server.close();
  await Promise.all([once(server, 'close'), ...[silent, half].map((socket) => once(socket.resume(), 'close'))]);
});

tls('garbage, broken handshakes and half greetings leave the device at work', async () => {
  const port = Number(new URL(device.terminal).port);
  for (const bytes of ['\u0016\u0003\u0001garbage garbage garbage', '\u0000', 'HELLO\r\n\r\n', '\u0080\u0001\u0002']) {
    const socket = dial(port, ownAddress).on('error', () => undefined);
    socket.resume();
    await once(socket, 'connect');
    socket.end(Buffer.from(bytes, 'latin1'));
    await once(socket, 'close');
  }
  assert.is((await secureCall(`${https(device.terminal)}/version`, { headers: as(TILL) })).status, 200);
});

tls('one certificate for both ports, all names and addresses of the device, and any clock', async () => {
  const certificate = await shown(device.terminal);
  assert.is((await shown(device.recognition)).fingerprint256, certificate.fingerprint256);
  for (const name of ['localhost', hostname(), `${hostname()}.local`, 'lane-7.shop.example'])
    assert.ok(certificate.checkHost(name), name);
  for (const address of ['127.0.0.1', '::1', '203.0.113.7', 'fd00::7', ownAddress])
    assert.ok(certificate.checkIP(address), address);
  assert.is.not(certificate.checkHost('other.shop.example'), 'other.shop.example');
  assert.is(new Date(certificate.validFrom).getUTCFullYear(), 1970);
  assert.is(new Date(certificate.validTo).getUTCFullYear(), 9999);
  assert.ok(certificate.verify(certificate.publicKey), 'signed by itself');
});

tls('key and certificate survive a restart; another name makes a certificate of the same key', async () => {
  using folder = temporaryFolder();
  const keyOf = (certificate: X509Certificate) => certificate.publicKey.export({ type: 'spki', format: 'pem' });
  const start = async (settings: Record<string, string> = {}) => {
    await using device = await onTheLan(settings, folder.path);
    return await shown(device.terminal);
  };
  const first = await start();
  assert.is(statSync(join(folder.path, 'tls.pem')).mode & 0o777, 0o600);
  assert.is((await start()).fingerprint256, first.fingerprint256);
  const named = await start({ LANEWARE_API_HOSTS: 'lane-7.shop.example' });
  assert.is.not(named.fingerprint256, first.fingerprint256);
  assert.is(keyOf(named), keyOf(first));
  assert.is((await start()).fingerprint256, named.fingerprint256, 'one that is for more names stays');
});

tls('a damaged key is set aside and made anew, and the device starts', async () => {
  using folder = temporaryFolder();
  for (const damage of ['', 'nonsense', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n']) {
    writeFileSync(join(folder.path, 'tls.pem'), damage);
    await using device = await onTheLan({}, folder.path);
    assert.is((await secureCall(`${https(device.terminal)}/version`, { headers: as(TILL) })).status, 200);
    assert.match((await healthOf(device)).reason, /set aside as .*tls\.pem\.damaged-.*fingerprint/);
  }
});

tls('the fingerprint stands in /health, on the first page and beside the certificate itself', async () => {
  const { fingerprint256 } = await shown(device.terminal);
  const { state, reason } = await healthOf(device);
  assert.is(state, 'ok');
  assert.match(reason, fingerprint256);
  assert.is(device.device.certificate?.fingerprint, fingerprint256);
  const page = (await call(`${device.recognition}/console/api/overview`)).body;
  assert.is(page.certificate.fingerprint, fingerprint256);
  assert.is(page.certificate.own, true);
  const { text, headers } = await call(`${device.recognition}/certificate.pem`);
  assert.match(headers.get('content-type') ?? '', 'application/x-pem-file');
  assert.is(new X509Certificate(text).fingerprint256, fingerprint256);
  assert.not.match(text, /PRIVATE/);
});

/** A certificate of the shop in a folder, as its authority would give one. */
function shopFiles(folder: string, name = 'lane-7.shop.example') {
  const made = makeCertificate([name]);
  const files = { certFile: join(folder, 'shop.pem'), keyFile: join(folder, 'shop.key') };
  writeFileSync(files.certFile, made.certificate);
  writeFileSync(files.keyFile, made.key);
  const { fingerprint256 } = new X509Certificate(made.certificate);
  return {
    settings: { LANEWARE_TLS_CERTFILE: files.certFile, LANEWARE_TLS_KEYFILE: files.keyFile },
    fingerprint256,
    ...files,
  };
}

tls("the shop's certificate is shown in place of ours, and read anew when it was renewed", async () => {
  using folder = temporaryFolder();
  const shop = shopFiles(folder.path);
  await using device = await onTheLan(shop.settings, undefined, { certificateCheckMs: 50 });
  assert.is((await shown(device.terminal)).fingerprint256, shop.fingerprint256);
  assert.is((await call(`${device.recognition}/console/api/overview`)).body.certificate.own, false);
  const renewed = makeCertificate(['lane-7.shop.example']);
  for (const [certificate, problem] of [
    ['half of', /tls\.certFile .*the one before is still shown/],
    [renewed.certificate, /tls\.keyFile is not the key of/],
  ] as const) {
    writeFileSync(shop.certFile, certificate);
    await until('what does not fit yet is reported', async () => problem.test((await healthOf(device)).reason));
    const { fingerprint256 } = await shown(device.terminal);
    assert.is(fingerprint256, shop.fingerprint256, 'until both are there the old one stays');
  }
  const isShown = async (certificate: string): Promise<void> => {
    const { fingerprint256 } = new X509Certificate(certificate);
    for (const base of [device.terminal, device.recognition])
      await until('the new one is shown', async () => (await shown(base)).fingerprint256 === fingerprint256);
  };
  writeFileSync(shop.keyFile, renewed.key);
  await isShown(renewed.certificate);
  assert.is((await healthOf(device)).state, 'ok');
  const { certificate } = makeCertificate(['lane-7.shop.example'], renewed.key);
  writeFileSync(shop.certFile, certificate);
  await isShown(certificate);
});

tls("a shop's certificate that cannot be used is reported, and the device shows its own", async () => {
  using folder = temporaryFolder();
  const shop = shopFiles(folder.path);
  for (const [certFile, keyFile, reason] of [
    [join(folder.path, 'absent.pem'), shop.keyFile, /tls\.certFile cannot be read/],
    [shop.certFile, '/dev/zero', /tls\.keyFile is no plain file/],
    [shop.keyFile, shop.keyFile, /tls\.certFile holds no certificate/],
    [shop.certFile, shop.certFile, /tls\.keyFile holds no key/],
    [shop.certFile, shopFiles(temporary(folder.path)).keyFile, /tls\.keyFile is not the key of/],
  ] as const) {
    await using device = await onTheLan({ LANEWARE_TLS_CERTFILE: certFile, LANEWARE_TLS_KEYFILE: keyFile });
    const { state, reason: said } = await healthOf(device);
    assert.is(state, 'degraded');
    assert.match(said, reason);
    assert.is((await secureCall(`${https(device.terminal)}/version`, { headers: as(TILL) })).status, 200);
  }
});

/** The same certificate, which ends otherwise. Its signature no longer fits, which the server does not check. */
function endingAt(pem: string, day: string): string {
  const bytes = Buffer.from(new X509Certificate(pem).raw);
  bytes.write(day.replaceAll('-', ''), bytes.indexOf('99991231235959Z'));
  return new X509Certificate(bytes).toString();
}

own("a shop's certificate that ends soon, or has ended, is reported", async () => {
  using folder = temporaryFolder();
  const { certFile, keyFile } = shopFiles(folder.path);
  const dayMs = 86_400_000;
  const identity = await identityIn(folder.path, { certFile, keyFile });
  assert.is(identity.problem, null);
  writeFileSync(certFile, endingAt(readFileSync(certFile, 'utf8'), '2036-11-21'));
  for (const [days, problem] of [
    [30, null],
    [5, /tls\.certFile ends on 2036-11-21: put the renewed one/],
    [-5, /tls\.certFile ended on 2036-11-21/],
  ] as const) {
    const wall = Date.parse('2036-11-21T23:59:59Z') - days * dayMs;
    const at = await identityIn(folder.path, { certFile, keyFile }, { wall: () => wall });
    if (problem === null) assert.is(at.problem, null);
    else assert.match(at.problem ?? '', problem);
    at.close();
  }
  identity.close();
});

own('a key that cannot be stored is used and reported', async () => {
  const identity = await identityIn('/proc/no-such-folder');
  assert.match(identity.problem ?? '', /could not be stored/);
  assert.match(identity.pair.fingerprint, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
});

own('a name that no certificate can be for makes no new one at each start', () => {
  using folder = temporaryFolder();
  const names = { needed: ['localhost', 'bücher.example'], more: [] };
  const file = join(folder.path, 'tls.pem');
  const first = openOwnPair(file, names, 0).pair.fingerprint;
  assert.is(openOwnPair(file, names, 0).pair.fingerprint, first);
});

function temporary(folder: string): string {
  const path = join(folder, createHash('sha256').update(String(performance.now())).digest('hex').slice(0, 8));
  mkdirSync(path);
  return path;
}

tls('where the shop has turned it off, plain HTTP is served, and /health says so', async () => {
  await using device = await onTheLan({ LANEWARE_TLS_MODE: 'off' });
  assert.is((await call(`${plain(device.terminal)}/version`, { headers: as(TILL) })).status, 200);
  const { state, reason } = await healthOf(device);
  assert.is(state, 'ok');
  assert.match(reason, /tls\.mode is off/);
  assert.is(device.device.certificate, null);
  assert.is((await call(`${device.recognition}/console/api/overview`)).body.certificate, null);
});

own('a device that listens on loopback alone makes no key', async () => {
  await using device = await startTestDevice();
  assert.is(await healthOf(device), undefined);
  assert.is(device.device.certificate, null);
  assert.throws(() => readFileSync(join(device.dataDir, 'tls.pem')), /ENOENT/);
});

own('a certificate without its key is reported at the start', () => {
  for (const key of ['LANEWARE_TLS_CERTFILE', 'LANEWARE_TLS_KEYFILE'])
    assert.match(
      thrown(ConfigError, () => loadConfig(null, { [key]: '/etc/laneware/some.pem' })).message,
      /tls\.(cert|key)File: is needed beside/,
    );
});

own('a byte that has changed in the file of the key shows, wherever it is', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'tls.pem');
  const names = { needed: ['lane'], more: [] };
  const first = openOwnPair(file, names, 0).pair;
  const whole = readFileSync(file);
  for (let at = 0; at < whole.length; at += 5) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 0x02;
    writeFileSync(file, bytes);
    const { pair, setAside } = openOwnPair(file, names, 0);
    const isSame = pair.fingerprint === first.fingerprint && pair.key === first.key;
    assert.ok(isSame || setAside !== null, `byte ${at}`);
  }
});

tls('an address newer than the device’s certificate is reported, with what to do', async () => {
  using folder = temporaryFolder();
  openOwnPair(join(folder.path, 'tls.pem'), { needed: certificateNames([]).needed, more: [] }, 0);
  {
    await using device = await onTheLan({}, folder.path);
    const { state, reason } = await healthOf(device);
    assert.is(state, 'ok');
    assert.match(
      reason,
      new RegExp(`not for [^;]*${ownAddress.replaceAll('.', '\\.')}[^;]*call .* name, or add .* api\\.hosts`),
    );
  }
  await using device = await onTheLan({ LANEWARE_API_HOSTS: ownAddress }, folder.path);
  const { reason } = await healthOf(device);
  assert.not.match(reason, /not for/);
});

tls('TLS 1.2 is spoken by suites of today alone', async () => {
  await using device = await onTheLan();
  const port = Number(new URL(device.terminal).port);
  const spoken = async (ciphers: string): Promise<string> => {
    const limits = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', rejectUnauthorized: false } as const;
    const socket = connect({ host: ownAddress, port, ciphers, ...limits });
    try {
      await once(socket, 'secureConnect');
      return socket.getCipher().name;
    } catch {
      return 'refused';
    } finally {
      socket.destroy();
    }
  };
  assert.match(await spoken('DEFAULT'), /^ECDHE-ECDSA-(AES\d+-GCM|CHACHA20)/);
  for (const suites of ['ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-SHA384', 'ECDHE-ECDSA-AES128-SHA'])
    assert.is(await spoken(`${suites}:@SECLEVEL=0`), 'refused', suites);
});

tls.run();
own.run();
