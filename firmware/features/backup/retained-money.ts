/**
 * Keeps a part of the device's own book of money in a restore over newer payments:
 * - What a till may request again: sales with a key, refunds, and the outcomes of payments that the backup has. Some
 *   banks would carry out a repeated request, and cannot be asked whether they did so before.
 * - Shifts that the backup does not have closed, and their payments: the totals of a closed shift never change.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isCode } from '../../../drivers/lib/errors.ts';
import { beginHistory, plainRow, putStand, type Row, RowFormat, selectFrom, valuesOf } from '../../core/book/index.ts';
import { openFile, transaction } from '../../core/files/index.ts';

const BOOK = 'money.db';
/** The sandbox bank's book. The device's own stays: a real bank does not go back in time with a device either. */
const SANDBOX = 'sandbox.db';

interface RetainedTable {
  readonly name: string;
  /** The column that identifies its rows. */
  readonly key: string;
  /** Which of its newer rows are kept. */
  readonly which: string;
}

const OF_RETAINED_PAYMENT = `now.order_id IN (SELECT order_id FROM backup.payments)
  OR now.order_id IN (SELECT order_id FROM main.payments WHERE sale_key IS NOT NULL OR shift IS NOT NULL)`;
const RETAINED: readonly RetainedTable[] = [
  { name: 'payments', key: 'order_id', which: OF_RETAINED_PAYMENT },
  { name: 'refunds', key: 'refund_id', which: OF_RETAINED_PAYMENT },
  {
    name: 'shifts',
    key: 'number',
    which: 'now.number NOT IN (SELECT number FROM backup.shifts WHERE closed_at IS NOT NULL)',
  },
];

/** Undamaged rows of the device that the backup lacks or has in an older state. */
function newerRows(present: string, backup: string, { name, key, which }: RetainedTable): Row[] {
  using db = openFile(present);
  db.prepare('ATTACH ? AS backup').run(backup);
  const format = new RowFormat(db, name);
  const newer = db.prepare(`${selectFrom(name, 'now')} WHERE (${which}) AND NOT EXISTS (
    SELECT 1 FROM backup.${name} AS then_ WHERE then_.${key} = now.${key} AND then_.change_no >= now.change_no)`);
  newer.setReadBigInts(true);
  return newer.all().filter(format.isSound.bind(format)).map(plainRow);
}

/** The id of the row in the backup; for a new row its own id, or a new one where another row has that. */
function idFor(db: DatabaseSync, row: Row, { name, key }: RetainedTable): number {
  const known = db.prepare(`SELECT id FROM ${name} WHERE ${key} = ?`).get(row[key] ?? null);
  if (known !== undefined) return Number(known.id);
  const isFree = db.prepare(`SELECT 1 FROM ${name} WHERE id = ?`).get(row.id ?? null) === undefined;
  return isFree ? Number(row.id) : Number(db.prepare(`SELECT max(id) + 1 AS id FROM ${name}`).get()?.id);
}

/**
 * Raises the book's commit number to that of the newest kept row, and returns it. With a lower number, a backup from
 * before this restore would seem to have newer rows.
 */
function raiseCommitTo(db: DatabaseSync, newest: number): number {
  const { commit_no = 0, hash = '', last_event = 0 } = db.prepare('SELECT * FROM book').get() ?? {};
  if (newest <= Number(commit_no)) return Number(commit_no);
  putStand((sql) => db.prepare(sql), { commit: newest, hash: String(hash), lastEvent: Number(last_event) });
  return newest;
}

/**
 * Writes the rows that are kept into the backup's book. Of an unreadable book nothing is kept: it is the reason for the
 * restore.
 * @param folder the device's data folder @param ready folder of the backup that replaces it
 */
export function retainMoney(folder: string, ready: string): void {
  const [present, backup] = [join(folder, BOOK), join(ready, BOOK)];
  if (!existsSync(present) || !existsSync(backup)) return;
  try {
    const kept = RETAINED.map((table) => [table, newerRows(present, backup, table)] as const);
    const newest = kept.flatMap(([, rows]) => rows).reduce((number, row) => Math.max(number, Number(row.change_no)), 0);
    using db = openFile(backup);
    transaction(db, () => {
      const commit = raiseCommitTo(db, newest);
      for (const [table, rows] of kept) {
        const format = new RowFormat(db, table.name);
        for (const row of rows) format.put({ ...valuesOf(row), id: idFor(db, row, table), change_no: commit });
      }
    });
    if (existsSync(join(folder, SANDBOX))) rmSync(join(ready, SANDBOX), { force: true });
  } catch (error) {
    if (!isCode(error, 'ERR_SQLITE_ERROR')) throw error;
  }
}

/** Begins a history of its own for the restored book, which has no journal: no line of another journal continues it. */
export function beginOwnHistory(unpacked: string): void {
  const book = join(unpacked, BOOK);
  if (!existsSync(book)) return;
  using db = openFile(book);
  beginHistory(db);
}
