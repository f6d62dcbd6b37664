/** Whether a till has got its answer. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyReply } from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { callerOf } from '../../firmware/http/caller.ts';
import { until } from '../support.ts';

const test = suite('callers');

const REQUEST = 'GET / HTTP/1.1\r\nHost: till\r\n\r\n';

/** Two calls that a till has sent at once on one connection: the answer to the second waits behind that to the first. */
async function twoCalls() {
  const answers: ServerResponse[] = [];
  const server = createServer((_request, response) => void answers.push(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const till = connect((server.address() as AddressInfo).port, '127.0.0.1');
  till.write(REQUEST + REQUEST);
  await until('both calls', () => answers.length === 2);
  const [first, second] = answers;
  if (first === undefined || second === undefined) throw new Error('there are two calls');
  const caller = callerOf({ raw: second } as unknown as FastifyReply);
  let heard = 0;
  caller.whenAnswered(() => {
    heard += 1;
  });
  second.end('{}');
  return {
    first,
    till,
    gone: caller.gone,
    heard: () => heard,
    async [Symbol.asyncDispose]() {
      till.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('an answer that has gone out is heard, once, and who closes the connection after it has not hung up', async () => {
  await using calls = await twoCalls();
  assert.is(calls.heard(), 0, 'it waits behind another');
  calls.first.end('{}');
  await until('it is heard', () => calls.heard() === 1);
  calls.till.destroy();
  await until('the end of the connection', () => calls.first.req.socket.destroyed);
  assert.is(calls.heard(), 1);
  assert.not(calls.gone.aborted);
});

test('an answer that was still waiting when the till hung up is heard by nobody', async () => {
  await using calls = await twoCalls();
  calls.till.destroy();
  await until('the end of the connection', () => calls.gone.aborted);
  assert.is(calls.heard(), 0);
});

test.run();
