/**
 * The shipped model gives the same bits on every machine (measured on x64 and, emulated, on arm64), so that templates
 * made on one lane match on all others. When the model changes, so do its digests (`fixtures/pinned.ts`); when anything
 * else changes them, the templates that lanes keep lose their meaning.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Embedder } from '../../firmware/recognition/embedding/embedder.ts';
import { storedCrop } from '../../firmware/recognition/vision/frame.ts';
import { SHIPPED_MANIFEST } from './fixtures/models.ts';
import { measureShipped, patternJpeg, readPinned } from './fixtures/pinned.ts';
import { firstView } from './view.ts';

const shipped = suite('shipped model');

shipped('fixed pixels, a fixed JPEG and its stored crop give fixed bits', async () => {
  assert.equal(await measureShipped(), readPinned());
});

shipped("a template's vector is made again from its stored crop, bit for bit", async () => {
  const embedder = await Embedder.open({ manifestPath: SHIPPED_MANIFEST });
  try {
    if (embedder.manifest === null) throw new Error(`no model: ${embedder.state.reason}`);
    const { input } = embedder.manifest;
    const crop = await storedCrop(await patternJpeg(800, 600), { x: 10, y: 10, width: 900, height: 500 });
    const [first, again] = [await firstView(crop, null, input), await firstView(Uint8Array.from(crop), null, input)];
    assert.equal(await embedder.embed(first.pixels), await embedder.embed(again.pixels));
  } finally {
    await embedder.close();
  }
});

shipped.run();
