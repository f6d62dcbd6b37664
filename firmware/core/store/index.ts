/**
 * Durable storage: small files in two copies, SQLite databases, tables that find and restore damaged rows, CSV, sealed
 * secrets. A write is on the disk before it is acknowledged. Errors of a full or failing disk are named the same everywhere.
 */
export { readableFromOf, requireReadable, schemaOf } from './before-migration.ts';
export { Book } from './book/book.ts';
export type { BookTable, Written } from './book/book-table.ts';
export { CARE_WORKER, catchUp } from './book/catch-up.ts';
export {
  BrokenRule,
  type CareJob,
  type CareReport,
  type Finding,
  type Suspect,
} from './book/findings.ts';
export { journalOf, lacksEarlier, newestBeginning } from './book/journal-files.ts';
export {
  BOOK_SCHEMA,
  type BookFile,
  type BookPlan,
  beginHistory,
  type Commit,
  putStand,
  type RowChange,
  standIn,
} from './book/open-book.ts';
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
} from './book/row.ts';
export {
  type Cell,
  CSV_BOM,
  csvRow,
  QUOTED_WITH_EDGES,
  russianRow,
  type SheetCell,
  withoutApostrophes,
} from './csv.ts';
export { type DataDir, type HeldFile, heldIn, holderOf, namingHolder, takeDataDir } from './data-dir.ts';
export {
  connect,
  EVENT_LOOP_WAIT_MS,
  emptyLog,
  type Migration,
  type OpenedDatabase,
  OwnFile,
  openDatabase,
  openFile,
  slowTransaction,
  transaction,
} from './database.ts';
export { prepareFolder, replaceFile, temporaryFor } from './durable-file.ts';
export { isNotOurs, isStoreError, StoreError } from './errors.ts';
export { misformOf, statisticsOf } from './form.ts';
export { documentReader, JsonStore, KeptFile, MAX_DOCUMENT_BYTES, readKept } from './kept-file.ts';
export {
  CALENDAR_DAY,
  CSV_NAME,
  folded,
  HALVES,
  HEADER_TEXT,
  NO_ASCII_CONTROLS,
  NO_CONTROLS,
  patternWithMessage,
  portablePattern,
  WRITTEN,
} from './patterns.ts';
export { readPlainFile, readPlainFileAside, readPlainFileIfAny } from './plain-file.ts';
export { requireRoom, whileThereIsRoom } from './room.ts';
export {
  type Compiled,
  Counted,
  compiled,
  describe,
  type FieldProblem,
  fits,
  jsonFitting,
  MOST_COUNTED,
  maybe,
  orNull,
  problemsWith,
  sentence,
} from './schema.ts';
export { absenceInWords, describeNames, enumOf, GRAMS, KOPECKS, MINUTES, SECONDS, whenAbsent } from './schema-rules.ts';
export { ofAnotherKey, openCredential, openSealer, type Sealer } from './sealer.ts';
export { isThere, lastSetAside, makeFolder, makeWay, setAside } from './set-aside.ts';
export { syncFile, syncFolder } from './sync-folder.ts';
export {
  amountCell,
  CellFault,
  type CellOf,
  codeCell,
  emptiness,
  isRounded,
  plainCell,
  quotedCell,
  ROUNDED_WORDS,
  textCell,
} from './tables/cell.ts';
export {
  TableError,
  type TableLine,
  type TableRow,
  type UnreadableRow,
  type UnreadSheet,
} from './tables/cells.ts';
export { isWorkbook, tableRows } from './tables/table.ts';
export { HEAD_LINES } from './tables/table-text.ts';
export { readTable } from './tables/table-thread.ts';
export { type DateOrder, dayCell, isUnclearDay } from './tables/written-days.ts';
export { freeBytes, isOfStorage, type WriteFailure, whereItCan, writeFailure } from './write-failure.ts';
