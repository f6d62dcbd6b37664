/** A recognition device to measure or to judge, with a filled store. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PushedCamera } from '../../drivers/camera/push.ts';
import { openFile } from '../../firmware/core/files/database.ts';
import { createLog } from '../../firmware/core/host/log.ts';
import { openBase } from '../../firmware/device/composition/base.ts';
import { buildRecognition } from '../../firmware/device/composition/build-recognition.ts';
import { loadConfig } from '../../firmware/device/composition/config.ts';
import { Embedder } from '../../firmware/recognition/embedding/embedder.ts';
import type { Recognition } from '../../firmware/recognition/service/recognition.ts';
import { toBlob } from '../../firmware/recognition/templates/template-rows.ts';
import { NO_READER } from '../../test/recognition/no-reader.ts';

/** Place of the native runtime that `scripts/release/native.sh` makes. */
export const NATIVE_RUNTIME = join(import.meta.dirname, '../../bin/litert');
export const say = (line: string): void => void process.stdout.write(`${line}\n`);
export const verdict = (good: boolean): string => (good ? 'within' : 'ABOVE');
export interface Device {
  readonly recognition: Recognition;
  readonly camera: PushedCamera;
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
  const base = openBase(config, createLog('warn', []));
  const camera = new PushedCamera();
  const embedder = await Embedder.open({ manifestPath, ...(native === undefined ? {} : { native }) });
  const recognition = buildRecognition(base, {
    camera,
    embedder,
    maxTemplatesPerItem: 1000,
    ...(readsCodes ? {} : { barcodes: NO_READER }),
    setSystemTime: async () => undefined,
  });
  const close = async (): Promise<void> => {
    await recognition.close();
    base.dataDir.release();
  };
  return { recognition, camera, close };
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
