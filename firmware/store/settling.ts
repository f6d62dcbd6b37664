/**
 * Brings what a database has taken from its log into its file, once nothing has come for a minute, and before an end that is planned: a
 * log is only as good as each bit of it, and one that is never shortened holds all there is. How many rows there are is written down beside,
 * with a digest of them, and whether there is a log: a file that comes back with fewer or other rows, or without its log, is reported.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import Type, { type Static } from 'typebox';
import { BUSY_TIMEOUT_MS } from './database.ts';
import { JsonStore } from './json-store.ts';
import { isOfStorage } from './write-failure.ts';

const LOOK_MS = 60_000;
/** Of a database that is never left alone. */
const MOST_LOOKS = 5;

/** Of each table the number of rows, and under {@link digestKey} the digest; under {@link LOG} 1 where there is a log. */
const Rows = Type.Record(Type.String(), Type.Integer({ minimum: 0 }));
const LOG = 'log';
const digestKey = (table: string): string => `${table} digest`;
/** As large as a number of JSON is exact. */
const DIGEST_BYTES = 6;

interface SettlingOptions {
  readonly db: DatabaseSync;
  readonly path: string;
  /** Whether there was something in its log before it was opened. */
  readonly hadLog: boolean;
  /** Whose rows are counted, each with its columns that are in a digest, the key first; none where it has no digest. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  /** Calls something once, and gives what calls that off. */
  readonly clock: { readonly after: (ms: number, task: () => void) => () => void };
}

/** What had become of a database at the start. */
export interface Loss {
  /** Rows that there were and are not there any more. */
  readonly missing: number;
  /** Whether as many rows as there were are not what they were. */
  readonly isAltered: boolean;
  /** Whether there was a log that is gone. */
  readonly isLogGone: boolean;
}
export const NO_LOSS: Loss = { missing: 0, isAltered: false, isLogGone: false };

export class Settling implements Loss {
  readonly missing: number;
  readonly isAltered: boolean;
  readonly isLogGone: boolean;
  readonly #options: SettlingOptions;
  readonly #rows: JsonStore<Static<typeof Rows>>;
  #seen = '';
  #looks = 0;
  #isWritten = false;
  #callOff: () => void;

  constructor(options: SettlingOptions) {
    this.#options = options;
    this.#rows = JsonStore.open(`${options.path}.rows`, Rows, {});
    const found = this.#log === '' ? this.#count() : {};
    this.missing = this.#missing(found);
    this.isLogGone = !options.hadLog && this.#rows.value[LOG] === 1;
    this.isAltered = this.missing === 0 && !this.isLogGone && this.#differs(found);
    this.#callOff = this.#lookLater();
  }

  /** After a commit, and before it is answered for. Never fails: a full storage is reported elsewhere. */
  wrote(): void {
    this.#isWritten = true;
    if (this.#rows.value[LOG] === 1) return;
    try {
      this.#rows.write({ ...this.#rows.value, [LOG]: 1 });
    } catch (error) {
      if (!isOfStorage(error)) throw error;
    }
  }

  /** What is missing or altered is reported until the next change. */
  get #isDue(): boolean {
    const { value } = this.#rows;
    const isCounted = Object.entries(this.#options.tables).every(
      ([table, columns]) => table in value && (columns.length === 0 || digestKey(table) in value),
    );
    return this.#log !== '' || (!isCounted && this.missing === 0);
  }

  /** Before the last connection is closed. Never fails: what is left in the log is taken from there. */
  close(): void {
    this.#callOff();
    if (this.#isDue) this.#settle();
  }

  #lookLater(): () => void {
    return this.#options.clock.after(LOOK_MS, () => {
      this.#look();
      this.#callOff = this.#lookLater();
    });
  }

  #look(): void {
    const log = this.#log;
    const isQuiet = log === this.#seen;
    this.#seen = log;
    this.#looks = isQuiet ? 0 : this.#looks + 1;
    if (!isQuiet && this.#looks < MOST_LOOKS) return;
    if (this.#isDue) this.#settle();
  }

  /** Size and time of the log; empty where there is nothing in it. */
  get #log(): string {
    const { size = 0, mtimeMs = 0 } = statSync(`${this.#options.path}-wal`, { throwIfNoEntry: false }) ?? {};
    return size === 0 ? '' : `${size} ${mtimeMs}`;
  }

  /** Does not wait: what is in the way now is gone at the next look. */
  #settle(): void {
    const { db } = this.#options;
    try {
      db.exec('PRAGMA busy_timeout = 0');
      const done = db.prepare('PRAGMA wal_checkpoint(FULL)').get();
      if (done?.busy !== 0 || done.log !== done.checkpointed) return;
      // written between the two: a plug that is pulled meanwhile leaves a log that is not needed, and none is missed
      const rows = { ...this.#count(), ...(this.isLogGone && !this.#isWritten && { [LOG]: 1 }) };
      if (!isDeepStrictEqual(rows, this.#rows.value)) this.#rows.write(rows);
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!isOfStorage(error)) throw error; // the next write reports what is wrong
    } finally {
      db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  #count(): Static<typeof Rows> {
    const { db, tables } = this.#options;
    const rows: Static<typeof Rows> = {};
    for (const [table, columns] of Object.entries(tables)) {
      rows[table] = Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
      if (columns.length === 0) continue;
      const text = columns.map((column) => `quote(${column})`).join(" || ',' || ");
      // not of an index, which a bit that turns over in the table leaves as it is
      const found = db
        .prepare(`SELECT group_concat(${text}, ';' ORDER BY ${columns[0]}) AS text FROM ${table} NOT INDEXED`)
        .get();
      rows[digestKey(table)] = createHash('sha256').update(String(found?.text)).digest().readUIntBE(0, DIGEST_BYTES);
    }
    return rows;
  }

  /** More of them than were written down are no loss. */
  #missing(found: Static<typeof Rows>): number {
    return Object.keys(this.#options.tables).reduce(
      (sum, table) => sum + Math.max(0, (this.#rows.value[table] ?? 0) - (found[table] ?? Number.POSITIVE_INFINITY)),
      0,
    );
  }

  #differs(found: Static<typeof Rows>): boolean {
    const written = this.#rows.value;
    return Object.keys(this.#options.tables).some((table) => {
      const [before, now] = [written[digestKey(table)], found[digestKey(table)]];
      return before !== undefined && now !== undefined && written[table] === found[table] && before !== now;
    });
  }
}
