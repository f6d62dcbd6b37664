import { getEventListeners } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AskedWorkerOptions } from '../../../drivers/lib/asked-worker.ts';
import { LostWorker, WorkerThread } from '../../../drivers/lib/asked-worker.ts';
import { failed } from '../../support.ts';

const thread = suite('worker thread');
const FILE = new URL('./echo-worker.ts', import.meta.url);
const LIMIT_MS = 60_000;

function start(options: Partial<AskedWorkerOptions> = {}): WorkerThread<string, string> {
  return new WorkerThread(FILE, undefined, { name: 'echo', ...options });
}

const lossOf = (work: Promise<unknown>) => failed(LostWorker, work);

thread('each question has its answer', async () => {
  const echo = start();
  assert.is(await echo.ask('say a', LIMIT_MS), 'a');
  assert.is(await echo.ask('say b', LIMIT_MS), 'b');
  assert.is(echo.isBusy, false);
  await echo.end();
});

thread('what is said at once, or before anybody listens, is heard in its order', async () => {
  const echo = start();
  assert.is(await echo.ask('say a b c', LIMIT_MS), 'a');
  echo.post('say d');
  const heard = [];
  for (let at = 0; at < 3; at++) heard.push(await echo.hear(LIMIT_MS));
  assert.equal(heard, ['b', 'c', 'd']);
  await echo.end();
});

thread('what was said unasked is not taken for the answer to the next question', async () => {
  const lost = Promise.withResolvers<string>();
  const echo = start({ onLost: lost.resolve });
  echo.post('say stray');
  echo.post('die');
  await lost.promise;
  assert.match((await lossOf(echo.ask('say a', LIMIT_MS))).message, 'is gone');
});

for (const [order, reason] of [
  ['die', 'ended with code 3'],
  ['throw ordered', 'failed: Error: ordered'],
] as const) {
  thread(`one that is made to ${order} is lost, once, and stays so`, async () => {
    const losses: string[] = [];
    const echo = start({ onLost: (loss) => losses.push(loss) });
    const loss = await lossOf(echo.ask(order, LIMIT_MS));
    assert.match(loss.message, reason);
    assert.is(echo.isOver, true);
    await lossOf(echo.ask('say a', LIMIT_MS));
    await echo.end();
    assert.equal(losses, [loss.message]);
  });
}

thread('what it sent before a listener came is delivered in order, also when it has ended by then', async () => {
  const lost = Promise.withResolvers<string>();
  const echo = start({ onLost: lost.resolve });
  echo.post('say a b');
  echo.post('die');
  await lost.promise;
  assert.is(await echo.hear(LIMIT_MS), 'a');
  assert.is(await echo.hear(LIMIT_MS), 'b');
  await lossOf(echo.hear(LIMIT_MS));
});

thread('one that hangs is lost after the limit', async () => {
  const losses: string[] = [];
  const echo = start({ onLost: (loss) => losses.push(loss) });
  assert.is(await echo.ask('say a', LIMIT_MS), 'a');
  const loss = await lossOf(echo.ask('hang', 100));
  assert.is(loss.message, 'the echo said nothing for 100 ms');
  assert.equal(losses, [loss.message]);
  await echo.end();
});

thread('a signal ends it, also one that hangs and one that begins too late; that is no loss', async () => {
  for (const isEarly of [true, false]) {
    const losses: string[] = [];
    const closing = new AbortController();
    if (isEarly) closing.abort();
    const echo = start({ signal: closing.signal, onLost: (loss) => losses.push(loss) });
    const waiting = lossOf(echo.ask('hang', LIMIT_MS));
    closing.abort();
    assert.match((await waiting).message, /was ended|is gone/);
    await echo.end();
    assert.equal(losses, []);
  }
});

thread('one that is gone leaves nothing at the signal', async () => {
  const { signal } = new AbortController();
  const [lost, ended] = [start({ signal }), start({ signal })];
  assert.is(getEventListeners(signal, 'abort').length, 2);
  await lossOf(lost.ask('die', LIMIT_MS));
  await ended.end();
  assert.equal(getEventListeners(signal, 'abort'), []);
});

thread('one question at a time', async () => {
  const echo = start();
  const first = echo.ask('say a', LIMIT_MS);
  assert.is(echo.isBusy, true);
  assert.throws(() => echo.hear(LIMIT_MS), /one question at a time/);
  assert.is(await first, 'a');
  await echo.end();
});

thread.run();
