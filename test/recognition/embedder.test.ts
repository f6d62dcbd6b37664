import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  Embedder,
  EmbedderError,
  type EmbedderErrorCode,
  type EmbedderOptions,
} from '../../firmware/recognition/embedding/embedder.ts';
import { FAULT } from './fixtures/faults.ts';
import { type ModelFolder, modelFolder, tinyFolder } from './fixtures/models.ts';
import { TINY_DIMENSION, TINY_SIDE } from './fixtures/tiny-model.ts';

const embedder = suite('embedder');
const FAULTY = new URL('./fixtures/faulty-worker.ts', import.meta.url);
const QUICK = { deadlineMs: 1_500, backoffMs: 10 };
const WAIT_LIMIT_MS = 60_000;

/** A picture that only its seed tells from others; its first value orders no fault. */
function picture(seed: number, first = 0): Uint8Array {
  const pixels = Uint8Array.from({ length: TINY_DIMENSION }, (_, at) => (at * seed + (at >> 7) * 13) % 199);
  pixels[0] = first;
  return pixels;
}

async function using(
  options: Partial<EmbedderOptions>,
  use: (embedder: Embedder) => Promise<void>,
  folder: ModelFolder = tinyFolder(),
): Promise<void> {
  const opened = await Embedder.open({ manifestPath: folder.manifestPath, ...options });
  try {
    await use(opened);
  } finally {
    await opened.close();
    folder.remove();
  }
}

async function failure(promise: Promise<unknown>): Promise<EmbedderErrorCode> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof EmbedderError) return error.code;
    throw error;
  }
  throw new Error('it did not fail');
}

async function ready(opened: Embedder): Promise<void> {
  const end = performance.now() + WAIT_LIMIT_MS;
  while (opened.state.name !== 'ready') {
    if (performance.now() > end) throw new Error(`still ${opened.state.name}: ${opened.state.reason}`);
    await sleep(10);
  }
}

embedder('a picture gives a vector of length 1, the same bits every time, others for another picture', () =>
  using({}, async (opened) => {
    assert.is(opened.state.name, 'ready');
    const [first, again, other] = await Promise.all([1, 1, 5].map((seed) => opened.embed(picture(seed))));
    assert.is(first?.length, TINY_DIMENSION);
    const length = Math.hypot(...(first ?? []));
    assert.ok(Math.abs(length - 1) < 1e-6, `length ${length}`);
    assert.equal(first, again);
    assert.not.equal(first, other);
  }),
);

embedder('a picture of another size is refused before it reaches the model', () =>
  using({}, async (opened) => {
    assert.is(await failure(opened.embed(new Uint8Array(TINY_DIMENSION - 1))), 'bad-input');
  }),
);

embedder('a picture that the model makes no vector of is refused, and its worker goes on', () =>
  using({}, async (opened) => {
    // the tiny model hands the picture on: all zero, it has no direction
    for (let turn = 0; turn < 2; turn++)
      assert.is(await failure(opened.embed(new Uint8Array(TINY_DIMENSION))), 'bad-output');
    assert.is(opened.state.name, 'ready');
    assert.is((await opened.embed(picture(1))).length, TINY_DIMENSION);
  }),
);

embedder('more waiting pictures than are let in are refused, those let in are answered', () =>
  using({ limits: { waiting: 2, deadlineMs: 30_000 } }, async (opened) => {
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((seed) => opened.embed(picture(seed))));
    // one is being worked on, two wait
    assert.equal(
      results.map((result) => (result.status === 'rejected' ? (result.reason as EmbedderError).code : 'vector')),
      ['vector', 'vector', 'vector', 'busy', 'busy'],
    );
  }),
);

embedder('a hanging worker is a timeout, and is replaced', () =>
  using({ worker: FAULTY, limits: QUICK }, async (opened) => {
    const before = await opened.embed(picture(1));
    const hung = opened.embed(picture(1, FAULT.hang));
    const behind = opened.embed(picture(2));
    assert.is(await failure(hung), 'timeout');
    assert.ok(['timeout', 'unavailable'].includes(await failure(behind)));
    await ready(opened);
    assert.equal(await opened.embed(picture(1)), before);
  }),
);

for (const [name, fault] of [
  ['ends its thread', FAULT.die],
  ['throws', FAULT.throw],
] as const) {
  embedder(`a worker that ${name} fails what is in flight at once, and is replaced`, () =>
    using({ worker: FAULTY, limits: { ...QUICK, deadlineMs: 20_000, backoffMs: 200 } }, async (opened) => {
      const before = await opened.embed(picture(1));
      assert.is(await failure(opened.embed(picture(1, fault))), 'unavailable');
      assert.is(opened.state.name, 'loading');
      assert.is(await failure(opened.embed(picture(1))), 'unavailable');
      await ready(opened);
      assert.equal(await opened.embed(picture(1)), before);
    }),
  );
}

embedder('a worker that is lost again and again makes the state degraded, and is still replaced', () =>
  using({ worker: FAULTY, limits: { ...QUICK, lossBudget: 2, backoffMs: 50 } }, async (opened) => {
    for (let loss = 1; loss <= 3; loss++) {
      await ready(opened);
      await failure(opened.embed(picture(1, FAULT.die)));
      assert.is(opened.state.name, loss <= 2 ? 'loading' : 'degraded');
    }
    await ready(opened);
    assert.is((await opened.embed(picture(1))).length, TINY_DIMENSION);
  }),
);

const INPUT = { width: TINY_SIDE, height: TINY_SIDE, channels: 3, dtype: 'uint8', resize: 'cover' };
const TWO_LOOKS = { ...INPUT, closerLooks: [0.7] };

embedder('a model of two looks has two workers: while one hangs and is replaced, the other answers', () =>
  using(
    { worker: FAULTY, threads: 2, limits: QUICK },
    async (opened) => {
      const before = await opened.embed(picture(1));
      const hung = failure(opened.embed(picture(1, FAULT.hang)));
      assert.equal(await Promise.all([opened.embed(picture(1)), opened.embed(picture(1))]), [before, before]);
      assert.is(await hung, 'timeout');
      assert.is(opened.state.name, 'ready');
      assert.equal(await opened.embed(picture(1)), before);
    },
    tinyFolder({ input: TWO_LOOKS }),
  ),
);

embedder('when both workers are lost, those who wait are told at once', () =>
  using(
    { worker: FAULTY, threads: 2, limits: { ...QUICK, deadlineMs: 20_000, backoffMs: 200 } },
    async (opened) => {
      const told = [FAULT.die, FAULT.die, 0].map((first) => failure(opened.embed(picture(1, first))));
      assert.equal(await Promise.all(told), ['unavailable', 'unavailable', 'unavailable']);
      assert.is(opened.state.name, 'loading');
      await ready(opened);
    },
    tinyFolder({ input: TWO_LOOKS }),
  ),
);

embedder('closing answers those who wait, and whoever comes later', () =>
  using({ worker: FAULTY }, async (opened) => {
    const waiting = [opened.embed(picture(1, FAULT.hang)), opened.embed(picture(2))].map(failure);
    await opened.close();
    assert.equal(await Promise.all(waiting), ['closed', 'closed']);
    assert.is(await failure(opened.embed(picture(1))), 'closed');
  }),
);

embedder('closing while a lost worker is being replaced leaves nothing behind', () =>
  using({ worker: FAULTY, limits: { ...QUICK, backoffMs: 1 } }, async (opened) => {
    await failure(opened.embed(picture(1, FAULT.die)));
    await sleep(20);
    await opened.close();
    assert.is(await failure(opened.embed(picture(1))), 'closed');
  }),
);

embedder('a model of another shape or type than its manifest says is a degraded state', async () => {
  const output = { dtype: 'uint8', dimension: TINY_DIMENSION, scale: 1, zeroPoint: 0 };
  const foreign = [
    { input: { ...INPUT, width: TINY_SIDE - 1 } },
    { input: { ...INPUT, dtype: 'float32', mean: [0, 0, 0], scale: [1, 1, 1] } },
    { output: { ...output, dimension: 128 } },
    { output: { dtype: 'float32', dimension: TINY_DIMENSION } },
  ];
  for (const changes of foreign) {
    await using(
      {},
      async (opened) => {
        assert.is(opened.state.name === 'degraded' && opened.state.code, 'shape-mismatch');
        assert.is(await failure(opened.embed(picture(1))), 'unavailable');
      },
      tinyFolder(changes),
    );
  }
});

embedder('a file that is no model at all is a degraded state, not an end', async () => {
  const rubbish = new TextEncoder().encode('<html>404</html>'.repeat(50));
  const states: string[] = [];
  await using(
    { onState: ({ name }) => states.push(name) },
    async (opened) => {
      assert.is(opened.state.name === 'degraded' && opened.state.code, 'not-loadable');
      assert.equal(states, ['degraded']);
      assert.is(await failure(opened.embed(picture(1))), 'unavailable');
    },
    modelFolder(rubbish),
  );
});

embedder('a damaged file is never loaded: its checksum is wrong', async () => {
  const folder = modelFolder(new TextEncoder().encode('anything'), { sha256: '0'.repeat(64) });
  await using(
    {},
    async (opened) => {
      assert.is(opened.state.name === 'degraded' && opened.state.code, 'checksum');
      assert.is(opened.identity, null);
    },
    folder,
  );
});

embedder('a worker that never starts is given up', async () => {
  const folder = modelFolder(new TextEncoder().encode('anything'));
  await using(
    { worker: new URL('./fixtures/silent-worker.ts', import.meta.url), limits: { startMs: 300, lossBudget: 0 } },
    async (opened) => {
      assert.is(opened.state.name === 'degraded' && opened.state.code, 'worker');
    },
    folder,
  );
});

embedder('who waits for a model waits again while a lost worker is replaced', async () => {
  const folder = tinyFolder();
  const limits = { ...QUICK, waiting: 1, loadingMs: WAIT_LIMIT_MS };
  const opened = await Embedder.load({ manifestPath: folder.manifestPath, worker: FAULTY, threads: 1, limits });
  try {
    void opened.start();
    await opened.loaded();
    assert.is(opened.state.name, 'ready');
    assert.is(await failure(opened.embed(picture(1, FAULT.die))), 'unavailable');
    assert.is(opened.state.name, 'loading');
    await opened.loaded();
    assert.is(opened.state.name, 'ready');
  } finally {
    await opened.close();
    folder.remove();
  }
});

embedder('a worker that never gets as far as to live has lived for no time at all', () =>
  using(
    { worker: new URL('data:text/javascript,process.exit(3)'), limits: { backoffMs: 1, lossBudget: 2, stableMs: 0 } },
    async (opened) => {
      const end = performance.now() + WAIT_LIMIT_MS;
      while (opened.state.name !== 'degraded') {
        if (performance.now() > end) throw new Error('it is being replaced for ever');
        await sleep(10);
      }
      assert.is(opened.state.code, 'worker');
    },
  ),
);

embedder.run();
