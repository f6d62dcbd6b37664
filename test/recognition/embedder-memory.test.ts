import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Embedder } from '../../firmware/recognition/embedder.ts';
import { NO_PUBLIC_EXTRACTOR, publicExtractor } from './fixtures/models.ts';

const memory = suite('embedder memory');
const RUNS = 2_000;
/** A forgotten tensor would lose 150 kB in each run, 300 MB in all. */
const GROWTH_LIMIT_BYTES = 60 * 1024 * 1024;
const NAME = `${RUNS} pictures leave the memory as it was`;

async function body(): Promise<void> {
  const folder = publicExtractor();
  const embedder = await Embedder.open({ manifestPath: folder.manifestPath });
  try {
    const pixels = new Uint8Array(224 * 224 * 3).fill(90);
    for (let run = 0; run < 50; run++) await embedder.embed(pixels);
    const before = process.memoryUsage.rss();
    for (let run = 0; run < RUNS; run++) await embedder.embed(pixels);
    const growth = process.memoryUsage.rss() - before;
    assert.ok(growth < GROWTH_LIMIT_BYTES, `grew by ${(growth / 1024 / 1024).toFixed(0)} MiB`);
  } finally {
    await embedder.close();
    folder.remove();
  }
}

if (NO_PUBLIC_EXTRACTOR === null) memory(NAME, body);
else {
  process.stdout.write(`SKIPPED embedder memory: ${NAME}: ${NO_PUBLIC_EXTRACTOR}\n`);
  memory.skip(NAME, body);
}
memory.run();
