/**
 * The change from what a device has to what a backup has. All that is to come lies in a folder beside, with a mark that is written last;
 * the change itself is made at the next start, before anything is opened, and is gone on with at the start after, whenever the power
 * goes: the device never works with some of the one and some of the other.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import Type, { type Static, type TSchema } from 'typebox';
import { isCode } from '../../../drivers/lib/errors.ts';
import {
  jsonFitting,
  openFile,
  plainRow,
  putStand,
  type Row,
  RowFormat,
  replaceFile,
  syncFolder,
  transaction,
  valuesOf,
} from '../../core/store/index.ts';
import { isNothing, type Lost, lostBy } from './compare.ts';
import { isBeside, NAMES, OF_ONE_BOARD, WORK_PREFIX } from './contents.ts';

/**
 * What a restore over newer payments keeps of the device's own book of money: what a till may ask for again. Some banks would make it
 * a second time, and cannot be asked whether they have made it. That is refunds, sales with a key, and what became of the payments
 * that the backup has.
 */
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
function keepMoney(folder: string, ready: string): void {
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

/** What is being unpacked; of no worth once its process is gone. */
export const UNPACKING = 'restore-unpacking';
/** What is whole, and takes the place of what is there with the next start. */
export const READY = 'restore-ready';
const MARK = 'restore.json';
/** What the last one has come to. */
const LAST = 'restored.json';

const Mark = Type.Object({
  version: Type.String(),
  device: Type.String(),
  madeAt: Type.String(),
  isOwn: Type.Boolean(),
  /** Secrets that only another machine can open. */
  unopened: Type.Integer(),
  /** When it was asked for: wall clock, ms since 1970. */
  at: Type.Integer(),
  isForced: Type.Boolean(),
  /** Where what was there goes: a folder beside. */
  before: Type.String({ pattern: '^before-restore-[0-9TZ-]+$' }),
  files: Type.Array(Type.Enum([...NAMES])),
});
export type Mark = Readonly<Static<typeof Mark>>;

const Last = Type.Object({
  ...Mark.properties,
  /** Of payments and refunds that came in after the backup was looked at, and kept it from being put back. */
  lost: Type.Union([Type.Record(Type.String(), Type.Integer()), Type.Null()]),
});
export type LastRestore = Readonly<Static<typeof Last>>;

/** Null for what is not there, or not whole: it was never in force. @throws the file system's error: what cannot be read is unknown */
function read<S extends TSchema>(schema: S, path: string): Static<S> | null {
  try {
    return jsonFitting(schema, readFileSync(path, 'utf8'));
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

/** What the last restore has come to; null where there was none. */
export const lastRestore = (folder: string): LastRestore | null => read(Last, join(folder, LAST));

export const isReady = (folder: string): boolean => existsSync(join(folder, READY, MARK));

/** Whether the device has some of the one and some of the other: it must not start so. */
export function hasBegun(folder: string): boolean {
  const mark = read(Mark, join(folder, READY, MARK));
  return mark !== null && existsSync(join(folder, mark.before));
}

export const beforeOf = (now: number): string =>
  `before-restore-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;

/** Has what was unpacked take the place of what is there, with the next start. @throws the file system's error */
export function makeReady(folder: string, mark: Mark): void {
  const unpacked = join(folder, UNPACKING);
  const last: LastRestore = { ...mark, lost: null }; // what it comes to where nothing comes between
  replaceFile(join(unpacked, MARK), JSON.stringify(last));
  renameSync(unpacked, join(folder, READY));
  syncFolder(folder);
}

function moveAway(folder: string, name: string, before: string): void {
  for (const present of readdirSync(folder).filter((each) => each === name || isBeside(each, name)))
    renameSync(join(folder, present), join(before, present));
}

/**
 * One file takes its place. What lies beside the present one goes with it: a journal knows what is newer, and the device would
 * put it back.
 */
function replace(folder: string, name: string, before: string): void {
  const made = join(folder, READY, name);
  if (!existsSync(made)) return; // done before the power went
  moveAway(folder, name, before);
  syncFolder(before);
  renameSync(made, join(folder, name));
}

function swap(folder: string, mark: Mark): void {
  const before = join(folder, mark.before);
  mkdirSync(before, { recursive: true, mode: 0o700 });
  syncFolder(folder);
  if (!mark.isOwn) for (const name of OF_ONE_BOARD) moveAway(folder, name, before);
  for (const name of mark.files) replace(folder, name, before);
  // what the device has got since would not fit the rest: an area of the tray with the empty tray of another
  for (const name of NAMES.filter((each) => !mark.files.includes(each) && !OF_ONE_BOARD.includes(each)))
    moveAway(folder, name, before);
  syncFolder(before);
  syncFolder(folder);
}

/** Discards the backup that is ready. The mark goes first: a part of a backup must never be taken for all of it. */
export function discardReady(folder: string): void {
  const ready = join(folder, READY);
  rmSync(join(ready, MARK), { force: true });
  syncFolder(ready);
  rmSync(ready, { recursive: true, force: true });
}

/** Whether payments have come in since it was looked at; once the change has begun, it is made. */
function lostSince(folder: string, mark: Mark): Lost | null {
  if (mark.isForced || existsSync(join(folder, mark.before))) return null;
  const lost = lostBy(folder, join(folder, READY));
  return isNothing(lost) ? null : lost;
}

/**
 * Makes the change that is to be made, before anything of the folder is opened, and clears away what was left of others.
 * @returns what it has come to; null where there was none to make
 * @throws the file system's error, or SQLite's: the next start goes on
 */
export function finishRestore(folder: string): LastRestore | null {
  for (const name of readdirSync(folder).filter((each) => each === UNPACKING || each.startsWith(WORK_PREFIX)))
    rmSync(join(folder, name), { recursive: true, force: true });
  const ready = join(folder, READY);
  const mark = read(Mark, join(ready, MARK));
  if (mark === null) {
    rmSync(ready, { recursive: true, force: true });
    return null;
  }
  const lost = lostSince(folder, mark);
  if (lost === null && mark.isOwn && mark.isForced && !existsSync(join(folder, mark.before))) keepMoney(folder, ready);
  if (lost === null) swap(folder, mark);
  const last: LastRestore = { ...mark, lost };
  if (lost === null)
    renameSync(join(ready, MARK), join(folder, LAST)); // needs no room: a full disk must not have it done again
  else replaceFile(join(folder, LAST), JSON.stringify(last));
  syncFolder(folder);
  discardReady(folder);
  return last;
}
