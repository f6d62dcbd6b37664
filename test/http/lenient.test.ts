/** A till that was written for the vendor's driver, and cannot change: how it writes paths, methods and media types. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, each, onSetUpDevice, setUp, startTestDevice } from '../support.ts';
import { raw } from './raw.ts';

const test = suite('http: a till that cannot change');

const ROUTERS = ['terminal', 'recognition'] as const;

const request = (line: string, headers: readonly string[] = [], body = ''): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', body].join('\r\n');

/** A body under a media type of any spelling; none at all where it is null. */
const posted = (path: string, type: string | null, body: string, more: readonly string[] = []): string =>
  request(
    `POST ${path}`,
    [`Content-Length: ${Buffer.byteLength(body)}`, ...(type === null ? [] : [`Content-Type: ${type}`]), ...more],
    body,
  );

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const headerOf = (answer: string, name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(answer)?.[1] ?? null;
const textOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4);

const it = each(test, onSetUpDevice);

const MEDIA_TYPES = [
  null,
  'text/plain',
  'text/json',
  'text/plain; charset=utf-8',
  'application/x-www-form-urlencoded',
  'application/json;charset=UTF-8',
  'json',
  '',
  ';;;',
];

it('fields of /v1 mean nothing to showQR, which does not name them', async ({ terminal }) => {
  const json = { amount: 100, purpose: 'milk', profile: 'none', reference: { id: 1 } };
  const shown = await call(`${terminal}/showQR`, { json, headers: { 'idempotency-key': 'first' } });
  assert.is(shown.status, 200, shown.text);
  const { body } = await call(`${terminal}/v1/payments/${shown.headers.get('laneware-payment-id')}`);
  assert.equal([body.amount, body.purpose, body.reference], [100, 'milk', null]);
});

it('a body is JSON with any Content-Type, where no web page sent it', async ({ terminal, recognition }) => {
  for (const type of MEDIA_TYPES) {
    const info = await raw(terminal, posted('/showInfoQR', type, `{"infoQR":"of ${type}"}`));
    assert.is(statusOf(info), 200, `${type}: ${info}`);
    assert.is((await call(`${recognition}/display/state`)).body.payload, `of ${type}`);
    const count = await raw(recognition, posted('/api/set_result_count', type, '{"count":3}'));
    assert.is(statusOf(count), 200, `${type}: ${count}`);
  }
});

it('what is no JSON is refused as such, and an empty body where one is wanted', async ({ terminal }) => {
  for (const type of MEDIA_TYPES) {
    for (const body of ['infoQR=x', '']) {
      const answer = await raw(terminal, posted('/showInfoQR', type, body));
      assert.is(statusOf(answer), 400, `${type} ${body}: ${answer}`);
    }
  }
});

test('an allowed web page must send application/json: other types come without a preflight', async () => {
  const origin = 'http://till.example';
  await using device = await startTestDevice({ LANEWARE_API_CORS: origin });
  await setUp(device);
  const send = async (type: string | null) =>
    statusOf(await raw(device.terminal, posted('/showInfoQR', type, '{"infoQR":"x"}', [`Origin: ${origin}`])));
  for (const type of MEDIA_TYPES.filter((each) => each?.startsWith('application/json') !== true))
    assert.is(await send(type), 415, String(type));
  assert.is(await send('application/json'), 200);
  assert.is(await send('Application/JSON; charset=utf-8'), 200);
});

it('a call that takes no body ignores any body', async ({ terminal, recognition }) => {
  for (const type of MEDIA_TYPES)
    for (const body of ['', 'x', '{"a":1}', '[', 'a=1'])
      assert.is(statusOf(await raw(terminal, posted('/clearScreen', type, body))), 200, `${type} ${body}`);
  assert.is(statusOf(await raw(recognition, posted('/api/set_sync_standalone', 'text/plain', 'x'))), 200);
});

it('paths are found in other case, with double slashes and with one at the end', async ({ terminal, recognition }) => {
  for (const path of ['/version', '/VERSION', '//version', '/version/', '/Version//', '///vErSiOn/?x=1'])
    assert.is(statusOf(await raw(terminal, request(`GET ${path}`))), 200, path);
  for (const path of ['/showInfoQR', '/SHOWINFOQR', '//showInfoQR', '/showinfoqr/'])
    assert.is(statusOf(await raw(terminal, posted(path, null, '{"infoQR":"x"}'))), 200, path);
  for (const path of ['/API/get_item_list', '/api//get_item_list/', '/api/GET_ITEM_LIST', '//api/get_item_list'])
    assert.is(statusOf(await raw(recognition, request(`GET ${path}`))), 200, path);
  assert.is(statusOf(await raw(recognition, posted('//api/Set_Result_Count/', null, '{"count":2}'))), 200);
  assert.is(statusOf(await raw(terminal, request('GET /show/QR'))), 404);
});

it('the name of a package keeps its case, however the path before it is written', async ({ recognition }) => {
  const answer = await raw(recognition, request('GET //DOWNLOAD/Some-Package.zip'));
  assert.is(statusOf(answer), 404);
  assert.match(textOf(answer), /Some-Package\.zip/);
});

it('a wrong method is distinguished from a wrong path in any spelling, for any method and body', async (rig) => {
  const { terminal, recognition } = rig;
  for (const method of ['QUERY', 'TRACE', 'DELETE', 'PATCH', 'PUT', 'PROPFIND', 'GET']) {
    for (const path of ['/showQR', '/SHOWQR/', '//showQR?a=1']) {
      const answer = await raw(terminal, request(`${method} ${path}`, ['Content-Length: 0']));
      assert.is(statusOf(answer), 405, `${method} ${path}: ${answer}`);
      assert.is(headerOf(answer, 'allow'), 'OPTIONS, POST', method);
      assert.match(textOf(answer), /^\{"status":"error","error_category":"RequestParams"/);
    }
  }
  const form = await raw(terminal, `${request('QUERY /version', ['Content-Type: x', 'Content-Length: 3'])}a=1`);
  assert.is(statusOf(form), 405);
  assert.is(headerOf(form, 'allow'), 'GET, HEAD, OPTIONS');
  const download = await raw(recognition, request('POST /download/a.zip', ['Content-Length: 0']));
  assert.is(statusOf(download), 405);
  for (const method of ['QUERY', 'POST', 'OPTIONS', 'HEAD'])
    assert.is(statusOf(await raw(terminal, request(`${method} /nowhere`, ['Content-Length: 0']))), 404, method);
});

it('HEAD answers as GET does, without the body', async ({ terminal, recognition }) => {
  for (const [base, path] of [
    [terminal, '/version'],
    [terminal, '/getDriverSettings'],
    [terminal, '/getDynamicQRStatus'],
    [terminal, '/openapi.json'],
    [recognition, '/api/get_item_list'],
    [recognition, '/'],
    [recognition, '/download/none.zip'],
  ] as const) {
    const get = await raw(base, request(`GET ${path}`));
    const head = await raw(base, request(`HEAD ${path}`));
    assert.is(statusOf(head), statusOf(get), path);
    for (const name of ['content-type', 'content-length'])
      assert.is(headerOf(head, name), headerOf(get, name), `${path} ${name}`);
    assert.is(textOf(head), '', path);
  }
});

it('OPTIONS returns what a path takes, and what the whole device takes', async ({ terminal, recognition }) => {
  for (const [base, path, allow] of [
    [terminal, '/showQR', 'OPTIONS, POST'],
    [terminal, '/Version/', 'GET, HEAD, OPTIONS'],
    [terminal, '*', 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'],
    [recognition, '*', 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'],
  ] as const) {
    const answer = await raw(base, request(`OPTIONS ${path}`));
    assert.is(statusOf(answer), 204, path);
    assert.is(headerOf(answer, 'allow'), allow);
    assert.is(textOf(answer), '');
  }
  const other = await raw(terminal, request('GET *'));
  assert.is(statusOf(other), 404);
  const foreign = await raw(terminal, request('OPTIONS *', ['Origin: http://shop.example']));
  assert.is(statusOf(foreign), 403);
});

it('Content-Type of every JSON answer is application/json and nothing more, errors included', async (device) => {
  const tries: [string, string][] = [
    ['terminal', request('GET /version')],
    ['terminal', request('GET /health')],
    ['terminal', request('GET /openapi.json')],
    ['terminal', request('GET /nowhere')],
    ['terminal', request('GET /showQR')],
    ['terminal', posted('/showQR', null, '{')],
    ['terminal', posted('/clearScreen', null, '')],
    ['terminal', request('GET /version', ['Origin: http://shop.example'])],
    ['terminal', request('GET /getDynamicQRStatus')],
    ['recognition', request('GET /api/get_item_list')],
    ['recognition', request('GET /console/api/overview')],
    ['recognition', posted('/api/delete_item', null, '{"id":"none"}')],
    ['recognition', posted('/api/import_template', 'text/plain', 'x')],
    ['recognition', request('PUT /camera/frame', ['Content-Length: 0'])],
    ['recognition', request('GET /download/none.zip')],
  ];
  for (const [router, bytes] of tries)
    assert.is(
      headerOf(await raw(device[router as 'terminal'], bytes), 'content-type'),
      'application/json',
      `${router} ${bytes}`,
    );
  for (const router of ROUTERS) {
    assert.is(headerOf(await raw(device[router], 'HELLO\r\n\r\n'), 'content-type'), 'application/json');
    const expecting = headerOf(await raw(device[router], request('GET /health', ['Expect: x'])), 'content-type');
    assert.is(expecting, 'application/json');
  }
});

test.run();
