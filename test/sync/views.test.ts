/** What a device knows of its centre without listing it, and which items it looks at. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TemplateName } from '../../firmware/recognition/model/template.ts';
import { type BucketView, MOST_FOLLOWED, type Step } from '../../firmware/sync/centre/bucket-view.ts';
import { readListing } from '../../firmware/sync/centre/listing.ts';
import { StoreView } from '../../firmware/sync/centre/store-view.ts';
import { entrySubject } from '../../firmware/sync/centre/subjects.ts';
import { SyncError } from '../../firmware/sync/errors.ts';
import { ENOUGH_TOMBSTONES, ItemDecider } from '../../firmware/sync/item-decider.ts';
import { untilNext } from '../../firmware/sync/member.ts';

const test = suite('synchronisation: what is known of the centre');

const ref = (item: string, origin: string, sid: number): TemplateName => ({ item, origin, sid: String(sid) });
const [A1, A2, B1] = [ref('7', 'A', 1), ref('7', 'A', 2), ref('8', 'B', 1)];
const at = (last: number, messages: number, created = 'first') => ({ created, last, messages });
const template = (name: TemplateName, publisher = name.origin): string => entrySubject('templates', publisher, name);
const tombstone = (name: TemplateName): string => entrySubject('tombstones', name.origin, name);
const kindOf = ({ kind }: Step): string => kind;

/** Of a bucket that was listed at number 10. */
function listed(names: readonly TemplateName[]): BucketView {
  const view = new StoreView().templates;
  assert.is(view.step(at(10, names.length)).kind, 'list');
  view.beginListing(at(10, names.length));
  for (const name of names) view.apply(template(name), null);
  assert.is(view.step(at(10, names.length)).kind, 'done');
  return view;
}

test('a bucket is listed anew when it was recreated, went back, lost something, or moved on far', () => {
  const steps = [at(10, 1, 'second'), at(9, 1), at(10, 0), at(10, 2), at(11 + MOST_FOLLOWED, 1)];
  for (const place of steps) assert.is(kindOf(listed([A1]).step(place)), 'list', JSON.stringify(place));
  assert.is(kindOf(listed([A1]).step(at(10 + MOST_FOLLOWED, 1))), 'follow');
});

test('numbers that a bucket gave before it was made anew are worth nothing', () => {
  const view = listed([A1]);
  view.recordOwn(template(A2), 15);
  view.beginListing(at(14, 1, 'second'));
  view.apply(template(B1), null);
  assert.equal(view.step(at(15, 2, 'second')), { kind: 'follow', numbers: [15], last: 15 });
});

test('a bucket that twice lists others than it counts is damaged; unlisted messages are no fact', () => {
  const view = new StoreView().templates;
  const steps = (last: number, messages: number, names: readonly TemplateName[]): string => {
    const { kind } = view.step(at(last, messages));
    view.beginListing(at(last, messages));
    for (const name of names) view.apply(template(name), null);
    return kind;
  };
  assert.equal([steps(10, 3, [A1]), steps(10, 3, [A1])], ['list', 'list']);
  assert.is(view.step(at(10, 3)).kind, 'damaged');
  assert.is(view.step(at(10, 3)).kind, 'damaged');
  // something was deleted or put meanwhile
  assert.equal([steps(10, 2, [A1]), steps(11, 3, [A1]), steps(11, 2, [A1])], ['list', 'follow', 'list']);
  // another bucket
  assert.is(view.step(at(11, 2, 'second')).kind, 'list');
  view.beginListing(at(11, 1));
  view.apply(template(A1), null);
  assert.is(view.step(at(11, 1)).kind, 'done');
});

test('an entry that is listed counts as put by the time that the listing was seen to be over', () => {
  const view = new StoreView().templates;
  view.beginListing(at(10, 1));
  view.apply(template(A1), null);
  const [entry] = view.entriesOf('7');
  if (entry === undefined) throw new Error('it was taken');
  assert.is(view.isUpTo(1000, entry), false);
  view.step(at(12, 3));
  assert.equal([view.isUpTo(11, entry), view.isUpTo(12, entry)], [false, true]);
});

/** Of a centre with these templates and tombstones, listed at number 10. */
function storeOf(templates: readonly TemplateName[], tombstones: readonly TemplateName[] = []): StoreView {
  const view = new StoreView();
  view.tombstones.beginListing(at(10, tombstones.length));
  for (const name of tombstones) view.tombstones.apply(tombstone(name), null);
  view.templates.beginListing(at(10, templates.length));
  for (const name of templates) view.templates.apply(template(name), null);
  for (const bucket of ['tombstones', 'templates'] as const)
    view[bucket].step(at(10, (bucket === 'templates' ? templates : tombstones).length));
  view.drainChanged();
  return view;
}
const expected = (view: StoreView) => view.templates.expectedDeletions.map(({ ref: { origin, sid } }) => origin + sid);

test('the deletion that a tombstone or mark names is expected, in any order, without listing', () => {
  assert.equal(expected(storeOf([A1, A2], [A1])), ['A1']);
  const view = storeOf([A1, A2, B1]);
  view.tombstones.apply(tombstone(A1), 11);
  view.setMarks([{ item: '8', id: 'one' }]);
  assert.equal(expected(view), ['A1', 'B1']);
  for (const messages of [3, 2]) assert.is(kindOf(view.templates.step(at(10, messages))), 'done');
  assert.equal(expected(view), ['A1', 'B1']);
  assert.is(kindOf(view.templates.step(at(10, 1))), 'done');
  assert.equal([expected(view), view.templates.has(A1), view.templates.has(A2)], [[], false, true]);
  assert.is(kindOf(view.templates.step(at(10, 0))), 'list');
});

test('a mark that is taken back leaves it open what is there, and that is listed', () => {
  const view = storeOf([A1, B1]);
  view.setMarks([{ item: '7', id: 'one' }]);
  view.setMarks([]);
  assert.is(kindOf(view.templates.step(at(10, 2))), 'list');
});

test('changed items are reported once; after a listing any may have changed', () => {
  const view = storeOf([A1]);
  view.templates.apply(template(B1), 11);
  view.setMarks([{ item: '9', id: 'one' }]);
  assert.equal(view.drainChanged(), new Set(['8', '9']));
  assert.equal(view.drainChanged(), new Set());
  view.tombstones.beginListing(at(10, 0));
  assert.is(view.drainChanged(), null);
});

const ORPHAN_MS = 1000;

/** A device A with templates of its own and of others, at a centre that holds what `storeOf` says. */
function deciderOf(here: readonly TemplateName[], max = 30): ItemDecider {
  const namesOf = (item: string) => here.filter((name) => name.item === item);
  return new ItemDecider('A', max, { namesOf, tombstonesOf: () => [], tombstoneCount: () => 0 }, ORPHAN_MS);
}
const documentOf = (changes: object = {}) => ({
  boot: 'boot',
  marks: [],
  kept: { created: 'first', last: 0 },
  ...changes,
});

/** A round at a centre where nothing is. */
function begin(decider: ItemDecider, now: number, changes: object = {}, directions = { upload: true, download: true }) {
  decider.begin({ now, ...directions, document: documentOf(changes) });
  for (const bucket of ['tombstones', 'templates'] as const) {
    if (decider.view[bucket].step(at(0, 0)).kind === 'done') continue;
    decider.view[bucket].beginListing(at(0, 0));
    decider.view[bucket].step(at(0, 0));
  }
  return decider.drainChanged();
}

test('what its maker does not give is given after a while, counted anew in the master’s boot', () => {
  const decider = deciderOf([B1]);
  assert.is(begin(decider, 0), null);
  assert.equal(decider.decide('8').put, []);
  assert.equal(begin(decider, 999), new Set());
  assert.is(begin(decider, 999, { boot: 'next boot' }), null);
  assert.equal(decider.decide('8').put, []);
  assert.equal(begin(decider, 1000, { boot: 'next boot' }), new Set());
  assert.equal(begin(decider, 1999, { boot: 'next boot' }), new Set(['8']));
  assert.equal(decider.decide('8').put, [B1]);
});

test('all is looked at again after another boot of the master, and another direction', () => {
  const decider = deciderOf([]);
  assert.is(begin(decider, 0), null);
  assert.equal(begin(decider, 1), new Set());
  assert.is(begin(decider, 2, { boot: 'next boot' }), null);
  assert.is(begin(decider, 3, { boot: 'next boot' }, { upload: false, download: true }), null);
  assert.equal(begin(decider, 4, { boot: 'next boot' }, { upload: false, download: true }), new Set());
});

test('a deletion stays while there is room, also of a template only an absent device may have', () => {
  for (const [known, kept] of [
    [0, [2, 1]],
    [ENOUGH_TOMBSTONES - 1, [1, 0]],
    [ENOUGH_TOMBSTONES, [0, 0]],
  ] as const) {
    const own = { namesOf: () => [], tombstonesOf: () => [], tombstoneCount: () => known };
    const decider = new ItemDecider('A', 30, own, ORPHAN_MS);
    begin(decider, 0);
    for (const [index, name] of [A1, B1, ref('7', 'C', 1)].entries())
      decider.view.tombstones.apply(entrySubject('tombstones', 'B', name), 1 + index);
    const counts = ['7', '8'].map((item) => decider.decide(item).keepTombstones.length);
    assert.equal(counts, kept, `${known} known`);
  }
});

test('a tombstone is given again where the centre has lost it, by any device that knows of it', () => {
  const other = ref('7', 'B', 2);
  const tombstones = [A1, other].map((name) => ({ ref: name, own: name === A1 }));
  const decider = new ItemDecider(
    'A',
    30,
    { namesOf: () => [], tombstonesOf: () => tombstones, tombstoneCount: () => 2 },
    ORPHAN_MS,
  );
  begin(decider, 0);
  assert.equal(decider.decide('7').publishTombstones, [A1, other]);
  for (const [given, lacking] of [
    [tombstone(other), [A1]],
    [entrySubject('tombstones', 'B', A1), [A1]],
    [tombstone(A1), []],
  ] as const) {
    decider.view.tombstones.apply(given, 1);
    assert.equal(decider.decide('7').publishTombstones, lacking);
  }
});

test('what was no template is not asked for until something else lies there', () => {
  const decider = deciderOf([]);
  begin(decider, 0);
  decider.view.templates.apply(template(B1), 1);
  const [entry] = decider.view.templates.entriesOf('8');
  if (entry === undefined) throw new Error('it was taken');
  assert.is(decider.offersOf('8').size, 1);
  decider.ignoreEntry(entry);
  assert.is(decider.offersOf('8').size, 0);
  decider.view.templates.apply(template(B1), 2);
  assert.is(decider.offersOf('8').size, 1);
});

test('items that could not be dealt with are looked at the next time', () => {
  const decider = deciderOf([]);
  begin(decider, 0);
  decider.markChanged('7');
  const taken = begin(decider, 1);
  assert.equal(taken, new Set(['7']));
  decider.requeue(taken);
  assert.equal(begin(decider, 2), new Set(['7']));
  decider.requeue(null);
  assert.is(begin(decider, 3), null);
});

const infoWith = (subjects: string): Buffer =>
  Buffer.from(
    `{"config":{"subjects":["$KV.x.>"]},"state":{"messages":1,"subjects":{${subjects}},"last_seq":7},"z":"}"}`,
  );

test('a listing of any length is read in slices, and the rest of the answer stays whole', async () => {
  const names = Array.from(
    { length: 5000 },
    (_, number) => `$KV.laneware_templates.i${'x'.repeat(number % 200)}.${number}`,
  );
  const odd = ['a"b', 'a\\b', 'a}b,"c":1', '<&>'];
  const pairs = [...names, ...odd].map((name) => `${JSON.stringify(name).replaceAll('<', '\\u003c')}:1`);
  const { rest, names: read } = await readListing(infoWith(pairs.join(',')));
  assert.equal(read, [...names, ...odd]);
  assert.equal(JSON.parse(Buffer.from(rest).toString()), JSON.parse(infoWith('').toString()));
});

test('an answer without subjects has none, and one that is cut off is garbage', async () => {
  const small = Buffer.from('{"state":{"messages":0}}');
  assert.equal(await readListing(small), { rest: small, names: [] });
  for (const text of ['{"subjects":{"a":1', '{"subjects":{"a":1,', '{"subjects":{"a', '{"subjects":{"a":x}}']) {
    const failure = await readListing(Buffer.from(text)).catch((error: unknown) => error);
    assert.ok(failure instanceof SyncError && failure.code === 'garbage', text);
  }
});

test('a device with a full centre or storage waits a round; other failures are retried soon', () => {
  assert.is(untilNext(null, 30_000), 30_000);
  for (const code of ['full', 'storage'] as const) assert.is(untilNext(code, 30_000), 30_000, code);
  for (const code of ['unreachable', 'timeout', 'not-ready'] as const) assert.is(untilNext(code, 30_000), 2000, code);
  assert.is(untilNext('timeout', 500), 500);
});

test.run();
