/** What one synchronisation does, rule by rule of the interface. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodePart } from '../../drivers/lib/subject-part.ts';
import { byAge, inTurns, type TemplateName } from '../../firmware/recognition/templates/template-name.ts';
import type { Plan } from '../../firmware/sync/centre/decide.ts';
import { mark, marksOfBoot, noMarks, takeReport, unmark } from '../../firmware/sync/centre/decide-marks.ts';
import { identityOf, keyOf, refOf } from '../../firmware/sync/centre/subjects.ts';
import { type CentreState, decide, decideCentre, type LocalState } from './decide-all.ts';

const test = suite('synchronisation: decisions');

const ref = (item: string, origin: string, sid: number): TemplateName => ({ item, origin, sid: String(sid) });
const A1 = ref('7', 'A', 1);
const A2 = ref('7', 'A', 2);
const B1 = ref('7', 'B', 1);
const OTHER = ref('8', 'B', 9);

const local = (changes: Partial<LocalState> = {}): LocalState => ({
  serial: 'A',
  upload: true,
  download: true,
  max: 30,
  limit: 0,
  ...{
    templates: [],
    tombstones: [],
    orphaned: new Set<string>(),
    storedAtCentre: new Set<string>(),
  },
  ...changes,
});
const centre = (changes: Partial<CentreState> = {}): CentreState => ({
  templates: [],
  tombstones: [],
  published: new Set<string>(),
  marks: [],
  reported: [],
  ...changes,
});
const NOTHING: Plan = {
  keepTombstones: [],
  drop: [],
  report: null,
  publishTombstones: [],
  put: [],
  evict: [],
  fetch: [],
  left: 0,
};
const all = (...refs: TemplateName[]): ReadonlySet<string> => new Set(refs.map(identityOf));

test('what is the same on both sides moves nothing', () => {
  assert.equal(decide(local({ templates: [A1, B1] }), centre({ templates: [B1, A1] })), NOTHING);
});

test('upload shares own templates, and those of others only where their maker does not', () => {
  const templates = [A1, B1];
  assert.equal(decide(local({ templates }), centre()).put, [A1]);
  assert.equal(decide(local({ templates, orphaned: all(B1) }), centre()).put, [A1, B1]);
  assert.equal(decide(local({ templates, orphaned: all(B1), upload: false }), centre()), NOTHING);
});

test('download takes the templates of others and never gives them up because the centre has them not', () => {
  assert.equal(decide(local(), centre({ templates: [B1] })).fetch, [B1]);
  assert.equal(decide(local({ download: false }), centre({ templates: [B1] })), NOTHING);
  assert.equal(decide(local({ templates: [B1] }), centre()), NOTHING);
});

test('rules 5 and 6: after a local deletion own templates come back with upload on, even with download off', () => {
  const templates = [A1, B1];
  assert.equal(decide(local({ download: false }), centre({ templates })).fetch, [A1]);
  assert.equal(decide(local({ upload: false, download: false }), centre({ templates })), NOTHING);
  assert.equal(decide(local({ upload: false }), centre({ templates })).fetch, [B1]);
});

test('rule 2: what was deleted for good goes everywhere, even with upload and download off', () => {
  const mute = { upload: false, download: false };
  const tombstones = [{ ref: B1, own: true }];
  assert.equal(decide(local({ ...mute, tombstones }), centre({ templates: [B1] })), {
    ...NOTHING,
    publishTombstones: [B1],
  });
  assert.equal(decide(local({ ...mute, templates: [B1, A1] }), centre({ tombstones: [B1] })), {
    ...NOTHING,
    keepTombstones: [B1],
    drop: [B1],
  });
  assert.equal(decideCentre([A1, B1], [B1], []), [B1]);
});

test('a tombstone is published again where the centre lost it, by any device that knows of it', () => {
  const known = [
    { ref: A1, own: true },
    { ref: B1, own: false },
  ];
  assert.equal(decide(local({ tombstones: known }), centre()).publishTombstones, [A1, B1]);
  assert.equal(decide(local({ tombstones: known }), centre({ tombstones: [A1, B1] })).publishTombstones, [A1]);
  assert.equal(decide(local({ tombstones: known }), centre({ published: all(A1), tombstones: [A1, B1] })), NOTHING);
});

test('a tombstone of what nobody holds is kept by nobody else: a device would have all others carry what it makes up', () => {
  assert.equal(decide(local(), centre({ tombstones: [B1] })), NOTHING);
  assert.equal(decide(local(), centre({ tombstones: [B1], templates: [B1] })), { ...NOTHING, keepTombstones: [B1] });
});

test('what a tombstone names is never taken or given again', () => {
  const tombstones = [
    { ref: A1, own: false },
    { ref: B1, own: false },
  ];
  const plan = decide(local({ tombstones, templates: [A1] }), centre({ templates: [B1] }));
  assert.equal(plan, { ...NOTHING, drop: [A1], publishTombstones: [A1, B1] });
});

test('rule 10: a mark deletes own templates and those of others, with upload and download off too', () => {
  const marks = [{ item: '7', id: 'one' }];
  const mute = { upload: false, download: false };
  assert.equal(decide(local({ ...mute, templates: [A1, B1, OTHER] }), centre({ marks })), {
    ...NOTHING,
    drop: [A1, B1],
    report: ['one'],
  });
  assert.equal(decideCentre([A1, OTHER], [], marks), [A1]);
});

test('rule 10: the deletion is repeated at each synchronisation while the item is marked', () => {
  const marks = [{ item: '7', id: 'one' }];
  const plan = decide(local({ templates: [A2] }), centre({ marks, reported: ['one'] }));
  assert.equal(plan, { ...NOTHING, drop: [A2] });
});

test('rule 11: a marked item is not synchronised while all others are; unmarked, it is again', () => {
  const marks = [{ item: '7', id: 'one' }];
  const mine = ref('9', 'A', 3);
  const before = decide(local({ templates: [mine] }), centre({ marks, templates: [B1, OTHER], reported: ['one'] }));
  assert.equal(before, { ...NOTHING, put: [mine], fetch: [OTHER] });
  const after = decide(local({ templates: [A1] }), centre({ templates: [B1] }));
  assert.equal({ put: after.put, fetch: after.fetch }, { put: [A1], fetch: [B1] });
});

test('rule 12: progress is reported by serial number, once a device, for each mark anew', () => {
  const marked = mark(noMarks('boot'), '7', 'one');
  const reported = takeReport(takeReport(takeReport(marked, 'M', ['one']), 'A', ['one']), 'A', ['one']);
  assert.equal(reported.marks, [{ item: '7', id: 'one', done: ['M', 'A'] }]);
  assert.is(takeReport(reported, 'B', ['earlier']), reported);
  const again = mark(unmark(reported, '7'), '7', 'two');
  assert.equal(takeReport(again, 'A', ['one']).marks, [{ item: '7', id: 'two', done: [] }]);
});

test('rules 10 and 13: several items are marked at once; marking one twice keeps its progress', () => {
  const both = mark(mark(noMarks('boot'), '7', 'one'), '8', 'two');
  assert.equal(
    both.marks.map(({ item }) => item),
    ['7', '8'],
  );
  const reported = takeReport(both, 'A', ['one', 'two']);
  assert.is(mark(reported, '7', 'three'), reported);
});

test('a restart of the master keeps its marks, a reboot does not', () => {
  const marked = takeReport(mark(noMarks('boot'), '7', 'one'), 'A', ['one']);
  assert.is(marksOfBoot(marked, 'boot'), marked);
  assert.equal(marksOfBoot(marked, 'next boot'), { boot: 'next boot', marks: [], ended: marked.marks });
});

const named = (names: readonly TemplateName[]): string[] => names.map(({ origin, sid }) => origin + sid);

test('a full item has places for each device in turn: a clock that is behind wins no more than one that is right', () => {
  const slow = [1, 2, 3, 4, 5].map((sid) => ref('7', 'SLOW', sid));
  const right = [1001, 1002, 1003, 1004].map((sid) => ref('7', 'R', sid));
  const late = [ref('7', 'L', 2001)];
  const all = [...right, ...late, ...slow].toReversed();
  const first = [...late, ...right.slice(0, 2), ...slow.slice(0, 2)];
  assert.equal(named(inTurns(all, 5)).toSorted(), named(first).toSorted());
  assert.equal(named(inTurns(all, 3)).toSorted(), ['L2001', 'R1001', 'SLOW1']);
  for (const given of [all, all.toSorted(byAge), all.toReversed()]) assert.equal(inTurns(given), inTurns(all));
  assert.is(inTurns(all).at(-1), slow.at(-1));
});

test('who has the last place of a turn is a matter of luck, and of the same luck everywhere', () => {
  const items = Array.from({ length: 100 }, (_, number) => `item ${number}`);
  const winners = items.map((item) => inTurns([ref(item, 'A', 1), ref(item, 'B', 1001)], 1)[0]?.origin);
  const wins = winners.filter((origin) => origin === 'A').length;
  assert.ok(wins > 25 && wins < 75, `${wins} of 100`);
});

test('an item keeps the first templates in the order that is the same on every device', () => {
  const refs = [ref('7', 'B', 1), ref('7', 'A', 2), ref('7', 'B', 2), ref('7', 'A', 3)];
  assert.equal(refs.toReversed().sort(byAge), refs);
  const [first, second, third, fourth] = refs;
  if (!first || !second || !third || !fourth) throw new Error('four were made');
  const storedAtCentre = all(...refs);
  const onA = decide(local({ max: 2, storedAtCentre, templates: [second, fourth] }), centre({ templates: refs }));
  assert.equal({ evict: onA.evict, fetch: onA.fetch }, { evict: [fourth], fetch: [first] });
  const onB = decide(
    local({ serial: 'B', max: 2, storedAtCentre, templates: [first, third] }),
    centre({ templates: refs }),
  );
  assert.equal({ evict: onB.evict, fetch: onB.fetch }, { evict: [third], fetch: [second] });
});

test("a full item gives up only what is on the centre's disk", () => {
  const older = [ref('7', 'B', 1), ref('7', 'B', 2)];
  const mine = [ref('7', 'A', 3), ref('7', 'A', 4)];
  const state = { max: 2, templates: mine };
  assert.equal(
    decide(local({ ...state, upload: false, storedAtCentre: all(...mine) }), centre({ templates: older })),
    NOTHING,
  );
  const unsettled = decide(local(state), centre({ templates: [...older, ...mine] }));
  assert.equal({ evict: unsettled.evict, fetch: unsettled.fetch }, { evict: [], fetch: [] });
  const storedAtCentre = decide(
    local({ ...state, storedAtCentre: all(...mine) }),
    centre({ templates: [...older, ...mine] }),
  );
  assert.equal(
    { evict: storedAtCentre.evict, fetch: storedAtCentre.fetch },
    { evict: mine.slice(1), fetch: older.slice(0, 1) },
  );
});

test('the limit bounds what one synchronisation moves, and reports what is left', () => {
  const mine = [1, 2, 3].map((sid) => ref('7', 'A', sid));
  const theirs = [1, 2, 3].map((sid) => ref('8', 'B', sid));
  const plan = decide(local({ limit: 4, templates: mine }), centre({ templates: theirs }));
  assert.equal(
    { put: plan.put, fetch: plan.fetch, left: plan.left },
    { put: mine, fetch: theirs.slice(0, 1), left: 2 },
  );
});

test('every item id has a key of one token for each part, and comes back from it', () => {
  for (const item of ['>', '*', 'a b', 'ü', '.', '001', '1', '..', '$KV', '🥝', 'x'.repeat(64)]) {
    for (const origin of ['A', '>', '1000.2']) {
      const each = { item, origin, sid: '20261120000000000000001' };
      const key = keyOf(each);
      assert.match(key, /^i[\w-]+\.i[\w-]+\.i[\w-]+$/);
      assert.equal(refOf(key), each);
    }
  }
});

test('a key of another form is recognised as such', () => {
  for (const key of [
    '',
    '>',
    'a.b.c',
    'iQQ.iQQ',
    'iQQ.iQQ.iQQ.iQQ',
    'iQQ==.iQQ.iQQ',
    'i.i.i',
    'iQQ.iQR.iQQ',
    'i_w.iQQ.iQQ',
  ])
    assert.is(refOf(key), null, key);
  assert.is(decodePart('xQQ'), null);
});

test.run();
