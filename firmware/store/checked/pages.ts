/**
 * Pages of a checked table's file. A sale changes a few bytes in each of some thirty, and each is written whole: so they are a quarter of
 * SQLite's own. A file of an earlier release is rewritten once.
 */
import { renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { connect } from '../database.ts';
import { syncFile, syncFolder } from '../sync-folder.ts';
import { writeFailure } from '../write-failure.ts';

const PAGE_BYTES = 1024;

/** Of a file that is still empty; any other keeps its pages. */
export function choosePages(db: DatabaseSync): void {
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
}

/**
 * Rewrites a file with other pages. The new one is whole before it takes the place. Where that cannot be made, as on a full disk, the
 * file stays as it is.
 * @param db of the file; closed where another one is returned
 * @param unfinished where the new one is made: what a crash leaves there goes at the next start
 * @throws {Error} of SQLite, where the file is damaged
 */
export function withSmallPages(db: DatabaseSync, path: string, unfinished: string): DatabaseSync {
  if (db.prepare('PRAGMA page_size').get()?.page_size === PAGE_BYTES) return db;
  try {
    choosePages(db);
    db.prepare('VACUUM INTO ?').run(unfinished);
    syncFile(unfinished);
  } catch (error) {
    rmSync(unfinished, { force: true });
    if (writeFailure(error) !== 'full') throw error;
    return db;
  }
  db.close();
  // the log of the old file would be taken for the new one's
  if (statSync(`${path}-wal`, { throwIfNoEntry: false }) === undefined) renameSync(unfinished, path);
  syncFolder(dirname(path));
  return connect(path);
}
