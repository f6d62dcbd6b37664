/** Vectors of all pictures, made the way the device makes them and kept in a temporary folder of the system. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Embedder } from '../../firmware/recognition/embedder.ts';
import { averageVectors } from '../../firmware/recognition/embedder-vectors.ts';
import { looks, type Speed, storedCrop } from '../../firmware/recognition/frame.ts';
import type { Manifest } from '../../firmware/recognition/manifest.ts';
import type { Row } from './protocol.ts';

const CACHE = join(tmpdir(), 'laneware-evaluation');
const FRAME_SOURCES = ['frame.ts', 'frame-picture.ts', 'embedder-worker.ts', 'embedder-vectors.ts'];
/** Pictures that are decoded while the model runs. */
const AHEAD = 4;

export interface Embeddings {
  readonly manifest: Manifest;
  /** A vector for each row of the index, all of length 1. */
  readonly vectors: readonly Float32Array[];
}

/** Changes with whatever could change a vector. */
function cacheKey(manifest: Manifest, folder: string, speed: Speed): string {
  const hash = createHash('sha256').update(JSON.stringify([manifest.sha256, manifest.input, manifest.output, speed]));
  hash.update(readFileSync(join(folder, 'index.csv')));
  for (const name of FRAME_SOURCES)
    hash.update(readFileSync(join(import.meta.dirname, '../../firmware/recognition', name)));
  return hash.digest('hex').slice(0, 32);
}

function readCache(file: string, count: number, dimension: number): Float32Array[] | null {
  if (!existsSync(file)) return null;
  const bytes = readFileSync(file);
  if (bytes.length !== count * dimension * 4) return null;
  const values = new Float32Array(new Uint8Array(bytes).buffer);
  return Array.from({ length: count }, (_, row) => values.subarray(row * dimension, (row + 1) * dimension));
}

function writeCache(file: string, vectors: readonly Float32Array[]): void {
  mkdirSync(CACHE, { recursive: true });
  const written = `${file}.${process.pid}`;
  writeFileSync(written, Buffer.concat(vectors.map((vector) => new Uint8Array(vector.slice().buffer))));
  renameSync(written, file);
}

/** A template's vector is that of its stored crop; a query's that of the frame, seen at the given speed. */
async function embedRow(embedder: Embedder, input: Manifest['input'], file: string, row: Row, speed: Speed) {
  const jpeg = readFileSync(file);
  const views =
    row.split === 'test'
      ? await looks(jpeg, null, input, speed)
      : await looks(await storedCrop(jpeg, null), null, input);
  const vectors: Float32Array[] = [];
  for (const { pixels } of views) vectors.push(await embedder.embed(pixels));
  return averageVectors(vectors);
}

async function embedAll(embedder: Embedder, manifest: Manifest, folder: string, rows: readonly Row[], speed: Speed) {
  const vectors: Float32Array[] = new Array(rows.length);
  const remaining = rows.entries();
  const lane = async (): Promise<void> => {
    for (const [at, row] of remaining) {
      vectors[at] = await embedRow(embedder, manifest.input, join(folder, row.path), row, speed);
      if (at % 500 === 0) process.stderr.write(`${manifest.name}, ${speed}: ${at} of ${rows.length}\n`);
    }
  };
  await Promise.all(Array.from({ length: AHEAD }, lane));
  return vectors;
}

/** @throws {Error} the model cannot be loaded, or a picture not embedded */
export async function embedPictures(
  manifestPath: string,
  folder: string,
  rows: readonly Row[],
  speed: Speed = 'fast',
): Promise<Embeddings> {
  const embedder = await Embedder.open({ manifestPath, limits: { deadlineMs: 30_000 } });
  try {
    const { manifest, state } = embedder;
    if (manifest === null || state.name !== 'ready') throw new Error(`${manifestPath}: ${state.reason}`);
    const file = join(CACHE, `${cacheKey(manifest, folder, speed)}.f32`);
    const cached = readCache(file, rows.length, manifest.output.dimension);
    if (cached !== null) return { manifest, vectors: cached };
    const vectors = await embedAll(embedder, manifest, folder, rows, speed);
    writeCache(file, vectors);
    return { manifest, vectors };
  } finally {
    await embedder.close();
  }
}
