import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { beginning, shortened } from '../../../drivers/lib/text.ts';

const test = suite('shortened texts');

test('a text that has room stays as it is', () => {
  for (const text of ['', 'abc', 'яблоко', '🍏🍐']) {
    assert.is(beginning(text, 6), text);
    assert.is(shortened(text, 6), text);
  }
});

test('a character of two halves is left out whole where only one has room', () => {
  assert.is(beginning('ab🍏', 3), 'ab');
  assert.is(beginning('ab🍏', 4), 'ab🍏');
  assert.is(beginning('ab🍏🍐', 4), 'ab🍏');
  assert.is(beginning('ab🍏🍐', 5), 'ab🍏');
  assert.is(shortened('ab🍏c', 3), 'ab…');
  assert.is(shortened('abcd', 3), 'abc…');
});

test('halves that stand alone become the sign for what cannot be written', () => {
  assert.is(beginning('a\ud835b', 9), 'a\ufffdb');
  assert.is(beginning('\udf00\udf00', 1), '\ufffd');
  assert.is(shortened('\ud835', 9), '\ufffd');
});

test.run();
