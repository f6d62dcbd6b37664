/**
 * A device that another program holds: what the system and the libraries say of it, and which program it is.
 * Source: the texts of errno (EBUSY), libcamera's `Camera::acquire`, rpicam-apps' `OpenCamera`, serialport's `flock`.
 */
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { allLocks, lockedAs, PROC } from './file-locks.ts';

const HELD =
  /in use by another process|failed to acquire camera|resource busy|\bEBUSY\b|cannot lock port|resource temporarily unavailable/i;

/** Whether a text of a failure says that another program holds the device. */
export const meansBusy = (text: string): boolean => HELD.test(text);

/** A folder of `/proc` that belongs to a process. */
const PROCESS = /^\d+$/;

/** Whether a process has a file open; false where it is another user's, whose open files are hidden. */
async function hasOpen(folder: string, file: string): Promise<boolean> {
  try {
    const handles = await readdir(join(folder, 'fd'));
    const links = handles.map((handle) => readlink(join(folder, 'fd', handle)).catch(() => ''));
    return (await Promise.all(links)).includes(file);
  } catch {
    return false; // not ours to see, or gone
  }
}

/** Another process that has locked the file (`/proc/locks` is open to everybody), or else has it open. */
async function pidOf(file: string, proc: string): Promise<number | null> {
  const locked = lockedAs(file);
  const lock = (await allLocks(proc)).find(
    (known) => known.file === locked && known.pid > 0 && known.pid !== process.pid,
  );
  if (lock !== undefined) return lock.pid;
  for (const name of (await readdir(proc)).filter((entry) => PROCESS.test(entry)))
    if (Number(name) !== process.pid && (await hasOpen(join(proc, name), file))) return Number(name);
  return null;
}

/**
 * Names the program that holds a device, as `minicom (pid 4711)`; null where the system does not tell: only Linux does.
 * Never fails.
 */
export async function nameHolder(path: string, proc = PROC): Promise<string | null> {
  try {
    const pid = await pidOf(await realpath(path), proc);
    if (pid === null) return null;
    const name = await readFile(join(proc, String(pid), 'comm'), 'utf8').catch(() => 'a program');
    return `${name.trim()} (pid ${pid})`;
  } catch {
    return null; // no /proc, or no such device any more
  }
}
