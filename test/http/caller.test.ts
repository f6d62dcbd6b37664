/** Whether a till has got its answer, also where the server closes meanwhile, as a restart, an update and a reset have it do. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { FastifyReply } from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requesterOf } from '../../firmware/core/http/guard/caller.ts';
import { listening } from '../ports.ts';
import { until } from '../support.ts';
import { onEachRouter } from './servers.ts';

const test = suite('callers');

const REQUEST = 'GET / HTTP/1.1\r\nHost: till\r\n\r\n';

/** Two calls that a till has sent at once on one connection: the answer to the second waits behind that to the first. */
async function twoCalls() {
  const answers: ServerResponse[] = [];
  const server = await listening(createServer((_request, response) => void answers.push(response)));
  const till = connect(server.port, '127.0.0.1');
  till.write(REQUEST + REQUEST);
  await until('both calls', () => answers.length === 2);
  const [first, second] = answers;
  if (first === undefined || second === undefined) throw new Error('there are two calls');
  const caller = requesterOf({ raw: second } as unknown as FastifyReply);
  let heard = 0;
  caller.whenAnswered(() => heard++);
  second.end('{}');
  return {
    first,
    till,
    gone: caller.gone,
    heard: () => heard,
    async [Symbol.asyncDispose]() {
      till.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('an answer that went out is reported once, and a close after it is no hang-up', async () => {
  await using calls = await twoCalls();
  assert.is(calls.heard(), 0, 'it waits behind another');
  calls.first.end('{}');
  await until('it is heard', () => calls.heard() === 1);
  calls.till.destroy();
  await until('the end of the connection', () => calls.first.req.socket.destroyed);
  assert.is(calls.heard(), 1);
  assert.not(calls.gone.aborted);
});

test('an answer that was still waiting when the till hung up is not sent', async () => {
  await using calls = await twoCalls();
  calls.till.destroy();
  await until('the end of the connection', () => calls.gone.aborted);
  assert.is(calls.heard(), 0);
});

test('a call that is being answered when the server closes still has its answer', async () => {
  const began = new EventTarget();
  let close = async (): Promise<void> => {};
  const add = (app: Parameters<Parameters<typeof onEachRouter>[1]>[0]) => {
    close = () => app.close();
    app.get('/slow', async () => {
      began.dispatchEvent(new Event('asked'));
      await once(began, 'closing');
      return { done: true };
    });
  };
  await onEachRouter({}, add, async (_router, url) => {
    const asked = once(began, 'asked');
    const answer = fetch(`${url}/slow`);
    await asked;
    const closed = close();
    began.dispatchEvent(new Event('closing'));
    assert.equal(await (await answer).json(), { done: true });
    await closed;
  });
});

test('one that takes too long, and a stream, keep no server from closing', async () => {
  const began = new EventTarget();
  let close = async (): Promise<void> => {};
  const add = (app: Parameters<Parameters<typeof onEachRouter>[1]>[0]) => {
    close = () => app.close();
    app.get('/never', async (_request, reply) => {
      began.dispatchEvent(new Event('asked'));
      await once(reply.raw, 'close');
    });
    app.get('/stream', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200).write('one\n');
    });
  };
  await onEachRouter({}, add, async (_router, url) => {
    const stream = await fetch(`${url}/stream`);
    const asked = once(began, 'asked');
    const cut = fetch(`${url}/never`).then(
      () => 'answered',
      () => 'cut',
    );
    await asked;
    await close();
    assert.is(await cut, 'cut');
    await stream.text().catch(() => ''); // its connection is gone, too
  });
});

test.run();
