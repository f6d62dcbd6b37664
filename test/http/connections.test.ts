/** A crowd of connections: it costs no more than its places, and the till is served beside it. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text as allOf } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NETWORK_LIMITS } from '../../firmware/core/http/access.ts';
import { EventReader } from '../events.ts';
import { call, pick, startTestDevice, type TestDevice, until } from '../support.ts';
import { ownAddress } from './network.ts';
import { bodyOf, raw } from './raw.ts';
import { onEachRouter } from './servers.ts';

const test = suite('http: crowds of connections');

/** Many connections that send the same and then nothing. */
class Crowd implements Disposable {
  readonly #sockets: Socket[] = [];
  readonly #closed = new Set<Socket>();

  static async of(size: number, base: string, bytes: string): Promise<Crowd> {
    const crowd = new Crowd();
    const { hostname, port } = new URL(base);
    for (let n = 0; n < size; n += 1) {
      const socket = connect(Number(port), hostname);
      crowd.#sockets.push(socket);
      socket.on('error', () => undefined); // one that is closed for another may see it as a reset
      socket.on('close', () => crowd.#closed.add(socket));
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
      socket.write(bytes);
    }
    return crowd;
  }

  get open(): number {
    return this.#sockets.length - this.#closed.size;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

const HALF_A_HEAD = 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
const FEW = Object.freeze({
  connections: { total: 8, perAddress: 8 },
  eventStreams: { total: 3, perAddress: 2 },
});
const onFew = (settings: Readonly<Record<string, string>> = {}): Promise<TestDevice> =>
  startTestDevice(settings, undefined, { tuning: { network: FEW } });
/** Of a bare router. */
const TWO = Object.freeze({ connections: { total: 2, perAddress: 2 } });

test('requests that never complete take no more than their places, and calls are answered', async () => {
  await using device = await onFew();
  for (const base of [device.terminal, device.recognition]) {
    using crowd = await Crowd.of(60, base, HALF_A_HEAD);
    await until('the crowd is as small as its places', () => crowd.open <= 8);
    for (let n = 0; n < 20; n += 1) assert.is((await call(`${base}/health`)).status, 200);
    assert.ok(crowd.open >= 6, `a few calls close ${8 - crowd.open} of 8`);
  }
});

test('a crowd from the network closes nothing local, and a till of the network is served', async () => {
  await using device = await onFew({
    LANEWARE_TERMINAL_HOST: '0.0.0.0',
    LANEWARE_API_ALLOW: ownAddress,
    LANEWARE_TLS_MODE: 'off',
  });
  using waiting = await Crowd.of(6, device.terminal, HALF_A_HEAD);
  const network = `http://${ownAddress}:${new URL(device.terminal).port}`;
  using crowd = await Crowd.of(60, network, HALF_A_HEAD);
  await until('the crowd is as small as its places', () => crowd.open <= 8);
  assert.is((await call(`${network}/version`)).status, 200);
  assert.is((await call(`${device.terminal}/version`)).status, 200);
  assert.is(waiting.open, 6);
});

test('streams have their own limit: 503 in the envelope with Retry-After; a freed place is used', async () => {
  await using device = await onFew();
  const url = `${device.recognition}/display/events`;
  const open = await Promise.all([1, 2, 3].map(() => EventReader.open(url)));
  for (const viewer of open) assert.is((await viewer.next())?.name, 'hello');
  const { status, headers, body } = await call(`${device.recognition}/console/api/overview/events`);
  assert.is(status, 503);
  assert.ok(Number(headers.get('retry-after')) > 0);
  assert.is(body.code, 'RequestParams.TooMany');
  assert.match(body.detail, /3 streams of events are open/);
  assert.is((await call(`${device.recognition}/health`)).status, 200, 'calls have places left');
  await open[0]?.[Symbol.asyncDispose]();
  await until('the place is free again', async () => {
    await using again = await EventReader.open(url);
    return again.headers.get('content-type')?.startsWith('text/event-stream');
  });
  for (const viewer of open) await viewer[Symbol.asyncDispose]();
});

test('asking for the head of a stream takes no place', async () => {
  await using device = await onFew();
  const url = `${device.recognition}/display/events`;
  for (let n = 0; n < 10; n += 1) assert.is((await call(url, { method: 'HEAD' })).status, 200);
});

test('where calls being answered take every place, the next gets 503 and when to call again', async () => {
  let answers: (() => void)[] = [];
  await onEachRouter(
    { limits: TWO },
    (app) =>
      app.route({
        ...{ method: ['GET', 'POST'], url: '/slow' },
        handler: () => new Promise((resolve) => answers.push(() => resolve({}))),
      }),
    async (router, url) => {
      answers = [];
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
      const slow = [fetch(`${url}/slow`), fetch(`${url}/slow`, init)];
      await until('both are being answered', () => answers.length === 2);
      const refused = await raw(url, 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      assert.match(refused, /^HTTP\/1\.1 503/);
      assert.match(refused, /retry-after: \d/i);
      const body = bodyOf(refused);
      assert.match(router === 'terminal' ? body.error_message : body.msg, /every connection/);
      for (const answer of answers) answer();
      assert.equal(pick(await Promise.all(slow), 'status'), [200, 200]);
    },
  );
});

const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const CLOSING = 'GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

test('requests that were sent ahead are answered one after the other, in their order', () => {
  let running = 0;
  let most = 0;
  const count = async (n: number) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running -= 1;
    return { n };
  };
  return onEachRouter(
    {},
    (app) => {
      for (const n of [1, 2, 3]) app.get(`/count${n}`, () => count(n));
      app.get('/last', () => count(4));
    },
    async (_router, url) => {
      const text = await raw(url, ['/count1', '/count2', '/count3'].map(ask).join('') + CLOSING);
      const order = [...text.matchAll(/"n":(\d)/g)].map(([, n]) => n);
      assert.equal(order, ['1', '2', '3', '4']);
      assert.is(most, 1);
    },
  );
});

test('a caller that sends hundreds ahead is cut off, and has one of them answered', () => {
  let calls = 0;
  return onEachRouter(
    {},
    (app) => {
      calls = 0;
      app.get('/count', async () => ({ calls: ++calls }));
    },
    async (_router, url) => {
      assert.is(await raw(url, ask('/count').repeat(500)), '');
      assert.is(calls, 1);
      assert.is((await call(`${url}/count`)).status, 200);
    },
  );
});

test('what came whole is answered before the connection ends for what came behind it', () => {
  let calls = 0;
  const post = (body: string) =>
    `POST /pay HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n${body}`;
  return onEachRouter(
    {},
    (app) => {
      calls = 0;
      app.post('/pay', async () => {
        await new Promise(setImmediate);
        return { calls: ++calls };
      });
      app.get('/last', async () => ({ last: true }));
    },
    async (_router, url) => {
      const answers = async (bytes: string) =>
        [...(await raw(url, bytes)).matchAll(/\r\n\r\n(\{.*?\})/g)].map(([, body]) => body);
      assert.equal(await answers(`${post('{}')}\0`), ['{"calls":1}']);
      assert.equal(await answers(`${post('{}')}${post('{}')}}`), ['{"calls":2}', '{"calls":3}']);
      assert.equal(await answers(`${CLOSING}${post('{}')}`), ['{"last":true}']);
      const halfChunk = 'POST /pay HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nx';
      assert.match(await raw(url, halfChunk), /^HTTP\/1\.1 400/);
      assert.equal(await answers(`${post('{}')}${halfChunk}`), ['{"calls":4}']);
      assert.is(calls, 4);
    },
  );
});

/** More than a system keeps of an answer that is not read. */
const LONG_ANSWER = 'x'.repeat(32 * 1024 * 1024);
const HALF_A_BODY =
  'POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';

test('an unsent body or an unread answer holds no place that somebody else wants', () => {
  let reached = 0;
  return onEachRouter(
    { limits: TWO },
    (app) => {
      reached = 0;
      app.addHook('onRequest', async () => {
        reached += 1;
      });
      app.post('/take', async () => ({}));
      app.get('/long', async () => LONG_ANSWER);
      app.get('/short', async () => ({}));
    },
    async (_router, url) => {
      for (const bytes of [HALF_A_BODY, ask('/long')]) {
        const before = reached;
        using _crowd = await Crowd.of(2, url, bytes);
        await until('both are being answered', () => reached === before + 2);
        for (let n = 0; n < 3; n += 1) assert.is((await call(`${url}/short`)).status, 200, bytes);
      }
    },
  );
});

test('a head that does not come whole in time is 408', () =>
  onEachRouter(
    { requestTimeoutMs: 200 },
    () => undefined,
    async (router, url) => {
      const answer = await raw(url, HALF_A_HEAD);
      assert.match(answer, /^HTTP\/1\.1 408/);
      assert.type(router === 'terminal' ? bodyOf(answer).error_message : bodyOf(answer).msg, 'string');
    },
  ));

test('a body that never ends is 408 after its time; that of an upload may take longer', () =>
  onEachRouter(
    { requestTimeoutMs: 200 },
    (app) => {
      app.post('/take', async () => ({}));
      app.post('/upload', { config: { isUpload: true } }, async () => ({}));
    },
    async (_router, url) => {
      const head = (path: string) =>
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{`;
      const upload = connect(Number(new URL(url).port), '127.0.0.1', () => upload.write(head('/upload')));
      const answer = allOf(upload);
      assert.match(await raw(url, head('/take')), /^HTTP\/1\.1 408/);
      upload.write('}');
      assert.match(await answer, /^HTTP\/1\.1 200/);
    },
  ));

test('what a refused caller still sends has the usual time, that of an upload too', () =>
  onEachRouter(
    { requestTimeoutMs: 200 },
    (app) => {
      app.post('/take', async () => ({}));
      app.post('/upload', { config: { isUpload: true } }, async () => ({}));
    },
    async (_router, url) => {
      for (const path of ['/take', '/upload', '/no-such-path'])
        for (const body of ['Content-Length: 99999999\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'])
          assert.match(await raw(url, `POST ${path} HTTP/1.1\r\nHost: evil.example\r\n${body}`), /^HTTP\/1\.1 403/);
    },
  ));

test('a refused caller that goes on sending is cut off', () =>
  onEachRouter(
    {},
    (app) => void app.post('/take', async () => ({})),
    async (_router, url) => {
      const caller = connect(Number(new URL(url).port), '127.0.0.1');
      const over = new Promise((resolve) => caller.once('close', resolve));
      caller.on('error', () => undefined).resume();
      caller.write('POST /take HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 999999999\r\n\r\n');
      const piece = Buffer.alloc(64 * 1024);
      for (let sent = 0; sent < 512 && !caller.destroyed; sent += 1)
        await new Promise((resolve) => caller.write(piece, resolve));
      assert.ok(caller.destroyed, 'sooner than after 32 MiB');
      await over;
    },
  ));

test('streams of events, of one address too, leave room for calls', () => {
  const { connections, eventStreams } = NETWORK_LIMITS;
  assert.ok(eventStreams.total < connections.total);
  assert.ok(eventStreams.perAddress < connections.perAddress);
});

test.run();
