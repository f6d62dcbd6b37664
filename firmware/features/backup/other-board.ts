/**
 * Adapts a backup to another board than the one that made it. The first board may still work, and it alone finishes the
 * payments and refunds that it began at a bank.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Row, RowFormat, type Values, valuesOf } from '../../core/book/index.ts';
import { openFile } from '../../core/files/index.ts';
import type { Sealer } from '../../core/secrets/index.ts';
import { OF_ONE_BOARD } from './contents.ts';

const PURPOSE = 'board';

/**
 * Name of a board, made from its key; a board that has lost its key counts as another. Empty without a key: no board
 * has that name.
 */
export const boardOf = (sealer: Pick<Sealer, 'digest'> | null): string =>
  sealer?.digest('backup', PURPOSE).toString('base64url') ?? '';

/** The error of a payment that was open: a till that repeats its key gets this, and no second payment. */
export const OPEN_ON_OTHER_DEVICE =
  'the payment was open when another device made the backup that was restored here: its outcome is on that device, or in the account at the bank';

const REFUND_OPEN_ON_OTHER_DEVICE =
  'open when another device made the backup that was restored here, and never sent from here: look into the account at the bank, and decide what became of it';

function inDatabase(path: string, work: (db: DatabaseSync) => void): void {
  if (!existsSync(path)) return;
  using db = openFile(path);
  work(db);
}

/** Rewrites the rows that meet a condition; each keeps its change number, and gets a new checksum. */
function rewrite(db: DatabaseSync, table: string, which: string, changed: (row: Row) => Values): void {
  const format = new RowFormat(db, table);
  const rows = db.prepare(`SELECT * FROM ${table} WHERE ${which}`).all();
  for (const row of rows) format.put({ ...valuesOf(row), ...changed(row) });
}

/** Settles the open payments, so that this board asks no bank about them. */
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
          error_message: OPEN_ON_OTHER_DEVICE,
        }
      : {}),
  }));
}

/** Deletes the events, which the first board sends, and records the last deleted number as `lost_to`. */
function purgeEvents(db: DatabaseSync): void {
  db.exec(`INSERT INTO events_kept SELECT 1, max(number) FROM events WHERE true HAVING max(number) IS NOT NULL
      ON CONFLICT (only_one) DO UPDATE SET lost_to = max(lost_to, excluded.lost_to);
    DELETE FROM events;`);
}

/** Leaves open refunds open, but never sent from here: the bank or a person says whether the money was returned. */
function suspendRefunds(db: DatabaseSync): void {
  const which = "state NOT IN ('done', 'refused')";
  rewrite(db, 'refunds', which, ({ state }) => ({
    state: state === 'pending' ? state : 'unknown',
    decided: 'elsewhere',
    reason: REFUND_OPEN_ON_OTHER_DEVICE,
  }));
}

/** @param folder of the backup's files @throws the file system's error, or SQLite's */
export function adaptToOtherBoard(folder: string): void {
  inDatabase(join(folder, 'money.db'), (db) => {
    endPayments(db);
    suspendRefunds(db);
    purgeEvents(db);
  });
  for (const name of OF_ONE_BOARD) rmSync(join(folder, name), { force: true });
}
