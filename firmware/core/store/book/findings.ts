/** What was found of a book's rows since the start. */

/**
 * - `repaired`: it was not what had been written, and is now
 * - `damaged`: it is not what was written, and that is unknown
 * - `lost`: it is not there, and its content is unknown
 */
export type Finding = 'repaired' | 'damaged' | 'lost';

export class Findings {
  readonly #byTable = new Map<string, Map<number, Finding>>();

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
