/** The jobs of the thread that cares for a book, and its reports. */
import type { Migration } from '../files/index.ts';
import type { RowIds } from './findings.ts';
import type { Place } from './journal-lines.ts';
import type { TableShape, Values } from './row.ts';

export interface CareJob {
  /**
   * - `check` reads the whole book, `seek` searches the journal for rows, `rebuild` makes a damaged database anew
   * - `begin` writes all rows into the journal, `copy` copies journal and database to the second medium
   * - `ahead` copies what a newer second medium has beyond the book
   */
  readonly kind: 'check' | 'seek' | 'rebuild' | 'begin' | 'copy' | 'ahead';
  readonly path: string;
  readonly secondFolder: string | null;
  readonly tables: readonly TableShape[];
  readonly migrations: readonly Migration[];
  /** Wall clock, ms. */
  readonly now: number;
  /** The time that has certainly passed, ms: old files are removed by it. */
  readonly certain: number;
  /** Files of the journal older than this, and older than the newest beginning, are removed. */
  readonly keptYears: number;
  /** Of a `seek`: the rows to be found in the journal. */
  readonly sought: RowIds;
  /** Of a `seek`: number of a commit; all rows of later ones are compared with the journal. Null: none. */
  readonly since: number | null;
}

/** A row that is not as written; `values` are those of the newest line, null for none. */
export interface Suspect {
  readonly table: string;
  readonly id: number;
  readonly values: Values | null;
}

/** Files of a second medium that is newer, copied beside the journal. */
export interface Ahead {
  /** The place from which the files continue. */
  readonly from: Place;
  /** Names of the files, the oldest first. */
  readonly files: readonly string[];
}

export interface CareReport {
  /** Why the job failed; null where it did not. */
  readonly problem: string | null;
  /** Whether the job failed because the disk is full. */
  readonly isFull: boolean;
  /** Whether the database cannot be read as a whole. */
  readonly isDamaged: boolean;
  readonly suspects: readonly Suspect[];
  /** Breaks of the journal, as "file behind commit 17". */
  readonly breaks: readonly string[];
  /** Breaks before the newest beginning: they lose history alone. */
  readonly olderBreaks: readonly string[];
  /** What the second medium has beyond the book; null for nothing. */
  readonly ahead: Ahead | null;
}

/** The report of a job that found nothing. */
export const DONE: CareReport = {
  isFull: false,
  problem: null,
  isDamaged: false,
  suspects: [],
  breaks: [],
  olderBreaks: [],
  ahead: null,
};
