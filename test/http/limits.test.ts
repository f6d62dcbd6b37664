/** Each call takes bodies of the size that it needs, and looks at nothing that is larger. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { atEnd, call, each, SCREEN, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { onEachRouter } from './servers.ts';

const test = suite('http: sizes of bodies');

const KIB = 1024;
const USUAL = 16 * KIB;
const PIECE = Buffer.alloc(64 * KIB, 'x');
const PIECES = 400;
const LIMITS: Readonly<Record<string, number>> = {
  '/updateDriverSettings': 64 * KIB,
  '/v1/reconciliations': 4 * Math.ceil((16 * KIB * KIB) / 3) + 16 * KIB,
  '/api/export_template': 2 * KIB * KIB,
  '/v1/packages/export': 2 * KIB * KIB,
  '/v1/packages/import': 512 * KIB * KIB + 64 * KIB,
  '/api/import_template': 512 * KIB * KIB + 64 * KIB,
  '/camera/frame': 8 * KIB * KIB,
  '/v1/catalogue': 8 * KIB * KIB,
  '/console/api/settings': 64 * KIB,
  '/console/api/settings/certificates': 768 * KIB,
};
const FILES: ReadonlySet<string> = new Set([
  '/api/import_template',
  '/v1/packages/import',
  '/console/api/backups/restore',
  '/camera/frame',
  '/v1/items/{id}/picture',
  '/v1/catalogue/check',
]);

const withDevice = (run: (device: TestDevice) => Promise<void>) => async () => {
  await using device = await startTestDevice({ LANEWARE_CAMERA_DRIVER: 'push' });
  await setUp(device);
  await run(device);
};
const it = each(test, withDevice);

interface Operation {
  readonly requestBody?: unknown;
}

/** Every call of a port that is described with a body: its method and its path. */
async function callsWithBody(base: string): Promise<[method: string, path: string][]> {
  const paths = (await call(`${base}/openapi.json`)).body.paths as Record<string, Record<string, Operation>>;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { requestBody }]) => requestBody !== undefined)
      .map(([method]): [string, string] => [method.toUpperCase(), path]),
  );
}

const posted = (body: RequestInit['body'] | Readable) =>
  ({ method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' }) as RequestInit;

it('a body over the limit of its call is 413 before it is parsed, and the limit is named', async (device) => {
  for (const router of ['terminal', 'recognition'] as const) {
    const calls = (await callsWithBody(device[router])).filter(([, path]) => !FILES.has(path));
    assert.ok(calls.length > 4);
    for (const [method, path] of calls) {
      const sent = (body: RequestInit['body'] | Readable) => ({ ...posted(body), method });
      const limit = LIMITS[path] ?? USUAL;
      const over = await call(device[router] + path, sent('{'.repeat(limit + 1)));
      assert.is(over.status, 413, path);
      const type = path.startsWith('/v1/') ? 'application/problem+json' : 'application/json';
      assert.is(over.headers.get('content-type'), type, path);
      assert.match(over.text, new RegExp(`at most ${limit} bytes`), path);
      const within = await call(device[router] + path, sent('{'.repeat(limit)));
      assert.is(within.status, 400, path);
      const unsized = await call(device[router] + path, sent(Readable.from([Buffer.alloc(limit), Buffer.alloc(1)])));
      assert.is(unsized.status, 413, `${path} without a length`);
    }
  }
});

/** What a caller reads who writes all of a body first, as most programs do; the code of a connection that broke under it. */
async function readAfterWriting(method: string, url: string, head: string): Promise<string> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const broken = new Promise<string>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(`broken: ${error.code}`));
    socket.once('close', () => resolve('closed without an answer'));
  });
  const write = promisify(socket.write.bind(socket) as (text: string | Buffer, done: () => void) => boolean);
  const written = async (): Promise<string> => {
    await write(`${method} ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n${head}\r\n\r\n`);
    for (let piece = 0; piece < PIECES; piece += 1) await write(PIECE);
    const [answer] = await once(socket, 'data');
    return String(answer).split('\r\n', 1)[0] ?? '';
  };
  using _end = atEnd(() => socket.destroy());
  return await Promise.race([broken, written()]);
}

it('who writes all of a body that is refused reads why, and meets no broken pipe', async (rig) => {
  const { terminal, recognition } = rig;
  const length = `Content-Length: ${PIECES * PIECE.length}`;
  const json = `Content-Type: application/json\r\n${length}`;
  for (const [method, url, head, answer] of [
    ['POST', `${terminal}/v1/reconciliations`, json, '413 Payload Too Large'],
    ['POST', `${terminal}/showQR`, json, '413 Payload Too Large'],
    ['POST', `${terminal}/clearScreen`, json, '413 Payload Too Large'],
    ['POST', `${terminal}/nowhere`, json, '404 Not Found'],
    ['PUT', `${recognition}/camera/frame`, `Content-Type: image/jpeg\r\n${length}`, '413 Payload Too Large'],
    ['POST', `${recognition}/v1/catalogue`, `Content-Type: text/csv\r\n${length}`, '413 Payload Too Large'],
  ] as const)
    assert.is(await readAfterWriting(method, url, head), `HTTP/1.1 ${answer}`, url);
});

it('a call’s needs fit: settings of many profiles, ten thousand ids, the longest path and text', async (rig) => {
  const { terminal, recognition } = rig;
  const note = 'я'.repeat(400);
  const idle = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`p${index}`, { note }]));
  const bankProfiles = { ...idle, used: { bankName: 'Sandbox' } };
  const settings = { bankProfile: 'used', bankProfiles, deviceConnection: SCREEN };
  assert.is((await call(`${terminal}/updateDriverSettings`, { json: { settings } })).status, 200);
  const ids = Array.from({ length: 10_000 }, (_, index) => String(index).padStart(64, 'x'));
  assert.is((await call(`${recognition}/api/export_template`, { json: { ids } })).status, 200);
  const infoQR = '\u0001'.repeat(1000); // six bytes each in JSON
  assert.is((await call(`${terminal}/showInfoQR`, { json: { infoQR } })).status, 200);
  const info = '🍏'.repeat(1000);
  assert.is((await call(`${recognition}/api/set_extra_info`, { json: { info } })).status, 200);
  const path = '\\ud83c\\udf4f'.repeat(1019); // a till may escape each character
  const long = await call(`${terminal}/exportToCSV`, posted(`{"path":"/${path}.csv"}`));
  assert.is(long.status, 400);
  assert.match(long.body.error_message, /^path is longer than names of files/, 'it was read');
});

it('of a long list the first wrong entry is named, wherever it stands, or that it is too long', async (rig) => {
  const { recognition } = rig;
  const refused = async (ids: unknown[]) =>
    (await call(`${recognition}/api/export_template`, { json: { ids } })).body.msg;
  const ID =
    'a text of 1 to 64 characters (must hold whole characters, none of them a control character), not a number';
  const good = (count: number): unknown[] => Array.from({ length: count }, () => 'x');
  assert.is(await refused([...good(9_999), 5]), `ids.9999 must be ${ID}`);
  assert.is(await refused([...good(50), 5, ...good(2)]), `ids.50 must be ${ID}`);
  assert.is(await refused(good(10_001)), 'ids must have at most 10000 entries');
  assert.is(
    await refused(Array.from({ length: 400_000 }, () => 1)),
    'the body has more than 131072 bytes outside of its texts',
  );
});

test('nothing waits for the body of an answered call, whether it has come or its caller has gone', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  await onEachRouter(
    {},
    (app) => {
      app.post('/taken', async () => ({}));
      app.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send() }, async () => ({}));
    },
    async (_router, url, app) => {
      const half = 'POST /refused HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n';
      const before = timers();
      assert.is((await app.inject({ method: 'POST', url: '/taken', payload: {} })).statusCode, 200);
      assert.is((await app.inject({ method: 'POST', url: '/refused', payload: {} })).statusCode, 401);
      assert.ok(timers() <= before, 'those of earlier calls may end meanwhile');
      for (const connection of ['close', 'keep-alive']) {
        const caller = connect(Number(new URL(url).port), '127.0.0.1');
        caller.write(`${half}Connection: ${connection}\r\n\r\n{`);
        await once(caller, 'data');
        caller.destroy();
      }
      const connections = promisify(app.server.getConnections.bind(app.server));
      await until('the connections are gone', async () => (await connections()) === 0);
      assert.ok(timers() <= before, 'those of earlier calls may end meanwhile');
    },
  );
});

test.run();
