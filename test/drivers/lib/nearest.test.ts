import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { editDistance, isAlike, nearest } from '../../../drivers/lib/text.ts';

const test = suite('the nearest name');

test('missing, extra and wrong letters count one each, and so do two swapped neighbours', () => {
  for (const [one, other, apart] of [
    ['', 'abc', 3],
    ['status', 'STATUS', 0],
    ['status', 'staus', 1],
    ['status', 'stanus', 1],
    ['status', 'statsu', 1],
    ['a'.repeat(100), `${'a'.repeat(100)}b`, 0],
    ['a'.repeat(99), `${'a'.repeat(99)}b`, 1],
  ] as const)
    for (const [left, right] of [
      [one, other],
      [other, one],
    ] as const)
      assert.is(editDistance(left, right), apart, `${left}, ${right}`);
});

test('a name too far from each has no near one; of two the nearer is taken, of equals the first', () => {
  assert.equal([isAlike('abcde', 'abxyz'), isAlike('abcde', 'abcyz')], [false, true]);
  assert.is(nearest('xyz', ['status', 'pay']), null);
  assert.is(nearest('stats', ['starts', 'status', 'stats-of']), 'starts');
  assert.is(nearest('statu', ['stats-of', 'status']), 'status');
});

test.run();
