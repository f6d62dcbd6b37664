/**
 * The open `items.db`, with its schema: it runs one transaction after another and names the file in its faults. Items and
 * templates have separate files: damage of one leaves the other.
 */
import type { DatabaseSync } from 'node:sqlite';
import { connect, EVENT_LOOP_WAIT_MS, type Migration, namingHolder, transaction } from '../../core/files/index.ts';
import { isDamage, recognitionFailure, withFailureCodes } from '../model/failures.ts';
import { RecognitionError } from '../model/recognition-error.ts';
import { OwnDatabase } from '../storage/own-database.ts';
import { SellingSums } from './selling-sums.ts';

export const ITEM_MIGRATIONS: readonly Migration[] = [
  {
    schema: 1,
    readableFrom: 1,
    sql: `CREATE TABLE items (
      id TEXT PRIMARY KEY,
      name TEXT,
      folded TEXT NOT NULL,             -- id, PLU and name in small letters, to search in
      plu TEXT NOT NULL,
      price INTEGER,                    -- kopecks
      created_at INTEGER NOT NULL,      -- wall clock, ms since 1970
      updated_at INTEGER NOT NULL,
      piece_weight INTEGER,             -- grams of a piece, of items that are sold by the piece
      selling_sum INTEGER               -- over id and price
    ) WITHOUT ROWID;
    CREATE INDEX items_plu ON items (plu);
    CREATE TABLE pictures (
      item TEXT PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      jpeg BLOB NOT NULL
    );
    CREATE TABLE barcodes (             -- as each item lists them: of several items with one code, the reader chooses
      key TEXT NOT NULL,                -- the same for every way to write a trade item number
      item TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      own INTEGER NOT NULL,             -- 1: its id, which is a code by itself
      text TEXT NOT NULL,               -- as sent
      place INTEGER NOT NULL,           -- in the item's list
      PRIMARY KEY (key, item, own)
    ) WITHOUT ROWID;
    CREATE INDEX barcodes_item ON barcodes (item);
    -- the changes by which devices of a store agree, counted by triggers
    CREATE TABLE item_versions (
      item TEXT PRIMARY KEY,            -- also one that was deleted
      revision INTEGER NOT NULL,
      author TEXT NOT NULL DEFAULT ''   -- serial number of the device that has said so; empty: this one
    ) WITHOUT ROWID;
    ${(
      [
        ['items_added', 'INSERT ON items', 'NEW.id'],
        ['items_deleted', 'DELETE ON items', 'OLD.id'],
        ['barcodes_added', 'INSERT ON barcodes', 'NEW.item'],
        ['barcodes_deleted', 'DELETE ON barcodes', 'OLD.item'],
        [
          'items_changed',
          `UPDATE OF name, plu, price, piece_weight ON items WHEN NEW.name IS NOT OLD.name OR NEW.plu IS NOT OLD.plu
            OR NEW.price IS NOT OLD.price OR NEW.piece_weight IS NOT OLD.piece_weight`,
          'NEW.id',
        ],
      ] as const
    )
      .map(
        ([name, when, item]) => `CREATE TRIGGER ${name} AFTER ${when} BEGIN
          INSERT INTO item_versions (item, revision) VALUES (${item}, 1)
            ON CONFLICT (item) DO UPDATE SET revision = revision + 1, author = '';
        END;`,
      )
      .join('\n')}`,
  },
];

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
      // no: a fault of the call itself is reported first
      checksPlaceFirst: false,
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

  /** Calls all listeners, after a commit. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /**
   * Runs writes one after another, each in its own transaction.
   * @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`
   */
  write<T>(work: () => T): Promise<T> {
    const checkedWork = (): T => {
      const result = work();
      this.requirePlace();
      return result;
    };
    return this.queue.run(() =>
      this.#withFailureCodes(() => {
        const result = transaction(this.db, checkedWork);
        this.changed();
        return result;
      }),
    );
  }

  /**
   * Runs work on a separate connection, where the file is open.
   * @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async onOwnConnection<T>(work: (db: DatabaseSync) => Promise<T>): Promise<T> {
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
    return new RecognitionError('Internal.StorageRefused', ITEMS_DAMAGED, { cause });
  }
}
