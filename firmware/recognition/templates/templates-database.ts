/**
 * Opens `templates.db`, and notes damage of it that is met while the device runs. The recognition device may be without it, but
 * the payment terminal beside it must still start.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { OwnFile, openDatabase } from '../../store/index.ts';
import { RecognitionError } from '../codes.ts';
import { isDamage, recognitionFailure } from '../failures.ts';
import { CHECKED_TABLES, TEMPLATE_MIGRATIONS } from './templates-schema.ts';

const MIB = 1024 * 1024;
const PAGE_BYTES = 4096;

export interface TemplatesDatabase {
  readonly db: DatabaseSync;
  /** For further connections; where the file cannot be opened, it leads nowhere. */
  readonly path: string;
  /** Pages that the database may grow to. */
  readonly maxPages: number;
  /** Why the file cannot be opened; null when it is open. */
  readonly problem: string | null;
  /** Whether there was something in its log before. */
  readonly hadLog: boolean;
  /** Whether the file was deleted, moved or replaced since it was opened: nothing more is taken then. */
  readonly isGone: () => boolean;
}

export const TEMPLATES_GONE =
  'templates.db was taken away while the device runs: restart the device, and import the latest export';

const NOWHERE = ':memory:';

/** Empty, and takes nothing: what would be lost with the next restart is refused. */
function standIn(): DatabaseSync {
  const db = new DatabaseSync(NOWHERE);
  for (const { sql } of TEMPLATE_MIGRATIONS) db.exec(sql);
  db.exec('PRAGMA query_only = ON');
  return db;
}

/** Never fails: an empty database that takes nothing stands in for one that cannot be opened. */
export function openTemplates(path: string, storageMb: number, now: number): TemplatesDatabase {
  const maxPages = (storageMb * MIB) / PAGE_BYTES;
  try {
    const { db, hadLog } = openDatabase(path, TEMPLATE_MIGRATIONS, now, isMarkedDamaged(path) ? null : CHECKED_TABLES);
    clearDamageMark(path);
    db.exec(`PRAGMA max_page_count = ${maxPages}`);
    const file = new OwnFile(path);
    return { db, path, maxPages, problem: null, hadLog, isGone: () => !file.isInPlace };
  } catch (error) {
    const problem = messageOf(error);
    return { db: standIn(), path: NOWHERE, maxPages, problem, hadLog: false, isGone: () => false };
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

/** Writes to the database, one after the other. A file that has been moved away would take rows that are lost at the next start: writes to it are refused. */
export const writingQueue = ({ db, isGone }: TemplatesDatabase): SerialQueue =>
  new SerialQueue(
    (error) => markDamaged(db, error),
    () => {
      if (isGone()) throw new RecognitionError('fileWrite', `${TEMPLATES_GONE}; nothing was changed`);
    },
  );

/** Reads rows that are not checked at each start. @throws {RecognitionError} `fileWrite` where the database is damaged */
export function reading<T>(db: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    markDamaged(db, error);
    throw recognitionFailure(error);
  }
}
