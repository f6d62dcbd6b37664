/**
 * The data folder, locked by one process at a time. Finds which process has locked the folder or one of its databases.
 *
 * That process is found by the kernel's list of locks, which only Linux has (proc(5), `/proc/locks`), and never by opening
 * the file: a process that closes a file drops its own locks on it, SQLite's too.
 */
import { accessSync, constants, existsSync, lstatSync, mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isCode, messageOf } from '../../../drivers/lib/errors.ts';
import { allLocks, allLocksAtOnce, type FileLock, lockedAs, PROC } from '../../../drivers/lib/file-locks.ts';
import { accessProblem, accessProblemOf } from '../../../drivers/lib/rights.ts';
import { sweepTemporaries } from './durable-file.ts';
import { isStoreError, StoreError } from './errors.ts';
import { clearPath, placesOf } from './set-aside.ts';
import { SQLITE_BUSY, SQLITE_CANTOPEN, whereItCan, writeFailure } from './write-failure.ts';

/** The byte of `-shm` that a writer locks (sqlite.org/walformat.html, "WAL Locks"). */
const WRITER = 120;

const ofDatabases = (locks: FileLock[]): FileLock[] => locks.filter(({ kind }) => kind === 'POSIX');

/** Another process that writes a database, or has locked it exclusively. In WAL mode a writer locks a byte of `-shm`. */
function writerAmong(locks: readonly FileLock[], path: string): number | null {
  const [own, shared] = [lockedAs(path), lockedAs(`${path}-shm`)];
  const isHolding = ({ file, from, to }: FileLock): boolean =>
    file === own || (file === shared && from <= WRITER && to >= WRITER);
  return locks.find(isHolding)?.pid ?? null;
}

const ofOthers = (locks: FileLock[]): FileLock[] => ofDatabases(locks).filter(({ pid }) => pid !== process.pid);

/** A database that another program has locked, so that nothing can be written to it. */
export interface LockedDatabase {
  readonly file: string;
  readonly pid: number;
}

/** Databases of a folder that other programs lock now. Never fails. */
export async function lockedDatabasesIn(folder: string, proc = PROC): Promise<LockedDatabase[]> {
  const locks = ofOthers(await allLocks(proc));
  if (locks.length === 0) return [];
  return databasesIn(folder).flatMap((file) => {
    const pid = writerAmong(locks, join(folder, file));
    return pid === null ? [] : [{ file, pid }];
  });
}

function databasesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.db'));
  } catch {
    return []; // the next write reports what is wrong
  }
}

/**
 * Names, in an error, who is in the way: the process that holds the database, or the user whom its files belong to. Other
 * errors stay. @param path null in memory
 */
export function namingHolder(path: string | null, error: unknown): unknown {
  if (path === null || isStoreError(error, 'FILE_HELD', 'NOT_OURS')) return error;
  const failure = writeFailure(error);
  if (failure === 'refused') return namingOwner(path, error);
  if (failure !== 'held') return error;
  const pid = writerAmong(ofOthers(allLocksAtOnce()), path);
  const who = pid === null ? '' : ` (pid ${pid})`;
  const named = new StoreError('FILE_HELD', `another program holds ${basename(path)}${who}: close it`, {
    cause: error,
  });
  return Object.assign(named, { errcode: SQLITE_BUSY });
}

/** Names the owner of files that this process has no right to: SQLite says no more than that it cannot open or write. */
function namingOwner(path: string, cause: unknown): unknown {
  const words =
    accessProblemOf(cause) ??
    placesOf(path)
      .map(accessProblem)
      .find((each) => each !== null);
  if (words === null || words === undefined) return cause;
  return Object.assign(new StoreError('NOT_OURS', words, { cause }), { errcode: SQLITE_CANTOPEN });
}

const LOCK = 'owner.lock';

export interface DataDir {
  readonly path: string;
  file(name: string): string;
  release(): void;
}

/** Whether another process holds the lock. SQLite takes it before it reads, so a damaged file can be locked, too. */
const isHeld = (error: unknown): boolean => /database is locked/.test(String(error));

/**
 * Locks a file by SQLite, whose locks the kernel drops with the process. Node has no `flock`, and a file with the number
 * of a process would have to be interpreted after a power cut.
 */
function lockFile(file: string): DatabaseSync {
  const lock = new DatabaseSync(file);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

function lockWhateverIsThere(file: string): DatabaseSync {
  clearPath(file, Date.now());
  try {
    return lockFile(file);
  } catch (error) {
    if (isHeld(error) || !existsSync(file)) throw error;
    truncateSync(file); // the file is only a lock: any content in it is damage
    return lockFile(file);
  }
}

/**
 * Fails where this process has no right to the lock: without it two processes would sell from one ledger.
 * @throws {StoreError} `DATA_DIR_UNUSABLE`
 */
function requireRights(path: string): void {
  const words = accessProblem(path);
  if (words === null) return;
  throw new StoreError(
    'DATA_DIR_UNUSABLE',
    `${words}; before, stop any Laneware process of another user, which may hold the data folder`,
  );
}

/** The process that has locked a file; null for none, or where the system does not tell. */
function lockerOf(path: string, proc: string): number | null {
  const file = lockedAs(path);
  return ofDatabases(allLocksAtOnce(proc)).find((lock) => lock.file === file)?.pid ?? null;
}

/** The process that holds a data folder; null for none, or where the system does not tell (only Linux does). */
export const holderOf = (folder: string, proc = PROC): number | null => lockerOf(join(folder, LOCK), proc);

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Makes a folder and its parents, one by one: Node's own way (`recursive`) never ends where none can be made, as in
 * `/proc`.
 */
function makeFolders(path: string): void {
  if (isFolder(path)) return;
  if (!existsSync(dirname(path))) makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isFolder(path)) throw error; // else another process was faster
  }
}

/** Makes the data folder. @throws {StoreError} `DATA_DIR_UNUSABLE` */
function makeWhole(path: string): void {
  try {
    makeFolders(path);
  } catch (cause) {
    throw new StoreError(
      'DATA_DIR_UNUSABLE',
      `${path} cannot be made: ${messageOf(cause)}; set dataDir (LANEWARE_DATADIR) to another folder`,
      { cause },
    );
  }
}

/**
 * Whether nothing at all can be written to a folder now, as it is full or read-only: the device then starts without a
 * lock, and reports that. In a folder that can be written to, two processes without a lock would both sell.
 */
function isUnwritable(path: string, error: unknown): boolean {
  if (writeFailure(error) === 'full') return true;
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (refusal) {
    return isCode(refusal, 'EROFS');
  }
}

/** @returns null where nothing can be written @throws {StoreError} `DATA_DIR_BUSY`, `DATA_DIR_UNUSABLE` */
function lockIn(path: string, file: string): DatabaseSync | null {
  try {
    return lockWhateverIsThere(file);
  } catch (cause) {
    if (isHeld(cause)) {
      const holder = holderOf(path);
      const [who, how] = holder === null ? ['', 'stop it'] : [` (pid ${holder})`, `stop it with kill ${holder}`];
      throw new StoreError(
        'DATA_DIR_BUSY',
        `${path} is in use by another Laneware process${who}: ${how}, or set dataDir (LANEWARE_DATADIR) to another folder`,
      );
    }
    if (writeFailure(cause) === null) throw cause;
    requireRights(path);
    if (isUnwritable(path, cause)) return null;
    throw new StoreError(
      'DATA_DIR_UNUSABLE',
      `${file} cannot be locked (${messageOf(cause)}), and without a lock two processes could sell from one ledger: the card may be failing, put in another; or set dataDir (LANEWARE_DATADIR) to another folder`,
      { cause },
    );
  }
}

/**
 * Locks the data folder for this process. The lock is SQLite's own on an empty database: the kernel drops it with the
 * process, however it ends, and it works on every system.
 * @throws {StoreError} `DATA_DIR_BUSY`, `DATA_DIR_UNUSABLE`
 */
export function lockDataDir(folder: string): DataDir {
  const path = resolve(folder);
  makeWhole(path);
  const file = join(path, LOCK);
  // SQLite takes no lock on a file that it may only read, and does not report that; `lockIn` renames whatever is no file
  if (whereItCan(() => lstatSync(file, { throwIfNoEntry: false })?.isFile()) === true) requireRights(file);
  const lock = lockIn(path, file);
  sweepTemporaries(path);
  return { path, file: (name) => join(path, name), release: () => lock?.close() };
}
