/**
 * Adapts a backup to another board than its maker. Only the first board, which may still work, finishes what it has
 * begun at a bank.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openFile, type Row, RowFormat, type Sealer, type Values, valuesOf } from '../../core/store/index.ts';
import { OF_ONE_BOARD } from './contents.ts';

const PURPOSE = 'board';

/** Names a board; a board that has lost its key counts as another. Empty without a key: no board has that name. */
export const boardOf = (sealer: Pick<Sealer, 'digest'> | null): string =>
  sealer?.digest('backup', PURPOSE).toString('base64url') ?? '';

/** The answer to a till that repeats the key of such a payment: no second payment is made for it. */
export const LEFT_ELSEWHERE =
  'the payment was open when another device made the backup that was restored here: its outcome is on that device, or in the account at the bank';

const REFUND_NOTE =
  'open when another device made the backup that was put back here: counted as given back, and not sent again; look into the account at the bank';

function inDatabase(path: string, work: (db: DatabaseSync) => void): void {
  if (!existsSync(path)) return;
  using db = openFile(path);
  work(db);
}

/** Rewrites the rows that meet a condition, each with its number and checksum. */
function rewrite(db: DatabaseSync, table: string, which: string, become: (row: Row) => Values): void {
  const format = new RowFormat(db, table);
  const rows = db.prepare(`SELECT * FROM ${table} WHERE ${which}`).all();
  for (const row of rows) format.put({ ...valuesOf(row), ...become(row) });
}

function endPayments(db: DatabaseSync): void {
  rewrite(db, 'payments', 'settled = 0', ({ state, ended_at: endedAt, created_at: createdAt }) => ({
    settled: 1,
    ...(state === 'PENDING'
      ? {
          seen: 0,
          state: 'ERROR',
          ended_at: Number(endedAt ?? createdAt),
          error_category: 'Internal',
          error_code: 1,
          error_message: LEFT_ELSEWHERE,
        }
      : {}),
  }));
}

/** Drops the events: the first board reports them. */
function forgetEvents(db: DatabaseSync): void {
  db.exec(`INSERT INTO events_kept SELECT 1, max(number) FROM events WHERE true HAVING max(number) IS NOT NULL
      ON CONFLICT (only_one) DO UPDATE SET lost_to = max(lost_to, excluded.lost_to);
    DELETE FROM events;`);
}

/** Decides open refunds: the money counts as given back, also in the payment. */
function decideRefunds(db: DatabaseSync, now: number): void {
  const which = "state NOT IN ('done', 'refused')";
  const decided = { decided: 'done', decided_at: now, ended_at: now, note: REFUND_NOTE };
  rewrite(db, 'refunds', which, ({ state }) => ({ told: String(state), state: 'done', ...decided }));
}

function countRefunds(db: DatabaseSync): void {
  const done =
    "(SELECT sum(refunds.amount) FROM refunds WHERE refunds.order_id = payments.order_id AND refunds.state = 'done')";
  const sums = new Map(
    db
      .prepare(`SELECT order_id, min(amount, ${done}) AS kopecks FROM payments WHERE refunded < ${done}`)
      .all()
      .map((row) => [row.order_id, Number(row.kopecks)]),
  );
  rewrite(db, 'payments', `refunded < ${done}`, (row) => ({
    refunded: Math.max(Number(row.refunded), sums.get(row.order_id) ?? 0),
  }));
}

/** @param folder of the backup's files @param now wall clock, ms @throws the file system's error, or SQLite's */
export function asOfAnotherBoard(folder: string, now: number): void {
  inDatabase(join(folder, 'money.db'), (db) => {
    endPayments(db);
    decideRefunds(db, now);
    countRefunds(db);
    forgetEvents(db);
  });
  for (const name of OF_ONE_BOARD) rmSync(join(folder, name), { force: true });
}
