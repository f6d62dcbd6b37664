/**
 * The shipped model gives the same bits on every machine (measured on x64 and, emulated, on arm64), so that templates
 * made on one lane match on all others. When the model changes, so do its digests (`fixtures/pinned.ts`); when anything
 * else changes them, the templates that lanes keep lose their meaning.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { measureShipped, readPinned } from './fixtures/pinned.ts';

const shipped = suite('shipped model');

shipped('fixed pixels, a fixed JPEG and its stored crop give fixed bits', async () => {
  assert.equal(await measureShipped(), readPinned());
});

shipped.run();
