/** The rows of a checked table, one by one: judged, put back as they were, marked where nothing tells what they were. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { DAMAGED, type RawRow, RowFormat, readingRaw, type Version, valuesOf } from './row.ts';
import type { Sources } from './sources.ts';

/** A table, and the column that tells its rows apart for those who write to them. */
export interface TableShape {
  readonly name: string;
  readonly key: string;
}

/**
 * - `good`: it is what was written
 * - `repaired`: it was not, and is now
 * - `damaged`: it is not, and nothing tells what was written
 * - `lost`: it is not there, and nothing tells what it was
 */
export type RowVerdict = 'good' | 'repaired' | 'damaged' | 'lost';

export class Rows {
  readonly format: RowFormat;
  readonly #db: DatabaseSync;
  readonly #name: string;
  readonly #byId: StatementSync;
  readonly #byKey: StatementSync;
  readonly #after: StatementSync;
  readonly #changedAfter: StatementSync;
  readonly #puts = new Map<string, StatementSync>();

  constructor(db: DatabaseSync, { name, key }: TableShape) {
    this.#db = db;
    this.#name = name;
    this.format = new RowFormat(db, name);
    this.#byId = readingRaw(db.prepare(`SELECT * FROM ${name} WHERE id = ?`));
    this.#byKey = readingRaw(db.prepare(`SELECT * FROM ${name} WHERE ${key} = ?`));
    this.#after = readingRaw(db.prepare(`SELECT * FROM ${name} WHERE id > ? ORDER BY id LIMIT ?`));
    this.#changedAfter = readingRaw(db.prepare(`SELECT * FROM ${name} WHERE change_no > ? ORDER BY change_no LIMIT ?`));
  }

  byId(id: number): RawRow | undefined {
    return this.#byId.get(id);
  }

  byKey(key: string): RawRow | undefined {
    return this.#byKey.get(key);
  }

  /** The next rows after an id, in order. */
  after(id: number, limit: number): RawRow[] {
    return this.#after.all(id, limit);
  }

  /** The next rows by the number of their last change. */
  changedAfter(change: number, limit: number): RawRow[] {
    return this.#changedAfter.all(change, limit);
  }

  get lastId(): number {
    return Number(this.#db.prepare(`SELECT max(id) AS id FROM ${this.#name}`).get()?.id ?? 0);
  }

  /** The greatest number of a change, true or not. */
  get highestChange(): number {
    const highest = readingRaw(this.#db.prepare(`SELECT max(change_no) AS change FROM ${this.#name}`));
    return Number(highest.get()?.change ?? 0);
  }

  /** Number of the last change. Rows that are damaged have no say: theirs may be anything. */
  get lastChange(): number {
    const newest = readingRaw(
      this.#db.prepare(`SELECT * FROM ${this.#name} WHERE change_no IS NOT NULL ORDER BY change_no DESC`),
    ).iterate();
    for (const row of newest) if (this.format.stateOf(row) === 'good') return Number(row.change_no);
    return 0;
  }

  /** Judges a row, and puts it back as it was where the sources tell. */
  judge(id: number, sources: Sources): RowVerdict {
    const row = this.byId(id);
    const known = sources.newest(id);
    if (row !== undefined) {
      const state = this.format.stateOf(row);
      if (state === 'new') return 'good';
      if (state === 'good' && Number(row.change_no) >= (known?.change ?? 0)) return 'good';
    }
    if (known !== null) {
      this.put(known);
      return 'repaired';
    }
    if (row === undefined) return 'lost';
    this.mark(row);
    return 'damaged';
  }

  /** In the place of whatever is there. */
  put(version: Version): void {
    const values = { ...valuesOf(version), checksum: version.checksum };
    this.#insert(values);
  }

  /** As it is in another file. */
  copy(row: RawRow): void {
    this.#insert(row);
  }

  /** It stays, with what can be read of it, and is known to be damaged from now on, whatever is written to it. */
  mark(row: RawRow): void {
    if (row.checksum !== DAMAGED) this.#insert({ ...readable(row), checksum: DAMAGED });
  }

  #insert(values: Readonly<Record<string, SQLInputValue>>): void {
    const names = Object.keys(values).filter((name) => name === 'checksum' || this.format.has(name));
    const sql = `INSERT OR REPLACE INTO ${this.#name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    const put = this.#puts.get(sql) ?? this.#db.prepare(sql);
    this.#puts.set(sql, put);
    put.run(...names.map((name) => values[name] ?? null));
  }
}

/** What others may read without failing: a damaged number may be greater than they can hold, a text no text any more. */
function readable(row: RawRow): Record<string, SQLInputValue> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value === 'bigint') return [name, Number.isSafeInteger(Number(value)) ? value : 0n];
      return [name, value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value];
    }),
  );
}
