/** How often and how many at once, with timers that are turned by hand. */
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RateLimit } from '../../../drivers/lib/rate-limit.ts';
import { atEnd } from '../../support.ts';

const test = suite('rate limit');

const PAUSE_MS = 50;

/** Work that lasts until a test ends it. */
function piecesOf(limit: RateLimit, count: number) {
  const begun: number[] = [];
  const ends: PromiseWithResolvers<number>[] = [];
  const runs = Array.from({ length: count }, (_, n) => {
    const end = Promise.withResolvers<number>();
    ends.push(end);
    return limit.run(() => {
      begun.push(n);
      return end.promise;
    });
  });
  return { begun, ends, runs };
}

async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await turn();
}

const withTimers = (run: () => Promise<void>) => async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  using _end = atEnd(() => mock.timers.reset());
  await run();
};

test(
  'work begins in the order in which it was asked for, a pause apart',
  withTimers(async () => {
    const { begun } = piecesOf(new RateLimit({ atOnce: 10, pauseMs: PAUSE_MS }), 3);
    await turn();
    assert.equal(begun, [0]);
    await pass(PAUSE_MS - 1);
    assert.equal(begun, [0]);
    await pass(1);
    assert.equal(begun, [0, 1]);
    await pass(PAUSE_MS);
    assert.equal(begun, [0, 1, 2]);
  }),
);

test(
  'no more run at once than allowed; an end makes room, also a failure, its caller’s alone',
  withTimers(async () => {
    const { begun, ends, runs } = piecesOf(new RateLimit({ atOnce: 2, pauseMs: PAUSE_MS }), 4);
    for (let n = 0; n < 5; n += 1) await pass(PAUSE_MS);
    assert.equal(begun, [0, 1]);
    ends[0]?.reject(new Error('it failed'));
    assert.is(await runs[0]?.catch((error: Error) => error.message), 'it failed');
    await pass(PAUSE_MS);
    assert.equal(begun, [0, 1, 2]);
    ends[2]?.resolve(7);
    assert.is(await runs[2], 7);
    await pass(PAUSE_MS);
    assert.equal(begun, [0, 1, 2, 3]);
  }),
);

test(
  'what waits at the close begins at once, as does what comes later: no timer is left',
  withTimers(async () => {
    const limit = new RateLimit({ atOnce: 2, pauseMs: PAUSE_MS });
    const { begun } = piecesOf(limit, 5);
    await turn();
    assert.equal(begun, [0]);
    limit.close();
    await turn();
    assert.equal(begun, [0, 1, 2, 3, 4]);
    const late = piecesOf(limit, 2);
    await turn();
    assert.equal(late.begun, [0, 1]);
    await pass(PAUSE_MS);
    assert.equal(begun, [0, 1, 2, 3, 4]);
  }),
);

test.run();
