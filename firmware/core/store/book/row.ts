/**
 * A row as text, the same wherever it is read, and its checksum. Columns with their default value are left out, so that
 * columns of later releases do not change it.
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

/** A value as it will be read, for the checksum. SQLite keeps no half character (a lone surrogate). */
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
  // a column holds such a value only when damaged: its text must just differ
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

/** Makes the text of a table's rows, checks whether they are sound, and puts rows back. */
export class RowFormat {
  readonly #db: DatabaseSync;
  readonly #table: string;
  readonly #columns: readonly Column[];
  readonly #puts = new Map<string, StatementSync>();
  readonly #byId: StatementSync;

  constructor(db: DatabaseSync, table: string) {
    this.#db = db;
    this.#table = table;
    const columns = columnsOf(db, table).filter(({ name }) => name !== 'checksum');
    this.#columns = columns.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    this.#byId = readingRaw(db.prepare(`SELECT * FROM ${table} WHERE id = ?`));
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

  isSound(row: RawRow): boolean {
    return row.checksum === checksumOf(this.textOf(row));
  }

  /** Whether a row equals the one in a line of the journal. */
  hasText(row: RawRow, values: Values): boolean {
    return this.textOf(row) === this.textOf(rawValues(values));
  }

  byId(id: number): RawRow | undefined {
    return this.#byId.get(id);
  }

  /** Writes a row from a line of the journal over the row of its id. It fits the table's rules, as it did before. */
  put(values: Values): void {
    const row = rawValues(values);
    const known = this.#columns.flatMap(({ name }) => (row[name] === undefined ? [] : [{ name, value: row[name] }]));
    const checksum = values.checksum === DAMAGED ? DAMAGED : checksumOf(this.textOf(row));
    const names = [...known.map(({ name }) => name), 'checksum'];
    const sql = `INSERT OR REPLACE INTO ${this.#table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    const statement = this.#puts.get(sql) ?? this.#db.prepare(sql);
    this.#puts.set(sql, statement);
    statement.run(...known.map(({ value }) => value), checksum);
  }
}
