/** A recognition that is asked for before the model is loaded: it waits a little, but not for ever, and not with too many. */
import { writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Embedder, type EmbedderLimits } from '../../firmware/recognition/embedding/embedder.ts';
import { type Answer, each, pick } from '../support.ts';
import { modelFolder, tinyFolder } from './fixtures/models.ts';
import { picture, type Rig, startRig } from './support.ts';

const loading = suite('a model that is being loaded');
/** Longer than any test: a call that waits so long was not answered at once. */
const FOR_EVER_MS = 600_000;
const GATED = new URL('./fixtures/gated-worker.ts', import.meta.url);
const STILL_LOADING = /no model is running: it is being loaded/;

interface Gate {
  readonly rig: Rig;
  readonly embedder: Embedder;
  /** Lets the model be loaded. */
  readonly open: () => void;
}

/** A device that sees something and whose model is not loaded until the gate is opened. */
async function gated(limits: Partial<EmbedderLimits>, use: (gate: Gate) => Promise<void>, folder = tinyFolder()) {
  using place = folder;
  const gate = `${place.folder}/gate`;
  // the worker has a copy of the environment of its start
  process.env.GATE = gate;
  const embedder = await Embedder.load({ manifestPath: folder.manifestPath, worker: GATED, limits });
  void embedder.start();
  delete process.env.GATE;
  await using rig = await startRig({ model: embedder });
  await rig.show(await picture(1));
  await use({ rig, embedder, open: () => writeFileSync(gate, '') });
}

const it = each<[Gate]>(loading, (use) => () => gated({ loadingMs: FOR_EVER_MS }, use));

/** A call that is on its way: whether it was answered, and its answer. */
function underWay(call: Promise<Answer>) {
  const state = { answered: false, answer: call };
  void call.then(() => {
    state.answered = true;
  });
  return state;
}

/** Time for everything that the device does without waiting. */
const breathe = async (rig: Rig): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await rig.get('/health');
};

it('a result and a new template wait for it, and are answered when it is there', async ({ rig, open }) => {
  const calls = [rig.post('/api/add_item_template', { id: 'a' }), rig.get('/api/get_result')].map(underWay);
  await breathe(rig);
  assert.equal(pick(calls, 'answered'), [false, false]);
  open();
  for (const { answer } of calls) assert.is((await answer).body.code, 0);
});

it('what lies on the tray when it is there is looked at, not what lay there when it was asked', async (given) => {
  const { rig, open } = given;
  const call = underWay(rig.post('/api/add_item_template', { id: 'a' }));
  await breathe(rig);
  await rig.show(await picture(3));
  open();
  const { image } = (await call.answer).body.data;
  assert.is(image, (await rig.post('/api/add_item_template', { id: 'a' })).body.data.image);
});

loading('after its time a call is answered that the model is still being loaded', () =>
  gated({ loadingMs: 50 }, async ({ rig }) => {
    const { status, body } = await rig.get('/api/get_result');
    assert.equal([status, body.code], [200, -6209]);
    assert.match(body.msg, STILL_LOADING);
  }),
);

loading('a model that cannot be loaded is reported at once, with its reason', () =>
  gated(
    { loadingMs: FOR_EVER_MS },
    async ({ rig, open }) => {
      const call = underWay(rig.get('/api/get_result'));
      await breathe(rig);
      assert.is(call.answered, false);
      open();
      const [first, later] = [await call.answer, await rig.get('/api/get_result')];
      assert.is(first.body.code, -6209);
      assert.match(first.body.msg, /no model is running/);
      assert.not.match(first.body.msg, STILL_LOADING);
      assert.is(later.body.msg, first.body.msg);
    },
    modelFolder(new TextEncoder().encode('<html>404</html>'.repeat(50))),
  ),
);

it('a missing picture is reported without waiting', async ({ rig }) => {
  await rig.camera.close();
  assert.is((await rig.get('/api/get_result')).body.code, -6103);
});

it('closing ends the wait', async ({ embedder }) => {
  const waited = embedder.loaded();
  await embedder.close();
  await waited;
});

loading.run();
