/** Damaged rows of a book found since the start, rules that changes would have broken, jobs of the care thread. */
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { Migration } from '../files/index.ts';
import type { Place } from './journal-lines.ts';
import type { TableShape, Values } from './row.ts';

/**
 * - `sought`: the row is not as written, and the journal is being searched for it
 * - `repaired`: the row was damaged, and is restored
 * - `damaged`: the row is not as written, and its content is unknown
 * - `lost`: the row is missing, and its content is unknown
 */
export type Finding = 'sought' | 'repaired' | 'damaged' | 'lost';

/** Rows by table and id. */
export type RowIds = ReadonlyMap<string, ReadonlySet<number>>;

/** A refused change that would break a rule of the book: a fault of this program. Nothing is written. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule';
}

/** Codes of CHECK and RAISE(ABORT) in the schema (https://www.sqlite.org/rescode.html). */
const RULES_OF_SQLITE: readonly unknown[] = [275, 1811];
const MOST_RULES = 20;

export class Findings {
  readonly #byTable = new Map<string, Map<number, Finding>>();
  readonly #brokenRules = new Set<string>();

  /** The rules that changes would have broken, each once. */
  get brokenRules(): readonly string[] {
    return [...this.#brokenRules];
  }

  /** Notes the rule that a change would have broken, if it failed for that. */
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

  /** What was found last of a row; null for nothing. */
  at(table: string, id: number): Finding | null {
    return this.#byTable.get(table)?.get(id) ?? null;
  }

  /** The rows for which the journal is being searched. */
  get sought(): RowIds {
    const tables = [...this.#byTable.keys()].map((table) => [table, new Set(this.of(table, 'sought'))] as const);
    return new Map(tables.filter(([, ids]) => ids.size > 0));
  }

  /** Ids of the rows of a table with a finding, the lowest first. */
  of(table: string, wanted: Finding): number[] {
    const found = this.#byTable.get(table) ?? new Map<number, Finding>();
    return [...found].flatMap(([id, finding]) => (finding === wanted ? [id] : [])).sort((one, other) => one - other);
  }
}

/** Jobs of the thread that cares for a book, and its reports. */
export interface CareJob {
  readonly kind: 'check' | 'seek' | 'rebuild' | 'begin' | 'copy' | 'ahead';
  readonly path: string;
  readonly secondFolder: string | null;
  readonly tables: readonly TableShape[];
  readonly migrations: readonly Migration[];
  /** Wall clock, ms. */
  readonly now: number;
  /** The time that has certainly passed, ms: by this, files are old. */
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
  /** The place from which they go on. */
  readonly from: Place;
  /** Their names, the first one first. */
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
  /** The same before the newest beginning: nothing is lost by them but history. */
  readonly olderBreaks: readonly string[];
  /** What the second medium has beyond the book; null for nothing. */
  readonly ahead: Ahead | null;
}
