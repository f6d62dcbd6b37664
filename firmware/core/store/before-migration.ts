/** Guards migrations: a newer release's database is left alone, and a database is copied before it is changed. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isNewer, VERSION } from '../../../drivers/lib/version.ts';
import { StoreError, type StoreErrorCode } from './errors.ts';
import { syncFile, syncFolder } from './sync-folder.ts';
import { SQLITE_CANTOPEN, SQLITE_FULL, writeFailure } from './write-failure.ts';

/** An error with an SQLite code, so that it is written as SQLite's errors are. */
function refusal(code: StoreErrorCode, errcode: number, sentence: string, cause?: unknown): StoreError {
  return Object.assign(new StoreError(code, sentence, { cause }), { errcode });
}

/** Path of a database's one copy, made before its last change for another release. */
export const copyBefore = (path: string): string => `${path}.before`;

export const schemaOf = (db: DatabaseSync): number =>
  Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);

interface Writer {
  readonly schema: number;
  readonly writtenBy: string;
  readonly readableFrom: string;
}

function writerOf(db: DatabaseSync): Writer | null {
  if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'written_by'").get()) return null;
  const row = db.prepare('SELECT schema, release, readable_from FROM written_by').get();
  if (row === undefined) return null;
  return { schema: Number(row.schema), writtenBy: String(row.release), readableFrom: String(row.readable_from) };
}

/**
 * Checks that this release may use a database. After a rollback an older release opens a database that a newer release
 * has changed. It may use the database where the file says so: most changes only add what an older release ignores.
 * @param newest the schema that this release migrates to
 * @param release the running release
 * @throws {StoreError} `DATABASE_NEWER`; its message is a whole sentence
 */
export function requireReadable(db: DatabaseSync, newest: number, release = VERSION): void {
  const schema = schemaOf(db);
  const path = db.location() ?? 'the database in memory';
  if (schema <= newest) return;
  const writer = writerOf(db);
  const isNamed = writer?.schema === schema;
  if (isNamed && !isNewer(writer.readableFrom, release)) return;
  const [by, needed] = isNamed
    ? [` by release ${writer.writtenBy}`, `${writer.readableFrom} or newer`]
    : ['', 'that wrote it'];
  const copy = existsSync(copyBefore(path))
    ? `; a copy from before that release, without later changes, is ${copyBefore(path)}`
    : '';
  throw refusal(
    'DATABASE_NEWER',
    SQLITE_CANTOPEN,
    `${path} was written${by} with schema ${schema}, and release ${release} knows up to ${newest}: install the release ${needed} (ota.sh update --retry)${copy}`,
  );
}

/** Notes in a migration's transaction which release has written the schema, for releases that do not know it. */
export function noteWriter(db: DatabaseSync, schema: number, readableFrom: string): void {
  db.exec(`CREATE TABLE IF NOT EXISTS written_by (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1), schema INTEGER NOT NULL, release TEXT NOT NULL, readable_from TEXT NOT NULL)`);
  db.prepare('INSERT OR REPLACE INTO written_by VALUES (1, ?, ?, ?)').run(schema, VERSION, readableFrom);
}

/**
 * Copies a database before a change; the copy replaces that of the change before.
 * @throws {StoreError} `NO_COPY`: nothing was changed, as there would be no way back
 */
export function keepCopy(db: DatabaseSync): void {
  const path = db.location();
  if (path === null) return;
  const unfinished = `${copyBefore(path)}.${process.pid}.tmp`; // swept at the next start where it is left
  try {
    rmSync(unfinished, { force: true });
    db.prepare('VACUUM INTO ?').run(unfinished);
    syncFile(unfinished);
    renameSync(unfinished, copyBefore(path));
    syncFolder(dirname(path));
  } catch (error) {
    if (writeFailure(error) === null) throw error;
    rmSync(unfinished, { force: true });
    const isFull = writeFailure(error) === 'full';
    const why = isFull ? 'the disk is full: free as much room as the file has' : String(error);
    const sentence = `${basename(path)} is not changed for release ${VERSION}, for no copy of it can be kept before (${why}), and start the device again`;
    throw refusal('NO_COPY', isFull ? SQLITE_FULL : SQLITE_CANTOPEN, sentence, error);
  }
}
