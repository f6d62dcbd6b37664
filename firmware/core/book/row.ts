/**
 * A row as text, the same wherever it is read, and its checksum. Columns with their default value are left out, so that
 * columns of later releases do not change it. Beside each table lies the list of its rows by their last commits: it is
 * written with the row, and an old version of a row, whose own checksum is right, is not in it.
 */
import { hash } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';

/** A row as SQLite gives it, integers as bigints: a damaged one may exceed a plain number. */
export type RawRow = Readonly<Record<string, SQLOutputValue>>;

/** A row as its readers get it, with plain numbers. */
export type Row = Record<string, SQLOutputValue>;

/** New values of columns: integers, texts, null. */
export type Values = Readonly<Record<string, string | number | null>>;

/** A table, and the column by which writers name its rows. */
export interface TableShape {
  readonly name: string;
  readonly key: string;
  /** Columns whose last change a power cut may lose: the change is then reported again. */
  readonly repeatable: readonly string[];
}

export const plainRow = (row: RawRow): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );

/** A value as it will be read, for the checksum. SQLite stores no half character (a lone surrogate). */
function rawValue(value: string | number | null): SQLOutputValue {
  if (typeof value === 'number') return BigInt(value);
  return value?.toWellFormed() ?? null;
}

export const rawValues = (values: Values): RawRow =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, rawValue(value)]));

/** A row as plain values, to be written. */
export const valuesOf = (row: Row): Values =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' || value === null ? value : String(value),
    ]),
  );

/** Replaces the checksum of a changed row whose former content is unknown: no text has this checksum. */
export const DAMAGED = 'damaged';

export const checksumOf = (text: string): string => hash('sha256', text, 'base64url');

export function readingRaw(statement: StatementSync): StatementSync {
  statement.setReadBigInts(true);
  return statement;
}

function encoded(value: SQLOutputValue): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  // a column has such a value only when damaged: the text must only differ from that of any sound value
  if (typeof value === 'number') return JSON.stringify({ real: value });
  return value === null ? 'null' : JSON.stringify({ blob: Buffer.from(value).toString('base64') });
}

/** A column, with the text of its default. */
interface Column {
  readonly name: string;
  readonly absent: string;
}

function columnsOf(db: DatabaseSync, table: string): Column[] {
  const columns = db.prepare('SELECT name, dflt_value AS value FROM pragma_table_info(?)').all(table);
  return columns.map(({ name, value }) => {
    const absent = readingRaw(db.prepare(`SELECT ${value ?? 'NULL'} AS value`)).get();
    return { name: String(name), absent: encoded(absent?.value ?? null) };
  });
}

/** The list of a table's rows by their last commits. */
export const changesOf = (table: string): string => `${table}_changes`;

/** The SQL that makes this list. An index could not replace it: SQLite would update that even for an old version of a row. */
export const changesSchema = (table: string): string =>
  `CREATE TABLE ${changesOf(table)} (change_no INTEGER, id INTEGER, PRIMARY KEY (change_no, id)) WITHOUT ROWID;`;

/** SQL that reads rows of a table, each with `is_listed`, which `isSound` needs: whether the list has its last commit. */
export const selectFrom = (table: string, name = table): string =>
  `SELECT *, EXISTS (SELECT 1 FROM ${changesOf(table)} AS its
    WHERE its.change_no = ${name}.change_no AND its.id = ${name}.id) AS is_listed FROM ${table}${name === table ? '' : ` AS ${name}`}`;

/** The SQL condition of rows by their last commit. @param which condition on the list, such as `change_no > :since` */
export const changedWhere = (table: string, which: string): string =>
  `id IN (SELECT id FROM ${changesOf(table)} WHERE ${which})`;

/** Makes the text of a table's rows, checks whether they are sound, and restores rows. */
export class RowFormat {
  readonly #db: DatabaseSync;
  readonly #table: string;
  readonly #columns: readonly Column[];
  readonly #puts = new Map<string, StatementSync>();
  readonly #byId: StatementSync;
  readonly #newer: StatementSync;
  readonly #list: StatementSync;
  readonly #relist: StatementSync;

  constructor(db: DatabaseSync, table: string) {
    this.#db = db;
    this.#table = table;
    const columns = columnsOf(db, table).filter(({ name }) => name !== 'checksum');
    this.#columns = columns.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    this.#byId = readingRaw(db.prepare(`${selectFrom(table)} WHERE id = ?`));
    const changes = changesOf(table);
    this.#newer = db.prepare(`SELECT 1 FROM ${changes} WHERE change_no > ? AND id = ?`);
    this.#list = db.prepare(`INSERT OR IGNORE INTO ${changes} VALUES (?, ?)`);
    this.#relist = db.prepare(`UPDATE OR REPLACE ${changes} SET change_no = ?, id = ? WHERE change_no = ? AND id = ?`);
  }

  textOf(row: RawRow): string {
    const fields: string[] = [];
    for (const { name, absent } of this.#columns) {
      // an older file's table has no such column
      const value = row[name];
      const text = value === undefined ? absent : encoded(value);
      if (text !== absent) fields.push(`${JSON.stringify(name)}:${text}`);
    }
    return `{${fields.join(',')}}`;
  }

  /** Whether a row has its right checksum. It may be an old version. */
  isWhole(row: RawRow): boolean {
    return row.checksum === checksumOf(this.textOf(row));
  }

  /** Whether a row that `selectFrom` has read is as its last commit has written it. */
  isSound(row: RawRow): boolean {
    return row.is_listed === 1n && this.isWhole(row);
  }

  /** Whether a row was written by a later commit than this one. Reads the list from this commit on. */
  isOutdated(id: number, change: number): boolean {
    return this.#newer.get(change, id) !== undefined;
  }

  /** Puts the last commit of a row into the list, in place of the commit before. */
  list(before: RawRow | undefined, row: RawRow): void {
    const place = [row.change_no ?? null, row.id ?? null] as const;
    const isMoved =
      before !== undefined && this.#relist.run(...place, before.change_no ?? null, before.id ?? null).changes === 1;
    if (!isMoved) this.#list.run(...place);
  }

  /** Whether a row equals the one in a line of the journal. */
  hasText(row: RawRow, values: Values): boolean {
    return this.textOf(row) === this.textOf(rawValues(values));
  }

  byId(id: number): RawRow | undefined {
    return this.#byId.get(id);
  }

  /** Writes a row from a line of the journal over the row of its id. It fits the table's rules, as at its first writing. */
  put(values: Values): void {
    const row = rawValues(values);
    const known = this.#columns.flatMap(({ name }) => (row[name] === undefined ? [] : [{ name, value: row[name] }]));
    const checksum = values.checksum === DAMAGED ? DAMAGED : checksumOf(this.textOf(row));
    const names = [...known.map(({ name }) => name), 'checksum'];
    const sql = `INSERT OR REPLACE INTO ${this.#table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    const statement = this.#puts.get(sql) ?? this.#db.prepare(sql);
    this.#puts.set(sql, statement);
    const before = this.byId(Number(values.id));
    statement.run(...known.map(({ value }) => value), checksum);
    this.list(before, row);
  }
}
