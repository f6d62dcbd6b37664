/** A caller that ends its own side after its request still reads; one that has gone is a hang-up. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text as allOf } from 'node:stream/consumers';
import type { FastifyReply } from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requesterOf } from '../../firmware/core/http/guard/caller.ts';
import { until } from '../support.ts';
import { onEachRouter } from './servers.ts';

const test = suite('http: callers that end their side');

const REQUEST = 'GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/** A route that answers when the test says so, and who asks it. */
async function onSlowRoute(
  run: (url: URL, slow: { ask: Promise<unknown>; answer: () => void; gone: () => AbortSignal | null }) => Promise<void>,
) {
  const events = new EventTarget();
  let gone: AbortSignal | null = null;
  const add = (app: Parameters<Parameters<typeof onEachRouter>[1]>[0]) => {
    app.get('/slow', async (_request, reply: FastifyReply) => {
      gone = requesterOf(reply).gone;
      const answered = once(events, 'answer');
      events.dispatchEvent(new Event('asked'));
      await answered;
      return { done: true };
    });
  };
  await onEachRouter({}, add, async (_router, url) => {
    await run(new URL(url), {
      ask: once(events, 'asked'),
      answer: () => void events.dispatchEvent(new Event('answer')),
      gone: () => gone,
    });
  });
}

test('a caller that has ended its side gets the answer of a slow call', async () => {
  await onSlowRoute(async ({ hostname, port }, slow) => {
    const till = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const read = allOf(till);
    till.end(REQUEST);
    await slow.ask;
    // longer than a look at the connection
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.not(slow.gone()?.aborted, 'it waits for its answer');
    slow.answer();
    const answer = await read;
    assert.match(answer, /HTTP\/1\.1 200 OK[\s\S]*\{"done":true\}$/);
  });
});

test('a caller that closes its connection while the call runs has hung up', async () => {
  await onSlowRoute(async ({ hostname, port }, slow) => {
    const till = connect({ host: hostname, port: Number(port) });
    till.write(REQUEST);
    await slow.ask;
    till.destroy();
    await until('the hang-up', () => slow.gone()?.aborted === true);
    slow.answer();
  });
});

test.run();
