import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Embedder } from '../../firmware/recognition/embedding/embedder.ts';
import { SHIPPED_MANIFEST } from './fixtures/models.ts';

const memory = suite('embedder memory');
const RUNS = 2_000;
/** Buffers and compiled code settle. */
const WARM_RUNS = 100;
/** A forgotten tensor would lose 150 kB in each run, 300 MB in all. */
const GROWTH_LIMIT_BYTES = 60 * 1024 * 1024;

memory(`${RUNS} pictures leave the memory as it was`, async () => {
  const embedder = await Embedder.open({ manifestPath: SHIPPED_MANIFEST });
  try {
    if (embedder.manifest === null) throw new Error(`no model: ${embedder.state.reason}`);
    const { width, height } = embedder.manifest.input;
    const pixels = new Uint8Array(width * height * 3).fill(90);
    for (let run = 0; run < WARM_RUNS; run++) await embedder.embed(pixels);
    const before = process.memoryUsage.rss();
    for (let run = 0; run < RUNS; run++) await embedder.embed(pixels);
    const growth = process.memoryUsage.rss() - before;
    assert.ok(growth < GROWTH_LIMIT_BYTES, `grew by ${(growth / 1024 / 1024).toFixed(0)} MiB`);
  } finally {
    await embedder.close();
  }
});

memory.run();
