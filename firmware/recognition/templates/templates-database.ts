/**
 * Opens `templates.db`, and notes damage of it that is met while the device runs. The recognition device may be without it, but
 * the payment terminal beside it must still start.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { namingHolder } from '../../core/store/index.ts';
import { isDamage, recognitionFailure, withFailureCodes } from '../failures.ts';
import { OwnDatabase } from '../own-database.ts';
import { CHECKED_TABLES, TEMPLATE_MIGRATIONS } from './templates-schema.ts';

export const TEMPLATES_GONE =
  'templates.db was taken away while the device runs: restart the device, and import the latest export';

export class TemplatesFile extends OwnDatabase {
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

  /** For further connections; where the file cannot be opened, it leads nowhere. */
  get location(): string {
    return this.problem === null ? this.path : ':memory:';
  }

  /** One after the other. @throws {RecognitionError} `storageFull`, `fileWrite` */
  write<T>(work: () => T | Promise<T>): Promise<T> {
    return withFailureCodes(() => this.naming(() => this.queue.run(work)));
  }
}

/**
 * A file beside a database that any thread has found damaged: `/health` reports it, and the next start checks every
 * table, those of hundreds of megabytes, too.
 */
const markOf = (database: string): string => `${database}.suspect`;

export const isMarkedDamaged = (database: string): boolean => existsSync(markOf(database));

/** After the check that the mark asked for. */
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

/** Reads rows that are not checked at each start. @throws {RecognitionError} `fileWrite` where the database is damaged */
export function reading<T>(db: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    markDamaged(db, error);
    throw recognitionFailure(namingHolder(db.location(), error));
  }
}
