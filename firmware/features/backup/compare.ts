/**
 * Counts what a device would lose by a restore: shifts, payments and refunds that the backup lacks or has in an older
 * state.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openFile } from '../../core/files/index.ts';
import { type CountedTable, DATABASES } from './contents.ts';

/** Number of lost rows by table; empty where nothing would be lost. */
export type Lost = Readonly<Record<string, number>>;

/** Counts rows of which the backup has neither this change nor a later one. */
function countNewer(present: string, backup: string | null, { table, key }: CountedTable): number {
  using db = openFile(present);
  if (backup === null) return Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
  db.prepare('ATTACH ? AS backup').run(backup);
  const sql = `SELECT count(*) AS count FROM main.${table} AS now WHERE NOT EXISTS (
    SELECT 1 FROM backup.${table} AS then_ WHERE then_.${key} = now.${key} AND then_.change_no >= now.change_no)`;
  return Number(db.prepare(sql).get()?.count);
}

/** @param folder the device's data folder @param unpacked folder of the backup's files @throws {Error} of SQLite */
export function lostBy(folder: string, unpacked: string): Lost {
  const lost: Record<string, number> = {};
  for (const { name, counted } of DATABASES) {
    const present = join(folder, name);
    if (!existsSync(present)) continue;
    const backup = join(unpacked, name);
    for (const table of counted) {
      const count = countNewer(present, existsSync(backup) ? backup : null, table);
      if (count > 0) lost[table.table] = count;
    }
  }
  return lost;
}

export const isNothing = (lost: Lost): boolean => Object.keys(lost).length === 0;

export const lossInWords = (lost: Lost): string =>
  Object.entries(lost)
    .map(([table, count]) => `${count} ${count === 1 ? table.replace(/s$/, '') : table}`)
    .join(' and ');
