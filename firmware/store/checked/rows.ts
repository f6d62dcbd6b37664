/** The rows of a checked table, one by one: checked, restored, marked where their content is unknown. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Backups } from './backups.ts';
import { keyIn, type RowKeys } from './divergence.ts';
import { DAMAGED, type RawRow, RowFormat, readingRaw, type Version, valuesOf } from './row.ts';

/** A table, and the column that identifies its rows for those who write to them. */
export interface TableShape {
  readonly name: string;
  readonly key: string;
}

/**
 * - `good`: it is what was written
 * - `repaired`: it was not, and is now
 * - `damaged`: it is not, and what was written is unknown
 * - `lost`: it is not there, and its content is unknown
 * - `altered`: a program that knows of no checksums has made it something else than what was written
 * - `conflicting`: it is good, and the journal or a copy knows another one under its id
 */
export type RowVerdict = 'good' | 'repaired' | 'damaged' | 'lost' | 'altered' | 'conflicting';

/** More ids than that are never given to rows that are lost: the counter of a table carries no checksum. */
const MOST_LOST_AT_END = 1000;

export class Rows implements RowKeys {
  readonly format: RowFormat;
  readonly #db: DatabaseSync;
  readonly #name: string;
  readonly #key: string;
  readonly #byId: StatementSync;
  readonly #byKey: StatementSync;
  readonly #after: StatementSync;
  readonly #changedAfter: StatementSync;
  readonly #lastIds: StatementSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #firsts = new Map<string, StatementSync>();

  constructor(db: DatabaseSync, { name, key }: TableShape) {
    this.#db = db;
    this.#name = name;
    this.#key = key;
    this.format = new RowFormat(db, name);
    this.#byId = readingRaw(db.prepare(`SELECT * FROM ${name} WHERE id = ?`));
    this.#byKey = readingRaw(db.prepare(`SELECT * FROM ${name} WHERE ${key} = ?`));
    this.#after = readingRaw(db.prepare(`SELECT * FROM ${name} WHERE id > ? ORDER BY id LIMIT ?`));
    // SQLite counts the ids, which are never given twice (https://www.sqlite.org/autoinc.html)
    this.#lastIds = db.prepare(
      `SELECT (SELECT max(id) FROM ${name}) AS last, (SELECT seq FROM sqlite_sequence WHERE name = ?) AS given`,
    );
    this.#changedAfter = readingRaw(db.prepare(`SELECT * FROM ${name} WHERE change_no > ? ORDER BY change_no LIMIT ?`));
  }

  /** Prepared once. */
  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  byId(id: number): RawRow | undefined {
    return this.#byId.get(id);
  }

  byKey(key: string): RawRow | undefined {
    return this.#byKey.get(key);
  }

  first(which: string): RawRow | undefined {
    const known = this.#firsts.get(which);
    const statement = known ?? readingRaw(this.#db.prepare(`SELECT * FROM ${this.#name} WHERE ${which}`));
    this.#firsts.set(which, statement);
    return statement.get();
  }

  /** The next rows after an id, in order. */
  after(id: number, limit: number): RawRow[] {
    return this.#after.all(id, limit);
  }

  /** The next rows by the number of their last change. */
  changedAfter(change: number, limit: number): RawRow[] {
    return this.#changedAfter.all(change, limit);
  }

  /** The last id that was given to a row, whether that is still there or not. */
  get lastId(): number {
    const found = this.#lastIds.get(this.#name);
    const [last, given] = [Number(found?.last ?? 0), Number(found?.given ?? 0)];
    return given > last && given - last <= MOST_LOST_AT_END ? given : last;
  }

  /** Whether there is a row for each id, and none that is damaged for good. */
  get areAllThere(): boolean {
    const whole = this.#db.prepare(`SELECT count(*) AS n FROM ${this.#name} WHERE checksum IS NOT '${DAMAGED}'`).get();
    return Number(whole?.n) === this.lastId;
  }

  /** Gives no id up to this one any more. */
  raiseCounter(id: number): void {
    this.#db.prepare('UPDATE sqlite_sequence SET seq = ? WHERE name = ? AND seq < ?').run(id, this.#name, id);
  }

  /** Null where there is no row of this id, or none that is good. */
  keyOf(id: number): string | null {
    const row = this.byId(id);
    return row !== undefined && this.format.stateOf(row) === 'good' ? this.#keyIn(row) : null;
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

  /** Checks a row, and restores it where the backups have it. */
  repair(id: number, backups: Backups): RowVerdict {
    const row = this.byId(id);
    const known = backups.newest(id);
    const state = row === undefined ? 'lost' : this.format.stateOf(row);
    if (row !== undefined && state === 'new') return this.#compareNew(row, known);
    if (row !== undefined && state === 'good') {
      if (known === null || Number(row.change_no) >= known.change) return 'good';
      if (keyIn(known, this.#key) !== this.#keyIn(row)) return 'conflicting';
    }
    if (known !== null && this.#isFree(known)) {
      this.put(known);
      return 'repaired';
    }
    if (row === undefined) return 'lost';
    this.mark(row);
    return 'damaged';
  }

  #compareNew(row: RawRow, known: Version | null): RowVerdict {
    if (known === null) return 'good';
    if (keyIn(known, this.#key) !== this.#keyIn(row)) return 'conflicting';
    const numbered = { ...row, change_no: BigInt(known.change) };
    return this.format.textOf(numbered) === known.text ? 'good' : 'altered';
  }

  /** Whether no good row of another id has its key: such a one would go when this one is put. */
  #isFree(version: Version): boolean {
    const holder = this.byKey(keyIn(version, this.#key));
    return holder === undefined || Number(holder.id) === version.id || this.format.stateOf(holder) === 'damaged';
  }

  #keyIn(row: RawRow): string {
    return String(row[this.#key]);
  }

  /** Whether a row of this id and key may be put: none of another key, or of another id, would go. */
  admits(id: number, key: string): boolean {
    const [present, holder] = [this.byId(id), this.byKey(key)];
    return (
      (present === undefined || this.#keyIn(present) === key) && (holder === undefined || Number(holder.id) === id)
    );
  }

  /** Inserts the row, or replaces the present one. */
  put(version: Version): void {
    const values = { ...valuesOf(version), checksum: version.checksum };
    this.#insert(values);
  }

  copy(row: RawRow): void {
    this.#insert(row);
  }

  /** Marks a row as damaged for good, later writes included. It stays, with the columns that can be read. */
  mark(row: RawRow): void {
    if (row.checksum !== DAMAGED) this.#insert({ ...readable(row), checksum: DAMAGED });
  }

  #insert(values: Readonly<Record<string, SQLInputValue>>): void {
    const present = Object.entries(values).filter(([column]) => column === 'checksum' || this.format.has(column));
    const names = present.map(([name]) => name);
    const sql = `INSERT OR REPLACE INTO ${this.#name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    this.statement(sql).run(...present.map(([, value]) => value ?? null));
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
