/** Opens the database of a checked table, also where its file is damaged or gone. */
import { randomInt } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { schemaOf } from '../before-migration.ts';
import { configure, type Migration, migrate, newestOf, openFile } from '../database.ts';
import { StoreError } from '../errors.ts';
import { isObstructed, makeWay } from '../set-aside.ts';
import { isDamagedFile, writeFailure } from '../write-failure.ts';
import { Backups } from './backups.ts';
import { JournalContent } from './journal-content.ts';
import { choosePages, finishRebuild, rebuild } from './rebuild.ts';
import { Replica, tableIdOf } from './replica.ts';
import { Rows, type TableShape } from './rows.ts';

/** The largest that SQLite keeps for the use of a program. */
const MAX_TABLE_ID = 2 ** 31 - 1;
/** The whole check of a larger file would keep the lane waiting at its start: a thread does it in the first minute. */
const LARGE_BYTES = 16 * 1024 * 1024;
const SQLITE_ERROR = 1;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;

export interface TableFile {
  readonly path: string;
  readonly migrations: readonly Migration[];
  readonly shape: TableShape;
  /** Folder of another medium that keeps a copy too; null: none. */
  readonly secondFolder: string | null;
  /** Wall clock in milliseconds, for the names of what is set aside. */
  readonly now: () => number;
}

export interface OpenedTable {
  readonly db: DatabaseSync;
  readonly tableId: number;
  /** Content of the journal's files. Files that are damaged, or of another table, are moved away. */
  readonly journal: JournalContent;
  /** Where a damaged file was set aside, for which this one was made; null when it was whole. */
  readonly setAside: string | null;
  /** Number of the last change that the journal and the copies know. */
  readonly known: number;
  /** Whether it was rebuilt from backups that may not have had everything. */
  readonly isUnconfirmed: boolean;
}

/** The error of each call of a closed table. It has an SQLite code, so that it is worded as SQLite's errors are. */
export function tableClosed(cause: unknown): StoreError {
  const errcode = writeFailure(cause) === 'full' ? SQLITE_FULL : SQLITE_CANTOPEN;
  const error = new StoreError('TABLE_CLOSED', `it cannot be opened: ${messageOf(cause)}`, { cause });
  return Object.assign(error, { errcode });
}

export const journalOf = (path: string): string => `${path.replace(/\.db$/, '')}.journal`;

/** Whether the file itself is to blame, and not the disk that it lies on. */
function isDamage(path: string, error: unknown): boolean {
  if (isDamagedFile(path, error)) return true;
  // a table that is not there, or there already: another database lies under this name
  return (error as { errcode?: number }).errcode === SQLITE_ERROR;
}

/**
 * @param pragma `integrity_check` finds all damage of the file; `quick_check` takes a fraction of the time, and does not look
 *   whether the indexes lead to the right rows
 * @throws {Error} of a database that is damaged
 */
export function requireIntegrity(
  db: DatabaseSync,
  pragma: 'integrity_check' | 'quick_check' = 'integrity_check',
): void {
  const verdict = db.prepare(`PRAGMA ${pragma}(1)`).get()?.[pragma];
  if (verdict !== 'ok') throw Object.assign(new Error(String(verdict)), { errcode: SQLITE_CORRUPT });
}

const isLarge = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LARGE_BYTES;

/** @returns null where the file is damaged @throws {Error} of SQLite, where it cannot be opened for another reason */
function openIntact({ path, migrations, shape }: TableFile, isMarkedDamaged: boolean): DatabaseSync | null {
  let db: DatabaseSync | null = null;
  try {
    db = openFile(path);
    choosePages(db);
    configure(db);
    requireIntegrity(db, isLarge(path) && !isMarkedDamaged ? 'quick_check' : 'integrity_check');
    migrate(db, migrations);
    void new Rows(db, shape).lastId;
    return db;
  } catch (error) {
    const isDamaged = isDamage(path, error); // before the close, which makes a short file longer
    if (db?.isOpen) db.close();
    if (isDamaged) return null;
    throw error;
  }
}

/** Beside the database, and on the other medium: there the name says whose copy it is. */
export function replicasOf({ path, secondFolder }: TableFile, tableId: number): string[] {
  const name = basename(path, '.db');
  const beside = join(dirname(path), `${name}.copy.db`);
  return secondFolder === null ? [beside] : [beside, join(secondFolder, `${name}-${tableId.toString(16)}.copy.db`)];
}

/** Two that agree are believed before one that differs. */
function identify(file: TableFile, db: DatabaseSync | null, content: JournalContent): number {
  const own = db === null ? 0 : tableIdOf(db);
  using copy = Replica.find(replicasOf(file, 0)[0] ?? '');
  const [journals, copies] = [content.tableId, copy?.tableId ?? null];
  if (journals !== null && journals === copies) return journals;
  return own || (journals ?? copies ?? randomInt(1, MAX_TABLE_ID));
}

/** Opens what is left of a table for one reading; null where it cannot be read. */
function tryReading<T>(path: string, read: (db: DatabaseSync) => T): T | null {
  if (!existsSync(path) || isObstructed(path)) return null;
  try {
    using db = openFile(path); // a write-ahead log is not read otherwise
    return read(db);
  } catch {
    return null;
  }
}

/** Whether a file that a crash has left is this table, rebuilt as a whole, and holds nothing older than the present file. */
function isRebuilt(file: TableFile, rebuilt: string): boolean {
  const { path, shape, migrations } = file;
  const stateOf = (db: DatabaseSync) => {
    requireIntegrity(db);
    return { id: tableIdOf(db), change: new Rows(db, shape).highestChange };
  };
  const made = tryReading(rebuilt, (db) => (schemaOf(db) === newestOf(migrations) ? stateOf(db) : null));
  if (made === null) return false;
  const present = tryReading(path, stateOf);
  using copy = Replica.find(replicasOf(file, 0)[0] ?? '');
  const ids = [present?.id, JournalContent.read(journalOf(path)).tableId, copy?.tableId].filter((id) => id);
  return (ids.length === 0 || ids.includes(made.id)) && made.change >= (present?.id === made.id ? present.change : 0);
}

/** Whether the file is the one that the backups speak of, and no older one. */
function isPresent(db: DatabaseSync, { shape }: TableFile, backups: Backups): boolean {
  const rows = new Rows(db, shape);
  if (rows.lastId === 0 && backups.lastId > 0) return false;
  return rows.highestChange >= backups.replicatedUpTo;
}

/**
 * @param isMarkedDamaged whether damage was met: even a large file is then looked at as a whole
 * @throws {Error} of SQLite or the file system, where nothing can be opened or written
 */
export function openTable(file: TableFile, isMarkedDamaged = false): OpenedTable {
  const { path } = file;
  const now = file.now();
  const interrupted = finishRebuild(path, now, (rebuilt) => isRebuilt(file, rebuilt));
  makeWay(path, now);
  const found = JournalContent.read(journalOf(path));
  const whole = openIntact(file, isMarkedDamaged);
  const tableId = identify(file, whole, found);
  const content = found.of(tableId);
  const isOurs = whole === null || [0, tableId].includes(tableIdOf(whole));
  using backups = new Backups({
    journal: content,
    replicas: replicasOf(file, tableId),
    tableId,
    key: file.shape.key,
    rows: whole === null || !isOurs ? null : new Rows(whole, file.shape),
  });
  const known = Math.max(content.head, backups.replicatedUpTo);
  if (whole !== null && isOurs && isPresent(whole, file, backups)) {
    if (tableIdOf(whole) === 0) whole.exec(`PRAGMA application_id = ${tableId}`);
    return { db: whole, tableId, journal: found, known, setAside: interrupted, isUnconfirmed: false };
  }
  whole?.close();
  const setAside = rebuild({ ...file, now, tableId, isOurs }, backups) ?? interrupted;
  const db = openFile(path);
  configure(db);
  return { db, tableId, journal: found, known, setAside, isUnconfirmed: !backups.areComplete };
}
