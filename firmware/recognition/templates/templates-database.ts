/**
 * Opens `templates.db`, and notes damage that is found while the device runs. Without the file the device cannot
 * recognise, but the payment terminal must still start.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { namingHolder } from '../../core/store/index.ts';
import { isDamage, recognitionFailure, withFailureCodes } from '../failures.ts';
import { OwnDatabase } from '../own-database.ts';
import { CHECKED_TABLES, TEMPLATE_MIGRATIONS } from './templates-schema.ts';

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
        looksFirst: true,
        onOpen: () => clearDamageMark(path),
      },
      markDamaged,
    );
  }

  /** Path for further connections; where the file cannot be opened, it leads nowhere. */
  get location(): string {
    return this.problem === null ? this.path : ':memory:';
  }

  /** Runs writes one after another. @throws {RecognitionError} `storageFull`, `fileWrite` */
  write<T>(work: () => T | Promise<T>): Promise<T> {
    return withFailureCodes(() => this.naming(() => this.queue.run(work)));
  }

  /** Drops the rows of unfinished imports and starts to remove them; only while no import runs. Never fails: remaining rows are hidden. */
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
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch {
      // dropped rows do no harm but for their room, and a later sweep or the next start takes them
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
    // the caller still gets the damage, and meets it again
  }
}

/**
 * Runs a read of rows that are not checked at each start.
 * @throws {RecognitionError} `fileWrite` where the database is damaged
 */
export function reading<T>(db: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    markDamaged(db, error);
    throw recognitionFailure(namingHolder(db.location(), error));
  }
}
