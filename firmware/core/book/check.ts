/** Checks a whole book: each row's checksum, each line's hash, and each row against its newest line. */
import { messageOf } from '../../../drivers/lib/errors.ts';
import { openFile } from '../files/index.ts';
import { type CareJob, type CareReport, DONE, type Suspect } from './care-job.ts';
import { journalOf, lineFiles } from './journal-files.ts';
import { packEnded } from './journal-packing.ts';
import { brokenLinks } from './journal-reading.ts';
import { requireForm, requireIntegrity } from './open-book.ts';
import type { Values } from './row.ts';
import { formatsOf, rowsOf } from './rows-of-tables.ts';
import { currentFilesOf, readThrough } from './whole-journal.ts';

/** Most damaged rows restored one by one: a file with more damage is rebuilt. */
const MOST_SUSPECTS = 1000;

/** Checks each row's checksum, each line's hash, and each row against its newest line. */
export function check(job: CareJob): CareReport {
  const { path, tables, migrations } = job;
  const folder = journalOf(path);
  packEnded(folder);
  using db = openFile(path, { readOnly: true });
  try {
    requireIntegrity(db, 'integrity_check'); // `quick_check` does not compare indexes with their tables
    requireForm(db, migrations);
  } catch (error) {
    return { ...DONE, isDamaged: true, problem: messageOf(error) };
  }
  const formats = formatsOf(db, tables);
  const head = Number(db.prepare('SELECT commit_no FROM book').get()?.commit_no);
  const suspects = new Map<string, Suspect>();
  const suspect = (table: string, id: number, values: Values | null): void => {
    if (suspects.size < MOST_SUSPECTS) suspects.set(`${table} ${id}`, { table, id, values });
  };
  for (const { name } of tables) {
    let next = 1;
    for (const row of rowsOf(db, name)) {
      for (; next < Number(row.id); next += 1) suspect(name, next, null);
      next = Number(row.id) + 1;
      if (formats.get(name)?.isSound(row) !== true) suspect(name, Number(row.id), null);
    }
  }
  const { breaks } = readThrough(
    folder,
    (table, values) => {
      const id = Number(values.id);
      const known = suspects.get(`${table} ${id}`);
      if (Number(known?.values?.change_no ?? 0) > Number(values.change_no)) return;
      const row = known === undefined ? formats.get(table)?.byId(id) : undefined;
      const isOlder = known === undefined && (row === undefined || Number(row.change_no) < Number(values.change_no));
      if (known !== undefined || isOlder) suspect(table, id, values);
    },
    head,
  );
  if (suspects.size === MOST_SUSPECTS)
    return { ...DONE, isDamaged: true, problem: `${MOST_SUSPECTS} rows are damaged` };
  const files = lineFiles(folder);
  const [first] = currentFilesOf(folder).lines;
  const olderBreaks = brokenLinks(files.slice(0, 1 + files.findIndex(({ path }) => path === first?.path)));
  return {
    ...DONE,
    suspects: [...suspects.values()],
    breaks,
    olderBreaks: olderBreaks.filter((each) => !breaks.includes(each)),
  };
}
