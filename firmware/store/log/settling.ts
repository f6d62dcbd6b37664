/**
 * Brings what a database has taken from its log into its file, once nothing has come for a minute, and before an end that is planned: a
 * log is only as good as each bit of it, and one that nobody shortens holds all there is. How many rows there are is written down beside,
 * so that a file that comes back with fewer is told.
 */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import Type, { type Static } from 'typebox';
import { BUSY_TIMEOUT_MS } from '../database.ts';
import { JsonStore } from '../kept/json-store.ts';
import { isOfStorage } from '../write-failure.ts';

const LOOK_MS = 60_000;
/** Of a database that is never left alone. */
const MOST_LOOKS = 5;

const Rows = Type.Record(Type.String(), Type.Integer({ minimum: 0 }));

export interface SettlingOptions {
  readonly db: DatabaseSync;
  readonly path: string;
  /** Whose rows are counted. */
  readonly tables: readonly string[];
  /** Calls something once, and gives what calls that off. */
  readonly clock: { readonly after: (ms: number, task: () => void) => () => void };
}

export class Settling {
  /** Rows that there were and are not there any more, at start. */
  readonly missing: number;
  readonly #options: SettlingOptions;
  readonly #rows: JsonStore<Static<typeof Rows>>;
  #seen = '';
  #looks = 0;
  #callOff: () => void;

  constructor(options: SettlingOptions) {
    this.#options = options;
    this.#rows = JsonStore.open(`${options.path}.rows`, Rows, {});
    this.missing = this.#log === '' ? this.#missing() : 0;
    this.#callOff = this.#lookLater();
  }

  /** Before the last connection is closed. Never fails: what is left in the log is taken from there. */
  close(): void {
    this.#callOff();
    if (this.#log !== '' || this.missing === 0) this.#settle();
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
    // what is missing is told until there is something new
    if (log !== '' || this.missing === 0) this.#settle();
  }

  /** Size and time of the log; empty where there is nothing in it. */
  get #log(): string {
    const { size = 0, mtimeMs = 0 } = statSync(`${this.#options.path}-wal`, { throwIfNoEntry: false }) ?? {};
    return size === 0 ? '' : `${size} ${mtimeMs}`;
  }

  /** Waits for nobody: what is in the way now is gone at the next look. */
  #settle(): void {
    const { db } = this.#options;
    try {
      db.exec('PRAGMA busy_timeout = 0');
      const done = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      const rows = this.#count();
      if (done?.busy === 0 && !isDeepStrictEqual(rows, this.#rows.value)) this.#rows.write(rows);
    } catch (error) {
      if (!isOfStorage(error)) throw error; // whoever writes to it tells what is wrong
    } finally {
      db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  #count(): Static<typeof Rows> {
    const { db, tables } = this.#options;
    return Object.fromEntries(
      tables.map((table) => [table, Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)]),
    );
  }

  /** More of them than were written down are no loss: an earlier release counts none. */
  #missing(): number {
    const now = this.#count();
    return Object.entries(this.#rows.value).reduce((sum, [table, n]) => sum + Math.max(0, n - (now[table] ?? n)), 0);
  }
}
