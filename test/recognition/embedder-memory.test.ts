import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WorkerThread } from '../../drivers/lib/asked-worker.ts';
import { atEnd } from '../support.ts';
import { tinyModel } from './fixtures/tiny-model.ts';

const memory = suite('embedder memory');
const SIDE = 512;
/** One forgotten tensor a run would take 790 kB, 235 MB in all. */
const RUNS = 300;
const LIMIT_MS = 180_000;

memory(`${RUNS} pictures leave the heap of the runtime unchanged`, async () => {
  const worker = new WorkerThread<never, number>(
    new URL('./fixtures/many-runs.ts', import.meta.url),
    { bytes: tinyModel(SIDE), runs: RUNS },
    { name: 'worker of many runs' },
  );
  await using _end = atEnd(() => worker.end());
  const growth = await worker.hear(LIMIT_MS);
  assert.is(growth, 0, `grew by ${(growth / 1024 / 1024).toFixed(0)} MiB`);
});

memory.run();
