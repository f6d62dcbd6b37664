/** The three databases of a release before the book of money, as it left them: tables, a few payments, refunds, shifts and events. */
import { join } from 'node:path';
import { checksumOf, RowFormat, readingRaw } from '../../firmware/core/store/book/row.ts';
import { openFile } from '../../firmware/core/store/database.ts';

const WRITTEN_BY = `CREATE TABLE written_by (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1), schema INTEGER NOT NULL, release TEXT NOT NULL, readable_from TEXT NOT NULL)`;

const LEDGER = `CREATE TABLE payments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      boot_id TEXT NOT NULL,
      created_mono INTEGER NOT NULL,
      profile TEXT NOT NULL,
      bank TEXT NOT NULL,
      amount INTEGER NOT NULL,
      purpose TEXT,
      ttl INTEGER NOT NULL,
      bank_id TEXT,
      payload TEXT,
      state TEXT NOT NULL,
      seen INTEGER NOT NULL,
      late INTEGER NOT NULL,
      superseded INTEGER NOT NULL,
      error_category TEXT,
      error_code INTEGER,
      error_message TEXT,
      ended_at INTEGER,
      settled INTEGER NOT NULL DEFAULT 0,
      called INTEGER,
      untold INTEGER NOT NULL DEFAULT 0,
      awaited INTEGER NOT NULL DEFAULT 1,
      withdrawn INTEGER NOT NULL DEFAULT 0,
      cancelled INTEGER NOT NULL DEFAULT 0,
      change_no INTEGER,
      checksum TEXT,
      bank_ref TEXT,
      merchant TEXT,
      trx_id TEXT,
      paid_at INTEGER,
      refunded INTEGER NOT NULL DEFAULT 0,
      note TEXT,
      acknowledged_at INTEGER,
      till TEXT,
      cashier TEXT,
      sale_key TEXT,
      sale_body TEXT,
      reference TEXT,
      asked_shift INTEGER,
      shift INTEGER,
      payer_bank TEXT,
      payer_phone TEXT,
      receipt_at INTEGER
    );
    CREATE TABLE failed_call (
      only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
      after INTEGER NOT NULL,
      category TEXT NOT NULL,
      code INTEGER NOT NULL,
      message TEXT NOT NULL
    );
    CREATE TABLE events (
      number INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      type TEXT NOT NULL,
      order_id TEXT NOT NULL,
      body TEXT NOT NULL
    );
    CREATE TABLE events_kept (
      only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
      lost_to INTEGER NOT NULL
    );`;
const REFUNDS = `CREATE TABLE refunds (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      refund_id TEXT NOT NULL UNIQUE,
      till_id TEXT NOT NULL UNIQUE,
      order_id TEXT NOT NULL,
      profile TEXT NOT NULL,
      bank TEXT NOT NULL,
      amount INTEGER NOT NULL,
      refunded_before INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      state TEXT NOT NULL,
      bank_refund_id TEXT,
      reason TEXT,
      ended_at INTEGER,
      change_no INTEGER,
      checksum TEXT,
      decided TEXT,
      decided_at INTEGER,
      note TEXT,
      told TEXT,
      told_at INTEGER,
      unannounced TEXT,
      giver TEXT,
      shift INTEGER,
      till TEXT,
      cashier TEXT,
      answered_by TEXT
    );`;
const SHIFTS = `CREATE TABLE shifts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      number INTEGER NOT NULL UNIQUE,
      opened_at INTEGER NOT NULL,
      payment_change INTEGER NOT NULL,
      refund_change INTEGER NOT NULL,
      refund_id INTEGER NOT NULL,
      closed_at INTEGER,
      close_key TEXT,
      till TEXT,
      cashier TEXT,
      report TEXT,
      has_returned INTEGER NOT NULL DEFAULT 0,
      change_no INTEGER,
      checksum TEXT
    );`;

const write = (path: string, schema: number, ...sql: string[]): void => {
  using db = openFile(path);
  db.exec(`PRAGMA journal_mode = WAL; ${sql.join(';')}; PRAGMA user_version = ${schema}`);
};

/** Gives each row the checksum that its release wrote. */
function seal(path: string, table: string): void {
  using db = openFile(path);
  const format = new RowFormat(db, table);
  for (const row of readingRaw(db.prepare(`SELECT * FROM ${table}`)).all())
    db.prepare(`UPDATE ${table} SET checksum = ? WHERE id = ?`).run(checksumOf(format.textOf(row)), Number(row.id));
}

/** Two paid payments, one of them with a refund and in shift 1, which is closed; an open one; three events. */
export function writeEarlierBooks(folder: string, at: number): void {
  const payment = (id: number, state: string, rest: string): string =>
    `(${id}, 'order-${id}', ${at + id}, 'boot', ${id}, 'main', 'Sandbox', ${1000 * id}, 5, '${state}', 1, 0, 0, ${id}, ${id}, 'sum', ${rest})`;
  write(
    join(folder, 'ledger.db'),
    16,
    WRITTEN_BY,
    LEDGER,
    `INSERT INTO payments (id, order_id, created_at, boot_id, created_mono, profile, bank, amount, ttl, state, seen, late, superseded,
      called, change_no, checksum, settled, refunded, asked_shift, shift, ended_at, sale_key, sale_body) VALUES
      ${payment(1, 'ACCEPTED', `1, 300, 1, 1, ${at}, 'k', 'b'`)}, ${payment(2, 'ACCEPTED', `1, 0, 1, 2, ${at}, NULL, NULL`)},
      ${payment(3, 'PENDING', '0, 0, 2, NULL, NULL, NULL, NULL')}`,
    `INSERT INTO events VALUES (7, ${at}, 'payment.created', 'order-1', '{"payment":{}}'), (9, ${at}, 'payment.shown', 'order-1', '{"payment":{}}')`,
    "INSERT INTO events_kept VALUES (1, 5); INSERT INTO failed_call VALUES (1, 3, 'Bank', 1, 'silent')",
  );
  write(
    join(folder, 'refunds.db'),
    5,
    WRITTEN_BY,
    REFUNDS,
    `INSERT INTO refunds (id, refund_id, till_id, order_id, profile, bank, amount, refunded_before, created_at, state, ended_at, shift, change_no, checksum)
      VALUES (1, 'r', 't', 'order-1', 'main', 'Sandbox', 300, 0, ${at}, 'done', ${at}, 1, 1, 'sum')`,
  );
  const report = '{"groups":[],"earlier":[],"returned":[],"numbers":[1],"refunded":{"order-1":300},"first":1,"last":1}';
  write(
    join(folder, 'shifts.db'),
    2,
    WRITTEN_BY,
    SHIFTS,
    `INSERT INTO shifts (id, number, opened_at, payment_change, refund_change, refund_id, closed_at, close_key, report, change_no, checksum) VALUES
      (1, 1, ${at}, 0, 0, 0, ${at + 5}, 'key', '${report}', 1, 'sum'), (2, 2, ${at + 5}, 3, 1, 1, NULL, NULL, NULL, 2, 'sum')`,
  );
  for (const [name, table] of [
    ['ledger', 'payments'],
    ['refunds', 'refunds'],
    ['shifts', 'shifts'],
  ] as const)
    seal(join(folder, `${name}.db`), table);
}
