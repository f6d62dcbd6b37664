/** A table with checksums, a journal and copies: what the storage loses or changes is noticed, reported by row and restored. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { StoreError } from '../errors.ts';
import { isOfStorage, writeFailure } from '../write-failure.ts';
import type { Values as ColumnValues } from './changes.ts';
import { type Finding, Findings } from './findings.ts';
import { JournalContent, previousFile } from './journal-content.ts';
import { type CheckedRow, LiveTable } from './live-table.ts';
import { journalOf, type OpenedTable, openTable, replicasOf, type TableFile, tableClosed } from './open-table.ts';
import { rebuiltOf } from './rebuild.ts';
import type { ReplicationJob } from './replicate.ts';
import { plainOrNull, type Row } from './row.ts';
import type { TableShape } from './rows.ts';

/** Rows that are given checksums with one commit: a call waits for no more. */
const ROWS_A_PIECE = 100;

type Values = Readonly<Record<string, SQLInputValue>>;

export class CheckedTable {
  readonly #shape: TableShape;
  /** Null for a database that has nothing beside it. */
  readonly #file: TableFile | null;
  readonly #findings = new Findings();
  #changed: (before: Row | null, after: Row) => void = () => undefined;
  #openings = 0;
  #version = 0;
  #live: LiveTable | null = null;
  #failure: StoreError | null = null;
  #isAtWork = false;

  private constructor(shape: TableShape, file: TableFile | null) {
    this.#shape = shape;
    this.#file = file;
  }

  /** Never fails because of the storage: where that gives or takes nothing, the table is closed. See {@link problem}. */
  static open(file: TableFile): CheckedTable {
    const table = new CheckedTable(file.shape, file);
    table.tryOpening();
    return table;
  }

  /** A database in memory: its rows are checked, and nothing is kept beside it. */
  static over(db: DatabaseSync, shape: TableShape): CheckedTable {
    const table = new CheckedTable(shape, null);
    const journal = JournalContent.NONE;
    table.#begin({ db, tableId: 0, journal, known: 0, setAside: null, isUnconfirmed: false });
    return table;
  }

  /** Opens it where it is closed. @returns whether it has @throws {Error} that is not of the storage */
  tryOpening(): boolean {
    if (this.#file === null || this.#live !== null) return false;
    try {
      this.#begin(openTable(this.#file));
      return true;
    } catch (error) {
      if (!isOfStorage(error)) throw error;
      this.#failure = tableClosed(error);
      return false;
    }
  }

  /** Why the table is closed: each call fails with this error. Null when it is open. */
  get problem(): StoreError | null {
    return this.#live === null ? this.#failure : null;
  }

  /** Where a damaged file was set aside, at the start or since; null when it was whole. */
  get setAside(): string | null {
    return this.#live?.opened.setAside ?? null;
  }

  get findings(): ReadonlyMap<number, Finding> {
    return this.#findings.byId;
  }

  /** Why the last change is not in the journal yet; null when it is. */
  get journalProblem(): string | null {
    return this.#live?.journal?.problem ?? null;
  }

  /** Another one whenever the journal may have lost lines: with each opening, and where it could not be written. */
  get lapses(): string {
    return `${this.#openings} ${this.#live?.journal?.failures ?? 0}`;
  }

  get lastId(): number {
    return this.#withRepair(({ rows }) => rows.lastId);
  }

  get(sql: string, values: Values = {}): Row | undefined {
    return this.#withRepair((live) => live.rows.statement(sql).get(values));
  }

  all(sql: string, values: Values = {}): Row[] {
    return this.#withRepair((live) => live.rows.statement(sql).all(values));
  }

  /** The row of a key. It is read once in a turn of the event loop; not in the work of {@link change}. */
  find(key: string): Row | null {
    return plainOrNull(this.#withRepair(({ changes }) => changes.find(key)));
  }

  /** The first row that fits a condition, in the same way. */
  first(which: string): Row | null {
    return plainOrNull(this.#withRepair(({ changes }) => changes.first(which)));
  }

  /** @param changed called with each row that {@link set} or {@link add} changes, before the commit; what it writes is part of that */
  onChanged(changed: (before: Row | null, after: Row) => void): void {
    this.#changed = changed;
  }

  /** How often it has been opened: with each its rows may be others. */
  get openings(): number {
    return this.#openings;
  }

  /** Another one whenever its rows may have become others. */
  get version(): number {
    return this.#version;
  }

  get isChanging(): boolean {
    return this.#live?.changes.isUnderWay ?? false;
  }

  /** In the work of {@link change}: a row as that leaves it so far. */
  row(key: string): Row | null {
    return plainOrNull(this.#open.changes.row(key));
  }

  /** In the work of {@link change}: sets columns of a row. It is written once, with its checksum. */
  set(key: string, values: ColumnValues): void {
    this.#open.changes.set(key, values);
  }

  add(key: string, values: ColumnValues): void {
    this.#open.changes.add(key, values);
  }

  run(sql: string, values: Values): void {
    this.#open.rows.statement(sql).run(values);
  }

  /**
   * One change, kept whole or not at all; what is begun within another becomes part of it.
   * @throws {Error} of SQLite; nothing has changed then
   */
  change(work: () => void): void {
    this.#version += 1;
    this.#requirePlace();
    const { changes } = this.#open;
    if (changes.isUnderWay) work();
    else {
      const versions = this.#withRepair((live) => live.changes.make(work));
      this.#version += 1;
      this.#open.record(versions);
    }
  }

  /** The next rows after an id, in order, each checked; what can be put back is, and one that is lost has its place. */
  checked(after: number, limit: number): CheckedRow[] {
    this.#version += 1; // some may be put back
    const found = this.#withRepair(({ rows }) => rows.after(after, limit));
    const last = found.length < limit ? this.lastId : Number(found.at(-1)?.id); // the last ones may be lost
    return this.#open.check(idsBehind(after, last, limit), found);
  }

  /** Looks at some rows, and puts back what can be. */
  verify(ids: readonly number[]): void {
    const suspects = this.#withRepair((live) => ids.filter((id) => live.isSuspect(live.rows.byId(id))));
    this.#version += 1;
    this.#open.repair(suspects);
  }

  /** Compares rows that somebody suspects with the journal and the copies. @returns the ids of those that were put back */
  repair(ids: readonly number[]): number[] {
    this.#version += 1;
    return this.#withRepair((live) => live.repair(ids));
  }

  /** Takes in that a copy knew other rows under some ids: it was set aside. */
  noteConflicts(ids: readonly number[]): void {
    for (const id of ids) this.#findings.note(id, 'conflicting');
  }

  /** Opens the file again, where it is suspected, and rebuilds it where it is damaged. */
  recheck(): void {
    if (this.#file !== null) this.#reopen(this.#file);
  }

  /** Where the copies lie; the first is beside the database. None while it is closed. */
  get replicas(): readonly string[] {
    return this.#file === null || this.#live === null ? [] : replicasOf(this.#file, this.#live.opened.tableId);
  }

  get companions(): readonly string[] {
    if (this.#file === null) return [];
    const journal = journalOf(this.#file.path);
    return [journal, previousFile(journal), rebuiltOf(this.#file.path), ...replicasOf(this.#file, 0).slice(0, 1)];
  }

  /** What a thread needs to find it. */
  get description(): Pick<ReplicationJob, 'path' | 'shape' | 'tableId'> {
    const { tableId } = this.#open.opened;
    return { path: this.#file?.path ?? ':memory:', shape: this.#shape, tableId };
  }

  /** Number of the last change; 0 while it is closed. */
  get head(): number {
    return this.#live?.changes.last ?? 0;
  }

  /** Gives checksums to rows that a backup of another device has brought without. @returns whether there may be more of them */
  addChecksums(): boolean {
    const { name, key } = this.#shape;
    const rows = this.all(`SELECT id, ${key} AS key FROM ${name} WHERE change_no IS NULL LIMIT ${ROWS_A_PIECE}`);
    // none of them has changed since the start: what the journal held then is enough
    const live = this.#open;
    live.repair(
      rows.map(({ id }) => Number(id)),
      live.opened.journal.of(live.opened.tableId),
    );
    if (rows.length > 0)
      this.change(() => {
        for (const row of rows) this.set(String(row.key), {});
      });
    return rows.length > 0;
  }

  /** Ids of rows that were restored, though they may have changed since; each is reported once. */
  takeUnconfirmed(): number[] {
    return this.#findings.takeUnconfirmed();
  }

  /** Whether the journal has grown so much that a new file of it should be begun. */
  get isJournalLong(): boolean {
    return this.#live?.journal?.isLong ?? false;
  }

  /** Begins a new file of the journal where it has grown long. The copies must have what is in it. */
  rotateJournal(): void {
    if (this.isJournalLong) this.#live?.journal?.rotate();
  }

  /** Writes to the disk and changes nothing. @throws {Error} of SQLite when it cannot */
  tryWrite(): void {
    const { db } = this.#open.opened;
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    db.exec(`PRAGMA user_version = ${version}`); // its page is written although it is the same
  }

  close(): void {
    this.#live?.close();
  }

  get #open(): LiveTable {
    if (this.#live === null) throw this.#failure ?? tableClosed(new Error('it was never opened'));
    return this.#live;
  }

  /** Does something with the database; where that turns out to be damaged, it is rebuilt before. */
  #withRepair<T>(work: (live: LiveTable) => T): T {
    if (this.#isAtWork) return work(this.#open); // within another, which starts over from its own beginning
    this.#isAtWork = true;
    try {
      return work(this.#open);
    } catch (error) {
      if (this.#file === null || this.#live === null || writeFailure(error) !== 'damaged') throw error;
      this.#reopen(this.#file);
      return work(this.#open);
    } finally {
      this.#isAtWork = false;
    }
  }

  /** A file that is gone, or another one in its place, is rebuilt from the journal and the copies before more is acknowledged. */
  #requirePlace(): void {
    if (this.#file === null || this.#live === null || this.#isAtWork) return;
    if (!this.#live.changes.isUnderWay && !this.#live.isInPlace) this.#reopen(this.#file);
  }

  #reopen(file: TableFile): void {
    this.#leave();
    try {
      this.#begin(openTable(file, true));
    } catch (error) {
      if (isOfStorage(error)) this.#failure = tableClosed(error);
      throw this.#failure ?? error;
    }
  }

  #leave(): void {
    const live = this.#live;
    this.#live = null;
    live?.abandon();
  }

  #begin(opened: OpenedTable): void {
    this.#openings += 1;
    this.#version += 1;
    try {
      const changed = (before: Row | null, after: Row): void => this.#changed(before, after);
      this.#live = new LiveTable(opened, { shape: this.#shape, file: this.#file, findings: this.#findings, changed });
      this.#live.begin();
    } catch (error) {
      this.#leave();
      throw error;
    }
  }
}

/** Every id behind one up to another, at most `limit`. */
function idsBehind(after: number, last: number, limit: number): number[] {
  return Array.from({ length: Math.min(last - after, limit) }, (_, n) => after + 1 + n);
}
