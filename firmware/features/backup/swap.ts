/**
 * The change from what a device has to what a backup has. All that is to come lies in a folder beside, with a mark that is written last;
 * the change itself is made at the next start, before anything is opened, and is gone on with at the start after, whenever the power
 * goes: the device never works with some of the one and some of the other.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static, type TSchema } from 'typebox';
import { isCode } from '../../../drivers/lib/errors.ts';
import { jsonFitting, replaceFile, syncFolder } from '../../core/store/index.ts';
import { isNothing, type Lost, lostBy } from './compare.ts';
import { isBeside, NAMES, OF_ONE_BOARD, WORK_PREFIX } from './contents.ts';
import { keepMoney } from './keep-money.ts';

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
