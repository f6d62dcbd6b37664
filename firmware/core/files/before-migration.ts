/**
 * Guards the return to the previous release. A change after which that release could not read a file waits until the
 * updater no longer returns to it, and a file of a newer release is not changed. Both are decided by numbers of schemas,
 * never by versions.
 */
import { existsSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isCode } from '../../../drivers/lib/errors.ts';
import { VERSION } from '../../../drivers/lib/version.ts';
import { StoreError } from './errors.ts';
import { syncFile, syncFolder } from './sync-folder.ts';
import { damaged, SQLITE_CANTOPEN, writeFailure } from './write-failure.ts';

/** @param sentence a whole one. The error has an SQLite code, so that it is reported as SQLite's errors are */
const newer = (sentence: string): StoreError =>
  Object.assign(new StoreError('DATABASE_NEWER', sentence), { errcode: SQLITE_CANTOPEN });

/** Path of a database's one copy, made before the last change after which the previous release cannot read it. */
export const copyBefore = (path: string): string => `${path}.before`;

export const schemaOf = (db: DatabaseSync): number =>
  Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);

interface Writer {
  readonly schema: number;
  readonly writtenBy: string;
  readonly readableFrom: number;
}

function writerOf(db: DatabaseSync): Writer | null {
  if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'written_by'").get()) return null;
  const row = db.prepare('SELECT schema, release, readable_from FROM written_by').get();
  if (row === undefined) return null;
  return { schema: Number(row.schema), writtenBy: String(row.release), readableFrom: Number(row.readable_from) };
}

/** The schema that a release must know to read a database, as the database says; 0 where it says nothing. */
export const readableFromOf = (db: DatabaseSync): number => writerOf(db)?.readableFrom ?? 0;

/**
 * Checks that this release may use a database. After a rollback an older release opens a database that a newer release
 * has changed. It may use the database where the file says so: most changes only add what an older release ignores.
 * @param newest the newest schema that this release knows
 * @throws {StoreError} `DATABASE_NEWER`; its message is a whole sentence
 * @throws {Error} with SQLite's code of damage
 */
export function requireReadable(db: DatabaseSync, newest: number): void {
  const schema = schemaOf(db);
  const writer = writerOf(db);
  // one commit writes both
  if (writer !== null && writer.schema !== schema)
    throw damaged(`it has schema ${schema} in one place, and ${writer.schema} in another`);
  if (schema <= newest) return;
  const path = db.location() ?? 'the database in memory';
  const isNamed = writer !== null;
  if (isNamed && writer.readableFrom <= newest) return;
  const [by, needed] = isNamed
    ? [` by release ${writer.writtenBy}`, `${writer.writtenBy} or newer`]
    : ['', 'that wrote it'];
  const copy = existsSync(copyBefore(path))
    ? `; a copy from before that release, without later changes, is ${copyBefore(path)}`
    : '';
  throw newer(
    `${path} was written${by} with schema ${schema}, and release ${VERSION} knows up to ${newest}: install the release ${needed} (laneware-ota update --retry)${copy}`,
  );
}

/** Checks that this release may read a journal: its lines say what a release must know. @throws {StoreError} `DATABASE_NEWER` */
export function requireJournalReadable(journal: string, needed: number, newest: number): void {
  if (needed <= newest) return;
  throw newer(
    `${journal} has lines of a newer release, for which schema ${needed} must be known, and release ${VERSION} knows up to ${newest}: install the newer release (laneware-ota update --retry)`,
  );
}

/** Records in a migration's transaction which release has written the schema, for releases that do not know it. */
export function recordWriter(db: DatabaseSync, schema: number, readableFrom: number): void {
  db.exec(`CREATE TABLE IF NOT EXISTS written_by (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1), schema INTEGER NOT NULL, release TEXT NOT NULL, readable_from INTEGER NOT NULL)`);
  db.prepare('INSERT OR REPLACE INTO written_by VALUES (1, ?, ?, ?)').run(schema, VERSION, readableFrom);
}

/**
 * Copies a database before a change after which the previous release cannot read it. The copy replaces the one from
 * before the last such change, whose release is no longer on the device.
 * @returns whether the copy was made: not on a full disk, or where something else is at its path
 */
export function copyBeforeMigration(db: DatabaseSync): boolean {
  const path = db.location();
  if (path === null) return true;
  const unfinished = `${copyBefore(path)}.${process.pid}.tmp`; // swept at the next start where it is left
  try {
    rmSync(unfinished, { force: true });
    db.prepare('VACUUM INTO ?').run(unfinished);
    syncFile(unfinished);
    renameSync(unfinished, copyBefore(path));
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (writeFailure(error) === null) throw error;
    rmSync(unfinished, { force: true });
    return false;
  }
}

/** Where the updater has the releases, and what it records of each one's first day (scripts/lib/releases.sh, proving.sh). */
const RELEASES = 'opt/laneware';
const ENDS = 'var/lib/laneware-update/ends';

/** Null for what is absent, empty for what cannot be read: the way back counts as open then. */
function orAbsent(read: () => string): string | null {
  try {
    return read();
  } catch (error) {
    return isCode(error, 'ENOENT') ? null : '';
  }
}

/**
 * Whether the updater may still return to the previous release by itself: this release is not confirmed yet, or its
 * first day is not over. On a machine without an updater there is no way back.
 * @param root of the file system
 */
export function isWayBackOpen(root = '/', release = VERSION): boolean {
  const linked = (name: string): string | null => orAbsent(() => basename(readlinkSync(join(root, RELEASES, name))));
  const good = linked('good');
  if (good === null) return false;
  if (good !== release) return true;
  if (linked('previous') === null) return false;
  return !/^day=\d/m.test(orAbsent(() => readFileSync(join(root, ENDS, release), 'utf8')) ?? '');
}
