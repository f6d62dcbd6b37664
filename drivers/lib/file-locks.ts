/**
 * The kernel's list of locks on files, which only Linux has (proc(5), `/proc/locks`): everybody may read it, and to look never
 * takes or drops a lock.
 */
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** `1: POSIX  ADVISORY  WRITE 4711 08:01:1234 128 128`: process, file (device in hexadecimal, inode), first and last byte. */
const LOCK_LINE = /^\d+: (POSIX|FLOCK) +ADVISORY +WRITE +(\d+) +([\da-f]+:[\da-f]+:\d+) (\d+) (\d+|EOF)$/gm;

/** The folder of the kernel's list; tests give one of their own. */
export const PROC = '/proc';

/** An exclusive lock. */
export interface FileLock {
  /** `POSIX` of fcntl(2), which SQLite takes; `FLOCK` of flock(2), which holders of ports take. */
  readonly kind: string;
  readonly pid: number;
  /** Device and inode, as in the list: files of two devices may have one inode. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

const locksOf = (text: string): FileLock[] =>
  [...text.matchAll(LOCK_LINE)].map(([, kind = '', pid, file = '', from, to]) => ({
    kind,
    pid: Number(pid),
    file,
    from: Number(from),
    to: to === 'EOF' ? Number.POSITIVE_INFINITY : Number(to),
  }));

/**
 * Empty where there is no such list. The kernel waits for each of its processors before it answers, 5 to 25 ms: callers that
 * ask often must not block the event loop.
 */
export const allLocks = (proc = PROC): Promise<FileLock[]> =>
  readFile(join(proc, 'locks'), 'utf8').then(locksOf, () => []);

/** As `allLocks`, but blocks: for the text of a failure, or a process that does nothing else yet. */
export function allLocksAtOnce(proc = PROC): FileLock[] {
  try {
    return locksOf(readFileSync(join(proc, 'locks'), 'utf8'));
  } catch {
    return []; // there is no such list
  }
}

/**
 * The device of a folder's file system, as the list of locks names it. That of stat(2) is another one where a file system has
 * several (btrfs), so the mount is asked (proc(5), `mountinfo`).
 */
function deviceOf(folder: string): string | null {
  const handle = openSync(folder, 'r');
  try {
    const mount = /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${handle}`, 'utf8'))?.[1];
    const line = new RegExp(`^${mount} \\d+ (\\d+):(\\d+) `, 'm').exec(readFileSync('/proc/self/mountinfo', 'utf8'));
    const hex = (digits = ''): string => Number(digits).toString(16).padStart(2, '0');
    return line === null ? null : `${hex(line[1])}:${hex(line[2])}`;
  } finally {
    closeSync(handle);
  }
}

/** A file as the list of locks names it; null for none, or where the system does not tell. The file is not opened. */
export function lockedAs(path: string): string | null {
  try {
    const { ino } = statSync(path, { bigint: true });
    const device = deviceOf(dirname(path));
    return device === null ? null : `${device}:${ino}`;
  } catch {
    return null; // no such file, or no /proc
  }
}
