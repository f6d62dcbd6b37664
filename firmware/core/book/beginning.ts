/**
 * Begins a journal anew: writes all rows as they are now, from which a book can be rebuilt without older files. Removes
 * files older than the law requires.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openFile, readableFromOf } from '../files/index.ts';
import type { CareJob } from './care-job.ts';
import { dayOf, fileName, journalFiles, journalOf } from './journal-files.ts';
import { hashAfter } from './journal-lines.ts';
import { writePacked } from './journal-packing.ts';
import { RowFormat, type TableShape } from './row.ts';
import { rowsOf } from './rows-of-tables.ts';
import { currentFilesOf } from './whole-journal.ts';

/** Writes all rows as they are now into a `.rows` file, and removes files older than the law requires. */
export function writeBeginning({ path, tables, now, certain, keptYears }: CareJob): void {
  const folder = journalOf(path);
  using db = openFile(path, { readOnly: true });
  db.exec('BEGIN'); // one snapshot: all rows are those of one commit
  const book = db.prepare('SELECT commit_no, hash FROM book').get();
  const head = { kind: 'rows', commit: Number(book?.commit_no), hash: String(book?.hash) } as const;
  writePacked(join(folder, fileName(head.commit, dayOf(now), 'rows')), head, rowLines(db, tables, head.hash));
  db.exec('COMMIT');
  removeOldFiles(folder, certain, keptYears);
}

function* rowLines(db: DatabaseSync, tables: readonly TableShape[], before: string): Generator<string> {
  let hash = before;
  const readableFrom = readableFromOf(db);
  for (const { name } of tables) {
    const format = new RowFormat(db, name);
    for (const row of rowsOf(db, name)) {
      if (!format.isSound(row)) continue;
      const json = `{"s":${readableFrom},${JSON.stringify(name)}:${format.textOf(row)}}`;
      hash = hashAfter(hash, json);
      yield `${hash} ${json}\n`;
    }
  }
}

const YEAR_MS = 366 * 86_400_000;

function removeOldFiles(folder: string, certain: number, keptYears: number): void {
  const { rows, lines } = currentFilesOf(folder);
  const needed = new Set([...rows, ...lines].map(({ path }) => path));
  const newest = rows.at(-1);
  const previous = journalFiles(folder).findLast(({ kind, path }) => kind === 'rows' && path !== newest?.path);
  const before = previous ?? lines.at(-1);
  if (before === undefined) return;
  // a clock that is years ahead must not remove years of the journal: one year at most counts since that file
  const latest = Math.min(certain, Date.parse(before.day) + YEAR_MS);
  const oldest = dayOf(latest - keptYears * YEAR_MS);
  for (const { path, day } of journalFiles(folder)) if (day < oldest && !needed.has(path)) rmSync(path);
}
