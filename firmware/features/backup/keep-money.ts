/**
 * What a restore over newer payments keeps of the device's own book of money: what a till may ask for again. Some banks would make it
 * a second time, and cannot be asked whether they have made it. That is refunds, sales with a key, and what became of the payments
 * that the backup has.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isCode } from '../../../drivers/lib/errors.ts';
import { openFile, plainRow, putStand, type Row, RowFormat, transaction, valuesOf } from '../../core/store/index.ts';

const BOOK = 'money.db';
/** What the sandbox bank has: no bank goes back with a device. */
const SANDBOX = 'sandbox.db';
const MAY_BE_ASKED_FOR = `now.order_id IN (SELECT order_id FROM backup.payments)
  OR now.order_id IN (SELECT order_id FROM main.payments WHERE sale_key IS NOT NULL)`;
/** Each with the column that identifies its rows. */
const KEPT = [
  ['payments', 'order_id'],
  ['refunds', 'refund_id'],
] as const;

/** Rows of the device that are sound, and newer than those of the backup. */
function newerRows(present: string, backup: string, [table, key]: (typeof KEPT)[number]): Row[] {
  using db = openFile(present);
  db.prepare('ATTACH ? AS backup').run(backup);
  const format = new RowFormat(db, table);
  const newer = db.prepare(`SELECT * FROM main.${table} AS now WHERE (${MAY_BE_ASKED_FOR}) AND NOT EXISTS (
    SELECT 1 FROM backup.${table} AS then_ WHERE then_.${key} = now.${key} AND then_.change_no >= now.change_no)`);
  newer.setReadBigInts(true);
  return newer.all().filter(format.isSound.bind(format)).map(plainRow);
}

/** Its own id, or a new one where another row of the backup has that. */
function idFor(db: DatabaseSync, row: Row, [table, key]: (typeof KEPT)[number]): number {
  const known = db.prepare(`SELECT id FROM ${table} WHERE ${key} = ?`).get(row[key] ?? null);
  if (known !== undefined) return Number(known.id);
  const isFree = db.prepare(`SELECT 1 FROM ${table} WHERE id = ?`).get(row.id ?? null) === undefined;
  return isFree ? Number(row.id) : Number(db.prepare(`SELECT max(id) + 1 AS id FROM ${table}`).get()?.id);
}

/** Has no number of a change given twice to a kept row: a backup that was made before this restore would seem to be newer. */
function goOnFrom(db: DatabaseSync, newest: number): number {
  const { commit_no = 0, hash = '', last_event = 0 } = db.prepare('SELECT * FROM book').get() ?? {};
  if (newest <= Number(commit_no)) return Number(commit_no);
  putStand((sql) => db.prepare(sql), { commit: newest, hash: String(hash), lastEvent: Number(last_event) });
  return newest;
}

/**
 * Nothing is kept of a book that cannot be read: it is why somebody puts a backup back over it.
 * @param folder of the device @param ready of the backup that is to take its place
 */
export function keepMoney(folder: string, ready: string): void {
  const [present, backup] = [join(folder, BOOK), join(ready, BOOK)];
  if (!existsSync(present) || !existsSync(backup)) return;
  try {
    const kept = KEPT.map((table) => [table, newerRows(present, backup, table)] as const);
    const newest = kept.flatMap(([, rows]) => rows).reduce((number, row) => Math.max(number, Number(row.change_no)), 0);
    using db = openFile(backup);
    transaction(db, () => {
      const commit = goOnFrom(db, newest);
      for (const [table, rows] of kept) {
        const format = new RowFormat(db, table[0]);
        for (const row of rows) format.put({ ...valuesOf(row), id: idFor(db, row, table), change_no: commit });
      }
    });
    if (existsSync(join(folder, SANDBOX))) rmSync(join(ready, SANDBOX), { force: true });
  } catch (error) {
    if (!isCode(error, 'ERR_SQLITE_ERROR')) throw error;
  }
}
