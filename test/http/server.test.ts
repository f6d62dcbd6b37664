/** What both routers share: envelopes of every failure, who may call, limits. Driven over real sockets. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../../firmware/core/host/log.ts';
import { readmesOfFeatures } from '../docs/pages.ts';
import { ROOT } from '../root.ts';
import { call, each, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { bodyOf, raw } from './raw.ts';
import { onEachRouter } from './servers.ts';

const test = suite('http: both routers');

/** Checks that a failure wears the envelope of its router. */
function worded(router: 'terminal' | 'recognition', body: Record<string, unknown>, what: string): void {
  if (router === 'terminal') {
    assert.is(body.status, 'error', what);
    assert.type(body.error_category, 'string', what);
    assert.type(body.error_code, 'number', what);
    assert.type(body.error_message, 'string', what);
  } else {
    assert.type(body.code, 'number', what);
    assert.not.equal(body.code, 0, what);
    assert.type(body.msg, 'string', what);
    assert.is(body.data, null, what);
  }
}

const ROUTERS = ['terminal', 'recognition'] as const;
const KNOWN = {
  terminal: { get: '/version', post: '/showQR' },
  recognition: { get: '/health', post: '/api/delete_item' },
} as const;

let device: TestDevice;
test.before(async () => {
  device = await startTestDevice();
});
test.after(async () => device[Symbol.asyncDispose]());

const withDevice = (run: (device: TestDevice) => Promise<void>) => () => run(device);
const it = each(test, withDevice);

it('health, metrics and OpenAPI are on each port, before anything is set up', async (device) => {
  for (const router of ROUTERS) {
    assert.is((await call(`${device[router]}/health`)).status, 200);
    const metrics = await call(`${device[router]}/metrics`);
    assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain/);
    assert.match(metrics.text, /laneware_http_request_seconds_count\{router="/);
    assert.match(metrics.text, /^laneware_info\{version="[\d.]+",serial="[^"]+"\} 1$/m);
    assert.match(metrics.text, /^laneware_part_state\{part="ledger"\} 0$/m);
    assert.match(metrics.text, /^laneware_part_state\{part="settings"\} 1$/m);
    for (const figure of ['templates', 'items', 'clock_behind_seconds', 'disk_free_bytes', 'disk_size_bytes'])
      assert.match(metrics.text, new RegExp(`^laneware_${figure} \\d`, 'm'), figure);
    const { body } = await call(`${device[router]}/openapi.json`);
    assert.match(body.openapi, /^3\.1\./);
    assert.ok(Object.keys(body.paths).includes(KNOWN[router].get));
  }
});

it('docs/operator.md or a feature’s README names each metric, and none that does not exist', async (device) => {
  const page = readFileSync(join(ROOT, 'docs/operator.md'), 'utf8');
  const table = page.slice(page.indexOf('`/metrics` is for Prometheus')) + readmesOfFeatures();
  const named = [...table.matchAll(/`(laneware_[a-z_0-9]+)(…?)`/g)].map(([, name = '', more]) => ({ name, more }));
  const { text } = await call(`${device.recognition}/metrics`);
  const figures = [...text.matchAll(/^# TYPE (laneware_\w+)/gm)].map(([, figure = '']) => figure);
  const isOf = (figure: string) => (each: (typeof named)[number]) =>
    each.more === '' ? each.name === figure : figure.startsWith(each.name);
  const nameless = figures.filter((figure) => !named.some(isOf(figure)));
  assert.equal(nameless, [], 'figures without a name');
  const idle = named.filter((each) => !figures.some((figure) => isOf(figure)(each))).map(({ name }) => name);
  assert.equal(idle, ['laneware_payments_untold_seconds'], 'names without a figure: a device of no chain has none');
});

it('every failure wears the envelope of its router', async (device) => {
  for (const router of ROUTERS) {
    const base = device[router];
    const json = { 'content-type': 'application/json' };
    const { get, post } = KNOWN[router];
    const cases: [number, string, RequestInit][] = [
      [404, '/nowhere', {}],
      [404, '/../etc/passwd', {}],
      [405, get, { method: 'POST', headers: json, body: '{}' }],
      [405, post, { method: 'GET' }],
      [405, get, { method: 'DELETE' }],
      [400, post, { method: 'POST', headers: json, body: '{"amount":' }],
      [400, post, { method: 'POST', headers: json, body: '' }],
      [400, post, { method: 'POST', headers: json, body: Buffer.from([0x22, 0xff, 0x22]) }],
      [400, post, { method: 'POST', headers: json, body: '['.repeat(500) + ']'.repeat(500) }],
      ...['text/plain', 'application/jsonp'].map((type): [number, string, RequestInit] => [
        415,
        post,
        { method: 'POST', headers: { origin: base, 'content-type': type }, body: '{"amount":1}' },
      ]),
      [
        400,
        post,
        { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'amount=1' },
      ],
      [413, post, { method: 'POST', headers: json, body: JSON.stringify({ amount: 1, purpose: 'x'.repeat(65_536) }) }],
      [403, get, { headers: { origin: 'http://shop.example' } }],
      [403, get, { headers: { origin: 'null' } }],
    ];
    for (const [expected, path, init] of cases) {
      const { status, body } = await call(base + path, init);
      const what = `${router} ${init.method ?? 'GET'} ${path} ${String(init.body ?? '').slice(0, 30)}`;
      assert.is(status, expected, what);
      worded(router, body, what);
    }
  }
});

it('a member sent twice is refused by its name, not read as its first or last value', async (rig) => {
  const { terminal, recognition } = rig;
  const headers = { 'content-type': 'application/json' };
  for (const body of ['{"amount":100,"amount":10000}', '{"amount":100,"\\u0061mount":100}']) {
    const answer = await call(`${terminal}/showQR`, { method: 'POST', headers, body });
    assert.equal([answer.status, answer.body.error_category], [400, 'JsonParse']);
    assert.is(answer.body.error_message, 'the body holds "amount" twice');
  }
  const body = '{"settings":{"bankProfiles":{"p":{"accAlias":"shop","accAlias":"thief"}}}}';
  const settings = await call(`${terminal}/updateDriverSettings`, { method: 'POST', headers, body });
  assert.match(settings.body.error_message, '"accAlias" twice');
  const item = { method: 'POST', headers, body: '{"id":"1","id":"2"}' };
  const { status, body: refusal } = await call(`${recognition}/api/delete_item`, item);
  assert.equal(
    { status, code: refusal.code, msg: refusal.msg },
    { status: 400, code: -6200, msg: 'the body holds "id" twice' },
  );
});

it('an inexact number never becomes another amount; another notation of a number is the same', async (device) => {
  await setUp(device);
  const show = (amount: string) =>
    call(`${device.terminal}/showQR`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"amount":${amount}}`,
    });
  for (const amount of ['9007199254740993', '18446744073709551716', '1e400', '-0', '100.5', '1e-400']) {
    const { status, body } = await show(amount);
    assert.equal([status, body.error_category], [400, 'RequestParams'], amount);
    assert.match(body.error_message, 'amount');
  }
  for (const amount of ['100.0', '1e2', '1.00E+2']) assert.is((await show(amount)).status, 200, amount);
  const listed = (await (await fetch(`${device.sandbox}/sandbox/payments`)).json()) as { amount: number }[];
  assert.equal([...new Set(listed.map(({ amount }) => amount))], [100]);
});

it('JSON errors carry the category JsonParse and a code of their kind', async ({ terminal }) => {
  const send = async (body: string | Buffer) =>
    (
      await call(`${terminal}/showQR`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new Uint8Array(Buffer.from(body)),
      })
    ).body;
  const cases: [string | Buffer, number][] = [
    ['{"a":', 1],
    ['', 1],
    ['{"a":x}', 5],
    ['"\\q"', 8],
    [Buffer.from([0x22, 0xff, 0x22]), 9],
    ['"abc', 10],
    ['['.repeat(500) + ']'.repeat(500), 12],
    ['{} {}', 14],
  ];
  for (const [body, code] of cases) {
    const answer = await send(body);
    assert.is(answer.error_category, 'JsonParse', String(body).slice(0, 20));
    assert.is(answer.error_code, code, `${String(body).slice(0, 20)}: ${answer.error_message}`);
  }
});

it('a path is worded as the route that it is, however it is spelled', async (device) => {
  for (const path of ['/console/api/nowhere', '/%63onsole/api/nowhere', '//CONSOLE/%61pi/nowhere', '/%76%31/nowhere']) {
    const { status, headers } = await call(`${device.recognition}${path}?x=%zz`);
    assert.is(status, 404, path);
    assert.is(headers.get('content-type'), 'application/problem+json', path);
  }
});

it('what is no HTTP is answered in the envelope too, and the server goes on', async (device) => {
  for (const router of ROUTERS) {
    const base = device[router];
    worded(router, bodyOf(await raw(base, 'HELLO\r\n\r\n')), 'garbage');
    const headers = await raw(base, `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`);
    assert.match(headers, /^HTTP\/1\.1 431/);
    worded(router, bodyOf(headers), 'headers');
    // many packets of them, which still come when it is answered
    const line = `: ${'y'.repeat(60)}\r\n`;
    const many = Array.from({ length: 19_000 }, (_, at) => `X${at}${line}`).join('');
    assert.match(await raw(base, `GET /health HTTP/1.1\r\nHost: localhost\r\n${many}\r\n`), /^HTTP\/1\.1 431/);
    const badUrl = await raw(base, 'GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    assert.match(badUrl, /^HTTP\/1\.1 400/);
    worded(router, bodyOf(badUrl), 'bad URL');
    const expectation = await raw(base, 'GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n\r\n');
    assert.match(expectation, /\r\nconnection: close\r\n/i);
    assert.match(expectation, /^HTTP\/1\.1 400/);
    worded(router, bodyOf(expectation), 'Expect');
    const noHost = await raw(base, 'GET /health HTTP/1.0\r\n\r\n');
    assert.match(noHost, /^HTTP\/1\.1 200/);
    assert.is((await call(`${base}/health`)).status, 200);
  }
});

/** Fails as a ledger or the templates do on a full disk. */
function fillDatabase(): void {
  using db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE t(x); PRAGMA max_page_count = 2; INSERT INTO t VALUES (zeroblob(100000))');
}

const isFull = (fill: () => void): Promise<void> =>
  onEachRouter(
    {},
    (app) => app.get('/full', async () => fill()),
    async (router, url) => {
      const { status, body } = await call(`${url}/full`);
      assert.is(status, 507);
      worded(router, body, '507');
    },
  );

test('a full disk that no service words is 507, in the envelope of its router', async () => {
  await isFull(() => writeFileSync('/dev/full', 'x'));
});

test('so is a database without room', () => isFull(fillDatabase));

test('a caller that hangs up within its body is no unexpected error', () => {
  const errors: unknown[] = [];
  let failed = 0;
  const logger = createLog('silent', []);
  logger.error = (...line: unknown[]) => void errors.push(line);
  return onEachRouter(
    { logger },
    (app) => {
      failed = 0;
      app.addHook('onError', async () => {
        failed += 1;
      });
      app.post('/take', async () => ({}));
      app.post('/fail', async () => {
        throw Object.assign(new Error('of something else'), { code: 'ECONNRESET' });
      });
    },
    async (_router, url) => {
      errors.length = 0;
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(
        'POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      );
      await once(socket, 'connect');
      socket.destroy();
      await until('the server has seen it', () => failed === 1);
      assert.is((await call(`${url}/fail`, { method: 'POST' })).status, 500);
      assert.is(errors.length, 1);
    },
  );
});

test.run();
