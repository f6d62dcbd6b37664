/**
 * Checks that the databases of a backup have the schema of a device's databases, and only values that a device writes: right
 * checksums do not prove that. No code of a file (a trigger, a view, a computed column) runs before its schema was compared with
 * that of an empty database.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { changesOf, RowFormat, selectFrom, standIn } from '../../core/book/index.ts';
import {
  type Migration,
  misformOf,
  openFile,
  readableFromOf,
  requireReadable,
  schemaOf,
  statisticsOf,
  transaction,
} from '../../core/files/index.ts';
import { fits } from '../../core/schema/index.ts';
import { ShiftReport } from '../../payments/index.ts';
import { BackupError } from './backup-error.ts';
import { DATABASES } from './contents.ts';

/** Migrations of each database, by file name. */
export type Databases = Readonly<Record<string, readonly Migration[]>>;

const ownDatabases = async (): Promise<Databases> => ({
  'money.db': (await import('../../payments/money/money-schema.ts')).MONEY_MIGRATIONS,
  'lanes.db': (await import('../../payments/reports/lanes/lane-schema.ts')).LANE_MIGRATIONS,
  'templates.db': (await import('../../recognition/templates/templates-database.ts')).TEMPLATE_MIGRATIONS,
  'items.db': (await import('../../recognition/items/items-file.ts')).ITEM_MIGRATIONS,
});

/** Largest page of a device's database: with larger ones, each sale would write more. */
const MOST_PAGE_BYTES = 4096;
/** Largest number of a device's counters: none gets so far, and the numbers after it are still exact in JavaScript. */
const MOST_COUNTED = 2 ** 52;

/** SQL conditions that a value other than null fulfils, by the type of its column. */
const FITTING: Readonly<Record<string, (column: string, most: number) => string>> = {
  INTEGER: (column, most) => `(typeof(${column}) = 'integer' AND ${column} BETWEEN -${most} AND ${most})`,
  TEXT: (column) => `typeof(${column}) = 'text'`,
  BLOB: (column) => `typeof(${column}) = 'blob'`,
  REAL: (column) => `typeof(${column}) IN ('real', 'integer')`,
};

/** Many times the longest text, and the size of the largest picture, that a device writes. */
const MOST_TEXT_BYTES = 1024 * 1024;
const MOST_VALUE_BYTES = 16 * 1024 * 1024;
/** Columns of text whose length grows with a day's tills and payments. */
const LONG_TEXTS = ['report'];

/** Columns that hold a JSON object, by table: the device's readers fail at any other value. */
const JSON_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  payments: ['bank_ref'],
  shifts: ['report'],
  events: ['body'],
};
/**
 * Most ids that a table of the book may lack: only lost rows leave gaps, and the device searches for each before it
 * closes a shift.
 */
const MOST_LOST = 1000;

const tablesOf = (db: DatabaseSync): string[] =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^'")
    .all()
    .map(({ name }) => String(name));

interface Column {
  readonly name: string;
  readonly type: string;
}

const columnsOf = (db: DatabaseSync, table: string): Column[] =>
  db
    .prepare('SELECT name, type FROM pragma_table_info(?)')
    .all(table)
    .map(({ name, type }) => ({ name: String(name), type: String(type) }));

/** Whether a value is so long that each start would run out of memory, whether its row is sound or not. */
function hasLongValue(db: DatabaseSync, table: string, columns: readonly Column[]): boolean {
  const most = ({ name, type }: Column): number =>
    type === 'TEXT' && !LONG_TEXTS.includes(name) ? MOST_TEXT_BYTES : MOST_VALUE_BYTES;
  const long = columns.map((column) => `octet_length(${column.name}) > ${most(column)}`).join(' OR ');
  return db.prepare(`SELECT 1 FROM ${table} WHERE ${long}`).get() !== undefined;
}

/**
 * Whether a table has a value that no device writes. Rows with a wrong checksum are not counted: the device finds them
 * itself.
 */
function hasMisfit(db: DatabaseSync, table: string): boolean {
  const columns = columnsOf(db, table);
  if (hasLongValue(db, table, columns)) return true;
  const most = table === 'book' ? Number.MAX_SAFE_INTEGER : MOST_COUNTED; // the book's name is a random number, and no counter
  const misfits = columns.map(({ name, type }) => `NOT (${name} IS NULL OR ${FITTING[type]?.(name, most) ?? 'true'})`);
  for (const column of (columns.some(({ name }) => name === 'lane') ? [] : JSON_COLUMNS[table]) ?? [])
    misfits.push(`(${column} IS NOT NULL AND NOT (json_valid(${column}) AND json_type(${column}) = 'object'))`);
  if (table === 'events') misfits.push('number > (SELECT last_event FROM book)'); // the next event would get a used number
  const isOfBook = ['change_no', 'checksum'].every((each) => columns.some(({ name }) => name === each));
  if (isOfBook) misfits.push('change_no > (SELECT commit_no FROM book)');
  const found = db.prepare(`${isOfBook ? selectFrom(table) : `SELECT * FROM ${table}`} WHERE ${misfits.join(' OR ')}`);
  found.setReadBigInts(true);
  if (!isOfBook) return found.get() !== undefined;
  const { lost } = db.prepare(`SELECT coalesce(max(id), 0) - count(*) AS lost FROM ${table}`).get() ?? {};
  if (Number(lost) > MOST_LOST) return true;
  const format = new RowFormat(db, table);
  for (const row of found.iterate()) if (format.isSound(row)) return true;
  return hasMisfitList(db, table) || (table === 'shifts' && hasMisfitShift(db, format));
}

/** Whether the report of a closed shift does not fit its schema: each start reads it. */
function hasMisfitShift(db: DatabaseSync, format: RowFormat): boolean {
  const closed = db.prepare(`${selectFrom('shifts')} WHERE closed_at IS NOT NULL`);
  closed.setReadBigInts(true);
  for (const row of closed.iterate())
    if (format.isSound(row) && !fits(ShiftReport, JSON.parse(String(row.report)))) return true;
  return false;
}

/**
 * Whether a table's list of changes has many entries after the last commit, or many more than the table has rows: a sale reads
 * the list from its own commit on.
 */
function hasMisfitList(db: DatabaseSync, table: string): boolean {
  const later = 'count(*) FILTER (WHERE change_no > (SELECT commit_no FROM book))';
  const more = `count(*) - (SELECT count(*) FROM ${table})`;
  const { most } = db.prepare(`SELECT max(${later}, ${more}) AS most FROM ${changesOf(table)}`).get() ?? {};
  return Number(most) > MOST_LOST;
}

/** Whether SQLite's counters of ids (`sqlite_sequence`) are too large, or belong to no table. */
function hasMisfitCounter(db: DatabaseSync): boolean {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").get() === undefined) return false;
  const misfit = `SELECT 1 FROM sqlite_sequence WHERE typeof(seq) <> 'integer' OR seq NOT BETWEEN 0 AND ?
    OR name NOT IN (SELECT name FROM sqlite_schema WHERE type = 'table')
    UNION ALL SELECT 1 FROM sqlite_sequence GROUP BY name HAVING count(*) > 1`;
  return db.prepare(misfit).get(MOST_COUNTED) !== undefined;
}

/** @returns what is wrong, in words; null for nothing @throws {Error} of SQLite */
function faultIn(path: string, db: DatabaseSync): string | null {
  const { encoding } = db.prepare('PRAGMA encoding').get() ?? {};
  if (encoding !== 'UTF-8') return `its texts are ${String(encoding)}`;
  const bytes = Number(db.prepare('PRAGMA page_size').get()?.page_size);
  if (bytes > MOST_PAGE_BYTES) return `its pages have ${bytes} bytes`;
  const verdict = String(db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check);
  if (verdict !== 'ok') return verdict;
  if (tablesOf(db).includes('book') && !hasPlace(path)) return 'its place cannot be read';
  const misfit = tablesOf(db).find((table) => hasMisfit(db, table));
  if (misfit !== undefined) return `its table ${misfit} holds what no device writes`;
  return hasMisfitCounter(db) ? 'its counters are at their end, or those of other tables' : null;
}

/** Whether the last commit and event that the book records can be read, and are in a device's range. */
function hasPlace(path: string): boolean {
  const stand = standIn(path);
  return stand !== null && [stand.commit, stand.lastEvent].every((count) => count >= 0 && count <= MOST_COUNTED);
}

/**
 * Deletes SQLite's statistics: a device makes none, and forged ones would choose slow plans for its queries. The write also
 * shows that the file can be written: a head of a later SQLite forbids that, and the first sale would fail.
 */
function dropStatistics(path: string): void {
  using db = openFile(path); // a new connection: one that has read such a head writes nothing, without an error
  transaction(db, () => {
    for (const table of statisticsOf(db)) db.exec(`DROP TABLE ${table}`);
  });
}

function judgeOne(name: string, path: string, migrations: readonly Migration[]): void {
  const refuse = (what: string, cause?: unknown): never => {
    throw new BackupError('Damaged', `${name} of the backup is none of a device: ${what}; take another backup`, {
      parameters: { file: name },
      ...(cause !== undefined && { cause }),
    });
  };
  try {
    using db = openFile(path); // not read-only: `integrity_check` of a read-only connection does not check CHECK rules
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
    const schema = schemaOf(db);
    const newest = migrations.at(-1)?.schema ?? 0;
    if (schema > newest)
      throw new BackupError(
        'TooNew',
        `${name} of the backup has form ${schema}, and this release knows up to ${newest}: update this device, then put it back`,
        { parameters: { file: name } },
      );
    const what = schema < 1 ? `it has form ${schema}` : misformOf(db, migrations);
    if (what !== null) refuse(what);
    requireReadable(db, newest);
    const needed = readableFromOf(db);
    if (needed > newest) refuse(`it asks for form ${needed} of its readers`);
    const fault = faultIn(path, db);
    if (fault !== null) refuse(fault);
    dropStatistics(path);
  } catch (error) {
    if (error instanceof BackupError) throw error;
    refuse(messageOf(error), error);
  }
}

/**
 * @param unpacked folder of the backup's files
 * @param databases migrations of the features' databases
 * @throws {BackupError} `Damaged`, `TooNew`
 */
export async function requireDatabases(unpacked: string, databases: Databases): Promise<void> {
  const migrations = { ...databases, ...(await ownDatabases()) };
  for (const { name } of DATABASES) {
    const path = join(unpacked, name);
    if (existsSync(path)) judgeOne(name, path, migrations[name] ?? []);
  }
}
