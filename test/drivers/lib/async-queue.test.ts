import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AsyncQueue } from '../../../drivers/lib/async.ts';

const test = suite('queue');

/** Takes what is in a queue as it comes; `isOver` once the loop has ended. */
function taker(queue: AsyncQueue<number>) {
  const taken: number[] = [];
  const state = { taken, isOver: false };
  void (async () => {
    for await (const item of queue) taken.push(item);
    state.isOver = true;
  })();
  return state;
}

test('what was put in before and after somebody waits comes out in order', async () => {
  const queue = new AsyncQueue<number>();
  queue.push(1);
  queue.push(0);
  const { taken } = taker(queue);
  await turn();
  queue.push(3);
  await turn();
  queue.push(4);
  await turn();
  assert.equal(taken, [1, 0, 3, 4]);
});

test('closing ends waiting readers, and drops what was not taken', async () => {
  const waiting = new AsyncQueue<number>();
  const state = taker(waiting);
  await turn();
  waiting.close();
  await turn();
  assert.ok(state.isOver);
  const full = new AsyncQueue<number>();
  full.push(1);
  full.close();
  const late = taker(full);
  await turn();
  assert.equal([late.taken, late.isOver], [[], true]);
});

test.run();
