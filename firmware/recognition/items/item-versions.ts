/**
 * The records of items that devices of a store exchange, and which of two is later: rows of one connection to
 * `items.db`.
 */
import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import Type, { type Static } from 'typebox';
import { CountedFromOne, MOST_COUNTED } from '../../core/schema/index.ts';
import { BLANK_FIELDS, ItemChanges } from '../model/item.ts';
import { GivenId } from '../model/item-id.ts';
import type { ItemRows } from './item-rows.ts';

/** A device's record of an item: each change, also a deletion, has the number after the previous one. */
export const ItemRecord = Type.Object({
  id: GivenId,
  revision: CountedFromOne,
  /** Serial number of the device that made the change. */
  by: Type.String({ minLength: 1, maxLength: 64 }),
  /** The item; null: it was deleted. */
  item: Type.Union([ItemChanges, Type.Null()]),
});
export type ItemRecord = Readonly<Static<typeof ItemRecord>>;

/** The version of an item, which orders its changes. */
export interface ItemVersion {
  readonly revision: number;
  /** Digest of the content: the same on all devices. */
  readonly digest: string;
}

const DIGEST_CHARACTERS = 16;
/**
 * How far a revision may be ahead of those that the store has reached: far more than the changes of any item. A wrong
 * revision beyond would win for ever, because no device could count past it.
 */
export const MOST_AHEAD = 2 ** 20;

export function versionOf({ id, revision, item }: Pick<ItemRecord, 'id' | 'revision' | 'item'>): ItemVersion {
  const { name, plu, price, pieceWeight, barcodes } = { ...BLANK_FIELDS, ...item };
  const content = item && [name, plu ?? id, price, pieceWeight, barcodes ?? []];
  return { revision, digest: hash('sha256', JSON.stringify(content)).slice(0, DIGEST_CHARACTERS) };
}

/** SQL: a revision that may be sent. The triggers count beyond the highest one, and an earlier release accepted larger ones. */
const REVISION = `min(revision, ${MOST_COUNTED}) AS revision`;

/**
 * Whether one change is later. For equal numbers the content decides, not the device, so that all devices agree, even
 * two with one serial number.
 */
export function isLater(one: ItemVersion, other: ItemVersion | null): boolean {
  if (other === null) return true;
  return one.revision > other.revision || (one.revision === other.revision && one.digest > other.digest);
}

export class ItemVersions {
  readonly #rows: ItemRows;
  readonly #find: StatementSync;
  readonly #setVersion: StatementSync;
  readonly #page: StatementSync;

  constructor(db: DatabaseSync, rows: ItemRows) {
    this.#rows = rows;
    this.#find = db.prepare(`SELECT ${REVISION} FROM item_versions WHERE item = ?`);
    this.#setVersion = db.prepare('INSERT OR REPLACE INTO item_versions (item, revision, author) VALUES (?, ?, ?)');
    this.#page = db.prepare(`SELECT item, ${REVISION}, author FROM item_versions WHERE item > ? ORDER BY item LIMIT ?`);
  }

  /** A page of this device's records, those of the ids behind `after`. @param own serial number of this device */
  records(own: string, after: string, limit: number): ItemRecord[] {
    return this.#page.all(after, limit).map((row) => {
      const id = String(row.item);
      return { id, revision: Number(row.revision), by: String(row.author) || own, item: this.#rows.recorded(id) };
    });
  }

  /** Whether the number is plausible, by this device's records. @param witnessed a number that the store has reached */
  isBelievable({ id, revision }: ItemRecord, witnessed: number): boolean {
    return revision <= Math.max(this.#revisionOf(id), witnessed) + MOST_AHEAD;
  }

  /** Whether a record is later than this device's. */
  isNews(record: ItemRecord): boolean {
    const known = this.#revisionOf(record.id);
    if (record.revision !== known) return record.revision > known;
    return isLater(versionOf(record), versionOf({ ...record, item: this.#rows.recorded(record.id) }));
  }

  /** Applies a record if it is later. @param own serial number of this device */
  applyIfLater(record: ItemRecord, own: string): void {
    if (!this.isNews(record)) return;
    const { id, revision, by, item } = record;
    if (item === null) this.#rows.delete(id);
    else this.#rows.upsert({ ...BLANK_FIELDS, ...item, id });
    this.#setVersion.run(id, revision, by === own ? '' : by);
  }

  /** Number of the item's last change; 0 where it has no record. */
  #revisionOf(id: string): number {
    return Number(this.#find.get(id)?.revision ?? 0);
  }
}
