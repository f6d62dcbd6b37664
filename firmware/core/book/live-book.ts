/** The plan and the files of a book, and an open book, to which commits are appended. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { messageOf } from '../../../drivers/lib/errors.ts';
import {
  type Migration,
  OwnFile,
  readableFromOf,
  SQLITE_CANTOPEN,
  SQLITE_FULL,
  StoreError,
  writeFailure,
} from '../files/index.ts';
import { folded } from '../schema/index.ts';
import type { Journal } from './journal.ts';
import { hashAfter, lineJson, type Place } from './journal-lines.ts';
import { type Row, RowFormat, readingRaw, type TableShape } from './row.ts';
import { putStand, standOf } from './stand.ts';

/** The change of a row by one commit. */
export interface RowChange {
  readonly table: string;
  /** The row before; null for a new one. */
  readonly before: Row | null;
  readonly after: Row;
}

/** A commit that is being made, or made again from the journal. */
export interface Commit {
  readonly changes: readonly RowChange[];
  /** Wall clock, ms. */
  readonly at: number;
  /** Number of the last event before it. */
  readonly lastEvent: number;
  /** For a commit from the journal: number of its last event; null for a new commit. */
  readonly known: number | null;
  readonly statement: (sql: string) => StatementSync;
}

export interface BookPlan {
  /** Tables in the order in which a commit writes them. */
  readonly tables: readonly TableShape[];
  /** The first one contains {@link BOOK_SCHEMA}. */
  readonly migrations: readonly Migration[];
  /** Whether the release before may still come back; as the updater says when left out. */
  readonly isWayBackOpen?: () => boolean;
  /** Writes the events of a commit, as part of it. @returns number of the last event */
  readonly writeEvents: (commit: Commit) => number;
}

export interface BookFile {
  readonly path: string;
  /**
   * Folder of this book on a second medium, which keeps the journal, too; null: none. The medium's own folder exists
   * while it is inserted.
   */
  readonly secondFolder: string | null;
  /** Wall clock, ms. */
  readonly now: () => number;
}

/** An open book. */
export interface LiveBook {
  readonly db: DatabaseSync;
  readonly formats: ReadonlyMap<string, RowFormat>;
  /** Null for a database in memory. */
  readonly journal: Journal | null;
  /** The database file, to notice when it is removed or replaced; null for a database in memory. */
  readonly place: OwnFile | null;
  readonly statement: (sql: string) => StatementSync;
  readonly rawStatement: (sql: string) => StatementSync;
  /** What the journal lacks, until all rows are written to it again, in words; null: nothing. */
  readonly lacking: string | null;
  /** The schema that a release must know to read its rows. */
  readonly readableFrom: number;
  at: Place;
  lastEvent: number;
}

/** The error of each call of a closed book. It has an SQLite code, so that it is reported as SQLite's errors are. */
export function bookClosed(cause: unknown): StoreError {
  const errcode = writeFailure(cause) === 'full' ? SQLITE_FULL : SQLITE_CANTOPEN;
  const error = new StoreError('TABLE_CLOSED', `it cannot be opened: ${messageOf(cause)}`, { cause });
  return Object.assign(error, { errcode });
}

const cached = (prepare: (sql: string) => StatementSync) => {
  const known = new Map<string, StatementSync>();
  return (sql: string): StatementSync => {
    const statement = known.get(sql) ?? prepare(sql);
    known.set(sql, statement);
    return statement;
  };
};

/** An open database as a book without a journal. */
export function live(db: DatabaseSync, plan: BookPlan, path: string | null): LiveBook {
  const { commit, hash, lastEvent } = standOf(db);
  // SQLite's `lower` changes Latin letters alone
  db.function('folded', { deterministic: true }, (text) => folded(String(text ?? '')));
  return {
    db,
    formats: new Map(plan.tables.map(({ name }) => [name, new RowFormat(db, name)])),
    journal: null,
    place: path === null ? null : new OwnFile(path),
    statement: cached((sql) => db.prepare(sql)),
    rawStatement: cached((sql) => readingRaw(db.prepare(sql))),
    lacking: null,
    readableFrom: readableFromOf(db),
    at: { commit, hash },
    lastEvent,
  };
}

/** Within a transaction: stores the place of the book and its last event in the database. */
export function storePlace({ statement, at, lastEvent }: LiveBook): void {
  putStand(statement, { ...at, lastEvent });
}

/** The next line of a journal. */
interface NextLine {
  /** Texts of the rows, by table. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** Wall clock, ms. */
  readonly at: number;
  /** Whether it must be on the disk on return. */
  readonly isUrgent: boolean;
}

/** Writes the next line, and its place into the database, within a transaction. @throws the file system's error */
export function append(book: LiveBook, { rows, at, isUrgent }: NextLine): void {
  const before = book.at;
  const commit = before.commit + 1;
  const { lastEvent, readableFrom } = book;
  const json = lineJson({ commit, at, lastEvent, readableFrom }, rows);
  book.at = { commit, hash: hashAfter(before.hash, json) };
  storePlace(book);
  book.journal?.append(`${book.at.hash} ${json}\n`, { before, isUrgent });
}
