/** SQLite databases, for data that grows: durable at every commit, checked at start, migrated by number. */
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { copyBeforeMigration, isWayBackOpen, recordWriter, requireReadable, schemaOf } from './before-migration.ts';
import { namingHolder } from './data-dir.ts';
import { identityOf } from './file-identity.ts';
import { misformOf } from './form.ts';
import { clearPath, setAside as moveAside } from './set-aside.ts';
import { isDamagedFile, isOfStorage } from './write-failure.ts';

/** How long a thread, or the device at its start, waits for another connection to let go of a database. */
export const BUSY_TIMEOUT_MS = 5000;
/** How long the event loop waits for that, and each call of both ports with it. Only another program can make it wait. */
export const EVENT_LOOP_WAIT_MS = 250;

/** A step of the schema. */
export interface Migration {
  /** Number of the new schema, one above the last. The first migration makes the whole schema of a new database. */
  readonly schema: number;
  /**
   * The oldest schema whose releases may still open the database afterwards. A step that only adds leaves this number as
   * it was. A step that raises it waits, with all later steps, until the way back is closed: its release must work both
   * before and after it.
   */
  readonly readableFrom: number;
  readonly sql: string;
}

/** The one way to open an SQLite file: Node's own does not wait for others, and fails with "database is locked". */
export function openFile(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  return new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, ...options });
}

export interface OpenedDatabase {
  readonly db: DatabaseSync;
  /** Path where a damaged database was set aside; null where the database was whole. */
  readonly setAside: string | null;
}

/** Argument of `quick_check` in place of a table: checks the whole database, up to this number of errors. */
const WHOLE_TO_FIRST_ERROR = '1';

/** @param tables to check; null for all @returns `ok`, or what is wrong */
function quickCheck(db: DatabaseSync, tables: readonly string[] | null): string {
  const present = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const named = tables?.filter((table) => present.some(({ name }) => name === table));
  for (const what of named ?? [WHOLE_TO_FIRST_ERROR]) {
    const [row] = db.prepare(`PRAGMA quick_check(${what})`).all();
    const verdict = String(row?.quick_check ?? 'no answer');
    if (verdict !== 'ok') return verdict;
  }
  return 'ok';
}

export function configure(db: DatabaseSync): void {
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
}

/** @returns null for a damaged file */
function openChecked(
  path: string,
  migrations: readonly Migration[],
  tables: readonly string[] | null,
  timeout: number,
): DatabaseSync | null {
  const db = openFile(path, { timeout });
  try {
    configure(db);
    if (quickCheck(db, tables) === 'ok') {
      migrate(db, migrations);
      if (misformOf(db, migrations) === null) return db;
    }
  } catch (error) {
    const isDamaged = isDamagedFile(path, error); // before the close, which makes a short file longer
    db.close();
    if (isDamaged) return null; // a full disk or a lock must not lose the file
    throw error;
  }
  db.close();
  return null;
}

/** Number of the schema after all of these migrations; 0 for none. */
export const newestOf = (migrations: readonly Migration[]): number => migrations.at(-1)?.schema ?? 0;

/** The schema that a release must know to read a database after the migrations up to a schema. */
const readableAt = (migrations: readonly Migration[], schema: number): number =>
  Math.max(
    migrations[0]?.readableFrom ?? 0,
    ...migrations.filter((step) => step.schema <= schema).map(({ readableFrom }) => readableFrom),
  );

interface MigrationReach {
  /** Whether the previous release may still come back: it must find a database that it can read. */
  readonly isWayBackOpen?: () => boolean;
  /** The schema that a reader must know already; that of the migrations made so far when left out. */
  readonly readableFrom?: number;
}

/**
 * Migrates a database in one transaction. The first step after which the previous release could not read the database
 * waits, with all later steps, while that release may come back, and while no copy can be made.
 * @throws {Error} of SQLite
 * @throws {StoreError} `DATABASE_NEWER`; nothing was changed then
 */
export function migrate(db: DatabaseSync, migrations: readonly Migration[], options: MigrationReach = {}): void {
  requireReadable(db, newestOf(migrations));
  const from = schemaOf(db);
  const pending = migrations.filter(({ schema }) => schema > from);
  const readable = options.readableFrom ?? readableAt(migrations, from);
  const breaking = pending.findIndex(({ readableFrom }) => readableFrom > readable);
  const isOpen = options.isWayBackOpen ?? isWayBackOpen;
  const runsAll = breaking < 0 || (!isOpen() && (from === 0 || copyBeforeMigration(db)));
  const steps = runsAll ? pending : pending.slice(0, breaking);
  const to = newestOf(steps);
  if (to === 0) return;
  transaction(db, () => {
    // the line break ends a comment at the end of a migration
    for (const { sql } of steps) db.exec(`${sql};\n`);
    db.exec(`PRAGMA user_version = ${to}`);
    recordWriter(db, to, readableAt(migrations, to));
  });
}

/** A second connection, for a thread or a long transaction, to a database that {@link openDatabase} has opened. */
export function connect(path: string, timeout = BUSY_TIMEOUT_MS): DatabaseSync {
  const db = openFile(path, { timeout });
  configure(db);
  return db;
}

/**
 * Moves commits from SQLite's log into the file, as one damaged bit of a log may lose commits. Waits for nobody.
 * @returns whether the log is empty now; it stays as it is where another connection or a failing disk is in the way
 */
export function emptyLog(db: DatabaseSync): boolean {
  const waited = db.prepare('PRAGMA busy_timeout').get()?.timeout;
  db.exec('PRAGMA busy_timeout = 0');
  try {
    return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch (error) {
    if (!isOfStorage(error)) throw error;
    return false; // the next write reports what is wrong
  } finally {
    db.exec(`PRAGMA busy_timeout = ${waited}`);
  }
}

/**
 * Opens, checks and migrates a database, for the event loop. A damaged file is renamed, never deleted, and an empty
 * database replaces it.
 * @param now wall clock in milliseconds, for the name of a file that is set aside
 * @param tables to check; null for all. A table of hundreds of megabytes whose rows carry checksums need not be read
 * @param timeout how long to wait for another program, ms; shorter where calls are answered already
 */
export function openDatabase(
  path: string,
  migrations: readonly Migration[],
  now: number,
  tables: readonly string[] | null = null,
  timeout = BUSY_TIMEOUT_MS,
): OpenedDatabase {
  try {
    const opened = openWhole(path, migrations, now, tables, timeout);
    opened.db.exec(`PRAGMA busy_timeout = ${EVENT_LOOP_WAIT_MS}`);
    return opened;
  } catch (error) {
    throw namingHolder(path, error);
  }
}

function openWhole(
  path: string,
  migrations: readonly Migration[],
  now: number,
  tables: readonly string[] | null,
  timeout: number,
): OpenedDatabase {
  clearPath(path, now);
  const whole = openChecked(path, migrations, tables, timeout);
  if (whole !== null) return { db: whole, setAside: null };
  const setAside = moveAside(path, now);
  const db = openFile(path, { timeout });
  try {
    configure(db);
    migrate(db, migrations);
  } catch (error) {
    db.close();
    throw error;
  }
  return { db, setAside };
}

/**
 * The file of an open database. If it is deleted, moved or replaced, SQLite continues to write into a file that the next
 * start will not find: code that acknowledges something checks `isInPlace` before.
 */
export class OwnFile {
  readonly #path: string;
  /** The file's identity; null where it cannot be read even at the start. */
  readonly #identity: string | null;

  /** To be called once the database is open. */
  constructor(path: string) {
    this.#path = path;
    this.#identity = identityOf(path);
  }

  get isInPlace(): boolean {
    return this.#identity !== null && identityOf(this.#path) === this.#identity;
  }
}

/** Runs `work` in one transaction: all of it is committed, or nothing. @throws {StoreError} `FILE_HELD` */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  try {
    db.exec('BEGIN IMMEDIATE');
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    throw aborted(db, error);
  }
}

/** As {@link transaction}, over several turns of the event loop; nothing else may write on the connection meanwhile. */
export async function slowTransaction<T>(db: DatabaseSync, work: () => Promise<T>): Promise<T> {
  try {
    db.exec('BEGIN IMMEDIATE');
    const result = await work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    throw aborted(db, error);
  }
}

function aborted(db: DatabaseSync, error: unknown): unknown {
  if (db.isTransaction) db.exec('ROLLBACK');
  return namingHolder(db.location(), error);
}
