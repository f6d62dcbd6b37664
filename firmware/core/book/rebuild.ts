/** Rebuilds a damaged book from its journal, its own sound rows, and what the second medium has. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import {
  hasRemains,
  migrate,
  newestOf,
  openFile,
  renameAside,
  requireJournalReadable,
  syncFile,
  syncFolder,
  transaction,
  whereItCan,
} from '../files/index.ts';
import { type CareJob, type CareReport, DONE } from './care-job.ts';
import { type JournalFile, journalOf, lineFiles } from './journal-files.ts';
import { headIn, linesOf } from './journal-reading.ts';
import { tailOf } from './journal-tail.ts';
import { configureBook } from './open-book.ts';
import { changesOf, plainRow, type RowFormat, readingRaw, type TableShape, type Values, valuesOf } from './row.ts';
import { formatsOf } from './rows-of-tables.ts';
import { putStand } from './stand.ts';
import { currentFilesOf, readThrough } from './whole-journal.ts';

/** The search for rows in a damaged file ends after this many consecutive ids without a row in either file. */
const MOST_UNKNOWN_IDS = 10_000;

/** Rebuilds the database from the journal, the sound rows of the damaged file, and what the second medium has. */
export function rebuild(job: CareJob): CareReport {
  const { path, secondFolder, tables, migrations, now } = job;
  const unfinished = `${path}.rebuilding`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(unfinished + suffix, { force: true });
  const folder = journalOf(path);
  const second = secondFolder === null ? null : join(secondFolder, basename(folder));
  const other = second !== null && whereItCan(() => isOfOneBook(folder, second)) === true ? second : null;
  const needed = Math.max(0, ...[folder, ...(other === null ? [] : [other])].map(readableFromIn));
  requireJournalReadable(folder, needed, newestOf(migrations));
  const db = openFile(unfinished);
  let breaks: readonly string[];
  try {
    configureBook(db);
    migrate(db, migrations, { isWayBackOpen: () => true, ...(needed > 0 && { readableFrom: needed }) });
    const formats = formatsOf(db, tables);
    const put = (table: string, values: Values): void => putIfNewer(formats.get(table), values);
    breaks = transaction(db, () => {
      const there = other !== null && !isComplete(folder) ? readThrough(other, put) : { breaks: [] };
      const here = readThrough(folder, put);
      for (const file of [path, ...(other === null ? [] : [join(dirname(other), basename(path))])])
        for (const { name } of tables) salvageRows(file, name, formats.get(name));
      setPlace(db, tables, [folder, ...(other === null ? [] : [other])]);
      return (lineFiles(folder).length === 0 ? there : here).breaks;
    });
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
  syncFile(unfinished);
  if (hasRemains(path)) renameAside(path, now);
  renameSync(unfinished, path);
  syncFolder(dirname(path));
  return { ...DONE, breaks };
}

/** The schema that a release must know to read all lines of a journal. */
function readableFromIn(folder: string): number {
  let newest = 0;
  readThrough(folder, (_table, _values, { readableFrom }) => {
    newest = Math.max(newest, readableFrom);
  });
  return newest;
}

/** Whether a book can be rebuilt from its journal alone. */
function isComplete(folder: string): boolean {
  const { begun, lines } = currentFilesOf(folder);
  if (lines.length === 0 || (begun === null && lines[0]?.after !== 0)) return false;
  return readThrough(folder, () => undefined).breaks.length === 0;
}

/**
 * Whether two journals share a line, or this one has no lines. Else the other one may be another device's, whose rows
 * must not come into this book.
 */
function isOfOneBook(folder: string, other: string): boolean {
  const own = new Set(hashesIn(lineFiles(folder)));
  for (const hash of hashesIn(lineFiles(other))) if (own.has(hash)) return true;
  return own.size === 0;
}

function* hashesIn(files: readonly JournalFile[]): Generator<string> {
  for (const file of files) {
    const head = headIn(file);
    if (head !== null && head.commit > 0) yield head.hash;
    for (const line of linesOf(file)) if (line !== null) yield line.hash;
  }
}

function putIfNewer(format: RowFormat | undefined, values: Values): void {
  const row = format?.byId(Number(values.id));
  if (row === undefined || Number(row.change_no) <= Number(values.change_no)) format?.put(values);
}

/** Saves rows of a damaged file that are sound and newer than in the journal. @throws {Error} of the new file only */
function salvageRows(path: string, table: string, format: RowFormat | undefined): void {
  const db = existsSync(path) ? unlessDamaged(() => openFile(path)) : undefined;
  try {
    const isRead = db !== undefined && unlessDamaged(() => holdsRows(db, table)) === true;
    const byId =
      unlessDamaged(() => isRead && readingRaw(db.prepare(`SELECT * FROM ${table} WHERE id = ?`))) || undefined;
    for (let id = 1, unknownIds = 0; byId !== undefined && unknownIds < MOST_UNKNOWN_IDS; id += 1) {
      const row = unlessDamaged(() => byId.get(id));
      const present = format?.byId(id);
      unknownIds = row === undefined && present === undefined ? unknownIds + 1 : 0;
      if (row === undefined || format?.isWhole(row) !== true) continue;
      if (present === undefined || Number(present.change_no) < Number(row.change_no))
        format.put(valuesOf(plainRow(row)));
    }
  } finally {
    db?.close();
  }
}

/** Whether the rows of a table lie in the file: a view, or a computed column, could be read for ever. */
function holdsRows(db: DatabaseSync, table: string): boolean {
  const tableSql = db.prepare(
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql LIKE 'CREATE TABLE %'",
  );
  if (tableSql.get(table) === undefined) return false;
  return db.prepare('SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden <> 0').get(table) === undefined;
}

function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // this file or page is damaged, the next one may not be
  }
}

/** Sets the place from which the new database continues: the journal's last line, or a later commit with rows found. */
function setPlace(db: DatabaseSync, tables: readonly TableShape[], folders: readonly string[]): void {
  const tails = folders.flatMap((folder) => tailOf(folder) ?? []);
  const [tail] = tails;
  const newest = Math.max(
    ...tables.map(({ name }) =>
      Number(db.prepare(`SELECT coalesce(max(change_no), 0) AS n FROM ${changesOf(name)}`).get()?.n),
    ),
    tail?.commit ?? 0,
  );
  const lastEvent = Math.max(0, ...tails.map((each) => each.lastEvent));
  putStand((sql) => db.prepare(sql), { commit: newest, hash: tail?.hash ?? '', lastEvent });
}
