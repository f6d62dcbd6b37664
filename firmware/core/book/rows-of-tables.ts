/** Reads whole tables of a book. */
import type { DatabaseSync } from 'node:sqlite';
import { type RawRow, RowFormat, readingRaw, selectFrom, type TableShape } from './row.ts';

/** Rows read by one query. */
const ROWS_A_PIECE = 200;

export const formatsOf = (db: DatabaseSync, tables: readonly TableShape[]): ReadonlyMap<string, RowFormat> =>
  new Map(tables.map(({ name }) => [name, new RowFormat(db, name)]));

export function* rowsOf(db: DatabaseSync, table: string): Generator<RawRow> {
  const after = readingRaw(db.prepare(`${selectFrom(table)} WHERE id > ? ORDER BY id LIMIT ?`));
  for (let last = 0n; ; ) {
    const rows: RawRow[] = after.all(last, ROWS_A_PIECE);
    yield* rows;
    const end = rows.at(-1)?.id;
    if (typeof end !== 'bigint') return;
    last = end;
  }
}
