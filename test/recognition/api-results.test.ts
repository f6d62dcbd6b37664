/** Recognition and its feedback, through HTTP. */
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NoCamera } from '../../drivers/camera/frame-slot.ts';
import { EmbedderError } from '../../firmware/recognition/model/embedder-error.ts';
import { each, problem, temporaryFolder } from '../support.ts';
import { FakeModel, learnedRig, onRig, picture, scene, startRig } from './support.ts';

const test = suite('results');
const it = each(test, onRig);

test('a result lists items best first: scores sum to 1, similarity, a verdict and a session', async () => {
  await using rig = await learnedRig();
  const { status, body } = await rig.get('/api/get_result');
  assert.is(status, 200);
  const { items, session, verdict, quality } = body.data;
  assert.is(items.length, 6);
  assert.is(items[0].id, 'item3');
  const scores: number[] = items.map(({ score }: { score: number }) => score);
  assert.ok(Math.abs(scores.reduce((sum, score) => sum + score, 0) - 1) < 1e-9);
  const falling = scores.toSorted((one, other) => other - one);
  assert.equal(scores, falling);
  assert.ok(items.every(({ similarity }: { similarity: number }) => Math.abs(similarity) <= 1 + 1e-6));
  assert.match(session, /^[0-9a-f-]{36}$/);
  assert.equal(verdict, { certain: true, unknown: false, reason: null });
  assert.ok(Array.isArray(quality));
});

test('no frame yet is -6308, a lost camera -6103', async () => {
  await using waiting = await startRig();
  for (const path of ['/api/get_result', '/api/get_image']) {
    const { status, body } = await waiting.get(path);
    assert.is(status, 200);
    assert.is(body.code, -6308, path);
  }
  await using lost = await startRig({ service: { camera: new NoCamera() } });
  assert.equal(await lost.part('camera'), {
    part: 'camera',
    state: 'ok',
    sales: 'sells',
    reason: 'No camera is configured: payments do not need one.',
    reasons: [{ code: 'camera-none', sales: 'sells', about: {} }],
    driver: 'none',
  });
  for (const answer of [
    await lost.get('/api/get_result'),
    await lost.get('/api/get_image'),
    await lost.post('/api/add_item_template', { id: '1' }),
    await lost.post('/api/learn_background'),
  ]) {
    assert.is(answer.body.code, -6103);
    assert.is(answer.body.data, null);
    assert.is(answer.body.msg, 'no camera is configured (camera.driver)');
  }
});

test('a model that fails is reported by a code, and the next request is answered', async () => {
  const model = new FakeModel();
  await using rig = await learnedRig({ model });
  for (const [failure, status, code, words] of [
    [new EmbedderError('timeout', 'ordered by the test'), 200, -6209, /ordered/],
    [new EmbedderError('bad-output', 'a vector of length 0 has no direction'), 200, -6308, /no direction/],
    [new Error('secret details'), 500, -6210, /^(?!.*secret)/],
  ] as const) {
    model.before = () => {
      throw failure;
    };
    for (const answer of [await rig.get('/api/get_result'), await rig.post('/api/add_item_template', { id: 'x' })]) {
      assert.equal([answer.status, answer.body.code], [status, code], failure.message);
      assert.match(answer.text, words);
    }
  }
  model.before = () => undefined;
  assert.is((await rig.get('/api/get_result')).body.code, 0);
  assert.equal(rig.recognition.templates.reader.sidsOf('x'), []);
});

it('a learned empty tray is -6308, for recognising and for adding; an item on it is not', async (rig) => {
  await rig.show(await scene(null, 1));
  assert.equal((await rig.post('/api/learn_background')).body, { code: 0, data: null });
  await rig.show(await scene(null, 2));
  const { body } = await rig.get('/api/get_result');
  assert.is(body.code, -6308);
  assert.match(body.msg, /empty/);
  assert.is((await rig.post('/api/add_item_template', { id: '1' })).body.code, -6308);
  await rig.learn('orange', await scene('orange', 3));
  assert.is((await rig.get('/api/get_result')).body.data.items[0].id, 'orange');
});

it('an item on the tray is not learned as tray, known or not, unless a person says so', async (rig) => {
  const learn = (query = '') => rig.send('PUT', `/console/api/camera/empty-tray${query}`);
  await rig.show(await scene('orange', 3));
  assert.equal(problem(await learn()), [409, 'Tray.NotEmpty'], 'it stands out where no tray is known, too');
  assert.equal(problem(await rig.get('/console/api/camera/empty-tray')), [404, 'Tray.NotLearned']);
  await rig.show(await scene(null, 1));
  assert.is((await learn()).status, 200);
  await rig.show(await scene('orange', 3));
  assert.equal(problem(await learn('?things=refuse')), [409, 'Tray.NotEmpty']);
  const { body } = await rig.post('/api/learn_background');
  assert.equal([body.code, body.data], [-6317, null]);
  assert.match(body.msg, /take everything off/);
  assert.is((await rig.get('/api/get_result')).body.code, 0, 'the tray is still the one of before');
  const known = await fetch(`${rig.url}/console/api/camera/empty-tray`);
  assert.is(known.headers.get('content-type'), 'image/jpeg');
  const { width = 0, height = 0 } = await sharp(await known.arrayBuffer()).metadata();
  assert.ok(width > 60 && height > 60, `${width}×${height}`);
  assert.is((await learn('?things=ignore')).status, 200);
  assert.is((await rig.get('/api/get_result')).body.code, -6308);
});

test('the learned tray survives a restart and is forgotten with another recognition area', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await startRig({ folder: folder.path });
    await rig.show(await scene(null, 1));
    await rig.post('/api/learn_background');
  }
  await using rig = await startRig({ folder: folder.path });
  assert.is((await rig.get('/console/api/camera/empty-tray')).status, 200, 'its picture, before any look at the tray');
  await rig.show(await scene(null, 2));
  assert.is((await rig.get('/api/get_result')).body.code, -6308);
  await rig.post('/api/set_calib', { top: 10, left: 10, height: 400, width: 400 });
  assert.is((await rig.get('/api/get_result')).body.code, 0);
});

it('a dark picture says so beside its answer', async (rig) => {
  await rig.show(
    await sharp(await picture(1))
      .linear(0.1, 0)
      .jpeg()
      .toBuffer(),
  );
  const { body } = await rig.get('/api/get_result');
  assert.is(body.code, 0);
  assert.ok(body.data.quality.includes('dark'), JSON.stringify(body.data.quality));
});

test('feedback says where the item stood, counts it once, and again the same is the same', async () => {
  await using rig = await learnedRig();
  const { session, items } = (await rig.get('/api/get_result')).body.data;
  const second = items[1].id;
  const first = await rig.post('/api/feedback', { session, id: second });
  assert.equal(
    { code: first.body.code, rank: first.body.data.rank, sid: first.body.data.sid },
    { code: 0, rank: 2, sid: null },
  );
  assert.equal((await rig.post('/api/feedback', { session, id: second })).body, first.body);
  assert.is((await rig.post('/api/feedback', { session, id: 'item3' })).body.code, -6310);
  assert.is((await rig.post('/api/feedback', { session: 'none', id: second })).body.code, -6310);
  const { data } = (await rig.post('/api/get_rank_statistics')).body;
  assert.equal(
    { positions: data.positions, none: data.none, total: data.total },
    { positions: [0, 1, 0, 0, 0], none: 0, total: 1 },
  );
  assert.equal(data.items, [{ id: second, positions: [0, 1, 0, 0, 0], none: 0, total: 1 }]);
  const { text } = await rig.get('/metrics');
  assert.match(text, /laneware_taps_total\{tap="other"\} 1/);
  assert.match(text, /laneware_taps_total\{tap="first"\} 0/);
  assert.match(text, /laneware_item_chosen_seconds_count 1/);
});

test('"none of these" and an item that was not offered count as none; counts survive a restart', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await learnedRig({ folder: folder.path });
    for (const id of [null, 'something else']) {
      const { session } = (await rig.get('/api/get_result')).body.data;
      const { body } = await rig.post('/api/feedback', { session, id });
      assert.is(body.data.rank, null);
    }
    const { text } = await rig.get('/metrics');
    for (const tap of ['none', 'search']) assert.match(text, new RegExp(`laneware_taps_total\\{tap="${tap}"\\} 1`));
    assert.match(text, /laneware_item_chosen_seconds_count 1/, 'none of these is no sale');
  }
  await using rig = await startRig({ folder: folder.path });
  const { data } = (await rig.post('/api/get_rank_statistics', {})).body;
  assert.equal({ none: data.none, total: data.total, items: data.items.length }, { none: 2, total: 2, items: 1 });
  const none = (await rig.post('/api/get_rank_statistics', { from: '2999-01-01' })).body.data;
  assert.is(none.total, 0);
});

test('only in automatic mode a confirmed result teaches, not what is certain or known already', async () => {
  await using rig = await learnedRig();
  const confirm = async (id: string) => {
    const { session } = (await rig.get('/api/get_result')).body.data;
    return (await rig.post('/api/feedback', { session, id })).body.data;
  };
  await rig.show(await picture(11));
  assert.match((await confirm('new')).reason, /not automatic/);
  await rig.post('/api/set_learning_mode', { mode: 2 });
  const learned = await confirm('new');
  assert.match(learned.sid, /^\d{23}$/);
  assert.equal(rig.recognition.templates.reader.sidsOf('new'), [learned.sid]);
  assert.match((await confirm('new')).reason, /certain already/);
  // not certain, because another item has the same picture; the item itself knows it
  await rig.post('/api/set_learning_mode', { mode: 1 });
  await rig.learn('twin', await picture(11));
  await rig.post('/api/set_learning_mode', { mode: 2 });
  assert.match((await confirm('new')).reason, /nearly the same/);
  const { session } = (await rig.get('/api/get_result')).body.data;
  assert.is((await rig.post('/api/feedback', { session, id: null })).body.data.sid, null);
  const taps = (await rig.get('/metrics')).text.matchAll(/laneware_taps_total\{tap="(\w+)"\} (\d)/g);
  assert.equal(Object.fromEntries([...taps].map(([, tap, count]) => [tap, Number(count)])), {
    ...{ certain: 1, first: 1, other: 0, search: 2, none: 1 },
  });
});

test('a certain answer that a customer corrects teaches the right item', async () => {
  await using rig = await startRig();
  await rig.recognition.settings.set({ learningMode: 'automatic' });
  await rig.learn('a', await picture(1));
  const { session, verdict } = (await rig.get('/api/get_result')).body.data;
  assert.is(verdict.certain, true);
  const { rank, sid } = (await rig.post('/api/feedback', { session, id: 'b' })).body.data;
  assert.is(rank, null);
  assert.equal(rig.recognition.templates.reader.sidsOf('b'), [sid]);
});

test.run();
