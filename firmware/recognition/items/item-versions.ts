/** What devices of a store say of items to each other, and which word of theirs is the later one. Rows of one connection to `items.db`. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import Type, { type Static } from 'typebox';
import { Counted, MOST_COUNTED } from '../../store/index.ts';
import { GivenId } from '../templates/package-format.ts';
import { holderOf } from './barcodes.ts';
import { type ChainWord, Fixed, type FixedRows, fixedIn } from './fixed-rows.ts';
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
  /** What the chain fixes of it. Absent: nothing. */
  fixed: Type.Optional(Fixed),
});
export type ItemWord = Readonly<Static<typeof ItemWord>>;
export type ItemVersion = Pick<ItemWord, 'revision' | 'by'>;

export interface CountOfChain {
  /** Items of which the chain's word counts, and not one of the store. */
  readonly items: number;
  /** Items that have not all the codes that the chain gives them: others have them. */
  readonly short: number;
}

/** In the place of a serial number: the chain, and the number of its change. */
const OF_CHAIN = /^chain\.(\d{1,16})$/;

const OF_STORE = Number.POSITIVE_INFINITY;

/** SQL: triggers count on from the highest, and an earlier release took more. */
const REVISION = `min(revision, ${MOST_COUNTED}) AS revision`;
const after = (revision: number): number => Math.min(revision + 1, MOST_COUNTED);

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
  readonly #isOfChain: () => boolean;
  readonly #find: StatementSync;
  readonly #keep: StatementSync;
  readonly #page: StatementSync;
  readonly #countOfChain: StatementSync;

  constructor(db: DatabaseSync, rows: ItemRows, fixed: FixedRows, isOfChain: () => boolean) {
    this.#rows = rows;
    this.#isOfChain = isOfChain;
    this.#fixed = fixed;
    this.#find = db.prepare(`SELECT ${REVISION}, author FROM item_versions WHERE item = ?`);
    this.#keep = db.prepare('INSERT OR REPLACE INTO item_versions (item, revision, author) VALUES (?, ?, ?)');
    this.#page = db.prepare(`SELECT item, ${REVISION}, author FROM item_versions WHERE item > ? ORDER BY item LIMIT ?`);
    this.#countOfChain = db.prepare(
      `WITH short (item) AS (
         SELECT item FROM barcodes AS code JOIN (SELECT key FROM barcodes GROUP BY key HAVING min(item) < max(item)) USING (key)
         WHERE item <> ${holderOf('code.key')})
       SELECT count(*) FILTER (WHERE ofChain) AS items, count(*) FILTER (WHERE id IN short AND (ofChain OR fixed)) AS short FROM (
         SELECT id, author GLOB 'chain.[0-9]*' AS ofChain, said ->> '$.barcodes' IS NOT NULL AS fixed
         FROM items JOIN item_versions AS version ON version.item = id LEFT JOIN fixed_items AS fixing ON fixing.item = id)`,
    );
  }

  countOfChain(): CountOfChain {
    const { items, short } = this.#countOfChain.get() ?? {};
    return { items: Number(items), short: Number(short) };
  }

  /** @param own serial number of this device */
  words(own: string, after: string, limit: number): ItemWord[] {
    return this.#page.all(after, limit).map((row) => {
      const id = String(row.item);
      const fixed = this.#fixed.find(id);
      return {
        ...{ id, revision: Number(row.revision), by: String(row.author) || own, item: this.#rows.said(id) },
        ...(fixed !== null && { fixed }),
      };
    });
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
    const revision = after(version?.revision ?? 0);
    if (version === null ? item !== null : rankOf(version) < number)
      return { id, revision, by: `chain.${number}`, item, ...fixed };
    if (version === null || rankOf(version) !== OF_STORE || fixed.fixed === undefined) return null;
    const own = this.#rows.said(id);
    const together = own === null ? null : { ...own, ...now };
    if (before !== null && before.number >= number && isDeepStrictEqual(own, together)) return null;
    return { id, revision, by: '', item: together, ...fixed };
  }

  /** @param own serial number of this device @returns whether it is later than what is known */
  isNews(word: ItemWord, own: string): boolean {
    return isLater(word, this.#versionOf(word.id, own));
  }

  /** Where it is later. */
  take(later: ItemWord, own: string): void {
    if (!this.isNews(later, own)) return;
    const word = this.#withFixed(later, own);
    const { id, revision, by, item, fixed } = word;
    if (fixed !== undefined) this.#fixed.keep(id, fixed);
    if (item === null) this.#rows.delete(id);
    else this.#rows.upsert({ ...UNSAID, ...item, id });
    this.#keep.run(id, revision, by === own ? '' : by);
  }

  /** Repeats the word of a device that does not know yet what the chain fixes, or was of no chain then, with what it fixes. */
  #withFixed(word: ItemWord, own: string): ItemWord {
    const fixed = this.#fixed.find(word.id);
    const known = word.fixed?.number ?? 0;
    if (fixed === null || fixed.number < known) return word;
    const isMet = !this.#isOfChain() || this.#fixed.changedBy(word.id, word.item ?? {}) === undefined;
    if (fixed.number === known && isMet) return word;
    const item = word.item === null ? null : { ...word.item, ...fixed.item };
    return { id: word.id, revision: after(word.revision), by: own, item, fixed };
  }

  #versionOf(id: string, own: string): ItemVersion | null {
    const row = this.#find.get(id);
    return row === undefined ? null : { revision: Number(row.revision), by: String(row.author) || own };
  }
}
