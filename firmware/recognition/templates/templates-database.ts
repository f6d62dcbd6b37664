/**
 * The open `templates.db`, with its schema: it removes dropped rows, and marks damage that is found while the device
 * runs. Without the file the device cannot recognise, but the payment terminal must still start.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { nextTurn } from '../../../drivers/lib/turns.ts';
import { type Migration, namingHolder } from '../../core/files/index.ts';
import { isDamage, recognitionFailure, withFailureCodes } from '../model/failures.ts';
import { OwnDatabase } from '../storage/own-database.ts';

/**
 * The schema: a row counts only if its batch is visible. So an import of ten thousand templates, or the deletion of
 * all, takes effect with one small commit, and after a power cut the device has either all of it or none; dropped rows
 * are removed afterwards. Crops are in another table than the vectors, so that a start reads a few megabytes and not
 * hundreds.
 */
export const TEMPLATE_MIGRATIONS: readonly Migration[] = [
  {
    schema: 1,
    readableFrom: 1,
    sql: `CREATE TABLE batches (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,               -- 'local': added one by one; 'import': landed by a package
      state TEXT NOT NULL               -- 'landing', 'visible', 'dropped'
    );
    INSERT INTO batches (kind, state) VALUES ('local', 'visible');
    CREATE TABLE templates (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      batch INTEGER NOT NULL REFERENCES batches (id),
      item TEXT NOT NULL,
      sid TEXT NOT NULL,
      origin TEXT NOT NULL,             -- serial number of the device that made it
      created_at INTEGER NOT NULL,      -- that device's wall clock, ms since 1970
      model TEXT NOT NULL,              -- identity of the model that made the vector
      vector BLOB NOT NULL              -- float32, little-endian, of length 1
    );
    CREATE UNIQUE INDEX templates_key ON templates (origin, sid, batch);
    CREATE INDEX templates_item ON templates (item, sid, origin, batch);
    CREATE INDEX templates_batch ON templates (batch);
    CREATE INDEX templates_model ON templates (model, batch);
    CREATE TABLE crops (
      template INTEGER PRIMARY KEY REFERENCES templates (id) ON DELETE CASCADE,
      sha256 BLOB NOT NULL,
      jpeg BLOB NOT NULL
    );
    CREATE TABLE facts (
      name TEXT PRIMARY KEY,            -- 'last_sid', 'last_moment' of this device's own templates
      value TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE tasks (
      kind TEXT PRIMARY KEY,            -- 'export' or 'import': the state of the latest one
      status INTEGER NOT NULL,
      msg TEXT NOT NULL,
      filename TEXT,
      counts TEXT                       -- as JSON
    ) WITHOUT ROWID;
    CREATE TABLE ranks (
      day TEXT NOT NULL,                -- YYYY-MM-DD, UTC
      item TEXT NOT NULL,               -- empty where none of the answered ones was right
      position INTEGER NOT NULL,        -- 1 to 5 where it stood; 0 further down or not at all
      count INTEGER NOT NULL,
      PRIMARY KEY (day, item, position)
    ) WITHOUT ROWID;
    -- of templates that are deleted for good in a whole store
    CREATE TABLE tombstones (
      origin TEXT NOT NULL,
      sid TEXT NOT NULL,
      item TEXT NOT NULL,
      own INTEGER NOT NULL,             -- 1: deleted on this device, which therefore sends it to the others
      PRIMARY KEY (origin, sid)
    ) WITHOUT ROWID;
    CREATE INDEX tombstones_item ON tombstones (item);
    -- what was confirmed as an item, and no template was made of
    CREATE TABLE confirmations (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      item TEXT NOT NULL,
      model TEXT NOT NULL,              -- identity of the model that made the vector
      vector BLOB NOT NULL              -- float32, little-endian, of length 1
    );
    CREATE INDEX confirmations_item ON confirmations (item, id);
    -- a deleted template says that something wrong was learned
    CREATE TRIGGER confirmations_go AFTER DELETE ON templates
      WHEN (SELECT state FROM batches WHERE id = OLD.batch) = 'visible'
    BEGIN
      DELETE FROM confirmations WHERE item = OLD.item;
    END;`,
  },
];

/**
 * Condition of the rows that count. The plus keeps SQLite from walking through the batches, one of which holds nearly
 * every row.
 */
export const VISIBLE = "+batch IN (SELECT id FROM batches WHERE state = 'visible')";

/**
 * Tables that are checked at each start. Crops have checksums, and reading all of them would take a card many seconds.
 */
const CHECKED_TABLES: readonly string[] = [
  'batches',
  'templates',
  'facts',
  'tasks',
  'ranks',
  'tombstones',
  'confirmations',
];

/** Rows that one commit removes: few enough to delay no call. */
const SWEEP_ROWS = 50;

const TEMPLATES_GONE =
  'templates.db was taken away while the device runs: restart the device, and import the latest export';

export class TemplatesFile extends OwnDatabase {
  #sweeping: Promise<void> | null = null;
  #isClosed = false;

  constructor(path: string, maxMib: number, now: number) {
    super(
      {
        path,
        migrations: TEMPLATE_MIGRATIONS,
        now,
        maxMib,
        gone: TEMPLATES_GONE,
        checked: isMarkedDamaged(path) ? null : CHECKED_TABLES,
        checksPlaceFirst: true,
        onOpen: () => clearDamageMark(path),
      },
      markDamaged,
    );
  }

  /** Path for further connections; where the file cannot be opened, it leads nowhere. */
  get location(): string {
    return this.problem === null ? this.path : ':memory:';
  }

  /** Runs writes one after another. @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused` */
  write<T>(work: () => T | Promise<T>): Promise<T> {
    return withFailureCodes(() => this.naming(() => this.queue.run(work)));
  }

  /**
   * Drops the rows of unfinished imports and starts to remove them; only while no import runs. Never fails: remaining
   * rows are hidden.
   */
  async dropLandings(): Promise<void> {
    const drop = () => this.db.exec("UPDATE batches SET state = 'dropped' WHERE state = 'landing'");
    await this.queue.run(drop).catch(() => undefined);
    void this.sweep();
  }

  /**
   * Removes the rows of dropped batches, which are no longer visible. Settles when none is left; never fails: the rest
   * is removed next time.
   */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepAll().finally(() => {
      this.#sweeping = null;
    });
    return this.#sweeping;
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sweeping;
    await super.close();
  }

  async #sweepAll(): Promise<void> {
    const some = this.db.prepare(
      `DELETE FROM templates WHERE id IN (SELECT id FROM templates WHERE batch IN
        (SELECT id FROM batches WHERE state = 'dropped') LIMIT ${SWEEP_ROWS})`,
    );
    const sweepSome = (): boolean => {
      if (some.run().changes > 0) return true;
      this.db.exec("DELETE FROM batches WHERE state = 'dropped'");
      return false;
    };
    try {
      while (!this.#isClosed && (await this.queue.run(sweepSome))) {
        await nextTurn();
      }
    } catch {
      // dropped rows only take room, and a later sweep or the next start removes them
    }
  }
}

/**
 * The path of a mark beside a database that any thread has found damaged: `/health` reports it, and the next start
 * checks every table, those of hundreds of megabytes, too.
 */
const markOf = (database: string): string => `${database}.suspect`;

export const isMarkedDamaged = (database: string): boolean => existsSync(markOf(database));

/** Removes the mark, after the check that it asked for. */
const clearDamageMark = (database: string): void => rmSync(markOf(database), { force: true, recursive: true });

/** Marks the database of this connection, if the error says that it is damaged. */
export function markDamaged(db: DatabaseSync, error: unknown): void {
  if (!isDamage(error)) return;
  try {
    const path = db.location();
    if (path !== null) writeFileSync(markOf(path), '');
  } catch {
    // the caller still gets the error, and the next read of the damage tries again
  }
}

/**
 * Runs a read of rows that are not checked at each start.
 * @throws {RecognitionError} `Internal.StorageRefused` where the database is damaged
 */
export function reading<T>(db: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    markDamaged(db, error);
    throw recognitionFailure(namingHolder(db.location(), error));
  }
}
