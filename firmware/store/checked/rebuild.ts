/**
 * A table's database made anew from everything that is left: its copies, its journal, and each row of the damaged file that can
 * still be read. The new file is whole before the damaged one is set aside, so that a crash in between loses nothing.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Migration, migrate, transaction } from '../database.ts';
import { hasRemains, setAside } from '../set-aside.ts';
import { syncFolder } from '../sync-folder.ts';
import { type RawRow, readingRaw } from './row.ts';
import { Rows, type TableShape } from './rows.ts';
import type { Sources } from './sources.ts';

/** How many ids in a row must be missing behind the last known one until no further row is looked for. */
const LOOK_BEHIND = 10_000;

const unfinished = (path: string): string => `${path}.rebuilding`;
const finished = (path: string): string => `${path}.rebuilt`;

export interface RebuildOptions {
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
function* legibleRows(path: string, table: string, lastId: number): Generator<RawRow> {
  if (!existsSync(path)) return;
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path);
    const read = rowReader(db, table);
    for (let id = 1, missing = 0; id <= lastId || missing < LOOK_BEHIND; id += 1) {
      const row = read(id);
      missing = row === undefined ? missing + 1 : 0;
      if (row !== undefined) yield row;
    }
  } catch {
    // nothing of the file can be read
  } finally {
    closeDamaged(db);
  }
}

function closeDamaged(db: DatabaseSync | null): void {
  try {
    db?.close();
  } catch {
    // it is set aside as it is
  }
}

function takeLegible(rows: Rows, row: RawRow): void {
  const present = rows.byId(Number(row.id));
  const state = rows.format.stateOf(row);
  const isNewer = state === 'good' && Number(row.change_no) > Number(present?.change_no ?? 0);
  if (isNewer || state === 'new') rows.copy(row);
  else if (present === undefined) rows.mark(row);
}

function fill(db: DatabaseSync, { path, shape, isOurs }: RebuildOptions, sources: Sources): void {
  const rows = new Rows(db, shape);
  transaction(db, () => {
    for (const version of sources.all()) {
      const present = rows.byId(version.id);
      if (version.change > Number(present?.change_no ?? 0)) rows.put(version);
    }
    if (!isOurs) return;
    for (const row of legibleRows(path, shape.name, sources.lastId)) takeLegible(rows, row);
  });
}

/** Ends what a crash has interrupted: the new file is taken where it was whole. To be called before the file is opened. */
export function finishRebuild(path: string, now: number): string | null {
  for (const suffix of ['', '-wal', '-shm', '-journal'])
    rmSync(unfinished(path) + suffix, { force: true, recursive: true });
  if (!existsSync(finished(path))) return null;
  const aside = hasRemains(path) ? setAside(path, now) : null;
  renameSync(finished(path), path);
  syncFolder(dirname(path));
  return aside;
}

/**
 * Answers where the damaged file lies now; null where there was none.
 * @throws {Error} of SQLite or the file system; the damaged file is then where it was
 */
export function rebuild(options: RebuildOptions, sources: Sources): string | null {
  const { path, migrations, tableId, now } = options;
  finishRebuild(path, now);
  const db = new DatabaseSync(unfinished(path));
  try {
    db.exec(`PRAGMA application_id = ${tableId}`);
    migrate(db, migrations);
    fill(db, options, sources);
  } finally {
    db.close();
  }
  renameSync(unfinished(path), finished(path));
  return finishRebuild(path, now);
}
