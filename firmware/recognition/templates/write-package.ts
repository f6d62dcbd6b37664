/**
 * Writes templates into a package, as a stream: memory does not grow with their number. Nothing is compressed, because
 * crops and vectors would not become smaller.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeZip } from 'client-zip';
import { syncFile } from '../../core/files/index.ts';
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
} from './package-format.ts';
import { isWhole } from './template-rows.ts';
import { VISIBLE } from './templates-database.ts';

interface Part {
  readonly name: string;
  readonly input: Uint8Array | AsyncIterable<Uint8Array>;
}

/** Buffer of the file that is written. */
const WRITE_PIECE_BYTES = 1024 * 1024;
/** Least size of a piece of the lines and vectors. */
const PIECE_BYTES = 64 * 1024;
/** Templates between two reports of progress. */
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

/** Counts size and SHA-256 of the bytes that pass. */
class Tally {
  readonly #hash = createHash('sha256');
  bytes = 0;

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
  }

  part(): { bytes: number; sha256: string } {
    return { bytes: this.bytes, sha256: this.#hash.digest('hex') };
  }
}

const CHOSEN = `${VISIBLE} AND (:items IS NULL OR item IN (SELECT value FROM json_each(:items)))`;
/** Rows in their order on the disk: each page is read once, in sequence. */
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
    tally.add(bytes);
    yield bytes;
  }
}

function* vectors(db: DatabaseSync, items: string | null, tally: Tally): Generator<Uint8Array> {
  const rows = db.prepare(`SELECT vector FROM templates ${IN_ORDER}`).iterate({ items });
  for (const { vector } of rows) {
    if (!(vector instanceof Uint8Array)) throw new PackageError('a template has no vector');
    tally.add(vector);
    yield vector;
  }
}

/** The same bytes in larger pieces, because each piece has a cost. */
function* inPieces(parts: Iterable<Uint8Array>): Generator<Buffer> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for (const part of parts) {
    pieces.push(part);
    bytes += part.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(pieces);
}

function* crops(db: DatabaseSync, items: string | null, total: number, { onProgress }: WriteRequest): Generator<Part> {
  const rows = db.prepare(`SELECT item, sid, sha256, jpeg FROM ${ROWS} ${IN_ORDER}`).iterate({ items });
  let index = 0;
  for (const { item, sid, sha256, jpeg } of rows) {
    if (!isWhole(jpeg, sha256)) {
      throw new PackageError(`the picture of template ${sid} of item ${item} is damaged: delete this template`);
    }
    yield { name: cropName(index), input: jpeg };
    index += 1;
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

function* partsOf(db: DatabaseSync, items: string | null, total: number, request: WriteRequest): Generator<Part> {
  const [lineTally, vectorTally] = [new Tally(), new Tally()];
  yield { name: TEMPLATES_NAME, input: Readable.from(inPieces(lines(db, items, lineTally))) };
  yield { name: VECTORS_NAME, input: Readable.from(inPieces(vectors(db, items, vectorTally))) };
  yield* crops(db, items, total, request);
  const manifest: PackageManifest = {
    format: FORMAT,
    version: FORMAT_VERSION,
    serial: request.serial,
    createdAt: new Date(request.now).toISOString(),
    count: total,
    parts: { [TEMPLATES_NAME]: lineTally.part(), [VECTORS_NAME]: vectorTally.part() },
  };
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  yield { name: MANIFEST_NAME, input: bytes };
  yield { name: DIGEST_NAME, input: Buffer.from(`${createHash('sha256').update(bytes).digest('hex')}\n`) };
}

async function* within(maxBytes: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new PackageError('the package is larger than the room for packages');
    yield piece;
  }
}

/**
 * Writes a snapshot of the templates, unaffected by concurrent changes; on the disk when it settles.
 * @throws {PackageError} and the errors of the file system and of SQLite
 */
export async function writePackage(db: DatabaseSync, request: WriteRequest): Promise<Written> {
  const { file, maxBytes } = request;
  const items = request.items === null ? null : JSON.stringify(request.items);
  db.exec('BEGIN');
  try {
    const written = count(db, items);
    if (written.templates > MAX_TEMPLATES)
      throw new PackageError(`a package holds at most ${MAX_TEMPLATES} templates: export the items in parts`);
    const sink = createWriteStream(file, { flags: 'wx', mode: 0o600, highWaterMark: WRITE_PIECE_BYTES });
    await pipeline(within(maxBytes, makeZip(partsOf(db, items, written.templates, request))), sink);
    syncFile(file);
    return written;
  } finally {
    db.exec('COMMIT');
  }
}
