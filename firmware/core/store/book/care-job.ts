/** What the thread that looks after a book is asked, and what it answers. */
import type { Migration } from '../database.ts';
import type { TableShape, Values } from './row.ts';

export interface CareJob {
  readonly kind: 'check' | 'rebuild' | 'begin' | 'copy';
  readonly path: string;
  readonly secondFolder: string | null;
  readonly tables: readonly TableShape[];
  readonly migrations: readonly Migration[];
  /** Wall clock, ms. */
  readonly now: number;
  /** Files of the journal that are older than this, and older than the last file with all rows, are removed. */
  readonly keptYears: number;
}

/** A row that is not what was written; `values` are those of the newest line, null where none has any. */
export interface Suspect {
  readonly table: string;
  readonly id: number;
  readonly values: Values | null;
}

export interface CareReport {
  /** Why it could not be done; null where it was. */
  readonly problem: string | null;
  /** Whether that is for want of room. */
  readonly isFull: boolean;
  /** Whether the database cannot be read as a whole. */
  readonly isDamaged: boolean;
  readonly suspects: readonly Suspect[];
  /** Breaks of the journal, as "file behind commit 17". */
  readonly breaks: readonly string[];
}
