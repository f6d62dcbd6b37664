/** What the chain fixes of items, in place of what the store says. Rows of one connection to `items.db`. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import Type, { type Static } from 'typebox';
import { Counted } from '../../store/index.ts';
import { ItemChanges, ItemError } from './item.ts';

export const Fixed = Type.Object({
  /** Of the chain's change: a later one counts. */
  number: Counted,
  /** Nothing: the store is free again. */
  item: ItemChanges,
});
export type Fixed = Readonly<Static<typeof Fixed>>;

/** What the chain says of an item, and which fields of it go before those of the store. */
export interface ChainWord {
  readonly id: string;
  readonly number: number;
  /** Null: it was taken back. */
  readonly item: ItemChanges | null;
  readonly wins?: readonly string[] | undefined;
}

/** The fields that go before those of the store. */
export const fixedIn = ({ item, wins = [] }: ChainWord): ItemChanges =>
  Object.fromEntries(Object.entries(item ?? {}).filter(([field]) => wins.includes(field)));

export class FixedRows {
  readonly #find: StatementSync;
  readonly #keep: StatementSync;
  readonly #picture: StatementSync;

  constructor(db: DatabaseSync) {
    this.#find = db.prepare('SELECT number, said FROM fixed_items WHERE item = ?');
    this.#keep = db.prepare('INSERT OR REPLACE INTO fixed_items (item, number, said) VALUES (?, ?, ?)');
    this.#picture = db.prepare('SELECT 1 FROM chain_pictures WHERE item = ? AND fixed = 1');
  }

  /** Null where the chain has never fixed anything of it. */
  find(id: string): Fixed | null {
    const row = this.#find.get(id);
    return row === undefined ? null : { number: Number(row.number), item: JSON.parse(String(row.said)) };
  }

  keep(id: string, { number, item }: Fixed): void {
    this.#keep.run(id, number, JSON.stringify(item));
  }

  /** @returns a field that would be another than the chain says; the same is no change */
  changedBy(id: string, changes: ItemChanges): string | undefined {
    return changedField(id, this.find(id)?.item ?? {}, changes);
  }

  /** @throws {ItemError} `FixedByChain` */
  requireFree(id: string, changes: ItemChanges): void {
    const field = this.changedBy(id, changes);
    if (field !== undefined) throw fixedByChain(id, field);
  }

  /** @throws {ItemError} `FixedByChain` where the item has a picture that the chain fixes */
  requirePictureFree(id: string): void {
    if (this.#picture.get(id) !== undefined) throw fixedByChain(id, 'picture');
  }
}

const fixedByChain = (item: string, field: string): ItemError =>
  new ItemError(
    'FixedByChain',
    `the chain fixes ${field} of the item ${item}: ask who runs it, or leave ${field} out; nothing was changed`,
    { item, field },
  );

/** @returns a field that would be another than it is; one that is left out stays */
export function changedField(id: string, known: object, changes: ItemChanges): string | undefined {
  const said = new Map<string, unknown>(Object.entries(changes));
  const fields: readonly (readonly [string, unknown])[] = Object.entries(known);
  return fields.find(([field, value]) => said.has(field) && !isSame(id, field, said.get(field), value))?.[0];
}

/** Null and nothing are one, and so are the id and a PLU that is left out. */
function isSame(id: string, field: string, one: unknown, other: unknown): boolean {
  const unsaid = field === 'barcodes' ? [] : field === 'plu' ? id : null;
  return isDeepStrictEqual(one ?? unsaid, other ?? unsaid);
}
