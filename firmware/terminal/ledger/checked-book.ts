/** What the ledgers of payments and refunds and the book of shifts have in common: each is a checked table in a file of its own. */
import type { CheckedTable, TableFile } from '../../store/index.ts';

/** Where its file lies, and the second copy of it. */
export type BookPlace = Pick<TableFile, 'path' | 'secondFolder' | 'now'>;

/** Rows whose checksums are verified before the ports answer: more than a lane makes in a day. */
export const CHECKED_AT_START = 1000;

/** Wakes the waiters for a row when it changes: no polling, and no work where nothing waits. */
export class ChangeWatch {
  readonly #watchers = new Map<string, Set<() => void>>();

  /** How many rows are watched now. */
  get watched(): number {
    return this.#watchers.size;
  }

  /**
   * @param changed called once a change is in the ledger, or has failed: read the row
   * @returns a function that ends the watch
   */
  watch(key: string, changed: () => void): () => void {
    const watchers = this.#watchers.get(key) ?? new Set();
    this.#watchers.set(key, watchers.add(changed));
    return () => {
      watchers.delete(changed);
      if (watchers.size === 0 && this.#watchers.get(key) === watchers) this.#watchers.delete(key);
    };
  }

  /** Deferred, as the change may be part of a transaction that is committed, or has failed, when this turn is over. */
  notify(keys: readonly string[]): void {
    for (const key of keys) for (const changed of this.#watchers.get(key) ?? []) queueMicrotask(changed);
  }
}

/** Where its file cannot be read or written, a book is closed, and each call to it fails. */
export class CheckedBook {
  /** Its storage, for the part that maintains that. */
  readonly table: CheckedTable;

  constructor(table: CheckedTable) {
    this.table = table;
  }

  get isOpen(): boolean {
    return this.table.problem === null;
  }

  /** Tries again to open it where it is closed; returns whether that opened it. */
  tryOpening(): boolean {
    const isOpened = this.table.tryOpening();
    if (isOpened) this.isOpened();
    return isOpened;
  }

  close(): void {
    this.table.close();
  }

  /** Called whenever it has been opened. */
  protected isOpened(): void {}

  /** Verifies its newest rows, and others that the next calls may be about. The rest is looked at beside the calls, and by an export. */
  protected verifyNewest(others: readonly number[] = []): void {
    const { lastId } = this.table;
    const newest = Array.from({ length: Math.min(CHECKED_AT_START, lastId) }, (_, n) => lastId - n);
    this.table.verify([...others, ...newest]);
  }
}
