/**
 * A book of rows that must not be lost: tables in SQLite, and a journal beside them in plain lines. A damaged or old row is
 * found when it is read, and restored from the journal. A daily check reads the whole.
 */
export { Book } from './book.ts';
export type { BookTable, Written } from './book-table.ts';
export type { CareJob, CareReport, Suspect } from './care-job.ts';
export { CARE_WORKER, catchUp } from './catch-up.ts';
export { BrokenRule } from './findings.ts';
export { journalOf, lacksEarlier, newestBeginning } from './journal-files.ts';
export type { BookFile, BookPlan, Commit, RowChange } from './live-book.ts';
export {
  changedWhere,
  changesOf,
  changesSchema,
  plainRow,
  type Row,
  RowFormat,
  selectFrom,
  type TableShape,
  type Values,
  valuesOf,
} from './row.ts';
export { BOOK_SCHEMA, beginHistory, putStand, standIn } from './stand.ts';
