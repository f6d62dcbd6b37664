/** Restores rows of a book from its journal, and refuses readings of rows that are not as they were written. */
import { StoreError } from '../files/index.ts';
import { Findings } from './findings.ts';
import { journalOf, lineFiles } from './journal-files.ts';
import { readVersions } from './journal-reading.ts';
import type { BookFile, LiveBook } from './live-book.ts';
import { DAMAGED, type Values } from './row.ts';

/** Newest logs that are searched for rows at once; a thread searches the rest of the journal beside the payments. */
const RECENT_LOGS = 2;

/** Most unsound rows named in an error. */
const MOST_NAMED = 5;

/** A row that was restored from the journal. */
export interface RestoredRow {
  readonly table: string;
  readonly id: number;
}

/** A change has read rows that are not as they were written: it is made again after an attempt to restore them. */
export class UnsoundWithin extends Error {
  override readonly name = 'UnsoundWithin';
  readonly table: string;
  readonly ids: readonly number[];

  constructor(table: string, ids: readonly number[]) {
    super(`rows of ${table} are not as they were written`);
    this.table = table;
    this.ids = ids;
  }
}

/** The parts of a book that the repair of its rows uses. */
export interface RepairedBook {
  /** Runs `work` with the open book. @throws {StoreError} where the book is closed @throws {Error} of SQLite */
  with<T>(work: (live: LiveBook) => T): T;
  /** Whether a change is under way. */
  readonly isChanging: boolean;
  /** Whether the change under way ends where it reads an unsound row, to be made again. */
  readonly endsOnUnsound: boolean;
  /** Reports a row that was put back, without a commit. */
  reportRestored(row: RestoredRow): void;
}

export class RowRepair {
  readonly findings = new Findings();
  /** Called when rows must be searched for in the journal (`findings.sought`). */
  onSought: () => void = () => undefined;
  readonly #book: RepairedBook;
  /** Null for a book in memory, which has no journal to restore from. */
  readonly #file: BookFile | null;
  /** Rows found unsound by the reading under way (`readSound`); null while there is none. */
  #unsound: Set<string> | null = null;

  constructor(book: RepairedBook, file: BookFile | null) {
    this.#book = book;
    this.#file = file;
  }

  /**
   * Runs a reading of which every row must be as it was written.
   * @throws {StoreError} `ROWS_UNSOUND`: rows are being searched for in the journal, or are in no copy
   */
  readSound<T>(read: () => T): T {
    const outer = this.#unsound;
    const unsound = new Set<string>();
    this.#unsound = unsound;
    try {
      const result = read();
      if (unsound.size === 0) return result;
    } finally {
      this.#unsound = outer;
      for (const row of unsound) outer?.add(row);
    }
    throw new StoreError(
      'ROWS_UNSOUND',
      `${[...unsound].slice(0, MOST_NAMED).join(', ')} are not as they were written`,
    );
  }

  /**
   * Records rows that are lost, or not as written. Those that the logs of the last days hold are restored at once.
   * @returns whether a row was restored: the caller reads again then
   * @throws {UnsoundWithin} in the first try of a change
   */
  suspect(table: string, ids: readonly number[]): boolean {
    const known = new Map(ids.map((id) => [id, this.findings.at(table, id)]));
    const untried = ids.filter((id) => known.get(id) === null || known.get(id) === 'repaired');
    if (this.#book.isChanging) {
      if (this.#book.endsOnUnsound && untried.length > 0) throw new UnsoundWithin(table, untried);
      return false;
    }
    const restored = new Set(this.#restoreRecent(table, untried));
    for (const id of ids) {
      if (restored.has(id) || known.get(id) === 'lost') continue; // no copy has that row: no reading can wait for it
      this.#unsound?.add(`${table} ${id}`);
      if (untried.includes(id)) this.findings.record(table, id, this.#file === null ? 'damaged' : 'sought');
    }
    if (ids.some((id) => this.findings.at(table, id) === 'sought')) this.onSought();
    return restored.size > 0;
  }

  /** Restores the rows that the logs of the last days have. @returns their ids */
  #restoreRecent(table: string, ids: readonly number[]): number[] {
    if (this.#file === null || ids.length === 0) return [];
    const logs = lineFiles(journalOf(this.#file.path)).filter(({ kind }) => kind === 'log');
    const newest = new Map<number, Values>();
    const wanted = new Map([[table, new Set(ids)]]);
    for (const log of logs.slice(-RECENT_LOGS))
      readVersions(log, wanted, (_, values) => newest.set(Number(values.id), values));
    return [...newest].flatMap(([id, values]) => (this.restore(table, id, values) ? [id] : []));
  }

  /**
   * Restores a row from a line of the journal, unless it is sound and not older.
   * @returns whether the row is sound now; false where this line is older than its last commit, or damaged
   */
  restore(table: string, id: number, values: Values): boolean {
    return this.#book.with((open) => {
      const format = open.formats.get(table);
      if (format === undefined) return false;
      const row = format.byId(id);
      const change = Number(values.change_no);
      if (row !== undefined && Number(row.change_no) >= change && format.isSound(row)) return true;
      if (change > open.at.commit) return false; // the thread has read a line whose commit has failed since
      if (format.isOutdated(id, change)) {
        this.findings.record(table, id, row === undefined ? 'lost' : 'damaged');
        return false;
      }
      format.put(values);
      const isSound = values.checksum !== DAMAGED;
      this.findings.record(table, id, isSound ? 'repaired' : 'damaged');
      this.#book.reportRestored({ table, id });
      return isSound;
    });
  }
}
