/** What is wrong with a book since the start: its damaged rows, and the rules that changes would have broken. */
import { messageOf } from '../../../drivers/lib/errors.ts';

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

  /** Records the rule that a change would have broken, if it failed for that. */
  recordFailure(error: unknown): void {
    const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
    if (!(error instanceof BrokenRule) && !RULES_OF_SQLITE.includes(errcode)) return;
    if (this.#brokenRules.size < MOST_RULES) this.#brokenRules.add(messageOf(error));
  }

  record(table: string, id: number, finding: Finding): void {
    const found = this.#byTable.get(table) ?? new Map<number, Finding>();
    this.#byTable.set(table, found.set(id, finding));
  }

  clear(): void {
    this.#byTable.clear();
  }

  /** The last finding about a row; null for none. */
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
