/** What a device does again and again: when it is done, and when not. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Loop, type LoopOptions } from '../../drivers/lib/async.ts';
import { until } from '../support.ts';

const test = suite('what is done again and again');

const HOUR_MS = 3_600_000;
/** More doublings than it takes from the first limit to hours. */
const MANY = 30;

/** A loop whose steps are counted, and the line that it hears of. */
class Heard implements AsyncDisposable {
  readonly #lines = new Set<() => void>();
  readonly loop: Loop;
  /** By how many steps there were, when the next one was asked for. */
  readonly asked: number[] = [];
  steps = 0;

  constructor(step: (number: number, heard: Heard) => number | null, more: Partial<LoopOptions> = {}) {
    const noteAsked = (): void => void this.asked.push(this.steps);
    class AskedLoop extends Loop {
      override runNow(): void {
        noteAsked();
        super.runNow();
      }
    }
    this.loop = new AskedLoop({
      link: { onLine: (heard) => added(this.#lines, heard) },
      step: async () => step(++this.steps, this),
      retry: { minMs: 1, maxMs: HOUR_MS },
      ...more,
    });
    this.loop.start();
  }

  line(): void {
    for (const heard of this.#lines) heard();
  }

  get listeners(): number {
    return this.#lines.size;
  }

  reached = (steps: number) => until(`${steps} steps`, () => this.steps >= steps);

  async [Symbol.asyncDispose](): Promise<void> {
    await this.loop.close();
  }
}

function added<T>(set: Set<T>, one: T): () => void {
  set.add(one);
  return () => void set.delete(one);
}

test('a step is due when the last one said, or at once when it is asked for, and with a new line', async () => {
  await using heard = new Heard((number) => (number === 1 ? 0 : HOUR_MS));
  await heard.reached(2);
  heard.loop.runNow();
  await heard.reached(3);
  heard.line();
  await heard.reached(4);
  heard.loop.start(); // it runs already
  heard.loop.runNow();
  await heard.reached(5);
  assert.equal([heard.steps, heard.asked], [5, [2, 3, 4]]);
});

test('what fails is tried again later and later, and soon again after a success', async () => {
  await using heard = new Heard((number) => (number % 3 === 0 ? 0 : null));
  await heard.reached(MANY * 3);
});

test('a new line has what fails tried soon again', async () => {
  await using heard = new Heard((number, loop) => {
    if (number < MANY) loop.line();
    return null;
  });
  await heard.reached(MANY + 3);
});

test('one that is closed does no more and hears no more', async () => {
  const heard = new Heard(() => HOUR_MS);
  await heard.reached(1);
  assert.is(heard.listeners, 1);
  await heard.loop.close();
  assert.equal([heard.listeners, heard.loop.isClosing], [0, true]);
  heard.loop.runNow();
  await new Promise(setImmediate);
  assert.is(heard.steps, 1);
});

test('closing in the midst of a step waits for it, and for nothing behind it', async () => {
  let end = (): void => undefined;
  const step = new Promise<void>((resolve) => {
    end = resolve;
  });
  let isOver = false;
  const link = { onLine: () => () => undefined };
  const loop = new Loop({
    link,
    step: async () => {
      await step;
      isOver = true;
      return HOUR_MS;
    },
  });
  loop.start();
  const closed = loop.close();
  end();
  await closed;
  assert.ok(isOver);
});

test.run();
