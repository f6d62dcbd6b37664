/** A backup on another board than has made it. What it has begun at a bank, that one, which may be alive, alone brings to its end. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openFile, type Sealer } from '../store/index.ts';
import { OF_ONE_BOARD } from './contents.ts';

const PURPOSE = 'board';

/** Names a board: one that has lost its key is another one. Empty where there is no key: no board has that name. */
export const boardOf = (sealer: Pick<Sealer, 'digest'> | null): string =>
  sealer?.digest('backup', PURPOSE).toString('base64url') ?? '';

/** A till that sends the key of such a payment again gets this answer, and no second payment is made for it. */
export const LEFT_ELSEWHERE =
  'the payment was open when another device made the backup that was restored here: its outcome is on that device, or in the account at the bank';

const REFUND_NOTE =
  'open when another device made the backup that was put back here: counted as given back, and not sent again; look into the account at the bank';

function inDatabase(path: string, work: (db: DatabaseSync) => void): void {
  if (!existsSync(path)) return;
  using db = openFile(path);
  work(db);
}

/** The next start gives such rows their checksums. */
const UNCHECKED = 'checksum = NULL, change_no = NULL';

function endPayments(db: DatabaseSync): void {
  db.prepare(
    `UPDATE payments SET settled = 1, seen = 0, error_category = 'Internal', error_code = 1, error_message = ?,
      state = 'ERROR', ended_at = coalesce(ended_at, created_at), ${UNCHECKED}
     WHERE settled = 0 AND state = 'PENDING'`,
  ).run(LEFT_ELSEWHERE);
  db.exec(`UPDATE payments SET settled = 1, ${UNCHECKED} WHERE settled = 0`);
}

/** What happened there is reported by that board. */
function forgetEvents(db: DatabaseSync): void {
  db.exec(`INSERT INTO events_kept SELECT 1, max(number) FROM events WHERE true HAVING max(number) IS NOT NULL
      ON CONFLICT (only_one) DO UPDATE SET lost_to = max(lost_to, excluded.lost_to);
    DELETE FROM events;`);
}

function decideRefunds(db: DatabaseSync, now: number): void {
  db.exec('UPDATE refunds SET unannounced = NULL WHERE unannounced IS NOT NULL');
  db.prepare(
    `UPDATE refunds SET told = state, state = 'done', decided = 'done', decided_at = :now, ended_at = :now, note = :note, ${UNCHECKED}
     WHERE state NOT IN ('done', 'refused')`,
  ).run({ now, note: REFUND_NOTE });
}

/**
 * @param folder of the files of a backup
 * @param now wall clock, ms
 * @throws the file system's error, or SQLite's
 */
export function asOfAnotherBoard(folder: string, now: number): void {
  inDatabase(join(folder, 'ledger.db'), (db) => {
    endPayments(db);
    forgetEvents(db);
  });
  inDatabase(join(folder, 'refunds.db'), (db) => decideRefunds(db, now));
  for (const name of OF_ONE_BOARD) rmSync(join(folder, name), { force: true });
}
