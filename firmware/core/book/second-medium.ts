/** Copies a book to a second medium: its journal at each call, its database once a day. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { backup } from 'node:sqlite';
import { openFile, renameAside, syncFile } from '../files/index.ts';
import type { CareJob } from './care-job.ts';
import { dayOf, type JournalFile, journalFiles, journalOf, lineFiles } from './journal-files.ts';
import { headIn, isWhole, linesOf } from './journal-reading.ts';
import { tailOf } from './journal-tail.ts';
import { copyWhole } from './newer-medium.ts';

/** Updates the journal on the second medium, and once a day a copy of the database there. */
export async function copyToSecondMedium({ path, secondFolder, now }: CareJob): Promise<void> {
  if (secondFolder === null) return;
  const folder = journalOf(path);
  const other = join(secondFolder, basename(folder));
  // the folder of an absent medium is not made: it would lie on the card
  if (!existsSync(secondFolder)) mkdirSync(secondFolder, { mode: 0o700 });
  const database = join(secondFolder, basename(path));
  if (!endsInOurLine(folder, other)) for (const theirs of [other, database]) renameAside(theirs, now, 'other');
  mkdirSync(other, { recursive: true, mode: 0o700 });
  for (const file of journalFiles(folder)) {
    const target = join(other, basename(file.path));
    if (file.kind === 'log') appendNewLines(file, target);
    else if (!existsSync(target)) copyWhole(file.path, target);
    else if (statSync(target).size !== statSync(file.path).size && isWhole(file)) copyWhole(file.path, target);
    if (file.kind === 'packed') rmSync(target.replace(/packed$/, 'log'), { force: true });
  }
  const isOld = !existsSync(database) || dayOf(statSync(database).mtimeMs) !== dayOf(now);
  if (!isOld) return;
  using db = openFile(path, { readOnly: true });
  await backup(db, `${database}.tmp`);
  syncFile(`${database}.tmp`);
  renameSync(`${database}.tmp`, database);
}

/** Whether the journal on the second medium ends in a line of this book: any other journal may be its book's only record. */
function endsInOurLine(folder: string, other: string): boolean {
  const there = tailOf(other);
  if (there === null) return journalFiles(other).length === 0;
  for (const file of lineFiles(folder).toReversed()) {
    if (file.after > there.commit) continue;
    const head = headIn(file);
    if (head?.commit === there.commit && head.hash === there.hash) return true;
    for (const line of linesOf(file)) if (line?.commit === there.commit) return line.hash === there.hash;
  }
  return false;
}

/** Appends a log's new lines to its copy. A copy that differs (damage, a removed last line) is written anew. */
function appendNewLines(file: JournalFile, to: string): void {
  const bytes = readFileSync(file.path);
  const lines = bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1);
  const copied = existsSync(to) ? readFileSync(to) : Buffer.alloc(0);
  const isDifferent = !lines.subarray(0, copied.length).equals(copied);
  if (isDifferent && isWhole(file)) rmSync(to);
  else if (copied.length >= lines.length) return;
  appendFileSync(to, existsSync(to) ? lines.subarray(copied.length) : lines);
  syncFile(to);
}
