/** Calls of a till, for its developers: kept, bounded, masked. Read from a device as by a technician. */
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ConsoleState } from '../../../firmware/console/console-view.ts';
import { type Call, CallLog } from '../../../firmware/features/call-log/call-log.ts';
import { EventReader } from '../../events.ts';
import { call, each, onDevice, setUp, startTestDevice, type TestDevice, until } from '../../support.ts';

const test = suite('calls of tills');
const it = each(test, onDevice);

const CALL: Call = {
  at: 0,
  port: 'terminal',
  origin: 'till',
  method: 'POST',
  path: '/showQR',
  status: 200,
  hungUp: false,
  isStream: false,
  ms: 1,
  requestId: 'id',
  address: '127.0.0.1',
  credential: 'loopback',
  till: null,
  key: null,
  request: null,
  answer: null,
};

const list = async ({ recognition }: TestDevice, query = '') =>
  (await call(`${recognition}/console/api/calls${query}`)).body;
const whole = async ({ recognition }: TestDevice, n: number) =>
  (await call(`${recognition}/console/api/calls/${n}`)).body;
/** The one call of a path, once it is over. */
const only = ({ recognition }: TestDevice, path: string) =>
  until(
    `${path} is there`,
    async () => (await call(`${recognition}/console/api/calls?path=${encodeURIComponent(path)}`)).body.calls[0],
  );

test('a call is shown with both bodies, who sent it, and how it ended', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'receipt 1' };
  const body = '{"amount": 4200, "purpose": "Хлеб"}';
  const answer = await call(`${device.terminal}/v1/payments`, { method: 'POST', headers, body });
  const { n, ...shown } = await only(device, '/v1/payments');
  assert.is(shown.status, answer.status);
  assert.is(shown.requestId, answer.headers.get('laneware-request-id'));
  assert.equal(
    {
      port: shown.port,
      origin: shown.origin,
      method: shown.method,
      path: shown.path,
      error: shown.error,
      address: shown.address,
      credential: shown.credential,
      hungUp: shown.hungUp,
    },
    {
      port: 'terminal',
      origin: 'till',
      method: 'POST',
      path: '/v1/payments',
      error: null,
      address: '127.0.0.1',
      credential: 'loopback',
      hungUp: false,
    },
  );
  const { key, request, answer: said } = await whole(device, n);
  assert.is(key, 'receipt 1');
  assert.equal(request, {
    bytes: Buffer.byteLength(body),
    text: '{"amount":4200,"purpose":"Хлеб"}',
    cut: false,
    withheld: null,
  });
  assert.equal(JSON.parse(said.text), answer.body);
});

it('a failure is shown by its code, of /v1 and of the nine calls', async (device) => {
  await call(`${device.terminal}/v1/payments/none`);
  assert.is((await only(device, '/v1/payments/none')).error, 'Payments.NotFound');
  await call(`${device.terminal}/showQR`, { json: { amount: 'a lot' } });
  assert.match((await only(device, '/showQR')).error, /^RequestParams -?\d+$/);
  await setUp(device);
  const sale = { amount: 4200, purpose: 'Apples' };
  await call(`${device.terminal}/showQR`, { json: sale });
  const again = await call(`${device.terminal}/showQR`, { json: sale });
  assert.is(again.body.error_category, 'Bank', 'a success that warns');
  assert.is((await only(device, '/showQR')).error, null);
  assert.is((await call(`${device.recognition}/console/api/calls/999`)).body.code, 'Calls.NotFound');
});

it('no secret is shown: neither of settings, nor of an address, nor of what is no JSON', async (device) => {
  const secret = 'Kolibri-4711-made-up';
  const profile = { bankName: 'CFT', login: 'shop', password: secret, nested: [{ apiKey: secret }] };
  const settings = {
    bankProfile: 'main',
    bankProfiles: { main: profile },
    deviceConnection: { connectionType: 'Screen', token: secret, pin: secret },
  };
  const broken = JSON.stringify(settings).slice(0, -1);
  const twice = `{"password":"${secret}","password":"${secret}"}`;
  const escaped = `{"p\\u0061ssword":"${secret}"`;
  const unquoted = `{"settings":{"password": ${secret}}}`; // the answer quotes some letters around the fault
  const long = JSON.stringify({ filler: 'x'.repeat(20_000), password: secret });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
  const pin = `{"pin":"${secret}"`;
  for (const body of [JSON.stringify(settings), broken, twice, escaped, unquoted, long, `password=${secret}`, pin])
    await call(`${device.terminal}/updateDriverSettings`, { method: 'POST', headers, body });
  await call(`${device.recognition}/console/api/settings`, { method: 'PUT', headers, body: JSON.stringify(settings) });
  await call(`${device.terminal}/v1/payments?token=${secret}&state=PENDING`, { headers });
  await call(`${device.terminal}/getDriverSettings`, { headers });
  const { calls } = await until('all are there', async () => {
    const page = await list(device);
    return page.calls.length === 11 && page;
  });
  const shown = JSON.stringify([calls, await Promise.all(calls.map(({ n }: { n: number }) => whole(device, n)))]);
  assert.is(shown.includes(secret.slice(0, 6)), false);
  const files = readdirSync(device.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const holding = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(secret));
  assert.equal(holding, [], 'nor does one reach the disk');
  assert.is(shown.split('<PASSWORD>').length > 3, true, 'there was something to mask');
  assert.match(shown, /token=%3CPASSWORD%3E&state=PENDING/);
  assert.is(shown.split('"withheld":"secret"').length - 1, 2 * 6, 'bodies, and answers that may quote them');
});

it('what is no text, too long, or broken is shown as such', async (device) => {
  const post = (path: string, body: string | Uint8Array<ArrayBuffer>) =>
    call(`${device.terminal}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await post('/showQR?a', new Uint8Array([0xff, 0xfe, 0, 1]));
  await post('/showQR?b', '{"amount": 12');
  await post(
    '/showQR?c',
    JSON.stringify({ amount: 1, purpose: 'é'.repeat(9000).slice(0, 7500), more: 'x'.repeat(1000) }),
  );
  await post('/showQR?d', JSON.stringify({ amount: 1, purpose: 'x'.repeat(100_000) }));
  await post('/showQR?e', `${'['.repeat(7000)}`);
  const requestOf = async (path: string) => {
    const { n } = await only(device, path);
    const { text, ...rest } = (await whole(device, n)).request;
    return [rest.withheld, rest.cut, text.length > 8192, rest.bytes];
  };
  assert.equal(await requestOf('/showQR?a'), ['binary', false, false, 4]);
  assert.equal(await requestOf('/showQR?b'), [null, false, false, 13]);
  assert.equal(await requestOf('/showQR?c'), [null, true, false, 16_035]);
  assert.equal((await requestOf('/showQR?d')).slice(0, 1), ['unread']);
  assert.equal(await requestOf('/showQR?e'), [null, false, false, 7000]);
});

it('the list is found in by number, path, status and origin; reading it is no call of its own', async (device) => {
  await call(`${device.terminal}/version`);
  await call(`${device.terminal}/health`);
  await call(`${device.terminal}/nowhere`);
  await call(`${device.terminal}/getDynamicQRStatus`, { headers: { 'sec-fetch-site': 'same-origin' } });
  await call(`${device.recognition}/v1/payments`, { headers: { 'sec-fetch-site': 'same-origin' } });
  await only(device, '/v1/payments');
  const paths = async (query: string) => (await list(device, query)).calls.map(({ path }: { path: string }) => path);
  assert.equal(await paths('?origin=till'), ['/nowhere', '/version']);
  assert.equal(await paths('?origin=watch'), ['/health']);
  assert.equal(await paths('?origin=page'), ['/v1/payments', '/getDynamicQRStatus']);
  assert.equal(await paths('?status=404'), ['/nowhere']);
  assert.equal(await paths('?status=4&origin=till'), ['/nowhere']);
  assert.equal(await paths('?path=VERS'), ['/version']);
  assert.equal(await paths('?limit=1'), ['/v1/payments']);
  const { last } = await list(device);
  assert.is(last, 5);
  assert.equal(await paths(`?after=${last}`), []);
  assert.is((await call(`${device.recognition}/console/api/calls?origin=unknown`)).status, 400);
  assert.is((await call(`${device.recognition}/console/api/calls?status=9`)).status, 400);
});

test('a stream is shown once, when it begins; a till that hangs up is shown as one', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'to be left' };
  const payment = (await call(`${device.terminal}/v1/payments`, { json: { amount: 100 }, headers })).body.id;
  {
    await using _stream = await EventReader.open(`${device.terminal}/v1/events`);
    const shown = await only(device, '/v1/events');
    assert.equal(
      { stream: shown.stream, status: shown.status, hungUp: shown.hungUp },
      { stream: true, status: 200, hungUp: false },
    );
  }
  const { port } = new URL(device.terminal);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`GET /v1/payments/${payment}?wait=1 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  setTimeout(() => socket.destroy(), 100);
  const gone = await only(device, '?wait=1');
  assert.is(gone.hungUp, true);
  assert.is((await list(device, '?path=/v1/events')).calls.length, 1);
});

test('two hundred calls are kept, the last ones', () => {
  const log = new CallLog();
  const short = { bytes: 2, text: Buffer.from('{}'), cut: false, withheld: null, error: null };
  for (let at = 1; at <= 300; at += 1) log.add({ ...CALL, at, request: short, answer: short });
  const everything = { after: 0, limit: 1000, path: '', status: '', origin: null };
  const numbers = log.list(everything).map(({ n }) => n);
  assert.equal(
    numbers,
    Array.from({ length: 200 }, (_, at) => 300 - at),
  );
  assert.is(log.find(100), null);
  assert.is(log.find(101)?.at, 101);
});

test('pages and monitoring, which call all day, push no till out', () => {
  const log = new CallLog();
  log.add({ ...CALL, origin: 'till' });
  for (const origin of ['page', 'watch'] as const) for (let n = 0; n < 300; n += 1) log.add({ ...CALL, origin });
  const from = (origin: Call['origin'] | null) => log.list({ after: 0, limit: 1000, path: '', status: '', origin });
  assert.equal(
    { till: from('till').length, page: from('page').length, watch: from('watch').length, from: from(null).length },
    { till: 1, page: 200, watch: 200, from: 401 },
  );
  assert.is(log.find(1)?.origin, 'till');
  assert.equal([from(null)[0]?.n, from(null).at(-1)?.n], [601, 1], 'newest first, of all');
});

it('the device sends no call for a page: it would count as one of this machine, for any caller', async (device) => {
  const json = { method: 'POST', path: '/clearScreen' };
  const answer = await call(`${device.recognition}/console/api/calls`, { json });
  assert.equal([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
});

it('who watches hears of calls by a number that grows', async (device) => {
  await using events = await EventReader.open<ConsoleState>(`${device.recognition}/console/api/overview/events`);
  assert.is((await events.state()).features['call-log'], 0);
  for (let n = 0; n < 30; n += 1) await call(`${device.terminal}/version`);
  let count = 0;
  let states = 0;
  while (count < 30) {
    count = (await events.state()).features['call-log'] ?? 0;
    states += 1;
  }
  assert.ok(states < 30, `${states} states for 30 calls`);
});

test.run();
