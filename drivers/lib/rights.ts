/** Which file or folder keeps this process out by its owner and mode, in words that say how to mend it. */
import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const [READ, WRITE, ENTER] = [4, 2, 1];

/** Whether owner and mode let this process use a file. It is not opened: closing it would drop this process's locks on it. */
function mayUse({ uid, gid, mode }: Stats, wanted: number): boolean {
  const ours = process.geteuid?.();
  if (ours === undefined || ours === 0) return true;
  const isOfGroup = [process.getegid?.(), ...(process.getgroups?.() ?? [])].includes(gid);
  const shift = uid === ours ? 6 : isOfGroup ? 3 : 0;
  return ((mode >> shift) & wanted) === wanted;
}

function statsOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null; // behind a folder that keeps this process out, which is found first
  }
}

/** Every folder above a path, outermost first, and the path. */
function wayTo(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [...wayTo(above), path];
}

function wordsOf(path: string, { uid }: Stats): string {
  const [ours, group] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0];
  if (uid === ours) return `${path} has a mode that keeps its owner out: run chmod -R u+rwX ${path}`;
  const owner = uid === 0 ? 'root' : `user ${uid}`;
  return `${path} belongs to ${owner}, and this process (user ${ours}) may not use it: run chown -R ${ours}:${group} ${path}`;
}

/**
 * What keeps this process from reading and writing a file, or from making files in a folder; null where owner and mode
 * allow it, and for what is neither file nor folder.
 */
export function accessProblem(path: string): string | null {
  const way = wayTo(resolve(path));
  for (const [at, part] of way.entries()) {
    const found = statsOf(part);
    if (found === null) continue;
    const isLast = at === way.length - 1;
    const isAbove = at === way.length - 2 && statsOf(way.at(-1) ?? '') === null; // of a new file
    if (
      found.isDirectory()
        ? !mayUse(found, isLast ? READ | WRITE | ENTER : isAbove ? WRITE | ENTER : ENTER)
        : !isFreeFile(found)
    )
      return wordsOf(part, found);
  }
  return null;
}

const isFreeFile = (found: Stats): boolean => !found.isFile() || mayUse(found, READ | WRITE);

/** As `accessProblem`, for the paths of a file system's error; null for other errors, and for programs that cannot be run. */
export function accessProblemOf(error: unknown): string | null {
  const { code, syscall, path, dest } = (error ?? {}) as Readonly<
    Record<'code' | 'syscall' | 'path' | 'dest', unknown>
  >;
  if (code !== 'EACCES' && code !== 'EPERM') return null;
  if (typeof syscall !== 'string' || syscall.startsWith('spawn')) return null;
  for (const each of [path, dest]) {
    const words = typeof each === 'string' ? (accessProblem(each) ?? accessProblem(dirname(each))) : null;
    if (words !== null) return words;
  }
  return null;
}
