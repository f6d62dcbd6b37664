/** Large bodies of both ports share one budget of memory. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { acceptFiles } from '../../firmware/core/http/file-bodies.ts';
import { atEnd, call, setUp, startTestDevice, until } from '../support.ts';
import { onEachRouter } from './servers.ts';

const test = suite('http: the budget of large bodies');

const MIB = 1024 * 1024;
const REGISTRY = 21 * MIB;

/** The head of a call whose body is still to come. */
async function begin(base: string, method: string, path: string, head: string): Promise<Socket> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${head}\r\n\r\n`);
  return socket;
}

const heard = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

const JSON_BODY = `Content-Type: application/json\r\nContent-Length: ${REGISTRY}`;

test('the third registry at once is 503 with Retry-After; other bodies come while there is room', async () => {
  await using device = await startTestDevice({ LANEWARE_CAMERA_DRIVER: 'push' });
  const { terminal, recognition } = device;
  await setUp(device);
  const held = [
    await begin(terminal, 'POST', '/v1/reconciliations', JSON_BODY),
    await begin(terminal, 'POST', '/v1/reconciliations', JSON_BODY),
  ];
  const refused = await until('a third is refused', async () => {
    const socket = await begin(terminal, 'POST', '/v1/reconciliations', JSON_BODY);
    const answer = await Promise.race([heard(socket), new Promise<null>((resolve) => setTimeout(resolve, 200, null))]);
    socket.destroy();
    return answer;
  });
  assert.match(refused, /^HTTP\/1\.1 503 /);
  assert.match(refused, /\r\nretry-after: 5\r\n/i);
  assert.match(refused, /RequestParams\.TooMany/);
  for (const [method, path, head] of [
    ['POST', '/v1/catalogue', `Content-Type: text/csv\r\nContent-Length: ${7 * MIB}`],
    ['PUT', '/camera/frame', `Content-Type: image/jpeg\r\nContent-Length: ${7 * MIB}`],
    ['PUT', '/camera/frame', 'Content-Type: image/jpeg\r\nTransfer-Encoding: chunked'],
    ['POST', '/v1/packages/import', `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${99 * MIB}`],
    [
      'POST',
      '/console/api/backups/restore',
      `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${99 * MIB}`,
    ],
  ] as const) {
    const socket = await begin(recognition, method, path, head);
    assert.match(await heard(socket), /^HTTP\/1\.1 503 (?:.*\r\n)*retry-after: 5\r\n/i, path);
    socket.destroy();
  }
  const frame = await call(`${recognition}/camera/frame`, {
    ...{ method: 'PUT', headers: { 'content-type': 'image/jpeg' } },
    body: new Uint8Array(200 * 1024),
  });
  assert.is(frame.status, 415, 'it is read, and is no picture');
  assert.is((await call(`${terminal}/v1/payments`)).status, 200);
  for (const socket of held) socket.destroy();
  const picture = { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: new Uint8Array(7 * MIB) };
  await until('there is room again', async () => (await call(`${recognition}/camera/frame`, picture)).status === 415);
});

test('a body counts until its call is done, though its caller has gone', async () => {
  for (const length of [`Content-Length: ${30 * MIB}`, 'Transfer-Encoding: chunked']) {
    let work = Promise.withResolvers<void>();
    let begun = 0;
    await onEachRouter(
      {},
      (app) => {
        acceptFiles(app, { 'text/plain': (bytes) => bytes }, 'not this type');
        app.post('/large', { bodyLimit: 30 * MIB }, async () => {
          begun += 1;
          await work.promise;
          return {};
        });
      },
      async (_router, url) => {
        work = Promise.withResolvers();
        const before = begun;
        const large = await begin(url, 'POST', '/large', `Content-Type: text/plain\r\n${length}`);
        const text = 'x'.repeat(30 * MIB);
        large.write(length.startsWith('Content') ? text : `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`);
        await until('its work has begun', () => begun > before);
        large.destroy();
        const again = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: text };
        assert.is((await call(`${url}/large`, again)).status, 503);
        work.resolve();
        await until('its work is done', async () => (await call(`${url}/large`, again)).status === 200);
      },
    );
  }
});

/** A route that takes a text, and a list. */
function addTaking(app: FastifyInstance): void {
  const text = Type.Optional(Type.String());
  const body = Type.Object({ text, list: Type.Optional(Type.Array(Type.String())) });
  app.post('/v1/taking', { bodyLimit: 8 * MIB, schema: { body } }, async () => ({}));
}

test('a body of so many values that it would block for seconds is refused before it is parsed', async () => {
  await onEachRouter({}, addTaking, async (_router, url) => {
    const sent = async (body: string) => (await call(`${url}/v1/taking`, { method: 'POST', body })).status;
    const ids = Array.from({ length: 10_000 }, (_, n) => `item ${n}`);
    assert.is(await sent(JSON.stringify({ list: ids }, null, 4)), 200, 'ten thousand ids, a line each');
    assert.is(await sent(JSON.stringify({ text: 'QUJD'.repeat(MIB) })), 200, 'a file in base64');
    for (const hostile of [
      `{"list":[${'{},'.repeat(MIB)}{}]}`,
      `{${Array.from({ length: 300_000 }, (_, n) => `"n${n}":0`).join()}}`,
      `{"list":${' '.repeat(4 * MIB)}[]}`,
      `{"text":"${'\\"'.repeat(2 * MIB)}"}`,
    ])
      assert.is(await sent(hostile), 400, hostile.slice(0, 20));
  });
});

test('a large body is read in one piece of work, and judged in another', async () => {
  const { parse } = JSON;
  let readAt = 0;
  let turn = 0;
  const count = setInterval(() => {
    turn += 1;
  }, 0);
  using _end = atEnd(() => {
    clearInterval(count);
    JSON.parse = parse;
  });
  JSON.parse = (...given) => {
    readAt = turn;
    return parse(...given);
  };
  const judgedAt: number[] = [];
  const add = (app: FastifyInstance) => {
    app.addHook('preValidation', async () => void judgedAt.push(turn - readAt));
    addTaking(app);
  };
  const body = JSON.stringify({ text: 'QUJD'.repeat(MIB) });
  await onEachRouter({}, add, async (_router, url) => void (await call(`${url}/v1/taking`, { method: 'POST', body })));
  assert.ok(
    judgedAt.every((turns) => turns > 0),
    judgedAt.join(),
  );
});

test.run();
