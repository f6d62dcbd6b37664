/**
 * Finds rows that a line end within a cell without quotation marks has cut in two or more. Their first part has half a
 * name, and the rest of their cells stands in other columns.
 */
import type { TableRow, UnreadableRow } from './cells.ts';

/** A row, and perhaps why it cannot be read. */
export interface ReadRow extends TableRow {
  readonly reason?: string;
}

/** A code or a number, as the first cell of a row often is, and the rest of a name seldom. */
const LIKE_A_CODE = /^[\w./-]*\d[\w./-]*$/;
export const CUT =
  'a cell of it goes on in the next line: put that cell in quotation marks, or send the table as .xlsx';

/** Holds back rows with missing cells until it is clear whether the next one has them. */
export class CutRows {
  #pending: ReadRow[] = [];

  /** @param columns cells of a whole row @returns the rows that are clear by now */
  push(row: ReadRow, columns: number): (TableRow | UnreadableRow)[] {
    const cells = this.#cells + row.cells.length - 1;
    const isShort = row.cells.length < columns;
    if (this.#pending.length > 0 && isShort && cells <= columns && this.#isContinuation(row)) {
      this.#pending.push(row);
      if (cells < columns) return [];
      const [first = row] = this.#pending.splice(0);
      return [{ line: first.line, reason: first.reason ?? CUT }];
    }
    const clear = this.flush();
    if (!isShort) return [...clear, ...readable([row])];
    this.#pending = [row];
    return clear;
  }

  /** The rows that are held back. */
  flush(): (TableRow | UnreadableRow)[] {
    return readable(this.#pending.splice(0));
  }

  /** Cells of the pending rows, put together. */
  get #cells(): number {
    return this.#pending.reduce((sum, { cells }) => sum + cells.length, 1 - this.#pending.length);
  }

  /** Rows whose last cells were left out look like rows: as many cells each, with a code in front. */
  #isContinuation({ cells }: ReadRow): boolean {
    const before = this.#pending.at(-1)?.cells.length;
    return cells.length !== before || !LIKE_A_CODE.test(cells[0] ?? '');
  }
}

const readable = (rows: readonly ReadRow[]): (TableRow | UnreadableRow)[] =>
  rows.map(({ line, cells, reason }) => (reason === undefined ? { line, cells } : { line, reason }));
