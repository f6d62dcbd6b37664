/**
 * Damage of the database that is met while the device runs. A file beside the database says so, whichever thread met it:
 * `/health` tells of it, and the next start checks every table, those of hundreds of megabytes too.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isDamage, storageFailure } from '../storage-errors.ts';

const markOf = (database: string): string => `${database}.suspect`;

export const isSuspect = (database: string): boolean => existsSync(markOf(database));

/** After the check that the mark asked for. */
export const clearSuspicion = (database: string): void => rmSync(markOf(database), { force: true, recursive: true });

/** Marks the database of this connection, if the error says that it is damaged. */
export function suspect(db: DatabaseSync, error: unknown): void {
  if (!isDamage(error)) return;
  try {
    const path = db.location();
    if (path !== null) writeFileSync(markOf(path), '');
  } catch {
    // the caller is told of the damage all the same, and meets it again
  }
}

/** Reads rows that are not checked at each start. @throws {RecognitionError} `fileWrite` where the database is damaged */
export function reading<T>(db: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    suspect(db, error);
    throw storageFailure(error);
  }
}
