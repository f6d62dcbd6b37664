/** Takes the changes of a table into its journal, and before them those that it could not take. */
import type { Version } from './row.ts';
import type { Rows } from './rows.ts';
import type { TableJournal } from './table-journal.ts';

/** Rows that are written at once. */
const ROWS_A_PIECE = 200;

export class Recorder {
  readonly journal: TableJournal;
  readonly #rows: Rows;
  /** Whether there may be changes that the journal lacks. */
  #isBehind = true;

  constructor(journal: TableJournal, rows: Rows) {
    this.journal = journal;
    this.#rows = rows;
  }

  /** @param versions in the order of their changes */
  record(versions: readonly Version[]): void {
    if (!this.#isBehind) this.journal.append(versions);
    else for (const piece of this.#since(this.journal.head)) this.journal.append(piece);
    this.#isBehind = this.journal.problem !== null;
  }

  *#since(change: number): Generator<Version[]> {
    for (let last = change; ; ) {
      const rows = this.#rows.changedAfter(last, ROWS_A_PIECE);
      const end = rows.at(-1);
      if (end === undefined) return;
      last = Number(end.change_no);
      yield rows
        .filter((row) => this.#rows.format.stateOf(row) === 'good')
        .map((row) => this.#rows.format.versionOf(row));
    }
  }
}
