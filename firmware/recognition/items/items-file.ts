/** The open `items.db`: one write after the other, each in a transaction of its own, and what is wrong with the file. */
import type { DatabaseSync } from 'node:sqlite';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import type { Timekeeper } from '../../host/index.ts';
import { type Loss, NO_LOSS, OwnFile, Settling, transaction } from '../../store/index.ts';
import { RecognitionError } from '../codes.ts';
import { isDamage, withFailureCodes } from '../failures.ts';
import { connectItems, openItems } from './items-database.ts';

export const ITEMS_DAMAGED =
  'items.db is damaged: restart the device, which then checks it and sets a damaged one aside, and import the items again';
export const ITEMS_GONE =
  'items.db was taken away while the device runs: restart the device, and import the items again';

export class ItemsFile {
  readonly db: DatabaseSync;
  /** Where the file lies; for the check that it is still there. */
  readonly path: string;
  /** Why the file cannot be opened; null when it is open. */
  readonly problem: string | null;
  readonly #hadLog: boolean;
  readonly #file: OwnFile;
  readonly #queue = new SerialQueue();
  readonly #listeners: (() => void)[] = [];
  #isDamaged = false;
  #settling: Settling | null = null;

  /** @param now ms since 1970 */
  constructor(path: string, now: number) {
    const { db, problem, hadLog } = openItems(path, now);
    this.db = db;
    this.path = path;
    this.problem = problem;
    this.#hadLog = hadLog;
    this.#file = new OwnFile(path);
  }

  /** Keeps its log short from now on. */
  settle(clock: Pick<Timekeeper, 'after'>): void {
    if (this.problem !== null) return;
    const tables = { items: ['id', 'name', 'plu', 'price', 'piece_weight', 'updated_at'] };
    this.#settling = new Settling({ db: this.db, path: this.path, hadLog: this.#hadLog, tables, clock });
  }

  /** What had become of the file at the start. */
  get loss(): Loss {
    return this.#settling ?? NO_LOSS;
  }

  /** Whether damage was met since the start. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Whether the file was deleted, moved or replaced since it was opened: nothing more is taken then. */
  get isGone(): boolean {
    return this.problem === null && !this.#file.isInPlace;
  }

  /** Called after each commit. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Has everybody know of a commit. */
  changed(): void {
    this.#settling?.wrote();
    for (const listener of this.#listeners) listener();
  }

  /** One after the other, each in a transaction of its own. @throws {RecognitionError} `storageFull`, `fileWrite` */
  write<T>(work: () => T): Promise<T> {
    const kept = (): T => {
      const result = work();
      this.requirePlace();
      return result;
    };
    return this.#queue.run(() =>
      this.#withFailureCodes(() => {
        const result = transaction(this.db, kept);
        this.changed();
        return result;
      }),
    );
  }

  /** With a connection of its own, where the file is open. @throws {RecognitionError} `storageFull`, `fileWrite` */
  async apart<T>(work: (db: DatabaseSync) => Promise<T>): Promise<T> {
    return await this.#queue.run(() =>
      this.#withFailureCodes(async () => {
        this.requirePlace(); // another file of the same name would get the log of this one
        const db = this.problem === null ? connectItems(this.path) : this.db;
        try {
          return await work(db);
        } finally {
          if (db !== this.db) db.close();
        }
      }),
    );
  }

  read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#named(error);
    }
  }

  /** What is written to a file that was moved away is lost at the next start. @throws {RecognitionError} `fileWrite` */
  requirePlace(): void {
    if (this.isGone) throw new RecognitionError('fileWrite', `${ITEMS_GONE}; nothing was changed`);
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    this.#settling?.close();
    this.db.close();
  }

  #withFailureCodes<T>(work: () => T | Promise<T>): Promise<T> {
    return withFailureCodes(async () => {
      try {
        return await work();
      } catch (error) {
        throw this.#named(error);
      }
    });
  }

  /** Damage is that of this file, not of the templates. */
  #named(cause: unknown): unknown {
    if (!isDamage(cause)) return cause;
    this.#isDamaged = true;
    return new RecognitionError('fileWrite', ITEMS_DAMAGED, { cause });
  }
}
