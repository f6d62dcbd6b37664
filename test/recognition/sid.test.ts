/** Identifiers of templates: their form, and that they only grow. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nextSid, SID_PATTERN } from '../../firmware/recognition/templates/sid.ts';

const sid = suite('sid');

sid('begins with the moment in UTC', () => {
  assert.match(nextSid(Date.UTC(2025, 3, 9, 17, 26, 0, 91), null), /^20250409172600091\d{6}$/);
});

sid('grows strictly with any clock, and always has 23 digits', () => {
  const moments = fc.array(fc.integer({ min: 0, max: Date.UTC(2199, 0) }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(moments, (walls) => {
      let last: string | null = null;
      for (const wall of walls) {
        const next = nextSid(wall, last);
        assert.match(next, SID_PATTERN);
        assert.ok(last === null || next > last, `${next} after ${last}`);
        last = next;
      }
    }),
  );
});

sid('goes on after the last nanosecond of a second, a day and a year', () => {
  assert.is(nextSid(0, '20251231235959999999999'), '20260101000000000000000');
  assert.is(nextSid(0, '20240228235959999999999'), '20240229000000000000000');
});

sid.run();
