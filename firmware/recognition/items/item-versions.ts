/** What devices of a store say of items to each other, and which word of theirs is the later one. Rows of one connection to `items.db`. */
import { hash } from 'node:crypto';
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
/** What orders the changes of an item. */
export interface ItemVersion {
  readonly revision: number;
  /** Of what was said: the same on all devices. */
  readonly digest: string;
}

const DIGEST_CHARACTERS = 16;
/** Many times what any item is changed in its life: one beyond it would stay for ever, for nobody could count past it. */
const MOST_AHEAD = 2 ** 20;

export function versionOf({ id, revision, item }: Pick<ItemWord, 'id' | 'revision' | 'item'>): ItemVersion {
  const { name, plu, price, pieceWeight, barcodes } = { ...UNSAID, ...item };
  const said = item && [name, plu ?? id, price, pieceWeight, barcodes ?? []];
  return { revision, digest: hash('sha256', JSON.stringify(said)).slice(0, DIGEST_CHARACTERS) };
}

/** SQL: triggers count on from the highest, and an earlier release took more. */
const REVISION = `min(revision, ${MOST_COUNTED}) AS revision`;

/** Of two changes with the same number the content decides, not the device: all devices then agree, also two with one serial number. */
export function isLater(one: ItemVersion, other: ItemVersion | null): boolean {
  if (other === null) return true;
  return one.revision > other.revision || (one.revision === other.revision && one.digest > other.digest);
}

export class ItemVersions {
  readonly #rows: ItemRows;
  readonly #find: StatementSync;
  readonly #keep: StatementSync;
  readonly #page: StatementSync;

  constructor(db: DatabaseSync, rows: ItemRows) {
    this.#rows = rows;
    this.#find = db.prepare(`SELECT ${REVISION} FROM item_versions WHERE item = ?`);
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

  /** Whether its number may have been counted, by all that is known here. */
  isBelievable({ id, revision }: ItemWord): boolean {
    return revision <= this.#revisionOf(id) + MOST_AHEAD;
  }

  isNews(word: ItemWord): boolean {
    const known = this.#revisionOf(word.id);
    if (word.revision !== known) return word.revision > known && this.isBelievable(word);
    return isLater(versionOf(word), versionOf({ ...word, item: this.#rows.said(word.id) }));
  }

  /** Where it is later. @param own serial number of this device */
  take(word: ItemWord, own: string): void {
    if (!this.isNews(word)) return;
    const { id, revision, by, item } = word;
    if (item === null) this.#rows.delete(id);
    else this.#rows.upsert({ ...UNSAID, ...item, id });
    this.#keep.run(id, revision, by === own ? '' : by);
  }

  /** 0 where nothing was said of it. */
  #revisionOf(id: string): number {
    return Number(this.#find.get(id)?.revision ?? 0);
  }
}
