/**
 * Files that survive a pulled plug: small ones in two copies, SQLite databases, the folder of the data and its lock. A write is
 * on the disk before it is acknowledged. A full or failing disk has one error, with one name, everywhere.
 */
export { readableFromOf, requireJournalReadable, requireReadable, schemaOf } from './before-migration.ts';
export { BootNote } from './boot-note.ts';
export {
  type DataDir,
  holderOf,
  type LockedDatabase,
  lockDataDir,
  lockedDatabasesIn,
  namingHolder,
} from './data-dir.ts';
export {
  connect,
  EVENT_LOOP_WAIT_MS,
  emptyLog,
  type Migration,
  migrate,
  newestOf,
  type OpenedDatabase,
  OwnFile,
  openDatabase,
  openFile,
  slowTransaction,
  transaction,
} from './database.ts';
export { prepareFolder, replaceFile, temporaryFor } from './durable-file.ts';
export { isNotOurs, isStoreError, StoreError } from './errors.ts';
export { identityOf } from './file-identity.ts';
export { misformOf, statisticsOf } from './form.ts';
export { readPlainFile, readPlainFileAside, readPlainFileIfAny } from './plain-file.ts';
export { requireRoom, whileThereIsRoom } from './room.ts';
export { clearPath, hasRemains, lastSetAside, makeFolder, pathExists, renameAside, setAside } from './set-aside.ts';
export { syncFile, syncFolder } from './sync-folder.ts';
export { documentReader, JsonStore, MAX_DOCUMENT_BYTES, readTwoCopyFile, TwoCopyFile } from './two-copy-file.ts';
export {
  damaged,
  freeBytes,
  isDamagedFile,
  isOfStorage,
  SQLITE_CANTOPEN,
  SQLITE_FULL,
  type WriteFailure,
  whereItCan,
  writeFailure,
} from './write-failure.ts';
export { writeWhole } from './write-whole.ts';
