/**
 * The items that tills sell: name, PLU, price, barcodes and picture, by the item id of the templates; and the records of
 * items that devices of a store exchange. Durable at each commit.
 */
import { hash } from 'node:crypto';
import type { StatementSync } from 'node:sqlite';
import { nextTurn } from '../../../drivers/lib/turns.ts';
import type { Clock, Timekeeper } from '../../core/host/index.ts';
import { BLANK_FIELDS, type Item, type ItemChanges, ItemError, noItem, nothingToDelete } from '../model/item.ts';
import { ITEMS_PER_TURN, ItemImports } from './item-imports.ts';
import { folded, ITEM_COLUMNS, ItemRows } from './item-rows.ts';
import { type ItemRecord, ItemVersions } from './item-versions.ts';
import { ItemsFile } from './items-file.ts';
import { SellingCheck } from './selling-sums.ts';

/** Rows of one page when all items are read. */
const PAGE_ROWS = 500;

interface ItemSearch {
  /** Part of an id, a PLU, a name or a barcode, in capital or small letters. */
  readonly text?: string | undefined;
  readonly plu?: string | undefined;
  /** An id or a PLU. */
  readonly code?: string | undefined;
  /** In addition to the items of `code`: the item with this id. */
  readonly orItem?: string | null | undefined;
}

/** @param read returns rows with an id above `after`, in the order of ids */
async function* pagesOf<T extends { readonly id: string }>(
  read: (after: string) => readonly T[],
): AsyncGenerator<readonly T[]> {
  for (let page = read(''); page.length > 0; page = read(page.at(-1)?.id ?? '')) {
    yield page;
    await nextTurn();
  }
}

export class Items {
  readonly file: ItemsFile;
  /** Imports of many items. */
  readonly imports: ItemImports;
  readonly #rows: ItemRows;
  readonly #versions: ItemVersions;
  readonly #clock: Clock;
  readonly #mark: StatementSync;
  #check: SellingCheck | null = null;

  constructor(path: string, clock: Clock) {
    this.file = new ItemsFile(path, clock.wall());
    const { db } = this.file;
    this.#clock = clock;
    this.imports = new ItemImports(this.file, clock);
    this.#rows = new ItemRows(db, clock, this.file.sums);
    // as text, because an earlier release accepted revisions beyond the safe integers
    this.#mark = db.prepare(
      `SELECT CAST(revision AS TEXT) AS revision, author, jpeg FROM items JOIN item_versions AS version ON version.item = id
       LEFT JOIN pictures ON pictures.item = id WHERE id = ?`,
    );
    this.#versions = new ItemVersions(db, this.#rows);
  }

  /** Why the file cannot be opened; null when it is open. */
  get problem(): string | null {
    return this.file.problem;
  }

  /** From now on checks daily that the stored items are as they were written. */
  checkDaily(clock: Pick<Timekeeper, 'after'>): void {
    if (this.problem !== null) return;
    this.#check = new SellingCheck(this.file, clock);
    this.#check.start();
  }

  /** @throws {ItemError} `NotFound` */
  get(id: string): Item {
    const item = this.find(id);
    if (item === null) throw noItem(id);
    return item;
  }

  /** The item; null where it has no record. */
  find(id: string): Item | null {
    return this.file.read(() => this.#rows.find(id));
  }

  /** The item's name; null where it has none. */
  nameOf(id: string): string | null {
    return this.find(id)?.name ?? null;
  }

  /** The item with this barcode or id; null: none. */
  ownerOf(barcode: string): string | null {
    return this.file.read(() => this.#rows.barcodes.ownerOf(barcode));
  }

  /** Ids of the item with this whole code as barcode or id, else of the items with this PLU, two at most. */
  havingAll(code: string): string[] {
    const owner = this.ownerOf(code);
    return owner === null ? this.page({ plu: code }, null, 2).map(({ id }) => id) : [owner];
  }

  /**
   * A page of found items; ё is sought as е, because few people write it.
   * @param after id of the last one of the page before; null begins @returns at most `limit` items in the order of ids
   */
  page({ text, plu, code, orItem }: ItemSearch, after: string | null, limit: number): Item[] {
    const wanted = {
      after,
      plu: plu ?? null,
      code: code ?? null,
      orItem: orItem ?? null,
      text: text === undefined ? null : folded(text),
      limit,
    };
    return this.file.read(() =>
      this.file.db
        .prepare(
          `SELECT ${ITEM_COLUMNS} FROM items
           WHERE (:after IS NULL OR id > :after) AND (:plu IS NULL OR plu = :plu)
             AND (:code IS NULL OR :code IN (id, plu) OR id = :orItem)
             AND (:text IS NULL OR instr(replace(folded, 'ё', 'е'), replace(:text, 'ё', 'е')) > 0)
           ORDER BY id LIMIT :limit`,
        )
        .all(wanted)
        .map((row) => this.#rows.read(row)),
    );
  }

  ids(): ReadonlySet<string> {
    return this.file.read(
      () =>
        new Set(
          this.file.db
            .prepare('SELECT id FROM items')
            .all()
            .map(({ id }) => String(id)),
        ),
    );
  }

  /** Every item, some hundreds at a time; the event loop gets its turns between them. */
  all(): AsyncGenerator<readonly Item[]> {
    return pagesOf((after) => this.page({}, after, PAGE_ROWS));
  }

  /** Replaces an item: missing fields become unknown. @throws {ItemError} `BarcodeTaken` @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused` */
  async put(id: string, changes: ItemChanges): Promise<{ item: Item; isNew: boolean }> {
    return await this.file.write(() => {
      const isNew = this.find(id) === null;
      this.#rows.record({ ...BLANK_FIELDS, ...changes, id });
      return { item: this.get(id), isNew };
    });
  }

  /** @throws {ItemError} `NotFound`, `BarcodeTaken` @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused` */
  async patch(id: string, { picture, ...changes }: ItemChanges & { picture?: null | undefined }): Promise<Item> {
    return await this.file.write(() => {
      this.get(id);
      this.#rows.record({ ...changes, id });
      if (picture === null) this.#putPicture(id, null);
      return this.get(id);
    });
  }

  /**
   * Deletes an item; its templates stay.
   * @throws {ItemError} `NotFound` @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async delete(id: string): Promise<void> {
    await this.file.write(() => {
      if (!this.#rows.delete(id)) throw nothingToDelete(id);
    });
  }

  /** A mark that is new after each change of the item, independent of the clock; null where the item has no record. */
  markOf(id: string): string | null {
    const row = this.file.read(() => this.#mark.get(id));
    if (row === undefined) return null;
    // a picture has no revision, because devices do not exchange pictures
    const picture = row.jpeg instanceof Uint8Array ? hash('sha256', row.jpeg) : '';
    return [row.revision, row.author, picture].join(' ');
  }

  /**
   * Deletes an item unless it has changed since its mark was taken.
   * @param mark as `markOf` returned it @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async deleteAsOf(id: string, mark: string): Promise<void> {
    await this.file.write(() => {
      if (this.markOf(id) === mark) this.#rows.delete(id);
    });
  }

  /** This device's records, also of deletions, some hundreds at a time. @param own its serial number */
  records(own: string): AsyncGenerator<readonly ItemRecord[]> {
    return pagesOf((after) => this.file.read(() => this.#versions.records(own, after, PAGE_ROWS)));
  }

  /**
   * Applies later records of other devices, which are `believable`, some with each commit; the event loop gets its turns between them.
   * @param own serial number of this device @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async applyLater(records: readonly ItemRecord[], own: string): Promise<void> {
    for (let at = 0; at < records.length; at += ITEMS_PER_TURN) {
      const some = records.slice(at, at + ITEMS_PER_TURN);
      const later = this.file.read(() => some.filter((record) => this.#versions.isNews(record)));
      if (later.length > 0)
        await this.file.write(() => {
          for (const record of later) this.#versions.applyIfLater(record, own);
        });
      await nextTurn();
    }
  }

  /** The records whose number is plausible, by this device's records. @param witnessed the number that the store has reached of an item */
  believable(records: readonly ItemRecord[], witnessed: (id: string) => number): ItemRecord[] {
    return this.file.read(() => records.filter((record) => this.#versions.isBelievable(record, witnessed(record.id))));
  }

  /** The item's picture, a JPEG. @throws {ItemError} `NotFound`, `NoPicture` */
  picture(id: string): Uint8Array {
    this.get(id);
    const row = this.file.read(() => this.file.db.prepare('SELECT jpeg FROM pictures WHERE item = ?').get(id));
    if (row === undefined) throw new ItemError('NoPicture', `the item ${id} has no picture`, { item: id });
    return row.jpeg as Uint8Array;
  }

  /** @throws {ItemError} `NotFound` @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused` */
  async setPicture(id: string, jpeg: Uint8Array): Promise<Item> {
    return await this.file.write(() => {
      this.get(id);
      this.#putPicture(id, jpeg);
      return this.get(id);
    });
  }

  async close(): Promise<void> {
    await this.#check?.close();
    await this.file.close();
  }

  /** @param jpeg null removes the picture */
  #putPicture(id: string, jpeg: Uint8Array | null): void {
    if (jpeg === null) this.file.db.prepare('DELETE FROM pictures WHERE item = ?').run(id);
    else this.file.db.prepare('INSERT OR REPLACE INTO pictures (item, jpeg) VALUES (?, ?)').run(id, jpeg);
    this.file.db.prepare('UPDATE items SET updated_at = ? WHERE id = ?').run(this.#clock.wall(), id);
  }
}
