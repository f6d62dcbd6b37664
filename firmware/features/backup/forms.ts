/**
 * Judges the databases of a backup: right checksums do not prove that a file is a device's. None of its own code (a
 * trigger, a view, a computed column) runs before its form is known to be that of an empty database.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../drivers/lib/errors.ts';
import {
  type Migration,
  misformOf,
  openFile,
  RowFormat,
  requireReadable,
  schemaOf,
  standIn,
} from '../../core/store/index.ts';
import { BackupError } from './backup-error.ts';
import { DATABASES } from './contents.ts';

/** Steps of databases, by file name. */
export type Databases = Readonly<Record<string, readonly Migration[]>>;

const ownDatabases = async (): Promise<Databases> => ({
  'money.db': (await import('../../payments/money/money-schema.ts')).MONEY_MIGRATIONS,
  'lanes.db': (await import('../../payments/reports/lane-schema.ts')).LANE_MIGRATIONS,
  'templates.db': (await import('../../recognition/templates/templates-database.ts')).TEMPLATE_MIGRATIONS,
  'items.db': (await import('../../recognition/items/items-file.ts')).ITEM_MIGRATIONS,
});

/** Pages of a device are smaller: a sale would write more. */
const MOST_PAGE_BYTES = 4096;
/** No device counts so far, and a number after it is still a whole one. */
const MOST_COUNTED = 2 ** 52;

/** What a column of a type may hold, beside null. */
const FITTING: Readonly<Record<string, (column: string, most: number) => string>> = {
  INTEGER: (column, most) => `(typeof(${column}) = 'integer' AND ${column} BETWEEN -${most} AND ${most})`,
  TEXT: (column) => `typeof(${column}) = 'text'`,
  BLOB: (column) => `typeof(${column}) = 'blob'`,
  REAL: (column) => `typeof(${column}) IN ('real', 'integer')`,
};

/** Columns that hold JSON: readers of others would fail. */
const JSON_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  payments: ['bank_ref'],
  shifts: ['report'],
  events: ['body'],
};
/** The numbers of a book's rows have no gaps but those of lost rows, and each is looked for before a shift is closed. */
const MOST_LOST = 1000;

const tablesOf = (db: DatabaseSync): string[] =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^'")
    .all()
    .map(({ name }) => String(name));

const columnsOf = (db: DatabaseSync, table: string): { readonly name: string; readonly type: string }[] =>
  db
    .prepare('SELECT name, type FROM pragma_table_info(?)')
    .all(table)
    .map(({ name, type }) => ({ name: String(name), type: String(type) }));

/** Whether a table has a value that no device writes. A damaged row is known by its checksum, and is none of these. */
function hasMisfit(db: DatabaseSync, table: string): boolean {
  const columns = columnsOf(db, table);
  const most = table === 'book' ? Number.MAX_SAFE_INTEGER : MOST_COUNTED; // its name is drawn, and never counted on
  const misfits = columns.map(({ name, type }) => `NOT (${name} IS NULL OR ${FITTING[type]?.(name, most) ?? 'true'})`);
  for (const column of (columns.some(({ name }) => name === 'lane') ? [] : JSON_COLUMNS[table]) ?? [])
    misfits.push(`(${column} IS NOT NULL AND NOT json_valid(${column}))`);
  const isOfBook = ['change_no', 'checksum'].every((each) => columns.some(({ name }) => name === each));
  if (isOfBook) misfits.push('change_no > (SELECT commit_no FROM book)');
  const found = db.prepare(`SELECT * FROM ${table} WHERE ${misfits.join(' OR ')}`);
  found.setReadBigInts(true);
  if (!isOfBook) return found.get() !== undefined;
  const { lost } = db.prepare(`SELECT coalesce(max(id), 0) - count(*) AS lost FROM ${table}`).get() ?? {};
  if (Number(lost) > MOST_LOST) return true;
  const format = new RowFormat(db, table);
  for (const row of found.iterate()) if (format.isSound(row)) return true;
  return false;
}

/** @returns what is wrong, in words; null for nothing @throws {Error} of SQLite */
function faultIn(path: string, db: DatabaseSync): string | null {
  const { encoding } = db.prepare('PRAGMA encoding').get() ?? {};
  if (encoding !== 'UTF-8') return `its texts are ${String(encoding)}`;
  const bytes = Number(db.prepare('PRAGMA page_size').get()?.page_size);
  if (bytes > MOST_PAGE_BYTES) return `its pages have ${bytes} bytes`;
  const verdict = String(db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check);
  if (verdict !== 'ok') return verdict;
  const misfit = tablesOf(db).find((table) => hasMisfit(db, table));
  if (misfit !== undefined) return `its table ${misfit} holds what no device writes`;
  const hasCounter = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").get() !== undefined;
  const counter = 'SELECT 1 FROM sqlite_sequence WHERE seq NOT BETWEEN 0 AND ?';
  if (hasCounter && db.prepare(counter).get(MOST_COUNTED) !== undefined) return 'its counters are at their end';
  if (!tablesOf(db).includes('book')) return null;
  const stand = standIn(path);
  const counts = stand === null ? [] : [stand.commit, stand.lastEvent];
  return counts.length > 0 && counts.every((count) => count >= 0 && count <= MOST_COUNTED)
    ? null
    : 'its place cannot be read';
}

function judgeOne(name: string, path: string, steps: readonly Migration[]): void {
  const refuse = (what: string, cause?: unknown): never => {
    throw new BackupError('Damaged', `${name} of the backup is none of a device: ${what}; take another backup`, {
      parameters: { file: name },
      ...(cause !== undefined && { cause }),
    });
  };
  try {
    using db = openFile(path, { readOnly: true });
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
    const schema = schemaOf(db);
    const newest = steps.at(-1)?.schema ?? 0;
    if (schema > newest)
      throw new BackupError(
        'TooNew',
        `${name} of the backup has form ${schema}, and this release knows up to ${newest}: update this device, then put it back`,
        { parameters: { file: name } },
      );
    const what = schema < 1 ? `it has form ${schema}` : misformOf(db, steps);
    if (what !== null) refuse(what);
    requireReadable(db, newest);
    const fault = faultIn(path, db);
    if (fault !== null) refuse(fault);
  } catch (error) {
    if (error instanceof BackupError) throw error;
    refuse(messageOf(error), error);
  }
}

/**
 * @param unpacked folder of the backup's files
 * @param databases those of features
 * @throws {BackupError} `Damaged`, `TooNew`
 */
export async function requireDatabases(unpacked: string, databases: Databases): Promise<void> {
  const steps = { ...databases, ...(await ownDatabases()) };
  for (const { name } of DATABASES) {
    const path = join(unpacked, name);
    if (existsSync(path)) judgeOne(name, path, steps[name] ?? []);
  }
}
