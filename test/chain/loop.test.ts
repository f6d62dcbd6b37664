/** What a device does for its chain again and again: when it is done, and when not. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NewsListener } from '../../firmware/chain/link.ts';
import { Loop, type LoopOptions } from '../../firmware/chain/loop.ts';
import { until } from '../support.ts';

const test = suite('what is done for the chain again and again');

const HOUR_MS = 3_600_000;
/** More doublings than it takes from the first limit to hours. */
const MANY = 30;

/** A loop whose steps are counted, and the line and the news that it hears of. */
class Heard implements AsyncDisposable {
  readonly #lines = new Set<() => void>();
  readonly #news = new Set<NewsListener>();
  readonly loop: Loop;
  /** By how many steps there were, when the next one was asked for. */
  readonly asked: number[] = [];
  steps = 0;

  constructor(step: (number: number, heard: Heard) => number | null, more: Partial<LoopOptions> = {}) {
    const noteAsked = (): void => void this.asked.push(this.steps);
    class AskedLoop extends Loop {
      override ask(): void {
        noteAsked();
        super.ask();
      }
    }
    this.loop = new AskedLoop({
      link: { onLine: (heard) => added(this.#lines, heard), onNews: (heard) => added(this.#news, heard) },
      step: async () => step(++this.steps, this),
      retry: { minMs: 1, maxMs: HOUR_MS },
      ...more,
    });
    this.loop.start();
  }

  line(): void {
    for (const heard of this.#lines) heard();
  }

  news(key: string): void {
    for (const heard of this.#news) heard('all', key);
  }

  get listeners(): number {
    return this.#lines.size + this.#news.size;
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

test('a step is due when the last one said, or at once when it is asked for, with a new line and for its news', async () => {
  await using heard = new Heard((number) => (number === 1 ? 0 : HOUR_MS), {
    isNews: (_scope, key) => key === 'mine',
  });
  await heard.reached(2);
  heard.loop.ask();
  await heard.reached(3);
  heard.line();
  await heard.reached(4);
  heard.news('mine');
  await heard.reached(5);
  heard.news('another');
  heard.loop.start(); // it runs already
  heard.loop.ask();
  await heard.reached(6);
  assert.equal([heard.steps, heard.asked], [6, [2, 3, 4, 5]]);
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
  assert.is(heard.listeners, 2);
  await heard.loop.close();
  assert.equal([heard.listeners, heard.loop.isClosing], [0, true]);
  heard.loop.ask();
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
