import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { edgeOf } from '../../../drivers/gpio/gpiod-programs.ts';
import { ButtonEdges } from '../../../drivers/gpio/libgpiod.ts';
import { BUTTON_DEBOUNCE_MS } from '../../../drivers/gpio/pins.ts';

const test = suite('edges of a button');

function button() {
  let presses = 0;
  let task: (() => void) | null = null;
  const edges = new ButtonEdges(
    () => presses++,
    (ms, next) => {
      assert.is(ms, BUTTON_DEBOUNCE_MS);
      task = next;
      return () => {
        task = null;
      };
    },
  );
  const rest = (): void => {
    const due = task;
    task = null;
    due?.();
  };
  return { edges, rest, presses: () => presses };
}

test('a press is reported while it lasts, once its contact rests, and once', () => {
  const { edges, rest, presses } = button();
  for (const [isPressed, atMs] of [
    [true, 0],
    [false, 2],
    [true, 3],
  ] as const)
    edges.add({ isPressed, atMs });
  assert.equal([presses(), edges.level], [0, 1]);
  rest();
  assert.is(presses(), 1);
  edges.add({ isPressed: true, atMs: 500 }); // an edge between was not heard of
  rest();
  edges.add({ isPressed: false, atMs: 900 });
  rest();
  assert.equal([presses(), edges.level], [1, 0]);
});

test('a whole press is one, where nothing ran in between; what is shorter than a bounce is none', () => {
  const { edges, rest, presses } = button();
  edges.add({ isPressed: true, atMs: 0 });
  edges.add({ isPressed: false, atMs: BUTTON_DEBOUNCE_MS - 1 });
  rest();
  assert.is(presses(), 0);
  edges.add({ isPressed: true, atMs: 100 });
  edges.add({ isPressed: false, atMs: 100 + BUTTON_DEBOUNCE_MS });
  assert.is(presses(), 1);
  edges.add({ isPressed: true, atMs: 500 });
  edges.add({ isPressed: false, atMs: 600 });
  assert.is(presses(), 2);
});

test('where edges are lost in a press its level is not known, until the next edge', () => {
  const { edges, rest, presses } = button();
  edges.lose();
  assert.is(edges.level, 0, 'nothing was pressed');
  edges.add({ isPressed: true, atMs: 0 });
  edges.lose();
  rest();
  assert.equal([presses(), edges.level], [0, null]);
  edges.add({ isPressed: false, atMs: 900 });
  assert.equal([presses(), edges.level], [0, 0]);
  edges.add({ isPressed: true, atMs: 1000 });
  rest();
  assert.equal([presses(), edges.level], [1, 1]);
});

test('the lines of both editions are read, and nothing else', () => {
  const pressed = { isPressed: true, atMs: 12_000.000_005 };
  assert.equal(edgeOf('0 12 5'), pressed);
  assert.equal(edgeOf('2 12.000000005'), pressed);
  assert.equal(edgeOf('1 12 500000000'), { isPressed: false, atMs: 12_500 });
  assert.equal(edgeOf('1 12.500000000'), { isPressed: false, atMs: 12_500 });
  for (const line of ['', '3 1 2', '0 1', '0 1 2 3', 'event: RISING EDGE offset: 22', '0 -1 2', '0 1 2\n0 1 2'])
    assert.is(edgeOf(line), null, line);
});

test.run();
