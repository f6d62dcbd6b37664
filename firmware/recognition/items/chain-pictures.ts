/** Pictures that the chain gives to items. Rows of one connection to `items.db`. */
import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

export interface ChainPicture {
  readonly item: string;
  /** Null: the item has none of the chain. */
  readonly sha256: string | null;
  /** Goes before one of the store. */
  readonly isFixed: boolean;
}

export interface WholePicture extends ChainPicture {
  readonly jpeg: Uint8Array | null;
}

export class ChainPictures {
  readonly #db: DatabaseSync;
  readonly #find: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#find = db.prepare(
      `SELECT id, sha256, fixed, jpeg FROM item_versions AS version LEFT JOIN items ON id = version.item
       LEFT JOIN pictures ON pictures.item = id LEFT JOIN chain_pictures ON chain_pictures.item = id WHERE version.item = ?`,
    );
  }

  /**
   * Where the store has another one of its own, or has taken this one away, it stays so: unless the chain fixes it.
   * @returns null where nothing was ever said of the item, not even its deletion
   */
  isWanted({ item, sha256, isFixed }: ChainPicture): boolean | null {
    const now = this.#find.get(item);
    if (now === undefined) return null;
    if (now.id === null) return false;
    const isSame = now.sha256 === sha256;
    const wasFixed = now.fixed === 1;
    if (sha256 === null) return !isSame;
    if (isFixed) return !isSame || !wasFixed || !isOfChain(now);
    return isSame ? wasFixed : now.jpeg === null || isOfChain(now);
  }

  /** In a transaction of the caller. @param now ms since 1970 */
  keep(picture: WholePicture, now: number): void {
    const { item, sha256, isFixed, jpeg } = picture;
    // somebody may have put another one meanwhile, or deleted the item
    if (this.isWanted(picture) !== true) return;
    const run = (sql: string, ...values: (string | number | Uint8Array)[]) => this.#db.prepare(sql).run(...values);
    const isOwn = !isOfChain(this.#find.get(item) ?? {});
    run('DELETE FROM chain_pictures WHERE item = ?', item);
    if (sha256 !== null) run('INSERT INTO chain_pictures VALUES (?, ?, ?)', item, sha256, Number(isFixed));
    if (jpeg !== null) run('INSERT OR REPLACE INTO pictures (item, jpeg) VALUES (?, ?)', item, jpeg);
    else if (!isOwn) run('DELETE FROM pictures WHERE item = ?', item);
    run('UPDATE items SET updated_at = ? WHERE id = ?', now, item);
  }
}

const isOfChain = ({ jpeg, sha256 }: Readonly<Record<string, unknown>>): boolean =>
  jpeg instanceof Uint8Array && hash('sha256', jpeg) === sha256;
