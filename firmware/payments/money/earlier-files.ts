/**
 * Takes over what releases before the book of money kept: three databases, `ledger.db`, `refunds.db` and `shifts.db`. They are moved into
 * a folder and stay; an empty `ledger.db` tells a release that knows no book of money to be replaced by one that does.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../drivers/lib/errors.ts';
import {
  configureBook,
  DAMAGED,
  isOfStorage,
  migrate,
  noteWriter,
  openFile,
  plainRow,
  putStand,
  type Row,
  RowFormat,
  schemaOf,
  syncFile,
  syncFolder,
  transaction,
  type Values,
  valuesOf,
} from '../../core/store/index.ts';
import { REFUND_STATES } from '../refunds/refund.ts';
import { MONEY_MIGRATIONS } from './money-schema.ts';
import { columnNumber, storedStateOf } from './payment-row.ts';

/** The schema of the last `ledger.db` that held payments, and of the one that refuses them. */
const LAST_SCHEMA = 16;
const REFUSING_SCHEMA = 17;
/** The first release that reads a book of money. */
const READABLE_FROM = '0.2.0';
/** The old databases and the files beside them: logs, journals, copies, last numbers. */
const EARLIER = /^(?:(?:ledger|refunds|shifts)\.(?:db|journal|copy)|last-numbers\.json)/;
const FOLDER = 'before-money';
/** Rows copied in one commit. */
const ROWS_A_COMMIT = 50;

/**
 * Copies the earlier files into a book of money. Does nothing where a book exists, or no earlier file.
 * @param now wall clock, ms
 * @throws {Error} of SQLite or the file system: the three files stay where they were
 */
export function takeOverEarlier(dataDir: string, now: number): void {
  try {
    takeOver(dataDir, now);
  } catch (cause) {
    if (!isOfStorage(cause)) throw cause;
    const { errcode, code, syscall } = cause as { errcode?: number; code?: string; syscall?: string };
    const message = `what the earlier release kept cannot be taken over: ${messageOf(cause)}`;
    throw Object.assign(new Error(message, { cause }), { errcode, code, syscall });
  }
}

function takeOver(dataDir: string, now: number): void {
  const path = join(dataDir, 'money.db');
  const ledger = join(dataDir, 'ledger.db');
  if (existsSync(path) || existsSync(join(dataDir, 'money.journal'))) {
    if (isTakenOver(dataDir)) moveAway(dataDir); // finishes a move that was cut short
    return;
  }
  if (!existsSync(ledger)) return;
  const unfinished = `${path}.importing`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(unfinished + suffix, { force: true });
  {
    using from = openFile(ledger);
    if (schemaOf(from) > LAST_SCHEMA || schemaOf(from) === 0) return;
    using db = openFile(unfinished);
    configureBook(db);
    migrate(db, MONEY_MIGRATIONS);
    transaction(db, () => fill(db, from, dataDir, now));
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  syncFile(unfinished);
  renameSync(unfinished, path);
  syncFolder(dataDir);
  moveAway(dataDir);
}

/** Whether the book has the rows of the earlier files, and those still lie where an older release would go on with them. */
function isTakenOver(dataDir: string): boolean {
  const ledger = join(dataDir, 'ledger.db');
  if (!existsSync(ledger)) return existsSync(join(dataDir, FOLDER));
  using db = openFile(ledger);
  return schemaOf(db) < REFUSING_SCHEMA;
}

/** Moves the earlier files away, and leaves an empty `ledger.db` that tells an older release to be replaced. */
function moveAway(dataDir: string): void {
  const folder = join(dataDir, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(dataDir)) if (EARLIER.test(name)) renameSync(join(dataDir, name), join(folder, name));
  using db = openFile(join(dataDir, 'ledger.db'));
  transaction(db, () => {
    db.exec(`PRAGMA user_version = ${REFUSING_SCHEMA}`);
    noteWriter(db, REFUSING_SCHEMA, READABLE_FROM);
  });
  syncFolder(dataDir);
}

function fill(db: DatabaseSync, from: DatabaseSync, dataDir: string, now: number): void {
  let commit = copyRows(db, from, 'payments', 0);
  for (const table of ['refunds', 'shifts']) {
    const file = join(dataDir, `${table}.db`);
    if (!existsSync(file)) continue;
    using other = openFile(file);
    commit = copyRows(db, other, table, commit);
  }
  for (const table of ['events', 'events_kept', 'failed_call']) copyAll(db, from, table);
  const numbers = db
    .prepare('SELECT (SELECT max(number) FROM events) AS event, (SELECT lost_to FROM events_kept) AS lost')
    .get();
  const lastEvent = Math.max(columnNumber(numbers?.event) ?? 0, columnNumber(numbers?.lost) ?? 0);
  putStand((sql) => db.prepare(sql), { commit, hash: '', lastEvent });
  openShift(db, commit, now);
}

/** Carries the open shift over: its payments are counted by the shift's number. */
function openShift(db: DatabaseSync, commit: number, now: number): void {
  const format = new RowFormat(db, 'shifts');
  const last = db.prepare('SELECT * FROM shifts ORDER BY number DESC LIMIT 1').get();
  if (last !== undefined) return;
  const named = db.prepare('SELECT max(max(coalesce(shift, 0), coalesce(asked_shift, 0))) AS n FROM payments').get();
  const number = (columnNumber(named?.n) ?? 0) + 1;
  format.put({ id: 1, number, opened_at: now, since_change: 0, change_no: commit });
}

/** @returns number of the last commit */
function copyRows(db: DatabaseSync, from: DatabaseSync, table: string, first: number): number {
  const format = new RowFormat(db, table);
  const earlier = new RowFormat(from, table);
  let commit = first;
  let count = 0;
  const rows = from.prepare(`SELECT * FROM ${table} ORDER BY id`);
  rows.setReadBigInts(true);
  for (const raw of rows.iterate()) {
    if (count % ROWS_A_COMMIT === 0) commit += 1;
    count += 1;
    // a row damaged by the storage does not become sound; one without a checksum is taken as an old release wrote it
    const checksum = raw.checksum === null || earlier.isSound(raw) ? '' : DAMAGED;
    const added = table === 'shifts' ? { since_change: 0 } : {};
    format.put({ ...lawful(table, plainRow(raw)), ...added, change_no: commit, checksum });
  }
  return commit;
}

/** A damaged row may break a rule of the tables: it is stored as close to its content as they allow. */
function lawful(table: string, row: Row): Values {
  const values = Object.fromEntries(
    Object.entries(valuesOf(row)).map(([name, value]) => [name, typeof value === 'number' ? whole(value) : value]),
  );
  if (table === 'shifts') return values;
  const amount = Math.max(table === 'refunds' ? 1 : 0, whole(values.amount));
  if (table === 'refunds') {
    const isKnown = REFUND_STATES.some((known) => known === values.state);
    return { ...values, amount, state: isKnown ? String(values.state) : 'unknown' };
  }
  const most = Math.max(0, Math.min(whole(values.refunded), amount));
  return { ...values, amount, refunded: most, state: storedStateOf(row) };
}

/** The nearest number that a column can hold; 0 for no number. */
function whole(value: Values[string] | undefined): number {
  const number = Math.trunc(Number(value));
  return Number.isNaN(number) ? 0 : Math.max(Number.MIN_SAFE_INTEGER, Math.min(number, Number.MAX_SAFE_INTEGER));
}

function copyAll(db: DatabaseSync, from: DatabaseSync, table: string): void {
  for (const row of from.prepare(`SELECT * FROM ${table}`).iterate()) {
    const names = Object.keys(row);
    db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
      ...Object.values(row),
    );
  }
}
