/**
 * Durable storage: small files in two copies, SQLite databases, tables that find and restore damaged rows, CSV, sealed
 * secrets. A write is on the disk before it is acknowledged. Errors of a full or failing disk are named the same everywhere.
 */
export type { Values } from './checked/changes.ts';
export type { Finding } from './checked/findings.ts';
export type { TableFile } from './checked/open-table.ts';
export { Replicator } from './checked/replicator.ts';
export type { Row } from './checked/row.ts';
export { CheckedTable } from './checked/table.ts';
export {
  type Cell,
  CSV_BOM,
  csvRow,
  QUOTED_WITH_EDGES,
  russianRow,
  type SheetCell,
  withoutApostrophes,
} from './csv.ts';
export { amountInDigits, beginsWithSeparator, encodingOf, HEAD_LINES, separatorOf } from './csv-dialect.ts';
export { type DataDir, holderOf, takeDataDir } from './data-dir.ts';
export {
  connect,
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
export { isStoreError, StoreError } from './errors.ts';
export { JsonStore, MAX_DOCUMENT_BYTES } from './json-store.ts';
export { KeptFile, readKept } from './kept-file.ts';
export { CALENDAR_DAY, CSV_NAME, HEADER_TEXT, NO_ASCII_CONTROLS, NO_CONTROLS, worded } from './patterns.ts';
export { readPlainFile, readPlainFileAside, readPlainFileIfAny } from './plain-file.ts';
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
export { absenceInWords, GRAMS, KOPECKS, MINUTES, SECONDS, whenAbsent } from './schema-rules.ts';
export { ofAnotherKey, openCredential, openSealer, type Sealer } from './sealer.ts';
export { isThere, lastSetAside, makeFolder, makeWay, setAside } from './set-aside.ts';
export { syncFile, syncFolder } from './sync-folder.ts';
export { freeBytes, isOfStorage, type WriteFailure, whereItCan, writeFailure } from './write-failure.ts';
