/** Items as rows of one connection to `items.db`. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../core/host/index.ts';
import { BLANK_FIELDS, type Item, type ItemChanges, type ItemEntry } from '../model/item.ts';
import { BarcodeRows, distinct, holderOf } from './barcodes.ts';
import { type SellingSums, sellingSum } from './selling-sums.ts';

/** SQL: the columns of an item. Of a code that several items list only its holder has it. */
export const ITEM_COLUMNS = `id, name, plu, price, piece_weight, selling_sum, created_at, updated_at, EXISTS (SELECT 1 FROM pictures WHERE item = id) AS pictured,
   (SELECT json_group_array(text ORDER BY place) FROM barcodes AS said
     WHERE item = items.id AND own = 0 AND item = ${holderOf('said.key')}) AS barcodes`;

type ItemRow = Readonly<Record<string, unknown>>;

const itemOf = (row: ItemRow): Item => ({
  id: String(row.id),
  name: row.name === null ? null : String(row.name),
  plu: String(row.plu),
  price: row.price === null ? null : Number(row.price),
  barcodes: JSON.parse(String(row.barcodes)),
  pieceWeight: row.piece_weight === null ? null : Number(row.piece_weight),
  hasPicture: row.pictured === 1,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
});

/** A text as it is searched for: letters of any script in one form, and small. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Whether the changes change the item: missing fields stay, and a missing PLU is the id. */
function isChanged(known: Item, changes: ItemChanges): boolean {
  const changed = { ...known, ...changes };
  return !isDeepStrictEqual(
    [changed.name, changed.plu ?? known.id, changed.price, changed.barcodes ?? [], changed.pieceWeight],
    [known.name, known.plu, known.price, known.barcodes, known.pieceWeight],
  );
}

export class ItemRows {
  readonly barcodes: BarcodeRows;
  readonly #clock: Clock;
  readonly #sums: SellingSums;
  readonly #find: StatementSync;
  readonly #recorded: StatementSync;
  readonly #upsert: StatementSync;
  readonly #delete: StatementSync;
  readonly #revision: StatementSync;
  readonly #lowerRevision: StatementSync;

  constructor(db: DatabaseSync, clock: Clock, sums: SellingSums) {
    this.#clock = clock;
    this.#sums = sums;
    this.barcodes = new BarcodeRows(db);
    this.#find = db.prepare(`SELECT ${ITEM_COLUMNS} FROM items WHERE id = ?`);
    this.#recorded = db.prepare(
      `SELECT json_object('name', name, 'plu', plu, 'price', price, 'pieceWeight', piece_weight, 'barcodes',
         json((SELECT json_group_array(text ORDER BY place) FROM barcodes WHERE item = id AND own = 0))) AS said FROM items WHERE id = ?`,
    );
    this.#upsert = db.prepare(
      `INSERT INTO items (id, name, folded, plu, price, piece_weight, selling_sum, created_at, updated_at)
       VALUES (:id, :name, :folded, :plu, :price, :pieceWeight, :sum, :now, :now)
       ON CONFLICT (id) DO UPDATE SET name = :name, folded = :folded, plu = :plu, price = :price, piece_weight = :pieceWeight,
         selling_sum = coalesce(:sum, selling_sum), updated_at = :now`,
    );
    this.#delete = db.prepare('DELETE FROM items WHERE id = ?');
    this.#revision = db.prepare('SELECT revision FROM item_versions WHERE item = ?');
    this.#revision.setReadBigInts(true); // an earlier release accepted revisions beyond the safe integers
    this.#lowerRevision = db.prepare('UPDATE item_versions SET revision = min(revision, ?) WHERE item = ?');
  }

  /** The item; null where it has no record. */
  find(id: string): Item | null {
    const row = this.#find.get(id);
    return row === undefined ? null : this.read(row);
  }

  /** @param row of {@link ITEM_COLUMNS} */
  read(row: ItemRow): Item {
    this.#sums.check(row);
    return itemOf(row);
  }

  /** The item's last recorded fields, also codes that another item has; null where it has no record. */
  recorded(id: string): Required<ItemChanges> | null {
    const row = this.#recorded.get(id);
    return row === undefined ? null : JSON.parse(String(row.said));
  }

  /** Number of the item's last change; 0 where there was none. */
  revisionOf(id: string): bigint {
    const revision = this.#revision.get(id)?.revision;
    return typeof revision === 'bigint' ? revision : 0n;
  }

  /** Counts work on an item as one change, though the triggers count each row. @param before number of the change before */
  asOne<T>(id: string, work: () => T, before = this.revisionOf(id)): T {
    const done = work();
    this.#lowerRevision.run(before + 1n, id);
    return done;
  }

  /** Deletes an item; returns whether it was there. */
  delete(id: string): boolean {
    this.#sums.forget(id);
    return this.asOne(id, () => Number(this.#delete.run(id).changes) > 0);
  }

  /** Creates or changes an item; returns whether it is new. */
  upsert({ id, ...changes }: ItemEntry): boolean {
    const known = this.recorded(id);
    const { name, plu, price, barcodes, pieceWeight } = { ...BLANK_FIELDS, ...known, ...changes };
    const words = folded([id, plu ?? id, name ?? '', ...(barcodes ?? [])].join('\n'));
    // a stored price that is not set again may be damaged: its checksum stays, which shows that
    const sum = known === null || changes.price !== undefined ? sellingSum(id, price) : null;
    this.#upsert.run({ id, name, folded: words, plu: plu ?? id, price, pieceWeight, sum, now: this.#clock.wall() });
    if (known === null) this.barcodes.putOwnId(id);
    // the triggers count each code that is written as a change
    if (!isDeepStrictEqual(known?.barcodes ?? [], barcodes ?? [])) this.barcodes.put(id, barcodes ?? []);
    return known === null;
  }

  /**
   * Records a change that somebody in the store makes.
   * @returns whether the item is new @throws {ItemError} `BarcodeTaken`
   */
  record({ id, ...given }: ItemEntry): boolean {
    const changes = given.barcodes === undefined ? given : { ...given, barcodes: distinct(given.barcodes ?? []) };
    const known = this.find(id);
    // a record that changes nothing gets no new revision, by which it would replace a later change of another device
    if (known !== null && !isChanged(known, changes) && !this.#sums.isDamaged(id)) return false;
    this.barcodes.requireFree(id, changes.barcodes ?? []);
    return this.asOne(id, () => this.upsert({ id, ...changes }));
  }
}
