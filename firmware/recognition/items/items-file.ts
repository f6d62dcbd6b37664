/** The open `items.db`: it writes one transaction after another and knows the file's faults. */
import type { DatabaseSync } from 'node:sqlite';
import { connect, EVENT_LOOP_WAIT_MS, namingHolder, transaction } from '../../core/store/index.ts';
import { RecognitionError } from '../codes.ts';
import { isDamage, recognitionFailure, withFailureCodes } from '../failures.ts';
import { OwnDatabase } from '../own-database.ts';
import { ITEM_MIGRATIONS } from './items-schema.ts';
import { SellingSums } from './selling-sums.ts';

const ITEMS_DAMAGED =
  'items.db is damaged: restart the device, which then checks it and sets a damaged one aside, and import the items again';
const ITEMS_GONE = 'items.db was taken away while the device runs: restart the device, and import the items again';

/** Room for tens of thousands of items with their pictures. */
const MAX_MIB = 1024;

export class ItemsFile extends OwnDatabase {
  readonly sums = new SellingSums();
  readonly #listeners: (() => void)[] = [];
  #isDamaged = false;

  /** @param now ms since 1970 */
  constructor(path: string, now: number) {
    super({
      path,
      migrations: ITEM_MIGRATIONS,
      now,
      checked: ['items'],
      maxMib: MAX_MIB,
      gone: ITEMS_GONE,
      // what is wrong with the call itself is said first
      looksFirst: false,
    });
  }

  /** Whether damage was found since the start. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Called after each commit. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Tells all listeners of a commit. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /**
   * Runs writes one after another, each in its own transaction.
   * @throws {RecognitionError} `storageFull`, `fileWrite`
   */
  write<T>(work: () => T): Promise<T> {
    const kept = (): T => {
      const result = work();
      this.requirePlace();
      return result;
    };
    return this.queue.run(() =>
      this.#withFailureCodes(() => {
        const result = transaction(this.db, kept);
        this.changed();
        return result;
      }),
    );
  }

  /**
   * Runs work on a separate connection, where the file is open.
   * @throws {RecognitionError} `storageFull`, `fileWrite`
   */
  async apart<T>(work: (db: DatabaseSync) => Promise<T>): Promise<T> {
    return await this.queue.run(() =>
      this.#withFailureCodes(async () => {
        this.requirePlace(); // another file of the same name would get the log of this one
        const db = this.problem === null ? this.#connect() : this.db;
        try {
          return await work(db);
        } finally {
          if (db !== this.db) db.close();
        }
      }),
    );
  }

  read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw recognitionFailure(this.#named(error));
    }
  }

  /** A second connection, for an import. */
  #connect(): DatabaseSync {
    const db = connect(this.path, EVENT_LOOP_WAIT_MS);
    db.exec(`PRAGMA max_page_count = ${this.maxPages}`);
    return db;
  }

  #withFailureCodes<T>(work: () => T | Promise<T>): Promise<T> {
    return withFailureCodes(async () => {
      try {
        return await work();
      } catch (error) {
        throw this.#named(error);
      }
    });
  }

  /** Names this file in an error of damage or of another program's lock, so that it is not taken for the templates'. */
  #named(cause: unknown): unknown {
    if (!isDamage(cause)) return namingHolder(this.path, cause);
    this.#isDamaged = true;
    return new RecognitionError('fileWrite', ITEMS_DAMAGED, { cause });
  }
}
