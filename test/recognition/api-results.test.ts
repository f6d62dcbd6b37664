/** Recognition, feedback and the device's own calls, through HTTP. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CameraError } from '../../drivers/camera/contract.ts';
import { NoCamera } from '../../drivers/camera/none.ts';
import { EmbedderError } from '../../firmware/recognition/embedder.ts';
import { BUILD_TIME } from '../../firmware/version.ts';
import { temporaryFolder, until } from '../support.ts';
import { FakeModel, NO_MODEL, picture, type Rig, scene, startRig } from './support.ts';

const api = suite('results and device calls');

async function learnedRig(options: Parameters<typeof startRig>[0] = {}): Promise<Rig> {
  const rig = await startRig(options);
  for (const kind of [1, 2, 3, 4, 5, 6, 7]) await rig.learn(`item${kind}`, await picture(kind));
  await rig.show(await picture(3));
  return rig;
}

api(
  'a result lists items best first with scores that sum to 1, their similarity, a verdict and a session',
  async () => {
    await using rig = await learnedRig();
    const { status, body } = await rig.get('/api/get_result');
    assert.is(status, 200);
    const { items, session, verdict, quality } = body.data;
    assert.is(items.length, 5);
    assert.is(items[0].id, 'item3');
    const scores: number[] = items.map(({ score }: { score: number }) => score);
    assert.ok(Math.abs(scores.reduce((sum, score) => sum + score, 0) - 1) < 1e-9);
    assert.equal(
      scores,
      scores.toSorted((one, other) => other - one),
    );
    assert.ok(items.every(({ similarity }: { similarity: number }) => Math.abs(similarity) <= 1 + 1e-6));
    assert.match(session, /^[0-9a-f-]{36}$/);
    assert.equal(verdict, { certain: true, unknown: false, reason: null });
    assert.ok(Array.isArray(quality));
  },
);

api('what was never shown before is not certain', async () => {
  await using rig = await startRig();
  await rig.learn('white', await scene(null));
  await rig.show(await scene('orange'));
  const { verdict } = (await rig.get('/api/get_result')).body.data;
  assert.is(verdict.certain, false);
  assert.type(verdict.reason, 'string');
});

api('no frame yet is -6308, a lost camera -6103', async () => {
  await using waiting = await startRig();
  for (const path of ['/api/get_result', '/api/get_image']) {
    const { status, body } = await waiting.get(path);
    assert.is(status, 200);
    assert.is(body.code, -6308, path);
  }
  await using lost = await startRig({ service: { camera: new NoCamera() } });
  for (const answer of [
    await lost.get('/api/get_result'),
    await lost.get('/api/get_image'),
    await lost.post('/api/add_item_template', { id: '1' }),
    await lost.post('/api/learn_background'),
  ]) {
    assert.is(answer.body.code, -6103);
    assert.is(answer.body.data, null);
    assert.type(answer.body.msg, 'string');
  }
});

api('a model that hangs or dies is -6209, and the next request is answered', async () => {
  const model = new FakeModel();
  await using rig = await learnedRig({ model });
  for (const code of ['timeout', 'unavailable', 'busy'] as const) {
    model.before = () => {
      throw new EmbedderError(code, 'ordered by the test');
    };
    assert.is((await rig.get('/api/get_result')).body.code, -6209, code);
    assert.is((await rig.post('/api/add_item_template', { id: 'x' })).body.code, -6209, code);
  }
  model.before = () => undefined;
  assert.is((await rig.get('/api/get_result')).body.code, 0);
  assert.equal(rig.recognition.templates.sidsOf('x'), []);
});

api('without a model templates can be listed, deleted and exported, but not recognised', async () => {
  using folder = temporaryFolder();
  let sid = '';
  {
    await using rig = await learnedRig({ folder: folder.path });
    sid = rig.recognition.templates.sidsOf('item1')[0] ?? '';
  }
  await using rig = await startRig({ folder: folder.path, model: NO_MODEL });
  await rig.show(await picture(1));
  const refused = await rig.get('/api/get_result');
  assert.is(refused.body.code, -6209);
  assert.match(refused.body.msg, /file of the model is damaged/);
  assert.is((await rig.get('/api/get_item_list')).body.data.length, 7);
  assert.is((await rig.post('/api/delete_item_template', { id: 'item1', sid })).body.code, 0);
  assert.ok((await rig.exportPackage()).length > 1000);
  const { parts } = (await rig.get('/health')).body.data;
  assert.match(parts.find(({ part }: { part: string }) => part === 'model').reason, /damaged/);
});

api('an unexpected error is 500 with -6210 and no details', async () => {
  const model = new FakeModel();
  await using rig = await learnedRig({ model });
  model.before = () => {
    throw new Error('secret details');
  };
  const { status, body, text } = await rig.get('/api/get_result');
  assert.is(status, 500);
  assert.is(body.code, -6210);
  assert.not.match(text, /secret/);
});

api('an empty tray that was learned is -6308, for recognising and for adding; an item on it is not', async () => {
  await using rig = await startRig();
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

api('the learned tray survives a restart and is forgotten with another recognition area', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await startRig({ folder: folder.path });
    await rig.show(await scene(null, 1));
    await rig.post('/api/learn_background');
  }
  await using rig = await startRig({ folder: folder.path });
  await rig.show(await scene(null, 2));
  assert.is((await rig.get('/api/get_result')).body.code, -6308);
  await rig.post('/api/set_calib', { top: 10, left: 10, height: 400, width: 400 });
  assert.is((await rig.get('/api/get_result')).body.code, 0);
});

api('a dark picture says so beside its answer', async () => {
  await using rig = await startRig();
  const { default: sharp } = await import('sharp');
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

api('set values are read back, and survive a restart', async () => {
  using folder = temporaryFolder();
  const area = { top: 39, left: 444, height: 482, width: 348 };
  {
    await using rig = await learnedRig({ folder: folder.path });
    const before = (await rig.get('/api/get_device_info')).body.data;
    assert.equal([before.predict_speed, before.learnMode, before.max_result_num], ['fast', 1, 5]);
    for (const [path, body] of [
      ['set_predict_speed', { speed: 'normal' }],
      ['set_learning_mode', { mode: 2 }],
      ['set_result_count', { count: 3 }],
      ['set_calib', area],
    ] as const) {
      assert.equal((await rig.post(`/api/${path}`, body)).body, { code: 0, data: null }, path);
    }
  }
  await using rig = await startRig({ folder: folder.path });
  const info = (await rig.get('/api/get_device_info')).body.data;
  assert.equal([info.predict_speed, info.learnMode, info.max_result_num], ['normal', 2, 3]);
  assert.equal([info.sn, info.item_count, info.template_count], ['TEST0001', 7, 7]);
  assert.equal((await rig.get('/api/get_learning_mode')).body, { code: 0, data: { mode: 2 } });
  assert.equal((await rig.get('/api/get_calib')).body, { code: 0, data: area });
  await rig.show(await picture(3));
  assert.is((await rig.get('/api/get_result')).body.data.items.length, 3);
});

api('the recognition area decides what is seen', async () => {
  await using rig = await startRig();
  const { default: sharp } = await import('sharp');
  const half = (colour: string, left: number) => ({
    input: { create: { width: 640, height: 720, channels: 3 as const, background: colour } },
    ...{ left, top: 0 },
  });
  const frame = await sharp({ create: { width: 1280, height: 720, channels: 3, background: 'black' } })
    .composite([half('rgb(250,120,20)', 0), half('rgb(20,90,200)', 640)])
    .jpeg()
    .toBuffer();
  await rig.show(frame);
  for (const [id, left] of [
    ['left', 0],
    ['right', 640],
  ] as const) {
    await rig.post('/api/set_calib', { top: 0, left, height: 720, width: 640 });
    assert.is((await rig.post('/api/add_item_template', { id })).body.code, 0);
  }
  assert.is((await rig.get('/api/get_result')).body.data.items[0].id, 'right');
  await rig.post('/api/set_calib', { top: 0, left: 0, height: 720, width: 640 });
  assert.is((await rig.get('/api/get_result')).body.data.items[0].id, 'left');
});

api('get_image is a JPEG of 1280×720 whatever was pushed', async () => {
  await using rig = await startRig();
  const { default: sharp } = await import('sharp');
  for (const jpeg of [await picture(1), await scene('lemon')]) {
    await rig.show(jpeg);
    const response = await fetch(`${rig.url}/api/get_image`);
    assert.is(response.headers.get('content-type'), 'image/jpeg');
    const { width, height, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    assert.equal([width, height, format], [1280, 720, 'jpeg']);
  }
});

api(
  'in locked mode adding and deleting a template are -6217, before anything is looked up, and nothing else is',
  async () => {
    await using rig = await learnedRig();
    const sid = rig.recognition.templates.sidsOf('item1')[0] ?? '';
    await rig.post('/api/set_learning_mode', { mode: 0 });
    for (const [path, body] of [
      ['add_item_template', { id: 'item1' }],
      ['delete_item_template', { id: 'item1', sid }],
      ['delete_item_template', { id: 'none', sid: 'none' }],
    ] as const) {
      const { status, body: answer } = await rig.post(`/api/${path}`, body);
      assert.is(status, 200);
      assert.is(answer.code, -6217, path);
      assert.is(answer.data, null);
    }
    assert.is((await rig.post('/api/add_item_template', {})).body.code, -6213, 'fields come first');
    assert.is((await rig.get('/api/get_result')).body.code, 0);
    assert.is((await rig.post('/api/delete_item', { id: 'item2' })).body.code, 0);
    assert.is((await rig.post('/api/clear_all_template')).body.code, 0);
  },
);

api('on a device that is no master the marks are -6301, after the fields were judged', async () => {
  await using rig = await startRig();
  for (const path of ['set_deletion_all_flag', 'clear_deletion_all_flag']) {
    assert.is((await rig.post(`/api/${path}`, { id: '1' })).body.code, -6301);
    assert.is((await rig.post(`/api/${path}`, {})).body.code, -6213);
  }
  assert.is((await rig.get('/api/get_deletion_all_progress')).body.code, -6301);
});

api('the progress of marks has the latest on top and all of them listed', async () => {
  const progress = [
    { id: '2', SNs: ['A'] },
    { id: '1', SNs: ['A', 'B'] },
  ];
  const marks = { set: async () => undefined, clear: async () => undefined, progress: async () => progress };
  await using rig = await startRig({ service: { marks } });
  const { body } = await rig.get('/api/get_deletion_all_progress');
  assert.equal(body, { code: 0, data: { id: '2', SNs: ['A'], items: progress } });
  progress.length = 0;
  const none = await rig.get('/api/get_deletion_all_progress');
  assert.equal(none.body.data, { id: '', SNs: [], items: [] });
});

api('feedback says where the item stood, counts it once, and again the same is the same', async () => {
  await using rig = await learnedRig();
  const { session, items } = (await rig.get('/api/get_result')).body.data;
  const second = items[1].id;
  const first = await rig.post('/api/feedback', { session, id: second });
  assert.equal([first.body.code, first.body.data.rank, first.body.data.sid], [0, 2, null]);
  assert.equal((await rig.post('/api/feedback', { session, id: second })).body, first.body);
  assert.is((await rig.post('/api/feedback', { session, id: 'item3' })).body.code, -6310);
  assert.is((await rig.post('/api/feedback', { session: 'none', id: second })).body.code, -6310);
  const { data } = (await rig.post('/api/get_rank_statistics')).body;
  assert.equal([data.positions, data.none, data.total], [[0, 1, 0, 0, 0], 0, 1]);
  assert.equal(data.items, [{ id: second, positions: [0, 1, 0, 0, 0], none: 0, total: 1 }]);
  const { text } = await rig.get('/metrics');
  assert.match(text, /laneware_feedback_rank_total\{rank="2"\} 1/);
  assert.match(text, /laneware_feedback_rank_total\{rank="none"\} 0/);
});

api('"none of these" and an item that was not offered count as none; counts survive a restart', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await learnedRig({ folder: folder.path });
    for (const id of [null, 'something else']) {
      const { session } = (await rig.get('/api/get_result')).body.data;
      const { body } = await rig.post('/api/feedback', { session, id });
      assert.is(body.data.rank, null);
    }
  }
  await using rig = await startRig({ folder: folder.path });
  const { data } = (await rig.post('/api/get_rank_statistics', {})).body;
  assert.equal([data.none, data.total, data.items.length], [2, 2, 1]);
  assert.match((await rig.get('/metrics')).text, /laneware_feedback_rank_total\{rank="none"\} 2/);
  const none = (await rig.post('/api/get_rank_statistics', { from: '2999-01-01' })).body.data;
  assert.is(none.total, 0);
});

api('only in automatic mode a confirmed result teaches, and not what is certain or known already', async () => {
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
  assert.equal(rig.recognition.templates.sidsOf('new'), [learned.sid]);
  assert.match((await confirm('new')).reason, /certain already/);
  // not certain, because another item has the same picture; the item itself knows it
  await rig.post('/api/set_learning_mode', { mode: 1 });
  await rig.learn('twin', await picture(11));
  await rig.post('/api/set_learning_mode', { mode: 2 });
  assert.match((await confirm('new')).reason, /nearly the same/);
  const { session } = (await rig.get('/api/get_result')).body.data;
  assert.is((await rig.post('/api/feedback', { session, id: null })).body.data.sid, null);
});

api('learning by feedback stops at the limit of the item', async () => {
  await using rig = await startRig({ config: { maxTemplatesPerItem: 1, learningMode: 'automatic' } });
  await rig.learn('a', await picture(1));
  await rig.show(await picture(9));
  const { session } = (await rig.get('/api/get_result')).body.data;
  assert.match((await rig.post('/api/feedback', { session, id: 'a' })).body.data.reason, /as many templates/);
});

api('set_time sets the clock of the system, or says why not and still moves its own', async () => {
  const set: [number, number][] = [];
  await using rig = await startRig({
    service: {
      setSystemTime: async (seconds, microseconds) => {
        set.push([seconds, microseconds]);
        if (microseconds === 1) throw new Error('Operation not permitted');
      },
    },
  });
  const future = Math.floor(Date.now() / 1000) + 40_000_000;
  assert.equal((await rig.post('/api/set_time', { sec: future, usec: 615_948 })).body, { code: 0, data: null });
  const refused = await rig.post('/api/set_time', { sec: future + 1000, usec: 1 });
  assert.is(refused.status, 200);
  assert.is(refused.body.code, -6309);
  assert.match(refused.body.msg, /not permitted/);
  assert.equal(set, [
    [future, 615_948],
    [future + 1000, 1],
  ]);
  const sid = await rig.learn('1', await picture(1));
  assert.ok(sid.startsWith(new Date((future + 1000) * 1000).toISOString().slice(0, 10).replaceAll('-', '')), sid);
  const early = await rig.post('/api/set_time', { sec: Math.floor(BUILD_TIME / 1000) - 86_400, usec: 0 });
  assert.equal([early.status, early.body.code], [400, -6213]);
});

api(
  'a new model re-embeds every template in the background, goes on after a restart, and recognises again',
  async () => {
    using folder = temporaryFolder();
    await (await learnedRig({ folder: folder.path }))[Symbol.asyncDispose]();
    const model = new FakeModel('next', 4);
    let embedded = 0;
    model.before = () => {
      if (++embedded > 3) throw new EmbedderError('unavailable', 'ordered by the test');
    };
    {
      // stopped in the middle
      await using rig = await startRig({ folder: folder.path, model });
      await until('some', () => embedded > 3);
      const { parts } = (await rig.get('/health')).body.data;
      assert.match(
        parts.find(({ part }: { part: string }) => part === 'templates').reason,
        /7 templates are still being/,
      );
    }
    await using rig = await startRig({ folder: folder.path, model: new FakeModel('next', 4) });
    await until('re-embedding', () => rig.recognition.reembedding?.progress.left === 0);
    await rig.show(await picture(3));
    const { data } = (await rig.get('/api/get_result')).body;
    assert.is(data.items[0].id, 'item3');
    assert.is(data.verdict.certain, true);
    await until('health', async () => {
      const { parts } = (await rig.get('/health')).body.data;
      return parts.find(({ part }: { part: string }) => part === 'templates').state === 'ok';
    });
  },
);

api('a damaged database is set aside and reported, and the device goes on', async () => {
  using folder = temporaryFolder();
  const { writeFileSync, readdirSync } = await import('node:fs');
  writeFileSync(`${folder.path}/templates.db`, Buffer.alloc(9000, 0x5a));
  await using rig = await learnedRig({ folder: folder.path });
  assert.is((await rig.get('/api/get_item_list')).body.data.length, 7);
  const { parts } = (await rig.get('/health')).body.data;
  assert.match(parts.find(({ part }: { part: string }) => part === 'templates').reason, /set aside/);
  assert.ok(readdirSync(folder.path).some((name) => name.startsWith('templates.db.damaged-')));
});

api('full storage is -6307, a store that cannot be written -6203, and nothing has changed', async () => {
  await using full = await startRig({ config: { storageMb: 1, maxTemplatesPerItem: 1000 } });
  await full.show(await picture(1));
  let code = 0;
  let added = 0;
  while (code === 0 && added < 1000) {
    code = (await full.post('/api/add_item_template', { id: 'a' })).body.code;
    if (code === 0) added += 1;
  }
  assert.is(code, -6307);
  assert.is(full.recognition.templates.countOf('a'), added);
  assert.is((await full.post('/api/delete_item', { id: 'a' })).body.code, 0);
  assert.is((await full.post('/api/add_item_template', { id: 'a' })).body.code, 0);

  const { rmSync } = await import('node:fs');
  const folder = temporaryFolder();
  await using lost = await startRig({ folder: folder.path });
  rmSync(folder.path, { recursive: true });
  const { status, body } = await lost.post('/api/set_predict_speed', { speed: 'normal' });
  assert.is(status, 200);
  assert.is(body.code, -6203);
  assert.is((await lost.get('/api/get_device_info')).body.data.predict_speed, 'fast');
});

api('a stale frame is -6308', async () => {
  await using rig = await startRig();
  rig.camera.latest = () => {
    throw new CameraError('push', 'stale', 'the newest frame is 9000 ms old');
  };
  assert.is((await rig.get('/api/get_result')).body.code, -6308);
});

api.run();
