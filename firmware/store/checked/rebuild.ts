/**
 * A table's database rebuilt from everything that is left: its copies, its journal, and each row of the damaged file that can
 * still be read. The new file is whole before the damaged one is set aside, so that a crash in between loses nothing.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Migration, migrate, openFile, transaction } from '../database.ts';
import { hasRemains, isObstructed, keepAside, placesOf, setAside } from '../set-aside.ts';
import { syncFolder } from '../sync-folder.ts';
import type { Backups } from './backups.ts';
import { keyIn } from './divergence.ts';
import { type RawRow, readingRaw } from './row.ts';
import { Rows, type TableShape } from './rows.ts';

/** Of pages. A sale changes a few bytes in each of some thirty, and each is written whole: so they are a quarter of SQLite's own. */
const PAGE_BYTES = 1024;
/** How many ids in a row must be missing behind the last known one until no further row is looked for. */
const LOOK_BEHIND = 10_000;

/** Where a new file lies that is not whole yet. */
const unfinishedOf = (path: string): string => `${path}.rebuilding`;
/** Where a new file lies that is whole, until it takes its place. */
export const rebuiltOf = (path: string): string => `${path}.rebuilt`;

/** Of a file that is still empty; any other keeps its pages. */
export function choosePages(db: DatabaseSync): void {
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
}

interface RebuildOptions {
  readonly path: string;
  readonly migrations: readonly Migration[];
  readonly shape: TableShape;
  readonly tableId: number;
  /** Wall clock in milliseconds, for the name of the damaged file. */
  readonly now: number;
  /** False for a file that is another table's: its rows are none of ours. */
  readonly isOurs: boolean;
}

function rowReader(db: DatabaseSync, table: string): (id: number) => RawRow | undefined {
  const byId = readingRaw(db.prepare(`SELECT * FROM ${table} WHERE id = ?`));
  return (id) => {
    try {
      return byId.get(id);
    } catch {
      return undefined; // its page is damaged; those of other rows may not be
    }
  };
}

/** Each row of a damaged file that can still be read. */
function* readableRows(path: string, table: string, lastId: number): Generator<RawRow> {
  if (!existsSync(path)) return;
  try {
    using db = openFile(path);
    const read = rowReader(db, table);
    for (let id = 1, missing = 0; id <= lastId || missing < LOOK_BEHIND; id += 1) {
      const row = read(id);
      missing = row === undefined ? missing + 1 : 0;
      if (row !== undefined) yield row;
    }
  } catch {
    // nothing of the file can be read
  }
}

/** The last id that a damaged file has given to a row; 0 where it is unknown. */
function lastGiven(path: string, shape: TableShape): number {
  try {
    using db = openFile(path); // a write-ahead log is not read otherwise
    return new Rows(db, shape).lastId;
  } catch {
    return 0;
  }
}

function salvage(rows: Rows, row: RawRow, key: string): void {
  const present = rows.byId(Number(row.id));
  const state = rows.format.stateOf(row);
  const isNewer = state === 'good' && Number(row.change_no) > Number(present?.change_no ?? 0);
  if (isNewer || state === 'new') {
    if (rows.admits(Number(row.id), String(row[key]))) rows.copy(row);
  } else if (present === undefined) rows.mark(row);
}

function fill(db: DatabaseSync, { path, shape, isOurs }: RebuildOptions, backups: Backups): void {
  const rows = new Rows(db, shape);
  transaction(db, () => {
    for (const version of backups.all()) {
      const present = rows.byId(version.id);
      const isNewer = version.change > Number(present?.change_no ?? 0);
      if (isNewer && rows.admits(version.id, keyIn(version, shape.key))) rows.put(version);
    }
    if (!isOurs) return;
    for (const row of readableRows(path, shape.name, backups.lastId)) salvage(rows, row, shape.key);
    rows.raiseCounter(lastGiven(path, shape));
  });
}

function takePlace(path: string, now: number): string | null {
  const aside = hasRemains(path) ? keepAside(path, now) : null;
  renameSync(rebuiltOf(path), path);
  syncFolder(dirname(path));
  return aside;
}

/**
 * Ends what a crash has interrupted: the new file is taken where it is whole, else it is set aside. To be called before the file
 * is opened.
 * @param isWhole whether a new file holds this table, and nothing older than what lies in its place
 */
export function finishRebuild(path: string, now: number, isWhole: (rebuilt: string) => boolean): string | null {
  for (const place of placesOf(unfinishedOf(path))) rmSync(place, { force: true, recursive: true });
  const rebuilt = rebuiltOf(path);
  if (!hasRemains(rebuilt)) return null;
  if (!isObstructed(rebuilt) && isWhole(rebuilt)) return takePlace(path, now);
  setAside(rebuilt, now);
  return null;
}

/**
 * Returns where the damaged file lies now; null where there was none.
 * @throws {Error} of SQLite or the file system; the damaged file is then where it was
 */
export function rebuild(options: RebuildOptions, backups: Backups): string | null {
  const { path, migrations, tableId, now } = options;
  const db = openFile(unfinishedOf(path));
  try {
    choosePages(db);
    db.exec(`PRAGMA application_id = ${tableId}`);
    migrate(db, migrations);
    fill(db, options, backups);
  } finally {
    db.close();
  }
  renameSync(unfinishedOf(path), rebuiltOf(path));
  return takePlace(path, now);
}
