/** Writes templates into a package, as a stream: memory does not grow with their number. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { syncFile } from '../../store/index.ts';
import { isWhole } from '../templates/template-rows.ts';
import { VISIBLE } from '../templates/templates-schema.ts';
import {
  cropName,
  DIGEST_NAME,
  FORMAT,
  FORMAT_VERSION,
  MANIFEST_NAME,
  MAX_TEMPLATES,
  PackageError,
  type PackageLine,
  type PackageManifest,
  TEMPLATES_NAME,
  VECTORS_NAME,
} from './format.ts';

/** Crops that may wait for the disk. */
const WAITING_BYTES = 4 * 1024 * 1024;
const WRITE_PIECE_BYTES = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
/** Crops and vectors do not compress; the lines do. */
const STORED = { compress: false } as const;
const PROGRESS_TEMPLATES = 250;

export interface WriteRequest {
  readonly file: string;
  /** Items to write; null writes all. */
  readonly items: readonly string[] | null;
  readonly serial: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly maxBytes: number;
  readonly onProgress: (done: number, total: number) => void;
}

export interface Written {
  readonly templates: number;
  readonly items: number;
}

/** Size and SHA-256 of what passes by. */
class Tally {
  readonly #hash = createHash('sha256');
  bytes = 0;

  take(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
  }

  part(): { bytes: number; sha256: string } {
    return { bytes: this.bytes, sha256: this.#hash.digest('hex') };
  }
}

const CHOSEN = `${VISIBLE} AND (:items IS NULL OR item IN (SELECT value FROM json_each(:items)))`;
/** In the order in which they lie on the card: each page of it is read once, and in a row. */
const IN_ORDER = `WHERE ${CHOSEN} ORDER BY templates.id`;
const ROWS = 'templates JOIN crops ON template = templates.id';

function* lines(db: DatabaseSync, items: string | null, tally: Tally): Generator<Buffer> {
  const rows = db
    .prepare(
      `SELECT item, sid, origin, created_at, model, length(vector) / 4 AS dimension, length(jpeg) AS bytes,
        lower(hex(sha256)) AS digest FROM ${ROWS} ${IN_ORDER}`,
    )
    .iterate({ items });
  for (const row of rows) {
    const line: PackageLine = {
      item: String(row.item),
      sid: String(row.sid),
      origin: String(row.origin),
      createdAt: Number(row.created_at),
      model: String(row.model),
      dimension: Number(row.dimension),
      cropBytes: Number(row.bytes),
      cropSha256: String(row.digest),
    };
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    tally.take(bytes);
    yield bytes;
  }
}

function* vectors(db: DatabaseSync, items: string | null, tally: Tally): Generator<Uint8Array> {
  const rows = db.prepare(`SELECT vector FROM templates ${IN_ORDER}`).iterate({ items });
  for (const { vector } of rows) {
    if (!(vector instanceof Uint8Array)) throw new PackageError('a template has no vector');
    tally.take(vector);
    yield vector;
  }
}

/** The same bytes in larger pieces: each piece costs as much as its bytes. */
function* inPieces(parts: Iterable<Uint8Array>): Generator<Buffer> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for (const part of parts) {
    held.push(part);
    bytes += part.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

/** Adds a part that is made while it is read. */
function addStream(zip: ZipFile, name: string, make: () => Iterable<Uint8Array>, compress: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    zip.addReadStreamLazy(name, { compress }, (give) => {
      const stream = Readable.from(inPieces(make()), { objectMode: false });
      stream.once('end', resolve).once('error', reject);
      give(null, stream);
    });
  });
}

async function addCrops(
  db: DatabaseSync,
  zip: ZipFile,
  sink: WriteStream,
  { items, onProgress, maxBytes }: { items: string | null } & Pick<WriteRequest, 'onProgress' | 'maxBytes'>,
  total: number,
): Promise<void> {
  const rows = db.prepare(`SELECT item, sid, sha256, jpeg FROM ${ROWS} ${IN_ORDER}`).iterate({ items });
  const before = sink.bytesWritten;
  let added = 0;
  let index = 0;
  for (const { item, sid, sha256, jpeg } of rows) {
    if (!isWhole(jpeg, sha256)) {
      throw new PackageError(`the picture of template ${sid} of item ${item} is damaged: delete this template`);
    }
    zip.addBuffer(Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength), cropName(index), STORED);
    added += jpeg.byteLength;
    index += 1;
    if (before + added > maxBytes) throw new PackageError('the package is larger than the room for packages');
    // more is waiting than the stream holds: `drain` follows when it has caught up
    while (added - (sink.bytesWritten - before) > WAITING_BYTES) await once(sink, 'drain');
    if (index % PROGRESS_TEMPLATES === 0) onProgress(index, total);
  }
  if (index !== total) throw new PackageError(`${total - index} templates have no picture`);
}

function count(db: DatabaseSync, items: string | null): Written {
  const row = db
    .prepare(`SELECT count(*) AS templates, count(DISTINCT item) AS items FROM templates WHERE ${CHOSEN}`)
    .get({ items });
  return { templates: Number(row?.templates ?? 0), items: Number(row?.items ?? 0) };
}

async function addAll(db: DatabaseSync, zip: ZipFile, sink: WriteStream, request: WriteRequest): Promise<Written> {
  const items = request.items === null ? null : JSON.stringify(request.items);
  const written = count(db, items);
  if (written.templates > MAX_TEMPLATES)
    throw new PackageError(`a package holds at most ${MAX_TEMPLATES} templates: export the items in parts`);
  const lineTally = new Tally();
  await addStream(zip, TEMPLATES_NAME, () => lines(db, items, lineTally), true);
  const vectorTally = new Tally();
  await addStream(zip, VECTORS_NAME, () => vectors(db, items, vectorTally), false);
  await addCrops(db, zip, sink, { ...request, items }, written.templates);
  const manifest: PackageManifest = {
    format: FORMAT,
    version: FORMAT_VERSION,
    serial: request.serial,
    createdAt: new Date(request.now).toISOString(),
    count: written.templates,
    parts: { [TEMPLATES_NAME]: lineTally.part(), [VECTORS_NAME]: vectorTally.part() },
  };
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  zip.addBuffer(bytes, MANIFEST_NAME);
  zip.addBuffer(Buffer.from(`${createHash('sha256').update(bytes).digest('hex')}\n`), DIGEST_NAME);
  zip.end();
  return written;
}

/**
 * Writes a snapshot of the store, unaffected by concurrent changes; on the disk when it settles.
 * @throws {PackageError} and the errors of the file system and of SQLite
 */
export async function writePackage(db: DatabaseSync, request: WriteRequest): Promise<Written> {
  const zip = new ZipFile();
  const sink = createWriteStream(request.file, { flags: 'wx', mode: 0o600, highWaterMark: WRITE_PIECE_BYTES });
  const saved = pipeline(zip.outputStream, sink);
  db.exec('BEGIN');
  try {
    const failed = new Promise<never>((_, reject) => void saved.catch(reject));
    const written = await Promise.race([addAll(db, zip, sink, request), failed]);
    await saved;
    syncFile(request.file);
    return written;
  } catch (error) {
    sink.destroy();
    await saved.catch(() => undefined); // what went wrong is thrown below
    throw error;
  } finally {
    db.exec('COMMIT');
  }
}
