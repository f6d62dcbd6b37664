/** Opens a book: compares its database with its journal, and restores in each what only the other has. */
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { keptOut } from '../../../drivers/lib/rights.ts';
import {
  damaged,
  EVENT_LOOP_WAIT_MS,
  isDamagedFile,
  isOfStorage,
  keepAside,
  type Migration,
  makeFolder,
  makeWay,
  migrate,
  misformOf,
  newestOf,
  OwnFile,
  openFile,
  readableFromOf,
  requireKnown,
  SQLITE_CANTOPEN,
  SQLITE_FULL,
  StoreError,
  transaction,
  whereItCan,
  writeFailure,
} from '../files/index.ts';
import { folded } from '../schema/index.ts';
import { Journal } from './journal.ts';
import { headIn, journalFiles, journalOf, lineFiles, linesOf, type Tail, tailOf } from './journal-files.ts';
import { hashAfter, type Line, lineJson, type Place } from './journal-lines.ts';
import {
  changedWhere,
  changesOf,
  checksumOf,
  plainRow,
  type RawRow,
  type Row,
  RowFormat,
  readingRaw,
  selectFrom,
  type TableShape,
} from './row.ts';

/**
 * Size of pages: a sale changes a few bytes in some forty, and each is written whole: 51 kB a sale, 148 with pages of
 * 4 KiB.
 */
const PAGE_BYTES = 1024;
/** Pages before a checkpoint: some hundred sales share one, and a page that many of them change is written once. */
const CHECKPOINT_PAGES = 4000;
/** A larger file is not checked at the opening, but beside the payments, in the first minute. */
const LARGE_BYTES = 16 * 1024 * 1024;
/** Most rows added to a journal that lacks them, while the event loop waits; more are written beside the payments. */
const MOST_APPENDED = 1000;
/** Rows in one line when rows are added to a journal that lacks them. */
const ROWS_A_LINE = 200;
/** Most commits replayed while the event loop waits: a second or so. A power cut takes no more from the database. */
const MOST_REPLAYED = 5000;
/** Lines compared to see whether database and journal have one history. */
const COMPARED_LINES = 50;

const SQLITE_ERROR = 1;

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

/** The file itself is damaged; the cause says more. */
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

const cached = (prepare: (sql: string) => StatementSync) => {
  const known = new Map<string, StatementSync>();
  return (sql: string): StatementSync => {
    const statement = known.get(sql) ?? prepare(sql);
    known.set(sql, statement);
    return statement;
  };
};

/** What another user keeps from this process is not damaged. @throws {StoreError} `NOT_OURS` */
function requireOurs(files: readonly { readonly path: string }[]): void {
  const words = files.map(({ path }) => keptOut(path)).find((each) => each !== null);
  if (typeof words === 'string') throw Object.assign(new StoreError('NOT_OURS', words), { errcode: SQLITE_CANTOPEN });
}

function standOf(db: DatabaseSync): Stand {
  const row = readingRaw(db.prepare('SELECT * FROM book')).get();
  if (row === undefined) throw damaged('the row of the book is lost');
  const stand = { commit: Number(row.commit_no), hash: String(row.hash), lastEvent: Number(row.last_event) };
  if (row.checksum !== sumOf(stand)) throw damaged('the row of the book is damaged');
  return stand;
}

/** The place of a database that nobody has opened; null where it cannot be read. */
export function standIn(path: string): Stand | null {
  if (!existsSync(path)) return null;
  try {
    using db = openFile(path, { readOnly: true });
    return standOf(db);
  } catch (error) {
    if (!isOfStorage(error)) throw error;
    return null; // its opening says why
  }
}

/** Stores the place of a database. */
export function putStand(statement: LiveBook['statement'], stand: Stand): void {
  const sql = 'UPDATE book SET commit_no = ?, hash = ?, last_event = ?, checksum = ?';
  statement(sql).run(stand.commit, stand.hash, stand.lastEvent, sumOf(stand));
}

/** The hash of a book that was restored, before its first line. */
const RESTORED = 'restored ';

/**
 * Has a restored database go on as a history of its own: no line follows from its hash, neither of what was before, which
 * a second medium may still have, nor of an earlier restore of the same backup.
 * @throws {Error} of SQLite
 */
export function beginHistory(db: DatabaseSync): void {
  const { commit_no = 0, last_event = 0 } = db.prepare('SELECT * FROM book').get() ?? {};
  const hash = `${RESTORED}${randomUUID()}`;
  putStand((sql) => db.prepare(sql), { commit: Number(commit_no), hash, lastEvent: Number(last_event) });
}

/** Whether a history begins with this hash: the book is new, or was restored. */
const isBeginning = (hash: string): boolean => hash === '' || hash.startsWith(RESTORED);

/** An open database as a book without a journal. */
export function live(db: DatabaseSync, plan: BookPlan, path: string | null): LiveBook {
  const { commit, hash, lastEvent } = standOf(db);
  // SQLite's own makes small letters of Latin ones alone
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

/**
 * Opens a book from its files.
 * @throws {DamagedBook} where it must be rebuilt from its journal
 * @throws {Error} of SQLite or the file system, where it cannot be opened or written
 */
export function openBook(file: BookFile, plan: BookPlan): LiveBook {
  const { path, now } = file;
  makeWay(path, now());
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

function openIntact(path: string, { migrations, ...howFar }: BookPlan): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    db = openFile(path, { timeout: EVENT_LOOP_WAIT_MS });
    configureBook(db);
    if (statSync(path).size <= LARGE_BYTES) requireIntegrity(db);
    migrate(db, migrations, howFar);
    requireForm(db, migrations);
    return db;
  } catch (error) {
    const isDamaged = isDamage(path, error); // before the close, which makes a short file longer
    if (db?.isOpen) db.close();
    throw isDamaged ? new DamagedBook(messageOf(error), { cause: error }) : error;
  }
}

/** Settles database and journal. The journal is the acknowledged state; what it lacks is added from the database. */
function settled(db: DatabaseSync, { path, secondFolder, now }: BookFile, plan: BookPlan, tail: Tail | null): LiveBook {
  const folder = journalOf(path);
  const book = live(db, plan, path);
  const begun = (from: Tail['log'] = null, lacking: string | null = null): LiveBook => ({
    ...book,
    lacking,
    journal: new Journal(folder, book.at, from, now),
  });
  if (tail === null) {
    const isGone = journalFiles(folder).length === 0;
    if (!isGone) {
      requireOurs(journalFiles(folder));
      keepAside(folder, now()); // none of it can be read
    }
    const isLost = isGone && !isBeginning(book.at.hash);
    return begun(null, isLost ? `it was gone, and begins anew behind commit ${book.at.commit}` : null);
  }
  const { commit, hash } = book.at;
  if (tail.commit === commit && tail.hash === hash) return begun(tail.log);
  const missing = tail.commit > commit ? linesBehind(folder, book.at) : null;
  if (missing !== null) {
    requireKnown(
      folder,
      Math.max(0, ...missing.lines.map(({ readableFrom }) => readableFrom)),
      newestOf(plan.migrations),
    );
    if (missing.isBroken && secondFolder !== null)
      throw damaged('the second medium may have what its journal has lost');
    transaction(db, () => {
      for (const line of missing.lines) replay(book, plan, line);
    });
    return begun(tail.log);
  }
  if (commit === 0 && tail.commit > 0) throw damaged('it is empty');
  const isOne = historyOf(folder, book, plan);
  if (tail.commit > commit && isOne === true) throw damaged('its journal has lost the line at which it stands');
  if (tail.commit < commit && isOne !== false) {
    if (changedSince(book, plan, tail) > MOST_APPENDED)
      return begun(null, `it ended with commit ${tail.commit}, and goes on behind commit ${commit}`);
    const behind = { ...book, journal: new Journal(folder, tail, tail.log, now), at: { commit, hash: tail.hash } };
    appendMissing(behind, plan, tail, now());
    return behind;
  }
  keepAside(folder, now(), 'other');
  return begun();
}

/**
 * The lines after a place; null where the journal lacks the place. A line over the place's hash proves it, though the
 * line of the place itself is damaged.
 * @returns `isBroken`: whether a line between them is damaged, which the daily check reports
 * @throws {Error} where there are too many
 */
function linesBehind(
  folder: string,
  { commit, hash }: Place,
): { readonly lines: readonly Line[]; readonly isBroken: boolean } | null {
  const files = lineFiles(folder);
  const first = files.findLastIndex(({ after }) => after <= commit);
  const found: Line[] = [];
  let [isFound, isDamaged, isBroken] = [false, false, false];
  for (const file of files.slice(Math.max(0, first))) {
    const head = headIn(file);
    if (head?.commit === commit && head.hash === hash) isFound = true;
    for (const line of linesOf(file, { known: hash })) {
      if (line === null) {
        isDamaged = isFound; // the last one may be incomplete, and was never acknowledged then
        continue;
      }
      if (isFound || line.before === hash) {
        found.push(line);
        [isFound, isBroken] = [true, isBroken || isDamaged];
      } else if (line.commit === commit && line.hash === hash) isFound = true;
      isDamaged = false;
      if (found.length > MOST_REPLAYED)
        throw damaged(`it is older than its journal by more than ${MOST_REPLAYED} commits`);
    }
  }
  return isFound ? { lines: found, isBroken } : null;
}

/** Repeats a commit from the journal, with its events. */
function replay(book: LiveBook, { tables, writeEvents }: BookPlan, { commit, hash, at, lastEvent, rows }: Line): void {
  const changes = tables.flatMap(({ name }) => {
    const format = book.formats.get(name);
    return (rows[name] ?? []).flatMap((values): RowChange[] => {
      const id = Number(values.id);
      const before = format?.byId(id);
      format?.put(values);
      const after = format?.byId(id);
      return after === undefined
        ? []
        : [{ table: name, before: before === undefined ? null : plainRow(before), after: plainRow(after) }];
    });
  });
  book.lastEvent = writeEvents({ changes, at, lastEvent: book.lastEvent, known: lastEvent, statement: book.statement });
  book.at = { commit, hash };
  keepPlace(book);
}

/** Within a transaction: stores the place of the database. */
export function keepPlace({ statement, at, lastEvent }: LiveBook): void {
  putStand(statement, { ...at, lastEvent });
}

const changedSince = ({ statement }: LiveBook, { tables }: BookPlan, { commit }: Place): number =>
  tables
    .map(({ name }) =>
      Number(statement(`SELECT count(*) AS n FROM ${changesOf(name)} WHERE change_no > ?`).get(commit)?.n),
    )
    .reduce((sum, count) => sum + count, 0);

/**
 * Whether the database has the rows of the last lines up to its place, or later versions of them; null where they have
 * no row. A row that the storage has altered or lost proves nothing.
 */
function historyOf(folder: string, { at, formats }: LiveBook, { tables }: BookPlan): boolean | null {
  const lines: Line[] = [];
  for (const file of lineFiles(folder).toReversed()) {
    const before = [...linesOf(file)].filter((line) => line !== null).filter(({ commit }) => commit <= at.commit);
    lines.unshift(...before.slice(-COMPARED_LINES));
    if (lines.length >= COMPARED_LINES) break;
  }
  const compared = lines.slice(-COMPARED_LINES).flatMap(({ rows }) =>
    Object.entries(rows).flatMap(([table, of]) => {
      const format = formats.get(table);
      const key = tables.find(({ name }) => name === table)?.key ?? 'id';
      return of.map((values): boolean | null => {
        const row = format?.byId(Number(values.id));
        if (format === undefined || row === undefined || !format.isSound(row)) return null;
        if (String(row[key]) !== String(values[key])) return false;
        return Number(row.change_no) > Number(values.change_no) || format.hasText(row, values);
      });
    }),
  );
  if (compared.length === 0) return null;
  return compared.includes(true) && !compared.includes(false);
}

/** Adds rows that changed after a place to the journal, as commits of their own, and one more commit without rows. */
export function appendMissing(book: LiveBook, { tables }: BookPlan, { commit: since }: Place, now: number): void {
  for (const { name } of tables) {
    const changed = `${selectFrom(name)} WHERE ${changedWhere(name, 'change_no > ?')} ORDER BY change_no, id`;
    const texts = book
      .rawStatement(changed)
      .all(since)
      .flatMap((row: RawRow) => {
        const format = book.formats.get(name);
        return format?.isSound(row) === true ? [format.textOf(row)] : [];
      });
    for (let first = 0; first < texts.length; first += ROWS_A_LINE)
      appendAlone(book, new Map([[name, texts.slice(first, first + ROWS_A_LINE)]]), now);
  }
  appendAlone(book, new Map(), now);
}

/** Makes a commit that changes no row. @throws {Error} of SQLite or the file system: nothing has changed then */
function appendAlone(book: LiveBook, rows: ReadonlyMap<string, readonly string[]>, now: number): void {
  const before = book.at;
  let isAppended = false;
  try {
    transaction(book.db, () => {
      append(book, rows, now, true);
      isAppended = true;
    });
  } catch (error) {
    book.at = before;
    if (isAppended) book.journal?.takeBack();
    throw error;
  }
}

/** Writes the next line, and its place into the database, within a transaction. @throws the file system's error */
export function append(
  book: LiveBook,
  rows: ReadonlyMap<string, readonly string[]>,
  at: number,
  isUrgent: boolean,
): void {
  const before = book.at;
  const commit = before.commit + 1;
  const { lastEvent, readableFrom } = book;
  const json = lineJson({ commit, at, lastEvent, readableFrom }, rows);
  book.at = { commit, hash: hashAfter(before.hash, json) };
  keepPlace(book);
  book.journal?.append(`${book.at.hash} ${json}\n`, before, isUrgent);
}
