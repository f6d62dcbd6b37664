/** What devices of a store say of items to each other, and which word of theirs is the later one. Rows of one connection to `items.db`. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import Type, { type Static } from 'typebox';
import { isGtin, keyOf } from '../barcodes/gtin.ts';
import { type ChainWord, Fixed, type FixedRows, fixedIn } from './fixed-rows.ts';
import { ItemChanges } from './item.ts';
import type { ItemRows } from './item-rows.ts';

/** An item in the words of a device: each change, a deletion too, has the number after the one before. */
export const ItemWord = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  revision: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  /** Serial number of the device that said so. */
  by: Type.String({ minLength: 1, maxLength: 64 }),
  /** Null: it was deleted. */
  item: Type.Union([ItemChanges, Type.Null()]),
  /** What the chain fixes of it. Absent: nothing. */
  fixed: Type.Optional(Fixed),
});
export type ItemWord = Readonly<Static<typeof ItemWord>>;
export type ItemVersion = Pick<ItemWord, 'revision' | 'by'>;

/** In the place of a serial number: the chain, and the number of its change. */
const OF_CHAIN = /^chain\.(\d{1,16})$/;

const OF_STORE = Number.POSITIVE_INFINITY;

/** Number of the chain's change; what a device has said goes before all of them. */
const rankOf = ({ by }: Pick<ItemVersion, 'by'>): number => Number(OF_CHAIN.exec(by)?.[1] ?? OF_STORE);

/** Of two changes with one number, that of the higher serial number counts: all devices then agree. */
export function isLater(one: ItemVersion, other: ItemVersion | null): boolean {
  if (other === null) return true;
  const [rank, before] = [rankOf(one), rankOf(other)];
  if (rank !== before) return rank > before;
  return one.revision > other.revision || (one.revision === other.revision && one.by > other.by);
}

export class ItemVersions {
  readonly #rows: ItemRows;
  readonly #fixed: FixedRows;
  readonly #find: StatementSync;
  readonly #keep: StatementSync;
  readonly #delete: StatementSync;
  readonly #page: StatementSync;
  readonly #countOfChain: StatementSync;

  constructor(db: DatabaseSync, rows: ItemRows, fixed: FixedRows) {
    this.#rows = rows;
    this.#fixed = fixed;
    this.#find = db.prepare('SELECT revision, author FROM item_versions WHERE item = ?');
    this.#keep = db.prepare('INSERT OR REPLACE INTO item_versions (item, revision, author) VALUES (?, ?, ?)');
    this.#delete = db.prepare('DELETE FROM items WHERE id = ?');
    this.#page = db.prepare('SELECT item, revision, author FROM item_versions WHERE item > ? ORDER BY item LIMIT ?');
    this.#countOfChain = db.prepare(
      "SELECT count(*) AS count FROM item_versions JOIN items ON id = item WHERE author GLOB 'chain.[0-9]*'",
    );
  }

  countOfChain(): number {
    return Number(this.#countOfChain.get()?.count);
  }

  /** @param own serial number of this device */
  words(own: string, after: string, limit: number): ItemWord[] {
    return this.#page.all(after, limit).map((row) => {
      const id = String(row.item);
      const fixed = this.#fixed.find(id);
      return {
        ...{ id, revision: Number(row.revision), by: String(row.author) || own, item: this.#saidOf(id) },
        ...(fixed !== null && { fixed }),
      };
    });
  }

  #saidOf(id: string): ItemWord['item'] {
    const item = this.#rows.find(id);
    if (item === null) return null;
    const { name, plu, price, barcodes, pieceWeight } = item;
    return { name, plu, price, pieceWeight, barcodes: [...barcodes] };
  }

  /**
   * What the chain says of an item counts where the store has said nothing, or has left what the chain said before; what it fixes
   * counts in any case, beside the rest of the store's word.
   * @returns null where it does not count, or is no news
   */
  wordOfChain(word: ChainWord): ItemWord | null {
    const { id, number, item } = word;
    const version = this.#versionOf(id, '');
    const before = this.#fixed.find(id);
    const now = fixedIn(word);
    const fixed = before !== null || Object.keys(now).length > 0 ? { fixed: { number, item: now } } : {};
    const revision = (version?.revision ?? 0) + 1;
    if (version === null ? item !== null && !this.#isCodeOfStore(id) : rankOf(version) < number)
      return { id, revision, by: `chain.${number}`, item, ...fixed };
    if (version === null || rankOf(version) !== OF_STORE || fixed.fixed === undefined) return null;
    const own = this.#saidOf(id);
    const together = own === null ? null : { ...own, ...now };
    if (before !== null && before.number >= number && isDeepStrictEqual(own, together)) return null;
    return { id, revision, by: '', item: together, ...fixed };
  }

  /** @param own serial number of this device @returns whether it is later than what is known */
  isNews(word: ItemWord, own: string): boolean {
    return isLater(word, this.#versionOf(word.id, own));
  }

  /** Takes off the item the codes that a later word of it no longer names: another word may give them to another item. */
  giveUp(word: ItemWord, own: string): void {
    const named = new Set((word.item?.barcodes ?? []).map(keyOf));
    if (this.isNews(word, own)) this.#leave(word.id, (code) => named.has(keyOf(code)), own);
  }

  /** Where it is later. */
  take(later: ItemWord, own: string): void {
    if (!this.isNews(later, own)) return;
    const word = this.#withFixed(later, own);
    const { id, revision, by, item, fixed } = word;
    if (fixed !== undefined) this.#fixed.keep(id, fixed);
    if (item === null) this.#delete.run(id);
    else {
      if (isGtin(id)) this.#free(id, word, own);
      const barcodes = (item.barcodes ?? []).filter((code) => this.#free(code, word, own));
      const unsaid = { name: null, plu: null, price: null, pieceWeight: null };
      this.#rows.upsert({ ...unsaid, ...item, id, barcodes });
    }
    this.#keep.run(id, revision, by === own ? '' : by);
  }

  /** Repeats the word of a device that does not know yet what the chain fixes, with what it fixes. */
  #withFixed(word: ItemWord, own: string): ItemWord {
    const fixed = this.#fixed.find(word.id);
    if (fixed === null || fixed.number <= (word.fixed?.number ?? 0)) return word;
    const item = word.item === null ? null : { ...word.item, ...fixed.item };
    return { id: word.id, revision: word.revision + 1, by: own, item, fixed };
  }

  #versionOf(id: string, own: string): ItemVersion | null {
    const row = this.#find.get(id);
    return row === undefined ? null : { revision: Number(row.revision), by: String(row.author) || own };
  }

  /** Whether the store has given an id, which is a code by itself, to another item. */
  #isCodeOfStore(id: string): boolean {
    const isOfStore = (owner: string) => rankOf(this.#versionOf(owner, '') ?? { by: '' }) === OF_STORE;
    return isGtin(id) && this.#rows.ownersOf(id).some(isOfStore);
  }

  /**
   * Two devices may have given one code to two items: it is that of the item whose id it is, else of the one that the chain fixes
   * it for and has not spoken of the other since, else of the one that a device has spoken of and not the chain, else of the chain's later change, else of the smaller id, on each device. It makes
   * no version.
   * @returns whether the item may have it
   */
  #free(code: string, { id, by }: ItemWord, own: string): boolean {
    const isOwnId = (item: string): boolean => isGtin(item) && keyOf(item) === keyOf(code);
    const isFixedFor = (item: string, other: number): boolean => {
      const number = this.#fixed.changeOf(item, code);
      return number > 0 && (other === OF_STORE || other <= number);
    };
    for (const owner of this.#rows.ownersOf(code)) {
      if (owner === id) continue;
      const version = this.#versionOf(owner, own);
      const [rank, others] = [rankOf({ by }), rankOf(version ?? { by: own })];
      const isOwners = isFixedFor(owner, rank) || (others === rank ? owner < id : others > rank);
      const isFree = isOwnId(id) || isFixedFor(id, others);
      if (isOwnId(owner) || (!isFree && isOwners)) return false;
      this.#leave(owner, (each) => keyOf(each) !== keyOf(code), own);
    }
    return true;
  }

  /** Leaves an item some of its codes; its version stays. */
  #leave(id: string, isLeft: (code: string) => boolean, own: string): void {
    const { barcodes = [] } = this.#rows.find(id) ?? {};
    const left = barcodes.filter(isLeft);
    if (left.length === barcodes.length) return;
    const version = this.#versionOf(id, own);
    this.#rows.upsert({ id, barcodes: left });
    if (version !== null) this.#keep.run(id, version.revision, version.by === own ? '' : version.by);
  }
}
