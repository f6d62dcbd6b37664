/**
 * A book: tables in one database, and a journal. A commit writes its rows, appends one line to the journal, and is
 * acknowledged once the line is on the disk. So no acknowledged commit is lost by a kill, a power cut, a full disk, or
 * the damage or loss of either file. Decision 0020.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isDamagedFile, isOfStorage, namingHolder, type StoreError } from '../files/index.ts';
import { BookTable, type TableOwner, type Written } from './book-table.ts';
import type { Ahead } from './care-job.ts';
import type { Findings } from './findings.ts';
import { journalOf } from './journal-files.ts';
import type { Place } from './journal-lines.ts';
import { hashAt } from './journal-reading.ts';
import { append, type BookFile, type BookPlan, bookClosed, type LiveBook, live, storePlace } from './live-book.ts';
import { putAhead } from './newer-medium.ts';
import { DamagedBook, openBook } from './open-book.ts';
import type { Values } from './row.ts';
import { type RepairedBook, type RestoredRow, RowRepair, UnsoundWithin } from './row-repair.ts';

export class Book implements TableOwner, RepairedBook {
  readonly plan: BookPlan;
  /** Null for a database in memory. */
  readonly file: BookFile | null;
  readonly #repair: RowRepair;
  readonly #tables: ReadonlyMap<string, BookTable>;
  readonly #committed = new Set<(written: readonly Written[]) => void>();
  readonly #restored = new Set<(row: RestoredRow | null) => void>();
  #onDamaged: (cause: unknown) => void = () => undefined;
  /** The try of the change under way; null: none is. The first ends where it reads an unsound row, to be made again. */
  #changeTry: 'first' | 'last' | null = null;
  #live: LiveBook | null = null;
  #failure: StoreError | null = null;
  #isDamaged = false;
  #version = 0;
  #openings = 0;
  #lacking: string | null = null;

  private constructor(plan: BookPlan, file: BookFile | null) {
    this.plan = plan;
    this.file = file;
    this.#repair = new RowRepair(this, file);
    this.#tables = new Map(plan.tables.map((shape) => [shape.name, new BookTable(this, shape)]));
  }

  /** Opens a book. Never fails because of the storage: the book is closed then, and {@link problem} says why. */
  static open(file: BookFile, plan: BookPlan): Book {
    const book = new Book(plan, file);
    book.tryOpening();
    return book;
  }

  /** A book in memory, without files. */
  static over(db: DatabaseSync, plan: BookPlan): Book {
    const book = new Book(plan, null);
    book.#begin(live(db, plan, null));
    return book;
  }

  table(name: string): BookTable {
    const table = this.#tables.get(name);
    if (table === undefined) throw new Error(`the book has no table ${name}`);
    return table;
  }

  /** Opens a closed book that is not damaged. @returns whether that opened it @throws {Error} not of the storage */
  tryOpening(): boolean {
    if (this.file === null || this.#live !== null || this.#isDamaged) return false;
    try {
      this.#begin(openBook(this.file, this.plan));
      return true;
    } catch (error) {
      if (error instanceof DamagedBook) this.closeDamaged(error);
      else if (isOfStorage(error)) this.#failure = bookClosed(namingHolder(this.file.path, error));
      else throw error;
      return false;
    }
  }

  /** Why the book is closed: each call fails with this error. Null when open. */
  get problem(): StoreError | null {
    return this.#live === null ? this.#failure : null;
  }

  get isChanging(): boolean {
    return this.#changeTry !== null;
  }

  get endsOnUnsound(): boolean {
    return this.#changeTry === 'first';
  }

  get findings(): Findings {
    return this.#repair.findings;
  }

  get version(): number {
    return this.#version;
  }

  get openings(): number {
    return this.#openings;
  }

  /** What the journal lacked when the book was opened, in words: all rows must be written to it again. Null: nothing. */
  get lacking(): string | null {
    return this.#lacking;
  }

  /** Number of its last commit, and the hash of the journal up to it. @throws {StoreError} while it is closed */
  get place(): Place {
    return this.#open.at;
  }

  /** Number of its last commit; 0 while it is closed. */
  get head(): number {
    return this.#live?.at.commit ?? 0;
  }

  /**
   * Whether a place is in this book's history: an older image of the card that was put back continues with the same
   * numbers, but other hashes. False, too, where the journal does not reach back to the place.
   * @throws {StoreError} while the book is closed
   */
  async hasPassed({ commit, hash }: Place): Promise<boolean> {
    const { at } = this.#open;
    if (commit === 0 || commit === at.commit) return commit === 0 || hash === at.hash;
    if (commit > at.commit || this.file === null) return false;
    return (await hashAt(journalOf(this.file.path), commit)) === hash;
  }

  /** A number that no other book has. */
  get name(): number {
    return this.with(({ statement }) => Number(statement('SELECT name FROM book').get()?.name));
  }

  /** Number of the last event. */
  get lastEvent(): number {
    return this.with(({ lastEvent }) => lastEvent);
  }

  /** @param listener called after each commit, with its rows; it must be quick, as a sale waits for it */
  onCommitted(listener: (written: readonly Written[]) => void): void {
    this.#committed.add(listener);
  }

  /** @param listener called when a row was restored, without a commit; with null when the book opens: any row may differ */
  onRestored(listener: (row: RestoredRow | null) => void): void {
    this.#restored.add(listener);
  }

  /** @param listener called when the book closes because of damage: it must be rebuilt */
  onDamaged(listener: (cause: unknown) => void): void {
    this.#onDamaged = listener;
    if (this.#isDamaged) listener(this.#failure);
  }

  /** @param listener called when rows must be searched for in the journal (`findings.sought`) */
  onSought(listener: () => void): void {
    this.#repair.onSought = listener;
  }

  /**
   * Runs a reading of which every row must be as it was written.
   * @throws {StoreError} `ROWS_UNSOUND`: rows are being searched for in the journal, or are in no copy
   */
  readSound<T>(read: () => T): T {
    return this.#repair.readSound(read);
  }

  suspect(table: string, ids: readonly number[]): boolean {
    return this.#repair.suspect(table, ids);
  }

  /**
   * Restores a row from a line of the journal, unless it is sound and not older.
   * @returns whether the row is sound now; false where this line is older than its last commit, or damaged
   */
  restore(table: string, id: number, values: Values): boolean {
    return this.#repair.restore(table, id, values);
  }

  reportRestored(row: RestoredRow): void {
    this.#version += 1;
    this.table(row.table).countOtherChange();
    for (const listener of this.#restored) listener(row);
  }

  with<T>(work: (open: LiveBook) => T): T {
    const open = this.#open;
    try {
      return work(open);
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  /**
   * Makes one commit, whole or not at all; a change within a change becomes part of it.
   * @throws {Error} of SQLite or the file system: nothing has changed then
   */
  change(work: () => void): void {
    if (this.isChanging) {
      work();
      return;
    }
    this.#requirePlace();
    const written = this.#changeTwice(work);
    for (const listener of this.#committed) listener(written);
  }

  /** Makes a commit that adds events and changes no row. @param write gets the last event's number, returns the new */
  addEvents(write: (lastEvent: number) => number): void {
    this.change(() => {
      const open = this.#open;
      open.lastEvent = write(open.lastEvent);
      storePlace(open);
    });
  }

  /** Makes a test write that changes nothing. @throws {Error} of SQLite where it fails */
  tryWrite(): void {
    const { db } = this.#open;
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    db.exec(`PRAGMA user_version = ${version}`); // the page is written although the value is the same
  }

  /** Closes a damaged book: each call fails until it is rebuilt. */
  closeDamaged(cause: unknown): void {
    this.close();
    this.#failure = bookClosed(cause);
    this.#isDamaged = true;
    this.#onDamaged(cause);
  }

  /** Records why the book could not be rebuilt: each call fails with that reason. */
  recordRebuildFailure(reason: string, isFull: boolean): void {
    this.#failure = bookClosed(Object.assign(new Error(reason), isFull ? { code: 'ENOSPC' } : {}));
  }

  /** Ends a repair: a new file may have replaced the damaged one. */
  endRebuild(): void {
    this.#isDamaged = false;
    this.#repair.findings.clear(); // they are about rows of the former file
    this.tryOpening();
  }

  /**
   * Completes the book from copied files of a second medium, unless it has had commits since they were copied.
   * @returns whether the book is open again after that
   */
  catchUpFrom(ahead: Ahead): boolean {
    const { file } = this;
    const at = this.#live?.at;
    if (file === null || this.isChanging || at?.commit !== ahead.from.commit || at.hash !== ahead.from.hash)
      return false;
    this.close();
    try {
      putAhead(file.path, ahead);
    } catch (error) {
      if (!isOfStorage(error)) throw error;
    }
    return this.tryOpening();
  }

  close(): void {
    const open = this.#live;
    if (open === null || this.file === null) return; // its owner closes a database in memory
    this.#version += 1;
    this.#live = null;
    this.#failure = bookClosed(new Error('it was closed'));
    open.journal?.close();
    open.db.close();
  }

  /** Makes a change again where it has read unsound rows: those that could not be restored are changed as they are. */
  #changeTwice(work: () => void): readonly Written[] {
    try {
      return this.#changeOnce(work, this.file === null ? 'last' : 'first');
    } catch (error) {
      if (!(error instanceof UnsoundWithin)) throw error;
      this.suspect(error.table, error.ids);
      return this.#changeOnce(work, 'last');
    }
  }

  /** @throws {UnsoundWithin} in the first try, where it reads a row that is not as it was written */
  #changeOnce(work: () => void, changeTry: 'first' | 'last'): readonly Written[] {
    const open = this.#open;
    this.#version += 1;
    this.#changeTry = changeTry;
    let isCommitted = false;
    try {
      const written = this.#commit(open, work);
      isCommitted = true;
      return written;
    } catch (error) {
      throw this.#failureOf(error);
    } finally {
      this.#changeTry = null;
      this.#version += 1;
      for (const table of this.#tables.values()) table.end(isCommitted);
    }
  }

  get #now(): number {
    return this.file?.now() ?? Date.now();
  }

  get #open(): LiveBook {
    if (this.#live === null) throw this.#failure ?? bookClosed(new Error('it was never opened'));
    return this.#live;
  }

  #begin(open: LiveBook): void {
    this.#openings += 1;
    this.#version += 1;
    this.#failure = null;
    this.#live = open;
    this.#lacking = open.lacking ?? this.#lacking;
    for (const table of this.#tables.values()) {
      table.end(false);
      table.countOtherChange();
    }
    for (const listener of this.#restored) listener(null);
  }

  /** The error for the caller of a failed change. A damaged file closes the book. */
  #failureOf(error: unknown): unknown {
    this.findings.recordFailure(error);
    if (this.file === null) return error;
    if (this.#live !== null && isDamagedFile(this.file.path, error)) this.closeDamaged(error);
    return namingHolder(this.file.path, error);
  }

  #commit(open: LiveBook, work: () => void): readonly Written[] {
    const { db } = open;
    const before = { at: open.at, lastEvent: open.lastEvent };
    let isAppended = false;
    db.exec('BEGIN IMMEDIATE');
    try {
      work();
      const written: Written[] = [];
      for (const table of this.#tables.values()) table.write(open, before.at.commit + 1, written);
      if (written.length > 0) {
        const at = this.#now;
        open.lastEvent = this.plan.writeEvents({
          changes: written,
          at,
          lastEvent: open.lastEvent,
          known: null,
          statement: open.statement,
        });
        const isUrgent = !written.every(({ isRepeatable }) => isRepeatable);
        append(open, { rows: textsByTable(written), at, isUrgent });
        isAppended = true;
      }
      db.exec('COMMIT');
      return written;
    } catch (error) {
      Object.assign(open, before);
      try {
        if (db.isTransaction) db.exec('ROLLBACK');
        if (isAppended) open.journal?.dropLastLine();
      } catch (cause) {
        this.close(); // the journal's state is unknown: the next opening compares it with the database
        this.#failure = bookClosed(cause);
      }
      throw error;
    }
  }

  /** Checks that the files are still at their paths: no commit is acknowledged into a removed or replaced file. */
  #requirePlace(): void {
    const { place, journal } = this.#open;
    if (place?.isInPlace === false) this.closeDamaged(new Error('its file is gone, or another one is in its place'));
    else if (journal?.isInPlace === false) {
      this.close();
      this.tryOpening();
    }
  }
}

const textsByTable = (written: readonly Written[]): ReadonlyMap<string, readonly string[]> =>
  new Map([...Map.groupBy(written, ({ table }) => table)].map(([table, of]) => [table, of.map(({ text }) => text)]));
