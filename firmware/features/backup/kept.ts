/**
 * The part of the device's own book of money that a restore over newer payments keeps. Whatever a till may request
 * again: some banks would do it a second time, and cannot be asked whether they have done it. These are refunds, sales
 * with a key, closed shifts, and the outcomes of payments that the backup has. And whatever a shift counts: what a
 * closed one has told never changes, and its payments go with it.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isCode } from '../../../drivers/lib/errors.ts';
import { beginHistory, plainRow, putStand, type Row, RowFormat, selectFrom, valuesOf } from '../../core/book/index.ts';
import { openFile, transaction } from '../../core/files/index.ts';

const BOOK = 'money.db';
/** The sandbox bank's book, which stays: no bank goes back in time with a device. */
const SANDBOX = 'sandbox.db';

interface KeptTable {
  readonly name: string;
  /** The column that identifies its rows. */
  readonly key: string;
  /** Which of its newer rows are kept. */
  readonly which: string;
}

const OF_KEPT_PAYMENT = `now.order_id IN (SELECT order_id FROM backup.payments)
  OR now.order_id IN (SELECT order_id FROM main.payments WHERE sale_key IS NOT NULL OR shift IS NOT NULL)`;
const KEPT: readonly KeptTable[] = [
  { name: 'payments', key: 'order_id', which: OF_KEPT_PAYMENT },
  { name: 'refunds', key: 'refund_id', which: OF_KEPT_PAYMENT },
  {
    name: 'shifts',
    key: 'number',
    which: 'now.number NOT IN (SELECT number FROM backup.shifts WHERE closed_at IS NOT NULL)',
  },
];

/** Sound rows of the device that are newer than the backup's. */
function newerRows(present: string, backup: string, { name, key, which }: KeptTable): Row[] {
  using db = openFile(present);
  db.prepare('ATTACH ? AS backup').run(backup);
  const format = new RowFormat(db, name);
  const newer = db.prepare(`${selectFrom(name, 'now')} WHERE (${which}) AND NOT EXISTS (
    SELECT 1 FROM backup.${name} AS then_ WHERE then_.${key} = now.${key} AND then_.change_no >= now.change_no)`);
  newer.setReadBigInts(true);
  return newer.all().filter(format.isSound.bind(format)).map(plainRow);
}

/** The row's own id, or a new one where another row of the backup has that id. */
function idFor(db: DatabaseSync, row: Row, { name, key }: KeptTable): number {
  const known = db.prepare(`SELECT id FROM ${name} WHERE ${key} = ?`).get(row[key] ?? null);
  if (known !== undefined) return Number(known.id);
  const isFree = db.prepare(`SELECT 1 FROM ${name} WHERE id = ?`).get(row.id ?? null) === undefined;
  return isFree ? Number(row.id) : Number(db.prepare(`SELECT max(id) + 1 AS id FROM ${name}`).get()?.id);
}

/** Continues the numbers of changes above the newest: otherwise a backup from before this restore would seem newer. */
function goOnFrom(db: DatabaseSync, newest: number): number {
  const { commit_no = 0, hash = '', last_event = 0 } = db.prepare('SELECT * FROM book').get() ?? {};
  if (newest <= Number(commit_no)) return Number(commit_no);
  putStand((sql) => db.prepare(sql), { commit: newest, hash: String(hash), lastEvent: Number(last_event) });
  return newest;
}

/**
 * Keeps rows of the device's book in the backup's. Nothing is kept of an unreadable book: it is the reason for the
 * restore.
 * @param folder of the device @param ready folder of the backup that replaces it
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
        const format = new RowFormat(db, table.name);
        for (const row of rows) format.put({ ...valuesOf(row), id: idFor(db, row, table), change_no: commit });
      }
    });
    if (existsSync(join(folder, SANDBOX))) rmSync(join(ready, SANDBOX), { force: true });
  } catch (error) {
    if (!isCode(error, 'ERR_SQLITE_ERROR')) throw error;
  }
}

/** The restored book has no journal, and follows no line of another: its history begins with it. */
export function beginOwnHistory(unpacked: string): void {
  const book = join(unpacked, BOOK);
  if (!existsSync(book)) return;
  using db = openFile(book);
  beginHistory(db);
}
