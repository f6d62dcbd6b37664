/** Opens a book from its files. */
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../drivers/lib/errors.ts';
import {
  clearPath,
  damaged,
  EVENT_LOOP_WAIT_MS,
  isDamagedFile,
  type Migration,
  makeFolder,
  migrate,
  misformOf,
  openFile,
  whereItCan,
} from '../files/index.ts';
import { journalOf } from './journal-files.ts';
import { type Tail, tailOf } from './journal-tail.ts';
import type { BookFile, BookPlan, LiveBook } from './live-book.ts';
import { settled } from './settle.ts';

/**
 * Size of pages: a sale changes a few bytes in some forty pages, and each is written whole: 51 kB a sale, 148 with pages
 * of 4 KiB.
 */
const PAGE_BYTES = 1024;
/** Pages before a checkpoint: some hundred sales share one, and a page that many of them change is written once. */
const CHECKPOINT_PAGES = 4000;
/** A larger file is not checked at the opening, but beside the payments, in the first minute. */
const LARGE_BYTES = 16 * 1024 * 1024;

const SQLITE_ERROR = 1;

/** The database file is damaged or gone, and must be rebuilt. The error that showed it is the `cause`. */
export class DamagedBook extends Error {
  override readonly name = 'DamagedBook';
}

export function isDamage(path: string, error: unknown): boolean {
  // a table that is not there, or there already: another database lies under this name
  return isDamagedFile(path, error) || (error as { errcode?: number }).errcode === SQLITE_ERROR;
}

/** Checks the database as a whole. @throws {Error} with SQLite's code of damage */
export function requireIntegrity(db: DatabaseSync, check: 'quick_check' | 'integrity_check' = 'quick_check'): void {
  const verdict = db.prepare(`PRAGMA ${check}(1)`).get()?.[check];
  if (verdict !== 'ok') throw damaged(String(verdict));
}

/** @throws {Error} with SQLite's code of damage */
export function requireForm(db: DatabaseSync, migrations: readonly Migration[]): void {
  const misform = misformOf(db, migrations);
  if (misform !== null) throw damaged(misform);
}

export function configureBook(db: DatabaseSync): void {
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`);
}

/**
 * Opens a book from its files.
 * @throws {DamagedBook} where it must be rebuilt from its journal
 * @throws {Error} of SQLite or the file system, where it cannot be opened or written
 */
export function openBook(file: BookFile, plan: BookPlan): LiveBook {
  const { path, now } = file;
  clearPath(path, now());
  const folder = journalOf(path);
  makeFolder(folder);
  const tail = tailOf(folder);
  if (!existsSync(path) && (tail ?? secondTail(file)) !== null) throw new DamagedBook(`${path} is gone`);
  const db = openIntact(path, plan);
  try {
    return settled(db, file, plan, tail);
  } catch (error) {
    const isDamaged = isDamage(path, error);
    db.close();
    throw isDamaged ? new DamagedBook(messageOf(error), { cause: error }) : error;
  }
}

/** The end of the journal on the second medium, for a new card. An unreadable medium counts as absent. */
const secondTail = ({ path, secondFolder }: BookFile): Tail | null =>
  secondFolder === null ? null : whereItCan(() => tailOf(join(secondFolder, basename(journalOf(path)))));

function openIntact(path: string, { migrations, ...options }: BookPlan): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    db = openFile(path, { timeout: EVENT_LOOP_WAIT_MS });
    configureBook(db);
    if (statSync(path).size <= LARGE_BYTES) requireIntegrity(db);
    migrate(db, migrations, options);
    requireForm(db, migrations);
    return db;
  } catch (error) {
    const isDamaged = isDamage(path, error); // before the close, which makes a short file longer
    if (db?.isOpen) db.close();
    throw isDamaged ? new DamagedBook(messageOf(error), { cause: error }) : error;
  }
}
