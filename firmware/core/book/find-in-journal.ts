/** Finds the newest version of single rows in a journal. */
import { openFile } from '../files/index.ts';
import { type CareJob, type CareReport, DONE, type Suspect } from './care-job.ts';
import { type JournalFile, journalFiles, journalOf, lineFiles } from './journal-files.ts';
import { linesOf, readVersions } from './journal-reading.ts';
import type { Values } from './row.ts';
import { formatsOf } from './rows-of-tables.ts';
import { currentFilesOf } from './whole-journal.ts';

/**
 * Finds rows in the journal: those that are sought, and those of commits after `since` that are missing, older or damaged
 * in the database.
 */
export function findInJournal({ path, sought, since, tables }: CareJob): CareReport {
  const folder = journalOf(path);
  const found = new Map<string, Suspect>();
  using db = openFile(path, { readOnly: true });
  const formats = formatsOf(db, tables);
  if (since !== null)
    for (const [key, suspect] of newestSince(folder, since)) {
      const row = formats.get(suspect.table)?.byId(suspect.id);
      const isUpToDate = row !== undefined && Number(row.change_no) >= Number(suspect.values?.change_no);
      if (!isUpToDate || formats.get(suspect.table)?.isSound(row) !== true) found.set(key, suspect);
    }
  const missing = new Map([...sought].map(([table, ids]) => [table, new Set(ids)]));
  for (const { table, id } of found.values()) missing.get(table)?.delete(id);
  for (const file of filesByNewestRow(folder)) {
    if ([...missing.values()].every(({ size }) => size === 0)) break;
    const inFile = new Map<string, Suspect>();
    readVersions(file, missing, (table, values) => keepNewest(inFile, table, values));
    for (const { table, id, values } of inFile.values()) {
      if (values !== null) keepNewest(found, table, values);
      // an older version is not enough: the line of the last commit may be damaged, and a beginning may have the row
      if (formats.get(table)?.isOutdated(id, Number(values?.change_no)) !== true) missing.get(table)?.delete(id);
    }
  }
  const unfound = [...missing].flatMap(([table, ids]) =>
    [...ids].filter((id) => !found.has(`${table} ${id}`)).map((id) => ({ table, id, values: null })),
  );
  return { ...DONE, suspects: [...found.values(), ...unfound] };
}

/** The newest version of each row of the commits after one. */
function newestSince(folder: string, since: number): ReadonlyMap<string, Suspect> {
  const files = lineFiles(folder);
  const newest = new Map<string, Suspect>();
  for (const file of files.slice(
    Math.max(
      0,
      files.findLastIndex(({ after }) => after <= since),
    ),
  ))
    for (const line of linesOf(file))
      if (line !== null && line.commit > since)
        for (const [table, of] of Object.entries(line.rows)) for (const values of of) keepNewest(newest, table, values);
  return newest;
}

function keepNewest(known: Map<string, Suspect>, table: string, values: Values): void {
  const id = Number(values.id);
  const key = `${table} ${id}`;
  if (Number(known.get(key)?.values?.change_no ?? 0) <= Number(values.change_no)) known.set(key, { table, id, values });
}

/** All files of a journal, in the order in which the newest version of a row is found first. */
function filesByNewestRow(folder: string): readonly JournalFile[] {
  const all = journalFiles(folder).toReversed();
  const { rows, lines } = currentFilesOf(folder);
  const newest = [...lines.toReversed(), ...rows.toReversed()];
  const newestPaths = new Set(newest.map(({ path }) => path));
  return [...newest, ...all.filter(({ path }) => !newestPaths.has(path))];
}
