/**
 * A row as text, the same wherever it is read, and its checksum. A column that holds its default is left out, so that columns of
 * later releases do not change it; nor does one that is renamed, until the row is written again.
 */
import { hash } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';

/** As SQLite gives it, integers as bigints: a damaged one may be greater than a number can hold. */
export type RawRow = Readonly<Record<string, SQLOutputValue>>;

/** A row as its readers get it, with plain numbers. */
export type Row = Record<string, SQLOutputValue>;

export const plainRow = (row: RawRow): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );

export const plainOrNull = (row: RawRow | null | undefined): Row | null => (row ? plainRow(row) : null);

/** A row after one change, wherever it is kept. */
export interface Version {
  readonly id: number;
  /** Number of the change that made it; each change of the table has a greater one than all before. */
  readonly change: number;
  readonly checksum: string;
  /** JSON of the columns, by name. */
  readonly text: string;
}

/**
 * - `good`: what was written
 * - `new`: written by a release that knows of no checksums
 * - `damaged`: something else than what was written
 */
type RowState = 'good' | 'new' | 'damaged';

/** In the place of the checksum of a row that is damaged for good: no text has it. */
export const DAMAGED = 'damaged';

export const checksumOf = (text: string): string => hash('sha256', text, 'base64url');

export function readingRaw(statement: StatementSync): StatementSync {
  statement.setReadBigInts(true);
  return statement;
}

function encoded(value: SQLOutputValue): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  // what no column holds unless it is damaged: only its text must differ
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

export class RowFormat {
  readonly #columns: readonly Column[];

  constructor(db: DatabaseSync, table: string) {
    const columns = columnsOf(db, table).filter(({ name }) => name !== 'checksum');
    this.#columns = columns.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  textOf(row: RawRow): string {
    const fields: string[] = [];
    for (const { name, absent } of this.#columns) {
      // the table of a file from before has no such column
      const value = row[name];
      const text = value === undefined ? absent : encoded(value);
      if (text !== absent) fields.push(`${JSON.stringify(name)}:${text}`);
    }
    return `{${fields.join(',')}}`;
  }

  has(column: string): boolean {
    return this.#columns.some(({ name }) => name === column);
  }

  stateOf(row: RawRow): RowState {
    if ((row.checksum ?? null) === null) return 'new';
    return checksumOf(this.textOf(row)) === row.checksum ? 'good' : 'damaged';
  }

  /** @param row a good one */
  versionOf(row: RawRow): Version {
    return {
      id: Number(row.id),
      change: Number(row.change_no),
      checksum: String(row.checksum),
      text: this.textOf(row),
    };
  }
}

/** What the columns of a version hold; those that it does not name hold their default. */
export const valuesOf = ({ text }: Pick<Version, 'text'>): Readonly<Record<string, string | number | null>> =>
  JSON.parse(text);

/** Whether a version that was read from somewhere is what was written there. */
export function isWhole(version: Version): boolean {
  if (version.checksum !== checksumOf(version.text)) return false;
  const { id, change_no } = valuesOf(version);
  return id === version.id && change_no === version.change;
}
