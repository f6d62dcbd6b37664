/** Uncertain answers that are kept, and said afterwards what they were: over real HTTP, faults first. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import type { Clock } from '../../firmware/core/host/clock.ts';
import { Assignments } from '../../firmware/recognition/feedback/assignments.ts';
import { MAX_QUEUED, ReviewQueue, type Unsure } from '../../firmware/recognition/feedback/review-queue.ts';
import { surenessOf } from '../../firmware/recognition/matching/sureness.ts';
import type { Learning } from '../../firmware/recognition/service/learning.ts';
import type { Flaw } from '../../firmware/recognition/vision/quality.ts';
import { type Answer, each, pick, problem } from '../support.ts';
import { FakeModel, onRig, picture, type Rig, type RigOptions, scene, startRig } from './support.ts';

const test = suite('recognition: uncertain answers');
const it = each(test, onRig);

const LIST = '/console/api/recognition/uncertain';
const ASSIGN = `${LIST}/assignments`;
const KNOWN = 1;
const OTHER = 2;

const remove = (rig: Rig, path: string): Promise<Answer> => rig.send('DELETE', path);
const templates = async (rig: Rig, item: string): Promise<number> =>
  (await rig.get(`/v1/items/${item}/templates`)).body.templates.length;

/** Has the device look at pictures; what it was not certain of is kept when it settles. @returns the answers that are listed */
async function look(rig: Rig, ...pictures: readonly Buffer[]) {
  for (const jpeg of pictures) {
    await rig.show(jpeg);
    const { status, text } = await rig.get('/v1/recognition');
    assert.is(status, 200, text);
    await rig.recognition.reviewQueue.idle();
  }
  return (await rig.get(LIST)).body.answers;
}
const ids = (answers: readonly { id: string }[]): string[] => answers.map(({ id }) => id);

/** A device that was asked what three goods are of which it knows none. */
async function asked(run: (rig: Rig, answers: readonly string[]) => Promise<void>, options: RigOptions = {}) {
  await using rig = await startRig(options);
  await run(rig, ids(await look(rig, await picture(3), await picture(5), await picture(1))));
}

const onAsked = each<[Rig, readonly string[]]>(test, (run) => () => asked(run));

it('what is uncertain is stored once for any number of looks; certain answers, empty trays not', async (rig) => {
  await rig.learn('known', await picture(KNOWN));
  assert.equal(await look(rig, await picture(KNOWN)), []);
  const [first, ...more] = await look(rig, await picture(3), await picture(3), await picture(3));
  assert.equal(more, []);
  assert.is(first.times, 3);
  assert.equal([first.told, first.now.certain], [null, false]);
  assert.is(first.now.candidates[0].item, 'known');
  const shown = await fetch(`${rig.url}${first.picture}`);
  assert.is(shown.headers.get('content-type'), 'image/jpeg');
  assert.is(shown.headers.get('cache-control'), 'no-store');
  assert.ok((await shown.arrayBuffer()).byteLength > 500);
  const [later] = ids(await look(rig, await picture(4)));
  assert.equal(ids((await rig.get(LIST)).body.answers), [later, first.id], 'the latest first');
  assert.equal(ids(await look(rig, await picture(3))), [first.id, later], 'what is seen again is the latest');
  await rig.show(await scene(null));
  await rig.post('/api/learn_background');
  assert.is((await look(rig, await scene(null))).length, 2);
  assert.equal(problem(await rig.get(`${LIST}/unknown/picture`)), [404, 'Uncertain.NotFound']);
});

onAsked('while learning is locked nothing is kept, and nothing can be learned of what was', async (rig, answers) => {
  await rig.recognition.settings.set({ learningMode: 'locked' });
  assert.is((await look(rig, await picture(4))).length, 3);
  assert.equal(problem(await rig.post(ASSIGN, { item: '7', answers })), [409, 'Templates.Locked']);
  assert.is(await templates(rig, '7'), 0);
  assert.is((await rig.get(LIST)).body.answers.length, 3);
  await rig.recognition.settings.set({ learningMode: 'manual' });
  assert.is((await look(rig, await picture(4))).length, 4, 'it would have been kept');
});

onAsked(
  'assigned at once they are templates and leave the list; how sure it was and is is said',
  async (rig, answers) => {
    await rig.learn('other', await picture(OTHER));
    const { status, body, text } = await rig.post(ASSIGN, { item: '4011', answers: answers.slice(0, 2) });
    assert.is(status, 201, text);
    assert.equal([body.item, body.answers, body.ofItem], ['4011', answers.slice(0, 2), 2]);
    const learned = (await rig.get('/v1/items/4011/templates')).body.templates;
    assert.equal(pick(learned, 'template'), body.templates);
    for (const { before, after } of body.judged) {
      assert.equal(before, { certain: false, rank: null, similarity: null });
      assert.equal([after.certain, after.rank], [true, 1]);
      assert.ok(after.similarity > 0.9);
    }
    assert.equal(ids((await rig.get(LIST)).body.answers), answers.slice(2));
    await rig.show(await picture(5));
    const now = (await rig.get('/v1/recognition')).body;
    const answered = [now.certain, now.candidates[0].id];
    assert.equal(answered, [true, '4011'], 'the classifier that judged is the one that answers');
  },
);

it('the rest is judged anew after learning: look-alikes are no longer taken for others', async (rig) => {
  await rig.learn('other', await picture(OTHER));
  const [later, earlier] = await look(rig, await picture(5), await picture(1));
  assert.is(later.now.candidates[0].item, 'other');
  await rig.post(ASSIGN, { item: '4011', answers: [earlier.id] });
  const [left, ...more] = (await rig.get(LIST)).body.answers;
  assert.equal(more, []);
  assert.equal([left.id, left.now.candidates[0].item], [later.id, '4011']);
  assert.ok(left.now.candidates[0].similarity > 0.8);
});

onAsked('the same sent again, or by two windows, is learned once; something else is refused', async (rig, answers) => {
  const wish = { item: '4011', answers };
  const both = await Promise.all([
    rig.post(ASSIGN, wish),
    rig.post(ASSIGN, { ...wish, answers: answers.toReversed() }),
  ]);
  assert.equal(both.map(({ status }) => status).toSorted(), [200, 201]);
  assert.is(both[0]?.body.id, both[1]?.body.id);
  assert.is(await templates(rig, '4011'), 3);
  assert.is((await rig.post(ASSIGN, { item: '4012', answers })).status, 409, 'of all of them, too');
  const [one] = answers;
  assert.equal(problem(await rig.post(ASSIGN, { item: '4012', answers: [one] })), [409, 'Uncertain.AnsweredOtherwise']);
  assert.equal(problem(await rig.post(ASSIGN, { item: null, answers: [one] })), [409, 'Uncertain.AnsweredOtherwise']);
  assert.is((await rig.get('/v1/items/4012/templates')).body.templates.length, 0);
});

test('with one gone, or too little room in the item, none is learned; the room is named', () =>
  asked(
    async (rig, answers) => {
      await rig.learn('7', await picture(1));
      const gone = await rig.post(ASSIGN, { item: '7', answers: [answers[0], 'x'] });
      assert.equal(problem(gone), [404, 'Uncertain.NotFound']);
      const refused = await rig.post(ASSIGN, { item: '7', answers });
      assert.equal(problem(refused), [409, 'Templates.Full']);
      assert.match(refused.body.detail, /has 1 templates and may have 3: choose 2 at most/);
      assert.is(await templates(rig, '7'), 1);
      assert.is((await rig.post(ASSIGN, { item: '7', answers: answers.slice(1) })).status, 201);
    },
    { service: { maxTemplatesPerItem: 3 } },
  ));

test('a storage that fails midway, or a lost model, changes nothing; it can be sent again', async () => {
  const model = new FakeModel();
  await asked(
    async (rig, answers) => {
      using db = openFile(join(rig.folder, 'templates.db'));
      db.exec(`CREATE TRIGGER full BEFORE INSERT ON templates WHEN (SELECT count(*) FROM templates) >= 2
        BEGIN SELECT RAISE(ABORT, 'no room'); END`);
      assert.is((await rig.post(ASSIGN, { item: '7', answers })).status, 500);
      assert.is(await templates(rig, '7'), 0, 'none of the two that found room');
      assert.is((await rig.get(LIST)).body.answers.length, 3);
      db.exec('DROP TRIGGER full');
      let left = 1;
      model.before = () => {
        left -= 1;
        if (left < 0) throw new Error('lost');
      };
      assert.is((await rig.post(ASSIGN, { item: '7', answers })).status, 500);
      assert.is(await templates(rig, '7'), 0);
      model.before = () => undefined;
      assert.is((await rig.post(ASSIGN, { item: '7', answers })).status, 201);
      assert.is(await templates(rig, '7'), 3);
    },
    { model },
  );
});

onAsked(
  '"not this" takes some off and learns nothing; either is taken back with its templates',
  async (rig, answers) => {
    const dropped = (await rig.post(ASSIGN, { item: null, answers: answers.slice(0, 1) })).body;
    assert.equal(
      { item: dropped.item, templates: dropped.templates, judged: dropped.judged, ofItem: dropped.ofItem },
      { item: null, templates: [], judged: [], ofItem: 0 },
    );
    const learned = (await rig.post(ASSIGN, { item: '7', answers: answers.slice(1) })).body;
    rig.recognition.templates.leavesTombstones = true;
    const listed = (await rig.get(LIST)).body;
    assert.equal(listed.answers, []);
    assert.equal(ids(listed.assignments), [learned.id, dropped.id]);
    assert.ok(listed.assignments[0].leftMs > 0);
    const one = await rig.learn('7', await picture(6));
    assert.is((await remove(rig, `${ASSIGN}/${learned.id}`)).status, 200);
    const left = pick((await rig.get('/v1/items/7/templates')).body.templates, 'template');
    assert.equal(left, [one], 'what was learned beside it stays');
    using db = openFile(join(rig.folder, 'templates.db'));
    const kept = db.prepare('SELECT count(*) AS count FROM tombstones').get()?.count;
    assert.is(kept, 2, 'no other device of the store brings them back');
    assert.is((await remove(rig, `${ASSIGN}/${dropped.id}`)).status, 200);
    assert.equal(ids((await rig.get(LIST)).body.answers), answers, 'where they were');
    assert.equal(problem(await remove(rig, `${ASSIGN}/${learned.id}`)), [404, 'Uncertain.NotFound']);
    assert.is((await rig.post(ASSIGN, { item: '7', answers: answers.slice(1) })).status, 201, 'and again');
  },
);

it('what a till has said of one is shown, and what was learned from that leaves the list', async (rig) => {
  await rig.learn('other', await picture(OTHER));
  const say = async (item: string) => {
    const { id } = (await rig.get('/v1/recognition')).body;
    await rig.recognition.reviewQueue.idle();
    return await rig.post(`/v1/recognition/${id}/feedback`, { item });
  };
  await look(rig, await picture(3));
  await say('4011');
  assert.equal((await rig.get(LIST)).body.answers[0].told, { item: '4011', name: null }, 'of a later look at the same');
  await rig.recognition.settings.set({ learningMode: 'automatic' });
  assert.ok((await say('4011')).body.sid !== null);
  assert.equal((await rig.get(LIST)).body.answers, []);
});

test('sure of an item is who has it first, and certain', () => {
  const items = [
    { id: 'a', score: 0.6, similarity: 0.8 },
    { id: 'b', score: 0.4, similarity: 0.7 },
  ];
  const verdict = { certain: true, unknown: false, reason: null };
  assert.equal(surenessOf({ items, verdict }, 'a'), { certain: true, rank: 1, similarity: 0.8 });
  assert.equal(surenessOf({ items, verdict }, 'b'), { certain: false, rank: 2, similarity: 0.7 });
  const doubtful = { certain: false, unknown: false, reason: 'look-alikes' } as const;
  assert.is(surenessOf({ items, verdict: doubtful }, 'a').certain, false);
});

it('a restart forgets them: no picture of them was ever on the storage', async (rig) => {
  await look(rig, await picture(3));
  const { folder } = rig;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.jpe?g$|uncertain|review/.test(name),
  );
  assert.equal(names, []);
});

/** ReviewQueue with a clock of their own, and answers of which each looks otherwise. */
function queueRig() {
  let now = 0;
  const clock: Clock = { wall: () => now, monotonic: () => now } as Clock;
  const queue = new ReviewQueue(
    clock,
    async () => new Uint8Array(1000),
    () => undefined,
  );
  const unsure = (number: number, flaws: readonly Flaw[] = []): Unsure => ({
    id: String(number),
    flaws,
    classification: { items: [], verdict: { certain: false, unknown: true, reason: 'no-templates' } },
    vector: Float32Array.from({ length: 64 }, (_, at) => (at === number ? 1 : 0)),
    speed: 'fast',
    jpeg: Buffer.alloc(1),
  });
  const see = async (number: number, flaws?: readonly Flaw[]) => {
    queue.consider(unsure(number, flaws));
    await queue.idle();
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { queue, see, pass, unsure, clock };
}

test('at most so many are kept, the latest; none longer than a shift', async () => {
  const { queue, see, pass } = queueRig();
  for (let number = 0; number <= MAX_QUEUED; number++) {
    pass(1);
    await see(number);
  }
  assert.is(queue.all().length, MAX_QUEUED);
  assert.equal([queue.all()[0]?.id, queue.find('0')], [String(MAX_QUEUED), null]);
  const { revision } = queue;
  const before = revision.number;
  await see(5);
  assert.is(revision.number, before, 'the same again is no news');
  pass(12 * 3_600_000);
  assert.equal(queue.all(), []);
});

test('pictures of assignments are kept like those of the queue: so many at most, the latest', async () => {
  const { queue, see, clock } = queueRig();
  const assignments = new Assignments(queue, {} as Learning, clock);
  for (let number = 0; number <= MAX_QUEUED; number++) {
    await see(number);
    await assignments.assign(null, [String(number)]);
  }
  assert.is(assignments.all().length, MAX_QUEUED);
  assert.equal(assignments.all()[0]?.answers, [String(MAX_QUEUED)]);
});

test('hands and moving things teach nothing; a picture uncuttable, or come meanwhile, is skipped', async () => {
  const { queue, see, unsure } = queueRig();
  await see(1, ['moving']);
  await see(2, ['hand']);
  assert.equal(queue.all(), []);
  queue.consider(unsure(3));
  queue.consider(unsure(4));
  await queue.idle();
  assert.equal(pick(queue.all(), 'id'), ['3']);
  const failing = new ReviewQueue(
    { wall: () => 0, monotonic: () => 0 } as Clock,
    () => Promise.reject(new Error('damaged')),
    () => undefined,
  );
  failing.consider(unsure(5));
  await failing.idle();
  assert.equal(failing.all(), []);
});

test.run();
