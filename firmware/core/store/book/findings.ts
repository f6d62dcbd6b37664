/** What was found of a book's rows since the start, and which rules changes of it would have broken. */
import { messageOf } from '../../../../drivers/lib/errors.ts';
import type { Migration } from '../database.ts';
import type { TableShape, Values } from './row.ts';

/**
 * - `repaired`: it was not what had been written, and is now
 * - `damaged`: it is not what was written, and that is unknown
 * - `lost`: it is not there, and its content is unknown
 */
export type Finding = 'repaired' | 'damaged' | 'lost';

/** A change that is refused, as it breaks a rule of the book: a fault of this program. Nothing is written. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule';
}

/** CHECK and RAISE(ABORT) of the schema (https://www.sqlite.org/rescode.html). */
const RULES_OF_SQLITE: readonly unknown[] = [275, 1811];
const MOST_RULES = 20;

export class Findings {
  readonly #byTable = new Map<string, Map<number, Finding>>();
  readonly #brokenRules = new Set<string>();

  /** The rules that changes would have broken, each once. */
  get brokenRules(): readonly string[] {
    return [...this.#brokenRules];
  }

  /** Notes which rule a change would have broken, where that is why it failed. */
  noteFailure(error: unknown): void {
    const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
    if (!(error instanceof BrokenRule) && !RULES_OF_SQLITE.includes(errcode)) return;
    if (this.#brokenRules.size < MOST_RULES) this.#brokenRules.add(messageOf(error));
  }

  note(table: string, id: number, finding: Finding): void {
    const found = this.#byTable.get(table) ?? new Map<number, Finding>();
    this.#byTable.set(table, found.set(id, finding));
  }

  clear(): void {
    this.#byTable.clear();
  }

  has(table: string, id: number): boolean {
    return this.#byTable.get(table)?.has(id) === true;
  }

  /** Ids of the rows of a table with a finding, the lowest first. */
  of(table: string, wanted: Finding): number[] {
    const found = this.#byTable.get(table) ?? new Map<number, Finding>();
    return [...found].flatMap(([id, finding]) => (finding === wanted ? [id] : [])).sort((one, other) => one - other);
  }
}

/** What the thread that looks after a book is asked, and what it answers. */
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
