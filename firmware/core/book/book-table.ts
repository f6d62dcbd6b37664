/** One table of a book. Whole rows are checked when read; changes are written once, at the end of their commit. */
import type { SQLInputValue } from 'node:sqlite';
import type { LiveBook } from './live-book.ts';
import {
  changedWhere,
  changesOf,
  checksumOf,
  DAMAGED,
  plainRow,
  type RawRow,
  type Row,
  rawValues,
  selectFrom,
  type TableShape,
  type Values,
} from './row.ts';

/** SQLite's counter of ids has no checksum: one further than this above the last row counts as damaged. */
const MOST_LOST_AT_END = 1000;
/** Most readings of rows, with a restoring after each: only a storage that loses what is written needs more. */
const MOST_READ = 3;
/** Newest rows among which a sale (in a part of a millisecond) and a report (in some) search for lost ones. */
const SOUGHT_BY_KEY = 200;
const SOUGHT_BY_REPORT = 5000;

/** The parts of a book that its tables use. */
export interface TableOwner {
  /** Runs `work` with the open book. @throws {StoreError} where the book is closed @throws {Error} of SQLite */
  with<T>(work: (live: LiveBook) => T): T;
  change(work: () => void): void;
  readonly version: number;
  readonly head: number;
  /**
   * Reports rows that are lost, or not as written. Those that the logs of the last days hold are restored at once.
   * @returns whether a row was restored: the caller reads again then
   */
  suspect(table: string, ids: readonly number[]): boolean;
}

/** A row changed by the change under way. */
interface Pending {
  /** The row before; null for a new one. */
  readonly before: RawRow | null;
  /** The row after, without the number of its commit and its checksum. */
  after: RawRow;
}

/** A row that a commit has written. */
export interface Written {
  readonly table: string;
  readonly before: Row | null;
  readonly after: Row;
  readonly text: string;
  /** Whether the row before was not as it was written: its whole content is not known. */
  readonly isDamaged: boolean;
  /** Whether a power cut may lose the change: it would be made again. */
  readonly isRepeatable: boolean;
}

/** The row of an id, and whether it is damaged; `row` is null where the row is lost. */
export interface CheckedRow {
  readonly id: number;
  readonly row: Row | null;
  readonly isDamaged: boolean;
}

type Parameters = Readonly<Record<string, SQLInputValue>>;

export class BookTable {
  readonly shape: TableShape;
  readonly #owner: TableOwner;
  readonly #pending = new Map<string, Pending>();
  /**
   * Rows read in this turn of the event loop, by their key or by `WHERE` and the condition that found them: code that
   * decides by a row and changes it reads it once.
   */
  readonly #cached = new Map<string, RawRow>();
  /** Rows as stored once the commit is made; a new row has defaults that only the table knows. */
  readonly #written = new Map<string, RawRow>();
  #lastAssigned: number | null = null;
  #ownVersion = 0;

  constructor(owner: TableOwner, shape: TableShape) {
    this.#owner = owner;
    this.shape = shape;
  }

  /** Changes whenever rows of the book may have changed. */
  get version(): number {
    return this.#owner.version;
  }

  /** Changes whenever rows of this table may have changed. */
  get ownVersion(): number {
    return this.#ownVersion;
  }

  /** Records that rows of this table may have changed outside its own changes. */
  countOtherChange(): void {
    this.#ownVersion += 1;
  }

  /** The last id given to a row, even if that row is gone. */
  get lastId(): number {
    const { name } = this.shape;
    const sql = `SELECT (SELECT max(id) FROM ${name}) AS last, (SELECT seq FROM sqlite_sequence WHERE name = '${name}') AS given`;
    const found = this.get(sql);
    const [last, given] = [Number(found?.last ?? 0), Number(found?.given ?? 0)];
    return given > last && given - last <= MOST_LOST_AT_END ? given : last;
  }

  /** The first row of a query's result, for sums and counts; it is not checked. */
  get(sql: string, values: Parameters = {}): Row | undefined {
    const row = this.#owner.with((live) => live.rawStatement(sql).get(values));
    return row && plainRow(row);
  }

  /** All rows of a query's result; they are not checked. */
  all(sql: string, values: Parameters = {}): Row[] {
    return this.#owner.with((live) => live.rawStatement(sql).all(values)).map(plainRow);
  }

  /** Whole rows that match a condition, each checked. */
  rows(which: string, values: Parameters = {}): Row[] {
    const sql = `${selectFrom(this.shape.name)} WHERE ${which}`;
    return this.#owner.with((live) => this.#checked(live, () => live.rawStatement(sql).all(values)).map(plainRow));
  }

  /** As `restoreLost`, among more of the newest rows: before a report sums them up. */
  restoreLostForReport(): boolean {
    return this.restoreLost(SOUGHT_BY_REPORT);
  }

  /**
   * The next rows by the number of their last commit, about `limit`. `last` is the commit of the row at the limit: all of
   * its rows are included, so that a commit is never split.
   */
  changedAfter(change: number, limit: number): Row[] {
    const { name } = this.shape;
    const changes = changesOf(name);
    const last = `(SELECT change_no FROM ${changes} WHERE change_no > :change ORDER BY change_no LIMIT 1 OFFSET :limit - 1)`;
    const which = changedWhere(name, `change_no > :change AND change_no <= coalesce(${last}, :head)`);
    return this.rows(`${which} ORDER BY change_no, id`, { change, limit, head: this.#owner.head });
  }

  /**
   * Looks for ids among the newest that have no row: no query shows that a row is lost. A lost row is restored, or searched
   * for in the journal.
   * @returns whether a row was restored: a query may find it now
   */
  restoreLost(most = SOUGHT_BY_KEY): boolean {
    const { name } = this.shape;
    const after = Math.max(0, this.lastId - most);
    const expected = this.lastId - after;
    const { count } = this.get(`SELECT count(*) AS count FROM ${name} WHERE id > :after`, { after }) ?? {};
    if (Number(count) >= expected) return false;
    const there = new Set(this.all(`SELECT id FROM ${name} WHERE id > :after`, { after }).map(({ id }) => Number(id)));
    const lost = Array.from({ length: expected }, (_, n) => after + 1 + n).filter((id) => !there.has(id));
    return this.#owner.suspect(name, lost);
  }

  isThere(id: number): boolean {
    return this.#owner.with((live) => live.formats.get(this.shape.name)?.byId(id) !== undefined);
  }

  /** The row of a key, read once in a turn of the event loop; within a change, the row as changed so far. */
  find(key: string): Row | null {
    const row = this.#readOnce(key, `${this.shape.key} = ?`, key);
    if (row !== undefined || !this.restoreLost()) return orNull(row);
    return orNull(this.#readOnce(key, `${this.shape.key} = ?`, key));
  }

  /** The first row that matches a condition, read once in a turn of the event loop. Not for use within a change. */
  first(which: string): Row | null {
    const row = this.#readOnce(`WHERE ${which}`, which);
    if (row !== undefined && this.#cached.has(`WHERE ${which}`)) this.#cached.set(String(row[this.shape.key]), row);
    return orNull(row);
  }

  /** Within a change: sets columns of a row. */
  set(key: string, values: Values): void {
    const row = this.#pendingOf(key);
    if (row !== undefined) row.after = { ...row.after, ...rawValues(values) };
  }

  add(key: string, values: Values): void {
    this.#lastAssigned ??= this.lastId;
    this.#lastAssigned += 1;
    this.#pending.set(key, { before: null, after: { id: BigInt(this.#lastAssigned), ...rawValues(values) } });
  }

  /** Within a change: changes data beside the rows, which is not in the journal. */
  run(sql: string, values: Parameters): void {
    this.#owner.with((live) => live.statement(sql).run(values));
  }

  /** Makes one commit, whole or not at all; a nested call joins it. @throws {Error} nothing has changed then */
  change(work: () => void): void {
    this.#owner.change(work);
  }

  /** The next rows after an id, in order, each checked; a lost row is listed, too. */
  checked(after: number, limit: number): CheckedRow[] {
    const { name } = this.shape;
    return this.#owner.with((live) => {
      const sql = `${selectFrom(name)} WHERE id > ? ORDER BY id LIMIT ?`;
      const read = (): RawRow[] => this.#checked(live, () => live.rawStatement(sql).all(after, limit));
      let found = read();
      const last = found.length < limit ? this.lastId : Number(found.at(-1)?.id);
      const ids = Array.from({ length: Math.min(last - after, limit) }, (_, n) => after + 1 + n);
      const present = new Set(found.map((row) => Number(row.id)));
      const missing = ids.filter((id) => !present.has(id));
      if (missing.length > 0 && this.#owner.suspect(name, missing)) found = read();
      const byId = new Map(found.map((row) => [Number(row.id), row]));
      return ids.map((id) => {
        const row = byId.get(id);
        return { id, row: orNull(row), isDamaged: row !== undefined && !this.#isSound(live, row) };
      });
    });
  }

  /** Whether the row of an id is sound; a damaged one is restored where possible. */
  isSound(id: number): boolean {
    return this.#owner.with((live) => {
      const format = live.formats.get(this.shape.name);
      const [row] = this.#checked(live, () => [format?.byId(id)].filter((each) => each !== undefined));
      return row !== undefined && this.#isSound(live, row);
    });
  }

  /** Writes pending rows as part of a commit, each with its number and checksum, and adds them to `written`. */
  write(live: LiveBook, commit: number, written: Written[]): void {
    for (const [key, pending] of this.#pending) {
      const row = this.#write(live, key, pending, commit);
      if (row !== null) written.push(row);
    }
  }

  /** Ends a change. Its rows need not be read again in this turn of the event loop; others are read anew. */
  end(isCommitted: boolean): void {
    if (this.#pending.size > 0) this.#ownVersion += 1;
    this.#pending.clear();
    this.#cached.clear();
    this.#lastAssigned = null;
    if (isCommitted) for (const [key, row] of this.#written) if (row.checksum !== DAMAGED) this.#cache(key, row);
    this.#written.clear();
  }

  /** Caches a row until this turn of the event loop ends. @param name as in `#cached` */
  #cache(name: string, row: RawRow): void {
    if (this.#cached.size === 0) setImmediate(() => this.#cached.clear());
    this.#cached.set(name, row);
  }

  /** @param name as in `#cached` @param which the condition, in SQL */
  #readOnce(name: string, which: string, ...values: SQLInputValue[]): RawRow | undefined {
    const pending = this.#pending.get(name);
    if (pending !== undefined) return pending.after;
    const known = this.#cached.get(name);
    if (known !== undefined) return known;
    const sql = `${selectFrom(this.shape.name)} WHERE ${which}`;
    return this.#owner.with((live) => {
      const get = (): RawRow[] => [live.rawStatement(sql).get(...values)].filter((each) => each !== undefined);
      const [row] = this.#checked(live, get);
      // a damaged row is read each time: it may have been restored, and each reader must report it
      if (row !== undefined && this.#isSound(live, row)) this.#cache(name, row);
      return row;
    });
  }

  /** Rows as `read` gives them, read again where a damaged one was restored: it may not match any more. */
  #checked(live: LiveBook, read: () => RawRow[]): RawRow[] {
    for (let tries = 1; ; tries += 1) {
      const rows = read();
      const unsound = rows.filter((row) => !this.#isSound(live, row)).map(({ id }) => Number(id));
      if (unsound.length === 0 || !this.#owner.suspect(this.shape.name, unsound) || tries === MOST_READ) return rows;
    }
  }

  #isSound(live: LiveBook, row: RawRow): boolean {
    return live.formats.get(this.shape.name)?.isSound(row) === true;
  }

  #pendingOf(key: string): Pending | undefined {
    const present = this.#pending.get(key);
    if (present !== undefined) return present;
    const before = this.#readOnce(key, `${this.shape.key} = ?`, key);
    if (before === undefined) return undefined;
    const pending = { before, after: before };
    this.#pending.set(key, pending);
    return pending;
  }

  /** Writes one pending row. @returns null for an unchanged row */
  #write(live: LiveBook, key: string, { before, after }: Pending, commit: number): Written | null {
    const changed = Object.keys(after).filter((name) => before === null || before[name] !== after[name]);
    if (changed.length === 0) return null;
    const { name, key: keyColumn, repeatable } = this.shape;
    const format = live.formats.get(name);
    if (format === undefined) throw new Error(`the book has no table ${name}`);
    const numbered = { ...after, change_no: BigInt(commit) };
    const text = format.textOf(numbered);
    // a damaged row must not get a right checksum; its new values are still stored
    const checksum = before !== null && !format.isSound(before) ? DAMAGED : checksumOf(text);
    const row: RawRow = { ...numbered, checksum };
    const columns = [...new Set([...changed, 'change_no', 'checksum'])];
    const values = Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
    const sql =
      before === null
        ? `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`
        : `UPDATE ${name} SET ${columns.map((column) => `${column} = :${column}`).join(', ')} WHERE ${keyColumn} = :rowKey`;
    live.statement(sql).run(before === null ? values : { ...values, rowKey: key });
    format.list(before ?? undefined, row);
    if (before !== null) this.#written.set(key, row);
    return {
      table: name,
      before: before === null ? null : plainRow(before),
      after: plainRow(numbered),
      text: checksum === DAMAGED ? `${text.slice(0, -1)},"checksum":"${DAMAGED}"}` : text,
      isDamaged: checksum === DAMAGED,
      isRepeatable: changed.every((column) => repeatable.includes(column)),
    };
  }
}

const orNull = (row: RawRow | undefined): Row | null => (row === undefined ? null : plainRow(row));
