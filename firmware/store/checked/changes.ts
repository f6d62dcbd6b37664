/** Changes of a table's rows: each is kept whole or not at all, and each row gets the number of its change and a checksum. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { transaction } from '../database.ts';
import { checksumOf, DAMAGED, type RawRow, type Version } from './row.ts';
import type { Rows, TableShape } from './rows.ts';

export interface ChangesOptions {
  readonly db: DatabaseSync;
  readonly rows: Rows;
  readonly shape: TableShape;
  /** Number of the last change so far. */
  readonly last: number;
  /** Looks at a row that is about to be changed, and puts it right where it can be. */
  readonly repair: (row: RawRow) => void;
}

export class Changes {
  readonly #options: ChangesOptions;
  readonly #update: StatementSync;
  #last: number;
  /** The rows of the change that is under way, and whether each is sound; null when there is none. */
  #sound: Map<string, boolean> | null = null;

  constructor(options: ChangesOptions) {
    this.#options = options;
    this.#last = options.last;
    const { name, key } = options.shape;
    this.#update = options.db.prepare(
      `UPDATE ${name} SET change_no = :change, checksum = :checksum WHERE ${key} = :key`,
    );
  }

  /** Number of the last change. */
  get last(): number {
    return this.#last;
  }

  get isUnderWay(): boolean {
    return this.#sound !== null;
  }

  /**
   * @param keys of all rows that `work` inserts or changes
   * @returns what the rows have become, in the order of the changes
   * @throws {Error} of SQLite; nothing has changed then
   */
  make(keys: readonly string[], work: () => void): Version[] {
    this.#sound = new Map();
    try {
      return transaction(this.#options.db, () => {
        this.join(keys, work);
        const versions = [...(this.#sound ?? [])].flatMap(([key, isSound]) =>
          isSound ? (this.#setChecksum(key) ?? []) : [],
        );
        return versions.sort((one, other) => one.change - other.change);
      });
    } finally {
      this.#sound = null;
    }
  }

  /** Makes some work part of the change that is under way. */
  join(keys: readonly string[], work: () => void): void {
    for (const key of keys) if (!this.#sound?.has(key)) this.#sound?.set(key, this.#clearChecksum(key));
    work();
  }

  /** Before a row is changed. False where it is damaged for good: it must not get a right checksum afterwards. */
  #clearChecksum(key: string): boolean {
    const { rows, repair } = this.#options;
    const row = rows.byKey(key);
    if (row === undefined) return true;
    repair(row);
    if (rows.byKey(key)?.checksum === DAMAGED) return false;
    this.#last += 1;
    this.#update.run({ key, change: this.#last, checksum: null });
    return true;
  }

  /** After a row was changed; null where there is none. */
  #setChecksum(key: string): Version | null {
    const { rows } = this.#options;
    const row = rows.byKey(key);
    if (row === undefined) return null;
    if (row.change_no === null) this.#last += 1;
    const change = row.change_no === null ? this.#last : Number(row.change_no);
    const text = rows.format.textOf({ ...row, change_no: BigInt(change) });
    const checksum = checksumOf(text);
    this.#update.run({ key, change, checksum });
    return { id: Number(row.id), change, checksum, text };
  }
}
