/** What one synchronisation moves where there is no room for all, and the names of templates. What it makes of a store: `simulation.test.ts`. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodePart } from '../../drivers/lib/text.ts';
import { byAge, inTurns, type TemplateName } from '../../firmware/recognition/model/template.ts';
import { decideItem, type ItemPlan, joinPlans } from '../../firmware/sync/centre/decide.ts';
import { identityOf, keyOf, refOf } from '../../firmware/sync/centre/subjects.ts';

const test = suite('synchronisation: decisions');

const ref = (item: string, origin: string, sid: number): TemplateName => ({ item, origin, sid: String(sid) });
/** Of one item at the device A. @param stored what the centre has on its disk */
const planOf = (
  here: readonly TemplateName[],
  there: readonly TemplateName[],
  max = 30,
  stored = here,
  upload = true,
) =>
  decideItem(
    {
      ...{ serial: 'A', upload, download: true, max, templates: here, tombstones: [] },
      ...{ orphaned: new Set<string>(), storedAtCentre: new Set(stored.map(identityOf)) },
      roomForTombstones: 0,
    },
    { templates: there, tombstones: [], published: new Set(), isMarked: false },
  );
const moved = (plans: readonly ItemPlan[], limit = 0) => {
  const { put, evict, fetch, left } = joinPlans(plans, limit, { marks: [], reported: [] });
  return { put, evict, fetch, left };
};

test('a full item gives up as many templates as come, and only for those on the centre’s disk', () => {
  const [first, second, third, fourth] = [
    ref('7', 'B', 1),
    ref('7', 'A', 2),
    ref('7', 'B', 2),
    ref('7', 'A', 3),
  ] as const;
  const all = [first, second, third, fourth];
  const none = { put: [], evict: [], fetch: [], left: 0 };
  assert.equal(moved([planOf([second, fourth], all, 2)]), { ...none, evict: [fourth], fetch: [first] });
  assert.equal(moved([planOf([second], all, 2)]), { ...none, fetch: [first] }, 'there is room');
  assert.equal(moved([planOf([second, fourth], all, 2, [])]), none, 'not there yet');
  assert.equal(moved([planOf([second, fourth], [first, third], 2, all, false)]), none, 'not there at all');
});

/** The device A, with what a person has deleted there, beside a centre that has not heard of it. */
const planAfter = (here: readonly TemplateName[], there: readonly TemplateName[], deleted: readonly TemplateName[]) =>
  decideItem(
    {
      ...{ serial: 'A', upload: true, download: true, max: 30, templates: here, roomForTombstones: 0 },
      tombstones: deleted.map((each) => ({ ref: each, own: true })),
      ...{ orphaned: new Set<string>(), storedAtCentre: new Set(there.map(identityOf)) },
    },
    { templates: there, tombstones: [], published: new Set(), isMarked: false },
  );

test('one deletion in a full item frees one place, whatever was taught while devices were apart', () => {
  for (const devices of [2, 3, 8]) {
    const origins = Array.from({ length: devices }, (_, number) => String.fromCharCode(65 + number));
    const all = origins.flatMap((origin) => Array.from({ length: 30 }, (_, n) => ref('7', origin, n)));
    const held = inTurns(all, 30);
    for (const count of [1, 2, 5]) {
      const [deleted, left] = [held.slice(0, count), held.slice(count)];
      const taught = ref('7', 'A', 1000);
      const { missing, keepTombstones, publishTombstones, drop, isBlocked } = planAfter(
        [...left, taught],
        all,
        deleted,
      );
      assert.equal({ missing, drop, isBlocked }, { missing: [], drop: [], isBlocked: false });
      assert.equal(keepTombstones.toSorted(byAge), inTurns(all).slice(30).toSorted(byAge), 'for good');
      assert.equal(publishTombstones.toSorted(byAge), [...deleted, ...keepTombstones].toSorted(byAge));
    }
  }
});

test('a deletion takes nothing else where the item is not full, nor where it is told once more', () => {
  const here = Array.from({ length: 20 }, (_, n) => ref('7', 'B', n));
  const there = [...here, ref('7', 'C', 1000)];
  const old = Array.from({ length: 25 }, (_, n) => ref('7', 'A', n));
  for (const deleted of [old, here.slice(0, 1)]) {
    const { missing, keepTombstones } = planAfter(here.slice(1), there, deleted);
    assert.equal([missing.at(-1), keepTombstones], [there.at(-1), []]);
  }
});

test('the limit bounds what one synchronisation moves, and what is left is reported', () => {
  const mine = [1, 2, 3].map((sid) => ref('7', 'A', sid));
  const theirs = [1, 2, 3].map((sid) => ref('8', 'B', sid));
  const plans = [planOf(mine, []), planOf([], theirs)];
  assert.equal(moved(plans, 4), { put: mine, evict: [], fetch: theirs.slice(0, 1), left: 2 });
  assert.equal(moved(plans, 2), { put: mine.slice(0, 2), evict: [], fetch: [], left: 4 });
});

test('an absent template’s tombstone is kept while there is room, a present one’s always', () => {
  const gone = ref('7', 'B', 1);
  const here = { serial: 'A', upload: true, download: true, max: 30, templates: [], tombstones: [] };
  const local = { ...here, orphaned: new Set<string>(), storedAtCentre: new Set<string>() };
  for (const [roomForTombstones, templates, kept] of [
    [0, [], []],
    [1, [], [gone]],
    [0, [gone], [gone]],
  ] as const) {
    const centre = { templates, tombstones: [gone], published: new Set<string>(), isMarked: false };
    assert.equal(decideItem({ ...local, roomForTombstones }, centre).keepTombstones, kept);
  }
});

const named = (names: readonly TemplateName[]): string[] => names.map(({ origin, sid }) => origin + sid);

test('a full item gives each device places in turn: a slow clock wins no more than a right one', () => {
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
