/** Shared by the benches of the recognition device: timing in turns, a device to measure, a filled store. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PushedCamera } from '../../drivers/camera/push.ts';
import { loadConfig } from '../../firmware/core/config/load.ts';
import { createLog } from '../../firmware/core/host/log.ts';
import { openFile } from '../../firmware/core/store/database.ts';
import { openBase } from '../../firmware/device/base.ts';
import { buildRecognition } from '../../firmware/device/composition/build-recognition.ts';
import { Embedder } from '../../firmware/recognition/embedding/embedder.ts';
import { toUnitVector } from '../../firmware/recognition/embedding/embedder-vectors.ts';
import type { Manifest } from '../../firmware/recognition/embedding/manifest.ts';
import type { Recognition } from '../../firmware/recognition/recognition.ts';
import { toBlob } from '../../firmware/recognition/templates/template-rows.ts';
import { amountOf } from './quick.ts';

const ROUNDS = amountOf({ full: 150, quick: 2 });
const WARM_UP = amountOf({ full: 20, quick: 1 });
const MIB = 1024 * 1024;
/** Place of the native runtime that `scripts/native.sh` makes. */
export const NATIVE_RUNTIME = join(import.meta.dirname, '../../bin/litert');
/** Number of items of a store, among which templates are spread. */
export const ITEMS = amountOf({ full: 1000, quick: 20 });

export const say = (line: string): void => void process.stdout.write(`${line}\n`);
export const verdict = (good: boolean): string => (good ? 'within' : 'ABOVE');
export const rssMb = (): number => process.memoryUsage().rss / MIB;

export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Times several things in turns, so that the machine's moods affect all of them. */
export async function byTurns(contestants: readonly (() => unknown)[]): Promise<number[][]> {
  const times: number[][] = contestants.map(() => []);
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [index, work] of contestants.entries()) {
      const took = await timed(work);
      if (round >= 0) times[index]?.push(took);
    }
  }
  return times;
}

export interface Device {
  readonly recognition: Recognition;
  readonly camera: PushedCamera;
  readonly openMs: number;
  close(): Promise<void>;
}

interface Opening {
  /** The folder of the native runtime; WebAssembly when left out. */
  readonly native?: string;
  readonly readsCodes?: boolean;
}

export async function openDevice(
  folder: string,
  manifestPath: string,
  { native, readsCodes = false }: Opening = {},
): Promise<Device> {
  const { config } = loadConfig(null, { LANEWARE_DATADIR: folder, LANEWARE_SERIAL: 'BENCH' });
  const base = openBase(
    { ...config, recognition: { ...config.recognition, maxTemplatesPerItem: 1000, barcodes: readsCodes } },
    createLog('warn', []),
  );
  const camera = new PushedCamera();
  const embedder = await Embedder.open({ manifestPath, ...(native === undefined ? {} : { native }) });
  const began = performance.now();
  const recognition = buildRecognition(base, { camera, embedder, setSystemTime: async () => undefined });
  const openMs = performance.now() - began;
  const close = async (): Promise<void> => {
    await recognition.close();
    base.dataDir.release();
  };
  return { recognition, camera, openMs, close };
}

export const randomVector = (dimension: number): Float32Array =>
  toUnitVector(Float64Array.from({ length: dimension }, () => Math.random() - 0.5));

/** Puts templates straight into the tables, as a device has them after a while. */
export function fill(
  folder: string,
  crop: Uint8Array,
  { dimension }: Manifest['output'],
  identity: string,
  count: number,
): void {
  const templates = Array.from({ length: count }, (_, at) => ({
    item: `item${at % ITEMS}`,
    vector: randomVector(dimension),
  }));
  insertTemplates(folder, crop, identity, templates);
}

/** Puts templates of given items into the tables. @param crop the picture of each template */
export function insertTemplates(
  folder: string,
  crop: Uint8Array,
  identity: string,
  templates: Iterable<{ readonly item: string; readonly vector: Float32Array }>,
): void {
  const db = openFile(join(folder, 'templates.db'));
  const template = db.prepare(
    "INSERT INTO templates (batch, item, sid, origin, created_at, model, vector) VALUES (1, ?, ?, 'BENCH', 0, ?, ?)",
  );
  const picture = db.prepare('INSERT INTO crops (template, sha256, jpeg) VALUES (?, ?, ?)');
  db.exec('BEGIN');
  let at = 0;
  for (const { item, vector } of templates) {
    const sid = `20260101${String(at++).padStart(15, '0')}`;
    const { lastInsertRowid } = template.run(item, sid, identity, toBlob(vector));
    // random bytes after the picture's end make each crop different
    const own = Buffer.concat([crop, randomBytes(16)]);
    picture.run(lastInsertRowid, createDigest(own), own);
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

const createDigest = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
