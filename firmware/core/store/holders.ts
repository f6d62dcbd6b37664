/**
 * Finds the process that holds a file of ours, by the kernel's list of locks, which only Linux has (proc(5),
 * `/proc/locks`). It never opens the file: a process that closes a file drops its own locks on it, SQLite's too.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isStoreError, StoreError } from './errors.ts';
import { SQLITE_BUSY, writeFailure } from './write-failure.ts';

/** `1: POSIX  ADVISORY  WRITE 4711 08:01:1234 128 128`: process, file, first and last byte. */
const LOCK_LINE = /^\d+: POSIX +ADVISORY +WRITE +(\d+) +[\da-f]+:[\da-f]+:(\d+) (\d+) (\d+|EOF)$/gm;
/** The byte of `-shm` that a writer locks (sqlite.org/walformat.html, "WAL Locks"). */
const WRITER = 120;

interface Lock {
  readonly pid: number;
  readonly inode: string;
  readonly from: number;
  readonly to: number;
}

function allLocks(): Lock[] {
  try {
    return [...readFileSync('/proc/locks', 'utf8').matchAll(LOCK_LINE)].map(([, pid, inode = '', from, to]) => ({
      pid: Number(pid),
      inode,
      from: Number(from),
      to: to === 'EOF' ? Number.POSITIVE_INFINITY : Number(to),
    }));
  } catch {
    return []; // there is no such list
  }
}

function inodeOf(path: string): string | null {
  try {
    return String(statSync(path, { bigint: true }).ino);
  } catch {
    return null; // nobody holds what is not there
  }
}

/** The process that has locked a file; null for none, or where the system does not tell. */
export function lockerOf(path: string): number | null {
  const inode = inodeOf(path);
  return allLocks().find((lock) => lock.inode === inode)?.pid ?? null;
}

/** Another process that writes a database, or holds it exclusively. In WAL mode a writer locks a byte of `-shm`. */
function writerAmong(locks: readonly Lock[], path: string): number | null {
  const [file, shared] = [inodeOf(path), inodeOf(`${path}-shm`)];
  const isHolding = ({ inode, from, to }: Lock): boolean =>
    inode === file || (inode === shared && from <= WRITER && to >= WRITER);
  return locks.find(isHolding)?.pid ?? null;
}

const ofOthers = (): Lock[] => allLocks().filter(({ pid }) => pid !== process.pid);

/** A database held by another program, so that nothing can be written to it. */
export interface HeldFile {
  readonly file: string;
  readonly pid: number;
}

/** Databases of a folder held by other programs now. Never fails. */
export function heldIn(folder: string): HeldFile[] {
  const locks = ofOthers();
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

/** Names, in an error, the process that holds the database; other errors stay. @param path null in memory */
export function namingHolder(path: string | null, error: unknown): unknown {
  if (path === null || writeFailure(error) !== 'held' || isStoreError(error, 'FILE_HELD')) return error;
  const pid = writerAmong(ofOthers(), path);
  const who = pid === null ? '' : ` (pid ${pid})`;
  const named = new StoreError('FILE_HELD', `another program holds ${basename(path)}${who}: close it`, {
    cause: error,
  });
  return Object.assign(named, { errcode: SQLITE_BUSY });
}
