/** Vectors of all pictures, made the way the device makes them and kept in a temporary folder of the system. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SPEEDS, type Speed } from '../../firmware/core/config/choices.ts';
import { Embedder } from '../../firmware/recognition/embedding/embedder.ts';
import type { Manifest } from '../../firmware/recognition/embedding/manifest.ts';
import { averageVectors } from '../../firmware/recognition/model/vectors.ts';
import { isCut, modelViews, storedCrop } from '../../firmware/recognition/vision/frame.ts';
import { openPicture } from '../../firmware/recognition/vision/frame-picture.ts';
import { readSources } from '../../test/tools/house/sources.ts';
import { indexFile, type Row } from './protocol.ts';

export const CACHE = join(tmpdir(), 'laneware-evaluation');
const ROOT = join(import.meta.dirname, '../..');
/** Pictures that are decoded while the model runs. */
const AHEAD = 4;

export interface Embeddings {
  readonly manifest: Manifest;
  /** By the speed of queries a vector for each row of the index, all of length 1. Templates are the same at both. */
  readonly vectors: Readonly<Record<Speed, readonly Float32Array[]>>;
}

/** What makes a vector of a picture: a file and all that is loaded with it; the lock names the versions of sharp and LiteRT. */
export function vectorSources(from = 'models/evaluation/embeddings.ts'): readonly string[] {
  const sources = new Map(
    readSources(ROOT, ['drivers', 'firmware', 'models', 'test/tools']).map((one) => [one.path, one]),
  );
  const found = new Set([from]);
  for (const path of found) // also those that are found on the way
    for (const one of sources.get(path)?.imports ?? []) if (!one.typeOnly) found.add(one.from);
  return [...found, 'package-lock.json'];
}

/** Of what makes a vector: the sources of a file and all that is given. */
export function sourcesDigest(file: string, given: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const one of given) hash.update(one);
  for (const name of vectorSources(file)) hash.update(readFileSync(join(ROOT, name)));
  return hash.digest('hex').slice(0, 32);
}

/** What of a manifest makes a vector. */
export const vectorKey = ({ sha256, input, output }: Manifest): string => JSON.stringify([sha256, input, output]);

/** Changes with whatever could change a vector. */
const cacheKey = (manifest: Manifest, folder: string): string =>
  sourcesDigest('models/evaluation/embeddings.ts', [vectorKey(manifest), readFileSync(indexFile(folder))]);

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

/** A template's vector is that of its stored crop, which a recorded look is already; a query's that of the frame, whose first view is all that `fast` takes. */
async function embedRow(embedder: Embedder, input: Manifest['input'], file: string, row: Row) {
  const jpeg = readFileSync(file);
  const isQuery = row.split === 'test';
  const seen: Float32Array[] = [];
  const isWhole = isQuery || isCut(await openPicture(jpeg));
  for (const { pixels } of await modelViews(isWhole ? jpeg : await storedCrop(jpeg, null), null, input))
    seen.push(await embedder.embed(pixels));
  const normal = averageVectors(seen);
  return SPEEDS.map((speed) => (isQuery && speed === 'fast' ? averageVectors(seen.slice(0, 1)) : normal));
}

/** Row by row, a vector for each of `SPEEDS`. */
async function embedAll(embedder: Embedder, manifest: Manifest, folder: string, rows: readonly Row[]) {
  const vectors: Float32Array[][] = new Array(rows.length);
  const remaining = rows.entries();
  const lane = async (): Promise<void> => {
    for (const [at, row] of remaining) {
      vectors[at] = await embedRow(embedder, manifest.input, join(folder, row.path), row);
      if (at % 500 === 0) process.stderr.write(`${manifest.name}: ${at} of ${rows.length}\n`);
    }
  };
  await Promise.all(Array.from({ length: AHEAD }, lane));
  return vectors.flat();
}

/** @param vectors of each row one for each speed, in the order of their list */
function bySpeed(vectors: readonly Float32Array[]): Embeddings['vectors'] {
  const of = (speed: Speed) => vectors.filter((_, at) => at % SPEEDS.length === SPEEDS.indexOf(speed));
  return { normal: of('normal'), fast: of('fast') };
}

/** @throws {Error} the model cannot be loaded, or a picture not embedded */
export async function embedPictures(manifestPath: string, folder: string, rows: readonly Row[]): Promise<Embeddings> {
  const embedder = await Embedder.open({ manifestPath, limits: { deadlineMs: 30_000 } });
  try {
    const { manifest, state } = embedder;
    if (manifest === null || state.name !== 'ready') throw new Error(`${manifestPath}: ${state.reason}`);
    const file = join(CACHE, `${cacheKey(manifest, folder)}.f32`);
    const cached = readCache(file, rows.length * SPEEDS.length, manifest.output.dimension);
    if (cached !== null) return { manifest, vectors: bySpeed(cached) };
    const vectors = await embedAll(embedder, manifest, folder, rows);
    writeCache(file, vectors);
    return { manifest, vectors: bySpeed(vectors) };
  } finally {
    await embedder.close();
  }
}
