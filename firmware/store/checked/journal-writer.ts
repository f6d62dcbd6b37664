/** Takes the changes of a table into its journal, and before them those that it could not take. */

import type { Version } from './row.ts';
import type { Rows } from './rows.ts';
import type { TableJournal } from './table-journal.ts';

/** Rows that are written at once. */
const ROWS_A_PIECE = 200;

export class JournalWriter {
  readonly journal: TableJournal;
  readonly #rows: Rows;
  /** Whether there may be changes that the journal lacks. */
  #isBehind = true;

  constructor(journal: TableJournal, rows: Rows) {
    this.journal = journal;
    this.#rows = rows;
  }

  /** @param versions in the order of their changes */
  write(versions: readonly Version[]): void {
    if (!this.#isBehind) this.journal.append(versions);
    else this.#catchUp();
    this.#isBehind = this.journal.problem !== null;
  }

  #catchUp(): void {
    const { format } = this.#rows;
    const isNew = this.journal.head === 0;
    let hasGap = false;
    for (let last = this.journal.head; ; ) {
      const rows = this.#rows.changedAfter(last, ROWS_A_PIECE);
      const end = rows.at(-1);
      if (end === undefined) break;
      last = Number(end.change_no);
      const good = rows.filter((row) => format.stateOf(row) === 'good');
      hasGap ||= good.length < rows.length;
      this.journal.append(good.map((row) => format.versionOf(row)));
    }
    // when a damaged row changed last is unknown: what was made of the rows is no source for it
    if (isNew && hasGap) this.journal.startUnchained();
  }
}
