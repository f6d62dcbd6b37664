/** The pages as a release has them. A browser loads them in some ten requests, and those of the sources in 160. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import type { PageFiles } from '../../firmware/console/page-files.ts';
import type { Encoding } from '../../firmware/core/http/index.ts';
import { makePages } from '../../scripts/release/bundle/pages.mjs';
import { ROOT } from '../root.ts';

const PACKED = { br: brotliCompressSync, gzip: gzipSync };

/** @param encodings that the device has them in: packing them as well as it goes takes seconds */
export async function madePages(encodings: readonly Encoding[] = []): Promise<PageFiles> {
  const { digest, files } = await makePages(ROOT, esbuild).finally(esbuild.stop);
  const packed = new Map<string, Buffer>();
  return {
    ...{ digest, prefix: `${digest}/`, cacheControl: 'public, max-age=31536000, immutable' },
    read(name, taken) {
      const text = files.get(name);
      if (text === undefined) return null;
      const encoding = taken !== null && encodings.includes(taken) ? taken : null;
      const key = `${encoding} ${name}`;
      const bytes = packed.get(key) ?? (encoding === null ? Buffer.from(text) : PACKED[encoding](text));
      packed.set(key, bytes);
      return Promise.resolve({ bytes, encoding });
    },
  };
}
