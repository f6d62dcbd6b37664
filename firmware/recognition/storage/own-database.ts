/**
 * A database of recognition. Where its file cannot be opened, an empty database stands in for it and refuses writes.
 * Writes run one after the other.
 */
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { emptyLog, type Migration, namingHolder, OwnFile, openDatabase } from '../../core/files/index.ts';
import type { Timekeeper } from '../../core/host/index.ts';
import { RecognitionError } from '../model/recognition-error.ts';

const MIB = 1024 * 1024;
const PAGE_BYTES = 4096;
/** The pause between a commit and emptying the log. */
const QUIET_MS = 1000;

interface OwnDatabaseOptions {
  readonly path: string;
  readonly migrations: readonly Migration[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Tables that are checked when the file is opened; null for all. */
  readonly checked: readonly string[] | null;
  /** The size that it may grow to. */
  readonly maxMib: number;
  /** The message where the file was deleted, moved or replaced. */
  readonly gone: string;
  /** Whether each write first checks that the file is in its place. */
  readonly checksPlaceFirst: boolean;
  /** Called once the file is open; where this fails, the file counts as one that cannot be opened. */
  readonly onOpen?: () => void;
}

/** An empty database that refuses writes, because a restart would lose them. */
function standIn(migrations: readonly Migration[]): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  for (const { sql } of migrations) db.exec(sql);
  db.exec('PRAGMA query_only = ON');
  return db;
}

export class OwnDatabase {
  readonly db: DatabaseSync;
  readonly path: string;
  /** The pages that it may grow to, a limit of each connection. */
  readonly maxPages: number;
  /** Why the file cannot be opened; null when it is open. */
  readonly problem: string | null;
  /** The queue for other code that writes to this database. */
  readonly queue: SerialQueue;
  /** The message where the file was deleted, moved or replaced. */
  readonly #gone: string;
  /** The open file; null where it cannot be opened. */
  readonly #file: OwnFile | null;
  #clock: Pick<Timekeeper, 'after'> | null = null;
  #cancelEmptying: () => void = () => undefined;

  /** Never fails. @param onFailure called with the failure of a write, before the writer gets it */
  constructor(options: OwnDatabaseOptions, onFailure: (db: DatabaseSync, error: unknown) => void = () => undefined) {
    this.path = options.path;
    this.#gone = options.gone;
    this.maxPages = (options.maxMib * MIB) / PAGE_BYTES;
    const { db, problem, file } = openOrStandIn(options, this.maxPages);
    this.db = db;
    this.problem = problem;
    this.#file = file;
    this.queue = new SerialQueue(
      (error) => onFailure(db, error),
      () => {
        this.#emptyLogSoon();
        if (options.checksPlaceFirst) this.requirePlace();
      },
    );
  }

  /** From now on moves the log into the file: now, and a second after each write. */
  checkpointAfterWrites(clock: Pick<Timekeeper, 'after'>): void {
    if (this.problem !== null) return;
    emptyLog(this.db);
    this.#clock = clock;
  }

  /** Whether the file was deleted, moved or replaced since it was opened: writes are then refused. */
  get isGone(): boolean {
    return this.#file !== null && !this.#file.isInPlace;
  }

  /**
   * Refuses writes to a file that was moved away: the next start would lose them.
   * @throws {RecognitionError} `Internal.StorageRefused`
   */
  requirePlace(): void {
    if (this.isGone) throw new RecognitionError('Internal.StorageRefused', `${this.#gone}; nothing was changed`);
  }

  /** Runs work; names the file in the error where another program has locked it. */
  protected async naming<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw namingHolder(this.path, error);
    }
  }

  async close(): Promise<void> {
    await this.queue.idle();
    this.#cancelEmptying();
    this.db.close();
  }

  #emptyLogSoon(): void {
    if (this.#clock === null) return;
    this.#cancelEmptying();
    this.#cancelEmptying = this.#clock.after(QUIET_MS, () => {
      if (!emptyLog(this.db)) this.#emptyLogSoon();
    });
  }
}

function openOrStandIn({ path, migrations, now, checked, onOpen }: OwnDatabaseOptions, maxPages: number) {
  try {
    const { db } = openDatabase(path, migrations, now, checked);
    onOpen?.();
    db.exec(`PRAGMA max_page_count = ${maxPages}`);
    return { db, problem: null, file: new OwnFile(path) };
  } catch (error) {
    return { db: standIn(migrations), problem: messageOf(error), file: null };
  }
}
