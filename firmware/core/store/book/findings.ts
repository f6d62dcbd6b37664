/** What was found of a book's rows since the start, and which rules changes of it would have broken. */
import { messageOf } from '../../../../drivers/lib/errors.ts';

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
