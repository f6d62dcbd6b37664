/** Brings a copy of a table up to date, and compares both; in a thread, as a slow medium must keep no payment waiting. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { openFile } from '../database.ts';
import { isStoreError, StoreError } from '../errors.ts';
import { keepAside, setAside } from '../set-aside.ts';
import { writeFailure } from '../write-failure.ts';
import { conflictsWith } from './divergence.ts';
import { requireIntegrity } from './open-table.ts';
import { Replica } from './replica.ts';
import { isWhole, type RawRow, type Version } from './row.ts';
import { Rows, type TableShape } from './rows.ts';

/** Rows that are read, or written with one commit. */
const ROWS_A_PIECE = 500;
/** More ids than that are never missing in a row. */
const LONGEST_LEAP = 100_000;

export interface ReplicationJob {
  /** The table's database. */
  readonly path: string;
  readonly shape: TableShape;
  readonly tableId: number;
  readonly replica: string;
  /** Whether all rows are compared. */
  readonly compare: boolean;
  /** Wall clock in milliseconds, for the name of what is set aside. */
  readonly now: number;
}

export interface ReplicationReport {
  /** Why the copy is not up to date; null when it is. */
  readonly problem: string | null;
  /** Ids of rows that are damaged, missing, or older than in the copy. */
  readonly suspects: readonly number[];
  /** Whether the table's database cannot be read as a whole. */
  readonly isDamaged: boolean;
  /** Ids under which the copy knew other rows than the table: it was set aside, and made again. */
  readonly conflicting: readonly number[];
}

function ofTable<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new StoreError('TABLE_UNREADABLE', messageOf(cause), { cause });
  }
}

class ReplicationRun implements Disposable {
  readonly #db: DatabaseSync;
  readonly #rows: Rows;
  readonly #replica: Replica;
  /** Ids under which the copy that was there knew other rows. */
  readonly conflicting: readonly number[];

  constructor({ path, shape, replica, tableId, now }: ReplicationJob) {
    this.#db = ofTable(() => openFile(path, { readOnly: true }));
    this.#rows = ofTable(() => new Rows(this.#db, shape));
    const found = Replica.open(replica, tableId, now);
    this.conflicting = conflictsWith(found, shape.key, this.#rows);
    if (this.conflicting.length > 0) {
      found[Symbol.dispose]();
      keepAside(replica, now, 'other');
    }
    this.#replica = this.conflicting.length > 0 ? Replica.open(replica, tableId, now) : found;
  }

  /** Takes what has changed since the last time. */
  refresh(): void {
    for (let last = this.#replica.head; ; ) {
      const rows = ofTable(() => this.#rows.changedAfter(last, ROWS_A_PIECE));
      const end = rows.at(-1);
      if (end === undefined) return;
      last = Number(end.change_no);
      this.#replica.take(rows.flatMap((row) => this.#version(row) ?? []));
    }
  }

  /** Puts right what is wrong in the copy, and returns the ids of rows that are wrong in the table. */
  compare(): number[] {
    ofTable(() => requireIntegrity(this.#db));
    const suspects: number[] = [];
    for (let after = 0; ; ) {
      const rows = ofTable(() => this.#rows.after(after, ROWS_A_PIECE));
      const copies = this.#replica.after(after, ROWS_A_PIECE).filter(isWhole);
      const last = pieceEnd(rows.map(idOf), copies.map(idOf));
      if (last === null) return suspects;
      if (last - after > LONGEST_LEAP)
        throw new StoreError('TABLE_UNREADABLE', `the rows leap from ${after} to ${last}`);
      suspects.push(...this.#comparePiece(after, last, rows, copies));
      after = last;
    }
  }

  [Symbol.dispose](): void {
    this.#replica[Symbol.dispose]();
    this.#db.close();
  }

  #comparePiece(after: number, last: number, rows: readonly RawRow[], copies: readonly Version[]): number[] {
    const rowOf = new Map(rows.map((row) => [idOf(row), row]));
    const copyOf = new Map(copies.map((copy) => [copy.id, copy]));
    const suspects: number[] = [];
    const missing: Version[] = [];
    for (let id = after + 1; id <= last; id += 1) {
      const row = rowOf.get(id);
      const copy = copyOf.get(id);
      const version = row === undefined ? null : this.#version(row);
      const isUnknown = row === undefined || (version === null && row.checksum !== null);
      if (isUnknown || (version !== null && copy !== undefined && copy.change > version.change)) suspects.push(id);
      else if (version !== null && (copy?.change ?? 0) < version.change) missing.push(version);
    }
    if (missing.length > 0) this.#replica.take(missing);
    return suspects;
  }

  #version(row: RawRow): Version | null {
    return this.#rows.format.stateOf(row) === 'good' ? this.#rows.format.versionOf(row) : null;
  }
}

const idOf = ({ id }: { readonly id?: unknown }): number => Number(id);

/** Up to where two pieces can be compared; null where both are at their end. */
function pieceEnd(rows: readonly number[], copies: readonly number[]): number | null {
  const cut = [rows, copies].flatMap((ids) => (ids.length === ROWS_A_PIECE ? (ids.at(-1) ?? []) : []));
  if (cut.length > 0) return Math.min(...cut);
  const end = Math.max(rows.at(-1) ?? 0, copies.at(-1) ?? 0);
  return end === 0 ? null : end;
}

function attempt(job: ReplicationJob): ReplicationReport {
  using run = new ReplicationRun(job);
  run.refresh();
  const suspects = job.compare ? run.compare() : [];
  return { problem: null, suspects, isDamaged: false, conflicting: run.conflicting };
}

function failed(error: unknown): ReplicationReport {
  const isDamaged = isStoreError(error, 'TABLE_UNREADABLE') && writeFailure(error.cause) === 'damaged';
  return { problem: messageOf(error), suspects: [], isDamaged, conflicting: [] };
}

/** Never fails: what went wrong stands in the report. */
export function replicate(job: ReplicationJob): ReplicationReport {
  const medium = dirname(job.replica);
  if (!existsSync(medium)) return failed(`the folder ${medium} is not there: plug its medium in`);
  try {
    return attempt(job);
  } catch (error) {
    return writeFailure(error) === 'damaged' ? replicateAnew(job) : failed(error);
  }
}

/** After the copy turned out to be damaged. */
function replicateAnew(job: ReplicationJob): ReplicationReport {
  try {
    setAside(job.replica, job.now);
    return attempt(job);
  } catch (error) {
    return failed(error);
  }
}
