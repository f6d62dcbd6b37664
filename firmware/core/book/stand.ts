/** The place of a book in its history: its last commit and event, in a table of one row. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { damaged, isOfStorage, openFile } from '../files/index.ts';
import type { Place } from './journal-lines.ts';
import { checksumOf, readingRaw } from './row.ts';

/** The place of a database, with its last event. */
export interface Stand extends Place {
  /** Number of the last event. */
  readonly lastEvent: number;
}

const sumOf = ({ commit, hash, lastEvent }: Stand): string => checksumOf(`${commit} ${hash} ${lastEvent}`);

/** The table with the database's last commit and the number of its last event. */
export const BOOK_SCHEMA = `CREATE TABLE book (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  commit_no INTEGER NOT NULL,
  hash TEXT NOT NULL,
  last_event INTEGER NOT NULL,
  name INTEGER NOT NULL, -- drawn once: no other book has it
  checksum TEXT NOT NULL -- over the three: a wrong number would be given to two commits
);
INSERT INTO book VALUES (1, 0, '', 0, abs(random()) % 9007199254740991, '${sumOf({ commit: 0, hash: '', lastEvent: 0 })}');`;

export function standOf(db: DatabaseSync): Stand {
  const row = readingRaw(db.prepare('SELECT * FROM book')).get();
  if (row === undefined) throw damaged('the row of the book is lost');
  const stand = { commit: Number(row.commit_no), hash: String(row.hash), lastEvent: Number(row.last_event) };
  if (row.checksum !== sumOf(stand)) throw damaged('the row of the book is damaged');
  return stand;
}

/** The place of a database that is not open; null where it cannot be read. */
export function standIn(path: string): Stand | null {
  if (!existsSync(path)) return null;
  try {
    using db = openFile(path, { readOnly: true });
    return standOf(db);
  } catch (error) {
    if (!isOfStorage(error)) throw error;
    return null; // opening the book reports why
  }
}

/** Stores the place of a database. */
export function putStand(statement: (sql: string) => StatementSync, stand: Stand): void {
  const sql = 'UPDATE book SET commit_no = ?, hash = ?, last_event = ?, checksum = ?';
  statement(sql).run(stand.commit, stand.hash, stand.lastEvent, sumOf(stand));
}

/** The hash of a book that was restored, before its first line. */
const RESTORED = 'restored ';

/**
 * Begins a new history for a restored database. No line follows from its hash: neither of the history before, which a
 * second medium may still have, nor of an earlier restore of the same backup.
 * @throws {Error} of SQLite
 */
export function beginHistory(db: DatabaseSync): void {
  const { commit_no = 0, last_event = 0 } = db.prepare('SELECT * FROM book').get() ?? {};
  const hash = `${RESTORED}${randomUUID()}`;
  putStand((sql) => db.prepare(sql), { commit: Number(commit_no), hash, lastEvent: Number(last_event) });
}

/** Whether a history begins with this hash: the book is new, or was restored. */
export const isBeginning = (hash: string): boolean => hash === '' || hash.startsWith(RESTORED);
