import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WorkerThread } from '../../drivers/lib/worker-thread.ts';
import { tinyModel } from './fixtures/tiny-model.ts';

const memory = suite('embedder memory');
const SIDE = 512;
const RUNS = 300;
/** One forgotten tensor in each run would lose 790 kB, 235 MB in all. */
const GROWTH_LIMIT_BYTES = 80 * 1024 * 1024;
const LIMIT_MS = 180_000;

memory(`${RUNS} pictures leave the memory unchanged`, async () => {
  const worker = new WorkerThread<never, number>(new URL('./fixtures/many-runs.ts', import.meta.url), {
    name: 'worker of many runs',
    workerData: { bytes: tinyModel(SIDE), runs: RUNS },
  });
  try {
    const growth = await worker.hear(LIMIT_MS);
    assert.ok(growth < GROWTH_LIMIT_BYTES, `grew by ${(growth / 1024 / 1024).toFixed(0)} MiB`);
  } finally {
    await worker.end();
  }
});

memory.run();
