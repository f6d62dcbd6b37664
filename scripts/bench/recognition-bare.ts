/** The bare zip, SHA-256 and SQLite work of an export and an import, and nothing else, as their measure. */
import { createHash } from 'node:crypto';
import { closeSync, createWriteStream, fsyncSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { makeZip } from 'client-zip';
import { openPromise } from 'yauzl';
import { openFile } from '../../firmware/core/store/database.ts';

const COMMIT_ROWS = 48;
/** The vectors' name in a package; its own module would load more than this file needs. */
const VECTORS_NAME = 'vectors.f32';

function* partsIn(db: DatabaseSync) {
  const rows = db
    .prepare(
      'SELECT item, sid, vector, jpeg FROM templates JOIN crops ON template = templates.id ORDER BY templates.id',
    )
    .iterate();
  const vectors: Uint8Array[] = [];
  let lines = '';
  let index = 0;
  for (const { item, sid, vector, jpeg } of rows) {
    if (!(jpeg instanceof Uint8Array) || !(vector instanceof Uint8Array)) throw new Error('a row without its blobs');
    const digest = createHash('sha256').update(jpeg).digest('hex');
    vectors.push(vector);
    lines += `${JSON.stringify({ item, sid, digest })}\n`;
    yield { name: `crops/${index++}.jpg`, input: jpeg };
  }
  yield { name: 'templates.jsonl', input: lines };
  const all = Buffer.concat(vectors);
  yield { name: VECTORS_NAME, input: all };
  yield { name: 'vectors.sha256', input: createHash('sha256').update(all).digest('hex') };
}

/** Writes every crop, hashed, into a zip beside one line and one vector each. */
export async function bareExport(database: string, file: string): Promise<void> {
  const db = openFile(database, { readOnly: true });
  await pipeline(makeZip(partsIn(db)), createWriteStream(file, { highWaterMark: 1024 * 1024 }));
  const handle = openSync(file, 'r');
  fsyncSync(handle);
  closeSync(handle);
  db.close();
}

/** Reads every part of a package once and hashes it, and stores each crop with its vector. */
export async function bareImport(file: string, database: string, dimension: number): Promise<void> {
  const db = openFile(database);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE templates (id INTEGER PRIMARY KEY, item TEXT, sid TEXT UNIQUE, vector BLOB)');
  db.exec('CREATE TABLE crops (template INTEGER PRIMARY KEY, sha256 BLOB, jpeg BLOB)');
  const template = db.prepare('INSERT INTO templates (item, sid, vector) VALUES (?, ?, ?)');
  const crop = db.prepare('INSERT INTO crops VALUES (?, ?, ?)');
  const vectorBytes = dimension * 4;
  let vectors = Buffer.alloc(0);
  const zip = await openPromise(file, { autoClose: false });
  let rows = 0;
  for await (const entry of zip.eachEntry()) {
    const bytes = await buffer(await zip.openReadStreamPromise(entry));
    const digest = createHash('sha256').update(bytes).digest();
    if (entry.fileName === VECTORS_NAME) vectors = bytes;
    if (!entry.fileName.startsWith('crops/')) continue;
    if (rows % COMMIT_ROWS === 0) db.exec('BEGIN');
    const vector = vectors.subarray(rows * vectorBytes, (rows + 1) * vectorBytes);
    const { lastInsertRowid } = template.run('item', entry.fileName, vector);
    crop.run(lastInsertRowid, digest, bytes);
    rows += 1;
    if (rows % COMMIT_ROWS === 0) db.exec('COMMIT');
  }
  if (rows % COMMIT_ROWS !== 0) db.exec('COMMIT');
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  zip.close();
  db.close();
}
