/** What becomes of calls that are being answered when a server closes, as a restart, an update and a reset have it do. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { onEachRouter } from './servers.ts';

const test = suite('http: last answers');

test('a call that is being answered when the server closes still has its answer', async () => {
  const began = new EventTarget();
  let close = async (): Promise<void> => {};
  const add = (app: Parameters<Parameters<typeof onEachRouter>[1]>[0]) => {
    close = () => app.close();
    app.get('/slow', async () => {
      began.dispatchEvent(new Event('asked'));
      await pause(100);
      return { done: true };
    });
  };
  await onEachRouter({}, add, async (_router, url) => {
    const asked = once(began, 'asked');
    const answer = fetch(`${url}/slow`);
    await asked;
    await Promise.all([close(), answer.then(async (it) => assert.equal(await it.json(), { done: true }))]);
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
