import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { editDistance, isAlike, nearest } from '../../../drivers/lib/text.ts';

const test = suite('the nearest name');

test('letters that are missing, too many or wrong count, and two that have changed places count as one', () => {
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

test('what is too far from each is near none; of two the nearer is meant, and the first of two alike', () => {
  assert.equal([isAlike('abcde', 'abxyz'), isAlike('abcde', 'abcyz')], [false, true]);
  assert.is(nearest('xyz', ['status', 'pay']), null);
  assert.is(nearest('stats', ['starts', 'status', 'stats-of']), 'starts');
  assert.is(nearest('statu', ['stats-of', 'status']), 'status');
});

test.run();
