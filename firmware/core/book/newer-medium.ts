/**
 * A second medium that is newer than the card: an older image of the card was put back, database and journal. Files of
 * the medium that follow from the book's place, by its hash, complete the journal, and the journal the database. What
 * does not follow is of another history: a restored backup begins its own. The thread copies the files beside the
 * journal, as a medium may hang; the caller puts them in place.
 */
import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { syncFile, syncFolder } from '../files/index.ts';
import type { Ahead, CareJob } from './care-job.ts';
import { type JournalFile, journalOf, lineFiles } from './journal-files.ts';
import type { Place } from './journal-lines.ts';
import { headIn, isWhole, linesOf } from './journal-reading.ts';
import { tailOf } from './journal-tail.ts';
import { standIn } from './stand.ts';

/** Folder of the journal for files that are being copied. */
const WAITING = 'from-second-medium';

const isAt = (place: Place, { commit, hash }: Place): boolean => place.commit === commit && place.hash === hash;

/** Copies a file, which gets its name when complete. @throws the file system's error */
export function copyWhole(from: string, to: string): void {
  copyFileSync(from, `${to}.tmp`);
  syncFile(`${to}.tmp`);
  renameSync(`${to}.tmp`, to);
}

/**
 * The files with the lines after a place: each continues where the one before ends, up to the first break.
 * @param stand place of the database: if it is after `from`, the files must contain it, else none are returned
 */
function filesBehind(folder: string, from: Place, stand: Place | null): JournalFile[] {
  const files = lineFiles(folder);
  const first = files.findLastIndex(({ after }) => after <= from.commit);
  const found: JournalFile[] = [];
  let end: Place | null = null;
  let isStandFound = stand === null || stand.commit <= from.commit;
  for (const file of files.slice(Math.max(0, first))) {
    const head = headIn(file);
    if (end !== null && head?.hash !== end.hash) break;
    if (head !== null && isAt(head, from)) end = head;
    let isBroken = false;
    for (const line of linesOf(file)) {
      if (line === null) isBroken = true;
      else if (end !== null || isAt(line, from)) end = line;
      if (line !== null && stand !== null && isAt(line, stand)) isStandFound = true;
    }
    if (end === null) return [];
    found.push(file);
    if (isBroken) break;
  }
  return end !== null && end.commit > from.commit && isStandFound ? found : [];
}

/** Copies what a second medium has beyond the journal beside it, in the thread. @throws the file system's error */
export function copyAhead({ path, secondFolder }: Pick<CareJob, 'path' | 'secondFolder'>): Ahead | null {
  if (secondFolder === null) return null;
  const folder = journalOf(path);
  const other = join(secondFolder, basename(folder));
  const stand = standIn(path);
  const from = tailOf(folder) ?? stand;
  const end = tailOf(other);
  if (from === null || end === null || end.commit <= from.commit) return null;
  const files = filesBehind(other, from, stand);
  if (files.length === 0) return null;
  const waiting = join(folder, WAITING);
  rmSync(waiting, { recursive: true, force: true });
  mkdirSync(waiting, { recursive: true, mode: 0o700 });
  for (const file of files) copyWhole(file.path, join(waiting, basename(file.path)));
  syncFolder(waiting);
  return { from, files: files.map((file) => basename(file.path)) };
}

/**
 * Puts the copied files into the journal of a closed book, one after the other: after each the journal is whole, and
 * after a power cut the next start continues.
 * @throws the file system's error
 */
export function putAhead(path: string, { from, files }: Ahead): void {
  const folder = journalOf(path);
  const waiting = join(folder, WAITING);
  // a log without lines that was begun after the place would count as the journal's end
  for (const own of lineFiles(folder))
    if (own.after >= from.commit && isWhole(own) && linesOf(own).next().done === true) rmSync(own.path);
  for (const name of files) {
    renameSync(join(waiting, name), join(folder, name));
    syncFolder(folder);
    if (name.endsWith('.packed')) rmSync(join(folder, name.replace(/packed$/, 'log')), { force: true });
  }
  rmSync(waiting, { recursive: true, force: true });
}
