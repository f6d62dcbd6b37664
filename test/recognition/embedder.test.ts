import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WorkerThread } from '../../drivers/lib/asked-worker.ts';
import { Embedder, type EmbedderOptions, threadsFor } from '../../firmware/recognition/embedding/embedder.ts';
import { EmbedderError } from '../../firmware/recognition/model/embedder-error.ts';
import { replaced } from '../replaced.ts';
import { failed, until } from '../support.ts';
import { FAULT } from './fixtures/faults.ts';
import { modelFolder, tinyFolder } from './fixtures/models.ts';
import { TINY_DIMENSION, TINY_SIDE } from './fixtures/tiny-model.ts';
import { HandTimer } from './hand-timer.ts';

const embedder = suite('embedder');
const FAULTY = new URL('./fixtures/faulty-worker.ts', import.meta.url);
const SILENT = new URL('./fixtures/silent-worker.ts', import.meta.url);
const LIMITS = { deadlineMs: 3000, startMs: 30_000, backoffMs: 100, maxBackoffMs: 100, stableMs: 0, lossBudget: 5 };
const NO_MODEL = new TextEncoder().encode('<html>404</html>'.repeat(50));

/** A picture that differs from others by its seed; its first value orders no fault. */
function picture(seed: number, first = 0): Uint8Array {
  const pixels = Uint8Array.from({ length: TINY_DIMENSION }, (_, at) => (at * seed + (at >> 7) * 13) % 199);
  pixels[0] = first;
  return pixels;
}

interface Opened extends AsyncDisposable {
  readonly embedder: Embedder;
  /** Its deadlines and waits. */
  readonly time: HandTimer;
  /** Lets the wait for a new worker pass. */
  readonly replaced: () => Promise<void>;
}

async function open(options: Partial<EmbedderOptions> = {}, folder = tinyFolder()): Promise<Opened> {
  const time = new HandTimer();
  const limits = { ...LIMITS, ...options.limits };
  const { manifestPath } = folder;
  const embedder = await Embedder.load({ manifestPath, threads: 1, after: time.after, ...options, limits });
  await embedder.start();
  return {
    embedder,
    time,
    replaced: async () => {
      time.pass(LIMITS.backoffMs);
      await until('a new worker', () => embedder.state.name === 'ready');
    },
    [Symbol.asyncDispose]: async () => {
      await embedder.close();
      folder[Symbol.dispose]();
    },
  };
}

const failure = async (work: Promise<unknown>) => (await failed(EmbedderError, work)).code;

embedder('a picture gives a vector of length 1, the same bits every time, others for another picture', async () => {
  await using opened = await open();
  assert.is(opened.embedder.state.name, 'ready');
  const [first, again, other] = await Promise.all([1, 1, 5].map((seed) => opened.embedder.embed(picture(seed))));
  assert.is(first?.length, TINY_DIMENSION);
  const length = Math.hypot(...(first ?? []));
  assert.ok(Math.abs(length - 1) < 1e-6, `length ${length}`);
  assert.equal(first, again);
  assert.not.equal(first, other);
});

embedder('a picture of another size, or one that gives no vector, is refused, and its worker goes on', async () => {
  await using opened = await open();
  assert.is(await failure(opened.embedder.embed(new Uint8Array(TINY_DIMENSION - 1))), 'bad-input');
  // the tiny model hands the picture on: all zero, it has no direction
  for (let turn = 0; turn < 2; turn++)
    assert.is(await failure(opened.embedder.embed(new Uint8Array(TINY_DIMENSION))), 'bad-output');
  assert.is(opened.embedder.state.name, 'ready');
  assert.is((await opened.embedder.embed(picture(1))).length, TINY_DIMENSION);
});

embedder('more waiting pictures than are let in are refused, those let in are answered', async () => {
  await using opened = await open({ limits: { waiting: 2 } });
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((seed) => opened.embedder.embed(picture(seed))));
  // one is being worked on, two wait
  assert.equal(
    results.map((result) => (result.status === 'rejected' ? (result.reason as EmbedderError).code : 'vector')),
    ['vector', 'vector', 'vector', 'busy', 'busy'],
  );
});

embedder('a hanging worker is a timeout, the requests behind it fail at once, and it is replaced', async () => {
  await using opened = await open({ worker: FAULTY });
  const before = await opened.embedder.embed(picture(1));
  const hung = failure(opened.embedder.embed(picture(1, FAULT.hang)));
  opened.time.pass(LIMITS.deadlineMs - 1);
  const behind = failure(opened.embedder.embed(picture(2)));
  opened.time.pass(1);
  assert.equal([await hung, await behind], ['timeout', 'unavailable']);
  await opened.replaced();
  assert.equal(await opened.embedder.embed(picture(1)), before);
});

for (const [name, fault] of [
  ['ends its thread', FAULT.die],
  ['throws', FAULT.throw],
] as const)
  embedder(`a worker that ${name} fails what is in flight at once, and is replaced`, async () => {
    await using opened = await open({ worker: FAULTY });
    const before = await opened.embedder.embed(picture(1));
    assert.is(await failure(opened.embedder.embed(picture(1, fault))), 'unavailable');
    assert.is(opened.embedder.state.name, 'loading');
    assert.is(await failure(opened.embedder.embed(picture(1))), 'unavailable');
    await opened.replaced();
    assert.equal(await opened.embedder.embed(picture(1)), before);
  });

embedder('a worker that is lost again and again makes the state degraded, and is still replaced', async () => {
  await using opened = await open({ worker: FAULTY, limits: { lossBudget: 2, stableMs: 600_000 } });
  for (let loss = 1; loss <= 3; loss++) {
    await failure(opened.embedder.embed(picture(1, FAULT.die)));
    assert.is(opened.embedder.state.name, loss <= 2 ? 'loading' : 'degraded');
    await opened.replaced();
  }
  assert.is((await opened.embedder.embed(picture(1))).length, TINY_DIMENSION);
});

const INPUT = { width: TINY_SIDE, height: TINY_SIDE, channels: 3, dtype: 'uint8', resize: 'cover' };
const TWO_LOOKS = { ...INPUT, closerLooks: [0.7] };

embedder('a model of two looks has two workers: while one hangs and is replaced, the other answers', async () => {
  await using opened = await open({ worker: FAULTY, threads: 2 }, tinyFolder({ input: TWO_LOOKS }));
  const before = await opened.embedder.embed(picture(1));
  const hung = failure(opened.embedder.embed(picture(1, FAULT.hang)));
  assert.equal(await Promise.all([1, 1].map((seed) => opened.embedder.embed(picture(seed)))), [before, before]);
  opened.time.pass(LIMITS.deadlineMs);
  assert.is(await hung, 'timeout');
  assert.is(opened.embedder.state.name, 'ready');
  assert.equal(await opened.embedder.embed(picture(1)), before);
});

embedder('a board of 1 GB has one worker, others one a core; WebAssembly has one on any machine', () => {
  const counts = (isNative: boolean) =>
    [0.9, 1.9, 8].map((gigabytes) => threadsFor(gigabytes * 1024 ** 3, 4, isNative));
  const counted = [counts(true), counts(false)];
  assert.equal(counted, [
    [1, 4, 4],
    [1, 1, 1],
  ]);
});

embedder('when both workers are lost, all waiting requests fail at once', async () => {
  await using opened = await open({ worker: FAULTY, threads: 2 }, tinyFolder({ input: TWO_LOOKS }));
  const failures = [FAULT.die, FAULT.die, 0].map((first) => failure(opened.embedder.embed(picture(1, first))));
  assert.equal(await Promise.all(failures), ['unavailable', 'unavailable', 'unavailable']);
  assert.is(opened.embedder.state.name, 'loading');
  await opened.replaced();
});

embedder('closing answers the waiting requests, and later ones', async () => {
  await using opened = await open({ worker: FAULTY });
  const waiting = [opened.embedder.embed(picture(1, FAULT.hang)), opened.embedder.embed(picture(2))].map(failure);
  await opened.embedder.close();
  assert.equal(await Promise.all(waiting), ['closed', 'closed']);
  assert.is(await failure(opened.embedder.embed(picture(1))), 'closed');
});

embedder('closing while a lost worker is being replaced leaves nothing behind', async () => {
  for (const passed of [0, LIMITS.backoffMs]) {
    await using opened = await open({ worker: FAULTY });
    await failure(opened.embedder.embed(picture(1, FAULT.die)));
    opened.time.pass(passed);
    await opened.embedder.close();
    assert.is(opened.time.armed, 0);
    assert.is(await failure(opened.embedder.embed(picture(1))), 'closed');
  }
});

embedder('a closed one has no worker left that is still about to end', async () => {
  const { end } = WorkerThread.prototype;
  let ending = 0;
  using _counted = replaced(
    WorkerThread.prototype,
    'end',
    async function counted(this: WorkerThread<unknown, unknown>): Promise<void> {
      ending += 1;
      await end.call(this);
      ending -= 1;
    },
  );
  using folder = tinyFolder();
  const starting = await Embedder.load({ manifestPath: folder.manifestPath, worker: SILENT });
  void starting.start();
  const closing = starting.close();
  assert.ok(ending > 0, 'one that was still starting');
  await closing;
  assert.is(ending, 0);
});

const OUTPUT = { dtype: 'uint8', dimension: TINY_DIMENSION, scale: 1, zeroPoint: 0 };
for (const [what, code, folder] of [
  ['a model of another width', 'shape-mismatch', () => tinyFolder({ input: { ...INPUT, width: TINY_SIDE - 1 } })],
  [
    'a model of another type of input',
    'shape-mismatch',
    () => tinyFolder({ input: { ...INPUT, dtype: 'float32', mean: [0, 0, 0], scale: [1, 1, 1] } }),
  ],
  ['a model of another dimension', 'shape-mismatch', () => tinyFolder({ output: { ...OUTPUT, dimension: 128 } })],
  [
    'a model of another type of output',
    'shape-mismatch',
    () => tinyFolder({ output: { dtype: 'float32', dimension: TINY_DIMENSION } }),
  ],
  ['a file that is no model at all', 'not-loadable', () => modelFolder(NO_MODEL)],
  ['a damaged file', 'checksum', () => modelFolder(NO_MODEL, { sha256: '0'.repeat(64) })],
] as const)
  embedder(`${what} is a degraded state, not an end`, async () => {
    const states: string[] = [];
    await using opened = await open({ log: (message) => states.push(message) }, folder());
    assert.is(opened.embedder.state.name === 'degraded' && opened.embedder.state.code, code);
    assert.equal(states, ['embedder degraded']);
    assert.is(opened.embedder.identity === null, code === 'checksum', 'a damaged file is never loaded');
    assert.is(await failure(opened.embedder.embed(picture(1))), 'unavailable');
  });

embedder('a worker that never starts is given up', async () => {
  using folder = tinyFolder();
  const time = new HandTimer();
  const limits = { ...LIMITS, lossBudget: 0 };
  const silent = await Embedder.load({ manifestPath: folder.manifestPath, worker: SILENT, limits, after: time.after });
  const started = silent.start();
  time.pass(LIMITS.startMs - 1);
  assert.is(silent.state.name, 'loading');
  time.pass(1);
  await started;
  assert.is(silent.state.name === 'degraded' && silent.state.code, 'worker');
  await silent.close();
});

embedder('who waits for a model waits again while a lost worker is replaced', async () => {
  await using opened = await open({ worker: FAULTY, limits: { loadingMs: 600_000 } });
  await opened.embedder.loaded();
  assert.is(await failure(opened.embedder.embed(picture(1, FAULT.die))), 'unavailable');
  assert.is(opened.embedder.state.name, 'loading');
  opened.time.pass(LIMITS.backoffMs);
  await opened.embedder.loaded();
  assert.is(opened.embedder.state.name, 'ready');
});

embedder('a worker that never gets as far as to live has lived for no time at all', async () => {
  const worker = new URL('data:text/javascript,process.exit(3)');
  await using opened = await open({ worker, limits: { lossBudget: 2 } });
  await until('its third loss', () => {
    opened.time.pass(LIMITS.backoffMs);
    return opened.embedder.state.name === 'degraded';
  });
  assert.is(opened.embedder.state.name === 'degraded' && opened.embedder.state.code, 'worker');
});

embedder.run();
