/**
 * Replaces a device's data by a backup's. The new files wait in a folder beside, with a mark that is written last. The
 * next start replaces the files before it opens any. After a power cut the start after it continues, so that the device
 * never works with a mixture.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static, type TSchema } from 'typebox';
import { isCode } from '../../../drivers/lib/errors.ts';
import { replaceFile, syncFolder } from '../../core/files/index.ts';
import { jsonFitting } from '../../core/schema/index.ts';
import { isNothing, type Lost, lostBy } from './compare.ts';
import { isBeside, NAMES, OF_ONE_BOARD, WORK_PREFIX } from './contents.ts';
import { retainMoney } from './retained-money.ts';

/** Folder of a backup that is being unpacked; the next start removes it. */
export const UNPACKING = 'restore-unpacking';
/** Folder of a whole backup, which the next start puts in place. */
export const READY = 'restore-ready';
const MARK = 'restore.json';
/** File with the result of the last restore. */
const LAST = 'restored.json';

const Mark = Type.Object({
  version: Type.String(),
  device: Type.String(),
  madeAt: Type.String(),
  isOwn: Type.Boolean(),
  /** Number of secrets that only another machine can open. */
  unopened: Type.Integer(),
  /** When the restore was requested: wall clock, ms since 1970. */
  at: Type.Integer(),
  isForced: Type.Boolean(),
  /** Folder in the data folder, to which the previous data is moved. */
  before: Type.String({ pattern: '^before-restore-[0-9TZ-]+$' }),
  files: Type.Array(Type.Enum([...NAMES])),
});
export type Mark = Readonly<Static<typeof Mark>>;

const Last = Type.Object({
  ...Mark.properties,
  /** Payments and refunds that came in after the backup was judged, and prevented the restore. */
  lost: Type.Union([Type.Record(Type.String(), Type.Integer()), Type.Null()]),
});
export type LastRestore = Readonly<Static<typeof Last>>;

/**
 * Reads a document; null where it is missing or incomplete: then it was never in force.
 * @throws the file system's error: an unreadable document is unknown
 */
function read<S extends TSchema>(schema: S, path: string): Static<S> | null {
  try {
    return jsonFitting(schema, readFileSync(path, 'utf8'));
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

/** Result of the last restore; null where there was none. */
export const lastRestore = (folder: string): LastRestore | null => read(Last, join(folder, LAST));

export const isReady = (folder: string): boolean => existsSync(join(folder, READY, MARK));

/** Whether the replacement has begun and the device has a mixture of data, with which it must not start. */
export function hasBegun(folder: string): boolean {
  const mark = read(Mark, join(folder, READY, MARK));
  return mark !== null && existsSync(join(folder, mark.before));
}

export const beforeOf = (now: number): string =>
  `before-restore-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;

/** Makes the unpacked backup ready to replace the data at the next start. @throws the file system's error */
export function makeReady(folder: string, mark: Mark): void {
  const unpacked = join(folder, UNPACKING);
  const last: LastRestore = { ...mark, lost: null }; // the result that a successful restore leaves
  replaceFile(join(unpacked, MARK), JSON.stringify(last));
  renameSync(unpacked, join(folder, READY));
  syncFolder(folder);
}

function moveAway(folder: string, name: string, before: string): void {
  for (const present of readdirSync(folder).filter((each) => each === name || isBeside(each, name)))
    renameSync(join(folder, present), join(before, present));
}

/**
 * Replaces one file. Files that belong to it are moved away, too: the device would restore the newer rows of an old
 * journal.
 */
function replace(folder: string, name: string, before: string): void {
  const made = join(folder, READY, name);
  if (!existsSync(made)) return; // replaced before a power cut
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
  // files that the backup lacks would not fit its other files, as a tray's area does not fit another tray
  for (const name of NAMES.filter((each) => !mark.files.includes(each) && !OF_ONE_BOARD.includes(each)))
    moveAway(folder, name, before);
  syncFolder(before);
  syncFolder(folder);
}

/** Discards the backup that is ready. The mark is removed first: a part of a backup must never pass for the whole. */
export function discardReady(folder: string): void {
  const ready = join(folder, READY);
  rmSync(join(ready, MARK), { force: true });
  syncFolder(ready);
  rmSync(ready, { recursive: true, force: true });
}

/**
 * Payments that came in after the backup was judged; null for none, for a forced restore, and once the replacement has
 * begun.
 */
function lostSince(folder: string, mark: Mark): Lost | null {
  if (mark.isForced || existsSync(join(folder, mark.before))) return null;
  const lost = lostBy(folder, join(folder, READY));
  return isNothing(lost) ? null : lost;
}

/**
 * Carries out a prepared restore before any file of the folder is opened, and removes remains of interrupted backups
 * and restores.
 * @returns the result; null where no restore was prepared
 * @throws the file system's error, or SQLite's: the next start continues
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
  if (lost === null && mark.isOwn && mark.isForced && !existsSync(join(folder, mark.before)))
    retainMoney(folder, ready);
  if (lost === null) swap(folder, mark);
  const last: LastRestore = { ...mark, lost };
  if (lost === null)
    renameSync(join(ready, MARK), join(folder, LAST)); // needs no room: on a full disk the restore must not be repeated
  else replaceFile(join(folder, LAST), JSON.stringify(last));
  syncFolder(folder);
  discardReady(folder);
  return last;
}
