/**
 * Turns for long work: one piece in each turn of the event loop, for all parts together. Between two pieces a sale
 * comes in. A piece should take a few milliseconds.
 */
const waiting: (() => void)[] = [];

function callNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(callNext);
}

/** Settles when the next piece may be done: in a later turn of the event loop, after all who have asked before. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(callNext);
  });
}

/** Calls `work` with each item, `atOnce` items in a turn. */
export async function inTurnsOf<T>(atOnce: number, all: Iterable<T>, work: (each: T) => void): Promise<void> {
  let count = 0;
  for (const each of all) {
    work(each);
    if (++count % atOnce === 0) await nextTurn();
  }
}
