/**
 * Tells why a write failed, of SQLite or of a file. Callers add the words.
 * Sources: SQLite's result codes (https://www.sqlite.org/rescode.html); the names of errno (errno(3), POSIX.1).
 */
import { closeSync, openSync, readSync, statfsSync, statSync } from 'node:fs';

/**
 * - `full`: the disk is full; writing works again once room is freed
 * - `refused`: the system refuses the write: rights, a read-only or failing disk, a missing folder
 * - `damaged`: the database itself is broken
 * - `held`: another connection writes, usually of another program; it works again once that has ended
 */
export type WriteFailure = 'full' | 'refused' | 'damaged' | 'held';

const HEADER_BYTES = 100;
export const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
/** A page beyond the end of the file was read. */
const SQLITE_IOERR_SHORT_READ = 522;
const SQLITE_CORRUPT = 11;
export const SQLITE_FULL = 13;
export const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
/** node:sqlite gives extended result codes; the primary one is their lowest byte. */
const PRIMARY_CODE = 0xff;

const OF_SQLITE: ReadonlyMap<number, WriteFailure> = new Map([
  [SQLITE_FULL, 'full'],
  [SQLITE_BUSY, 'held'],
  [SQLITE_LOCKED, 'held'],
  [SQLITE_READONLY, 'refused'],
  [SQLITE_IOERR, 'refused'],
  [SQLITE_CANTOPEN, 'refused'],
  [SQLITE_CORRUPT, 'damaged'],
  [SQLITE_NOTADB, 'damaged'],
]);

const OF_FILES: ReadonlyMap<string, WriteFailure> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EFBIG', 'full'],
  ['EACCES', 'refused'],
  ['EIO', 'refused'],
  ['EISDIR', 'refused'],
  ['ENOENT', 'refused'],
  ['ENOTDIR', 'refused'],
  ['EPERM', 'refused'],
  ['EROFS', 'refused'],
  ['EMFILE', 'refused'],
  ['ENFILE', 'refused'],
]);

/** An error with SQLite's code of damage, for what SQLite itself does not find. */
export const damaged = (what: string): Error => Object.assign(new Error(what), { errcode: SQLITE_CORRUPT });

/** The failure of an error; null for one that is not of the storage (a broken constraint, any other). */
export function writeFailure(error: unknown): WriteFailure | null {
  const { errcode, code, syscall } = (error ?? {}) as Readonly<Record<'errcode' | 'code' | 'syscall', unknown>>;
  if (errcode === SQLITE_IOERR_SHORT_READ) return 'damaged';
  if (typeof errcode === 'number') return OF_SQLITE.get(errcode & PRIMARY_CODE) ?? null;
  // Node's rmSync leaves the code empty for reasons that it does not know, such as EROFS (seen with 24.21)
  if (syscall === 'rm' && code === '') return 'refused';
  return typeof code === 'string' ? (OF_FILES.get(code) ?? null) : null;
}

/** Does work that is not needed now. @returns null where the disk does not allow it: the next write reports why */
export function whereItCan<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    const failure = writeFailure(error);
    if (failure === null || failure === 'held') throw error;
    return null;
  }
}

/**
 * Whether a database could not be opened because of damage. SQLite may only report "disk I/O error" for one that was
 * cut short. Its header has the size (https://www.sqlite.org/fileformat2.html#the_database_header).
 */
export function isDamagedFile(path: string, error: unknown): boolean {
  if (writeFailure(error) === 'damaged') return true;
  if ((error as { readonly errcode?: unknown }).errcode !== SQLITE_IOERR) return false;
  const header = Buffer.alloc(HEADER_BYTES);
  const handle = openSync(path, 'r');
  try {
    readSync(handle, header);
  } finally {
    closeSync(handle);
  }
  return statSync(path).size < header.readUInt16BE(16) * header.readUInt32BE(28);
}

/** Whether an error comes from SQLite or the file system, and not from this program. */
export function isOfStorage(error: unknown): boolean {
  const { errcode, syscall } = (error ?? {}) as { readonly errcode?: unknown; readonly syscall?: unknown };
  return typeof errcode === 'number' || typeof syscall === 'string';
}

/** Free bytes of a file system for this process. @throws the file system's error */
export function freeBytes(folder: string): number {
  const { bsize, bavail, bfree } = statfsSync(folder);
  // the last blocks of a file system may be reserved for root
  const blocks = process.getuid?.() === 0 ? bfree : bavail;
  return blocks * bsize;
}
