/** What devices of a store say of items to each other, and which word of theirs is the later one. Rows of one connection to `items.db`. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import Type, { type Static } from 'typebox';
import { Counted, MOST_COUNTED } from '../../core/store/index.ts';
import { GivenId } from '../templates/package-format.ts';
import { ItemChanges, UNSAID } from './item.ts';
import type { ItemRows } from './item-rows.ts';

/** An item in the words of a device: each change, a deletion too, has the number after the one before. */
export const ItemWord = Type.Object({
  id: GivenId,
  revision: Counted,
  /** Serial number of the device that said so. */
  by: Type.String({ minLength: 1, maxLength: 64 }),
  /** Null: it was deleted. */
  item: Type.Union([ItemChanges, Type.Null()]),
});
export type ItemWord = Readonly<Static<typeof ItemWord>>;
export type ItemVersion = Pick<ItemWord, 'revision' | 'by'>;

/** SQL: triggers count on from the highest, and an earlier release took more. */
const REVISION = `min(revision, ${MOST_COUNTED}) AS revision`;

/** Of two changes with one number, that of the higher serial number counts: all devices then agree. */
export function isLater(one: ItemVersion, other: ItemVersion | null): boolean {
  if (other === null) return true;
  return one.revision > other.revision || (one.revision === other.revision && one.by > other.by);
}

export class ItemVersions {
  readonly #rows: ItemRows;
  readonly #find: StatementSync;
  readonly #keep: StatementSync;
  readonly #page: StatementSync;

  constructor(db: DatabaseSync, rows: ItemRows) {
    this.#rows = rows;
    this.#find = db.prepare(`SELECT ${REVISION}, author FROM item_versions WHERE item = ?`);
    this.#keep = db.prepare('INSERT OR REPLACE INTO item_versions (item, revision, author) VALUES (?, ?, ?)');
    this.#page = db.prepare(`SELECT item, ${REVISION}, author FROM item_versions WHERE item > ? ORDER BY item LIMIT ?`);
  }

  /** @param own serial number of this device */
  words(own: string, after: string, limit: number): ItemWord[] {
    return this.#page.all(after, limit).map((row) => {
      const id = String(row.item);
      return { id, revision: Number(row.revision), by: String(row.author) || own, item: this.#rows.said(id) };
    });
  }

  /** @param own serial number of this device @returns whether it is later than what is known */
  isNews(word: ItemWord, own: string): boolean {
    return isLater(word, this.#versionOf(word.id, own));
  }

  /** Where it is later. */
  take(word: ItemWord, own: string): void {
    if (!this.isNews(word, own)) return;
    const { id, revision, by, item } = word;
    if (item === null) this.#rows.delete(id);
    else this.#rows.upsert({ ...UNSAID, ...item, id });
    this.#keep.run(id, revision, by === own ? '' : by);
  }

  #versionOf(id: string, own: string): ItemVersion | null {
    const row = this.#find.get(id);
    return row === undefined ? null : { revision: Number(row.revision), by: String(row.author) || own };
  }
}
