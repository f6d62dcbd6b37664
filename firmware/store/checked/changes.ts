/** Changes of a table's rows: each is kept whole or not at all, and each row gets the number of its change and a checksum. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { transaction } from '../database.ts';
import { checksumOf, DAMAGED, type RawRow, type Version } from './row.ts';
import type { Rows, TableShape } from './rows.ts';

export interface ChangesOptions {
  readonly db: DatabaseSync;
  readonly rows: Rows;
  readonly shape: TableShape;
  /** Number of the last change so far. */
  readonly last: number;
  /** Looks at a row that is about to be changed, and puts it right where it can be. */
  readonly repair: (row: RawRow) => void;
  /** Called with each row that is set or added, in the same commit. `before`: null for a new one. */
  readonly changed: (before: RawRow | null, after: RawRow) => void;
}

/** What columns are to hold: integers, texts, null. */
export type Values = Readonly<Record<string, string | number | null>>;

/** A row of the change that is under way; it is written once, at the end of it. */
interface Pending {
  /** Null for a new one. */
  readonly before: RawRow | null;
  /** As it becomes, but for its number and its checksum. */
  after: RawRow;
}

export class Changes {
  readonly #options: ChangesOptions;
  #last: number;
  #isUnderWay = false;
  readonly #pending = new Map<string, Pending>();
  /** Rows as they lie, that were read in this turn of the event loop: by their key, or by the condition that they fit. */
  readonly #read = new Map<string, RawRow>();
  /** The last id that the change under way has given; null where it has given none. */
  #lastId: number | null = null;

  constructor(options: ChangesOptions) {
    this.#options = options;
    this.#last = options.last;
  }

  /** Number of the last change. */
  get last(): number {
    return this.#last;
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /**
   * @returns what the rows have become, in the order of the changes
   * @throws {Error} of SQLite; nothing has changed then
   */
  make(work: () => void): Version[] {
    const written = new Map<string, RawRow>();
    this.#isUnderWay = true;
    try {
      return transaction(this.#options.db, () => {
        work();
        return [...this.#pending].flatMap(([key, row]) => this.#write(key, row, written) ?? []);
      });
    } catch (error) {
      written.clear();
      throw error;
    } finally {
      this.#isUnderWay = false;
      this.#lastId = null;
      this.#read.clear();
      this.#pending.clear();
      for (const [key, row] of written) this.#keep(key, row);
    }
  }

  /** To be called where rows have become others without it. */
  forget(): void {
    this.#read.clear();
  }

  /** A row as it lies. Who decides by it and changes it reads it once. */
  find(key: string): RawRow | undefined {
    return this.#readOnce(key, () => this.#options.rows.byKey(key));
  }

  /** The first row that fits a condition, in the same way. */
  first(which: string): RawRow | undefined {
    const { rows, shape } = this.#options;
    const row = this.#readOnce(`WHERE ${which}`, () => rows.first(which));
    if (row !== undefined) this.#read.set(String(row[shape.key]), row);
    return row;
  }

  #readOnce(name: string, read: () => RawRow | undefined): RawRow | undefined {
    const row = this.#read.get(name) ?? read();
    if (row !== undefined) this.#keep(name, row);
    return row;
  }

  #keep(name: string, row: RawRow): void {
    if (this.#read.size === 0) setImmediate(() => this.#read.clear());
    this.#read.set(name, row);
  }

  /** A row as the change that is under way leaves it so far; undefined where there is none. */
  row(key: string): RawRow | undefined {
    return this.#pendingOf(key)?.after;
  }

  /** Sets columns of a row, which is written with its checksum at the end of the change that is under way. */
  set(key: string, values: Values): void {
    const row = this.#pendingOf(key);
    if (row !== undefined) row.after = { ...row.after, ...rawValues(values) };
  }

  add(key: string, values: Values): void {
    this.#lastId ??= this.#options.rows.lastId;
    this.#lastId += 1;
    this.#pending.set(key, { before: null, after: { id: BigInt(this.#lastId), ...rawValues(values) } });
  }

  /** It is looked at before it is changed: what is damaged is put right, or must not get a right checksum. */
  #pendingOf(key: string): Pending | undefined {
    const present = this.#pending.get(key);
    if (present !== undefined) return present;
    const { rows, repair } = this.#options;
    let before = this.find(key);
    if (before === undefined) return undefined;
    if (rows.format.stateOf(before) === 'damaged') {
      repair(before);
      before = rows.byKey(key) ?? before;
    }
    const pending = { before, after: before };
    this.#pending.set(key, pending);
    return pending;
  }

  /**
   * @param written is given the row as it lies from now on; a new one has defaults that only the table knows
   * @returns null where nothing of it is new and it has a checksum, or where it is damaged for good
   */
  #write(key: string, { before, after }: Pending, written: Map<string, RawRow>): Version | null {
    const columns = Object.keys(after).filter((name) => before === null || before[name] !== after[name]);
    if (columns.length === 0 && before?.checksum !== null) return null;
    const { rows, changed } = this.#options;
    const columnValues = Object.fromEntries(columns.map((name) => [name, after[name] ?? null]));
    if (before?.checksum === DAMAGED) {
      this.#statement(before, columns).run({ ...columnValues, rowKey: key });
      changed(before, after);
      return null;
    }
    this.#last += 1;
    const change = this.#last;
    const text = rows.format.textOf({ ...after, change_no: BigInt(change) });
    const checksum = checksumOf(text);
    const values = { ...columnValues, change_no: BigInt(change), checksum };
    const statement = this.#statement(before, [...columns, 'change_no', 'checksum']);
    statement.run(before === null ? values : { ...values, rowKey: key });
    changed(before, after);
    if (before !== null) written.set(key, { ...after, change_no: BigInt(change), checksum });
    return { id: Number(after.id), change, checksum, text };
  }

  #statement(before: RawRow | null, columns: readonly string[]): StatementSync {
    const { name, key } = this.#options.shape;
    const values = columns.map((column) => `:${column}`).join(', ');
    const sql =
      before === null
        ? `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${values})`
        : `UPDATE ${name} SET ${columns.map((column) => `${column} = :${column}`).join(', ')} WHERE ${key} = :rowKey`;
    return this.#options.rows.statement(sql);
  }
}

/** As they will be read: the checksum is made of that. SQLite keeps no half character (a lone surrogate). */
function rawValue(value: string | number | null): SQLOutputValue {
  if (typeof value === 'number') return BigInt(value);
  return value?.toWellFormed() ?? null;
}

const rawValues = (values: Values): RawRow =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, rawValue(value)]));
