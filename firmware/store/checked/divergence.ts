/**
 * Whether a copy has the same rows as the table. Two that were one go apart where an older image of the device's folder is
 * put back while the copy is away: both then give the same numbers to other rows.
 */
import type { Replica } from './replica.ts';
import { type Version, valuesOf } from './row.ts';

/** Behind the place where two went apart every number stands for two rows, so the newest that both have decide. */
const COMPARED_IDS = 64;

/** The present rows. */
export interface RowKeys {
  readonly lastId: number;
  /** What identifies the row of an id; null where that is not known for sure. */
  readonly keyOf: (id: number) => string | null;
}

/** @param column that identifies rows */
export const keyIn = (version: Version, column: string): string => String(valuesOf(version)[column]);

/** Ids under which a copy knows other rows. @throws {Error} of SQLite, where the copy cannot be read */
export function conflictsWith(replica: Replica, column: string, keys: RowKeys): number[] {
  const last = Math.min(keys.lastId, replica.lastId);
  const ids = Array.from({ length: Math.min(COMPARED_IDS, last) }, (_, n) => last - n);
  return ids.filter((id) => {
    const [version, key] = [replica.find(id), keys.keyOf(id)];
    return version !== null && key !== null && keyIn(version, column) !== key;
  });
}
