/** What was found of a table's rows since the start. */
import type { DatabaseSync } from 'node:sqlite';
import { DAMAGED } from './row.ts';
import type { RowVerdict } from './rows.ts';

export type Finding = Exclude<RowVerdict, 'good'>;

export class Findings {
  readonly #byId = new Map<number, Finding>();
  /** Rows that were put back as they were at some time, which need not be the last. */
  readonly #unconfirmed = new Set<number>();

  get byId(): ReadonlyMap<number, Finding> {
    return this.#byId;
  }

  note(id: number, verdict: RowVerdict): void {
    if (verdict !== 'good') this.#byId.set(id, verdict);
  }

  noteUnconfirmed(ids: Iterable<number>): void {
    for (const id of ids) this.#unconfirmed.add(id);
  }

  /** Ids of rows that were restored, though they may have changed since; each is reported once. */
  takeUnconfirmed(): number[] {
    const ids = [...this.#unconfirmed];
    this.#unconfirmed.clear();
    return ids;
  }

  /**
   * After the file was rebuilt: what it lacks, and what has no second source.
   * @param lastId up to which there have been rows
   */
  noteMissing(db: DatabaseSync, table: string, lastId: number, isUnconfirmed: boolean): void {
    const rows = db.prepare(`SELECT id, checksum FROM ${table} ORDER BY id`).all();
    let next = 1;
    for (const { id, checksum } of rows) {
      for (; next < Number(id); next += 1) this.note(next, 'lost');
      next = Number(id) + 1;
      if (checksum === DAMAGED) this.note(Number(id), 'damaged');
      if (isUnconfirmed) this.noteUnconfirmed([Number(id)]);
    }
    for (; next <= lastId; next += 1) this.note(next, 'lost');
  }
}
