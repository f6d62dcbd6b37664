/** The items that tills sell: name, PLU, price and picture, by the item id of the templates. Durable at each commit. */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as breath } from 'node:timers/promises';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import type { Clock, Timekeeper } from '../../host/index.ts';
import { type Loss, NO_LOSS, OwnFile, Settling, slowTransaction, transaction } from '../../store/index.ts';
import { RecognitionError } from '../codes.ts';
import { isDamage, withFailureCodes } from '../failures.ts';
import type { ChainPicture, ChainPictures, WholePicture } from './chain-pictures.ts';
import { type ChainWord, FixedRows } from './fixed-rows.ts';
import { type Item, type ItemChanges, type ItemEntry, ItemError, noItem, nothingToDelete } from './item.ts';
import { folded, ITEM_COLUMNS, ItemRows, itemOf } from './item-rows.ts';
import { ItemVersions, type ItemWord } from './item-versions.ts';
import { connectItems, openItems } from './items-database.ts';

/** Rows that are read at once where all of them are wanted. */
const PAGE_ROWS = 500;
/** Items that are imported between two breaths of the event loop: a few milliseconds' worth. */
const BREATH_ITEMS = 100;

export const ITEMS_DAMAGED =
  'items.db is damaged: restart the device, which then checks it and sets a damaged one aside, and import the items again';
export const ITEMS_GONE =
  'items.db was taken away while the device runs: restart the device, and import the items again';

export interface ItemSearch {
  /** Part of an id, a PLU or a name, in capital or small letters. */
  readonly text?: string | undefined;
  readonly plu?: string | undefined;
}

export interface Imported {
  readonly created: number;
  readonly updated: number;
}

/** An entry that another item stands in the way of. */
export interface EntryProblem {
  readonly problem: ItemError;
  readonly index: number;
}

/** The event loop turns meanwhile. @param onProblem goes on with the next one, or throws */
async function land(
  entries: readonly ItemEntry[],
  upsert: (entry: ItemEntry) => boolean,
  onProblem: (problem: ItemError, index: number) => void,
): Promise<Imported> {
  let [created, updated] = [0, 0];
  for (const [index, entry] of entries.entries()) {
    try {
      if (upsert(entry)) created += 1;
      else updated += 1;
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      onProblem(error, index);
    }
    if ((index + 1) % BREATH_ITEMS === 0) await breath();
  }
  return { created, updated };
}

export class Items {
  readonly #db: DatabaseSync;
  readonly #rows: ItemRows;
  readonly #versions: ItemVersions;
  readonly #fixed: FixedRows;
  #isOfChain: () => boolean = () => true;
  readonly #clock: Clock;
  readonly #queue = new SerialQueue();
  readonly #file: OwnFile;
  /** Where the file lies; for the check that it is still there. */
  readonly path: string;
  /** Why the file cannot be opened; null when it is open. */
  readonly problem: string | null;
  readonly #listeners: (() => void)[] = [];
  readonly #hadLog: boolean;
  #isDamaged = false;
  /** Null: to be counted again. */
  #ofChain: number | null = null;
  #ofChainPictures: ChainPictures | null = null;
  #settling: Settling | null = null;

  constructor(path: string, clock: Clock) {
    const { db, problem, hadLog } = openItems(path, clock.wall());
    this.#db = db;
    this.#hadLog = hadLog;
    this.#file = new OwnFile(path);
    this.#rows = new ItemRows(db, clock);
    this.#fixed = new FixedRows(db);
    this.#versions = new ItemVersions(db, this.#rows, this.#fixed);
    this.#clock = clock;
    this.path = path;
    this.problem = problem;
  }

  /** Keeps its log short from now on. */
  settle(clock: Pick<Timekeeper, 'after'>): void {
    if (this.problem !== null) return;
    const tables = { items: ['id', 'name', 'plu', 'price', 'piece_weight', 'updated_at'] };
    this.#settling = new Settling({ db: this.#db, path: this.path, hadLog: this.#hadLog, tables, clock });
  }

  /** What had become of the file at the start. */
  get loss(): Loss {
    return this.#settling ?? NO_LOSS;
  }

  /** What the chain has fixed counts as long as the store is in one. @param isOfChain also while that is not known */
  followChain(isOfChain: () => boolean): void {
    this.#isOfChain = isOfChain;
  }

  /** Whether what the chain has fixed is refused to be changed. */
  get isOfChain(): boolean {
    return this.#isOfChain();
  }

  /** Called after each commit. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Whether damage was met since the start. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Whether the file was deleted, moved or replaced since it was opened: nothing more is taken then. */
  get isGone(): boolean {
    return this.problem === null && !this.#file.isInPlace;
  }

  /** @throws {ItemError} `NotFound` */
  get(id: string): Item {
    const item = this.find(id);
    if (item === null) throw noItem(id);
    return item;
  }

  /** Null where nothing was said of it. */
  find(id: string): Item | null {
    return this.#reading(() => this.#rows.find(id));
  }

  /** Items that have a barcode, or whose id it is; more than one where the same number was put in two forms of id. */
  ownersOf(barcode: string): string[] {
    return this.#reading(() => this.#rows.ownersOf(barcode));
  }

  /** @param after id of the last one of the page before; null begins @returns by their ids, at most `limit` */
  page({ text, plu }: ItemSearch, after: string | null, limit: number): Item[] {
    const wanted = { after, plu: plu ?? null, text: text === undefined ? null : folded(text), limit };
    return this.#reading(() =>
      this.#db
        .prepare(
          `SELECT ${ITEM_COLUMNS} FROM items
           WHERE (:after IS NULL OR id > :after) AND (:plu IS NULL OR plu = :plu)
             AND (:text IS NULL OR instr(folded, :text) > 0)
           ORDER BY id LIMIT :limit`,
        )
        .all(wanted)
        .map(itemOf),
    );
  }

  ids(): ReadonlySet<string> {
    return this.#reading(
      () =>
        new Set(
          this.#db
            .prepare('SELECT id FROM items')
            .all()
            .map(({ id }) => String(id)),
        ),
    );
  }

  /** Every item, some hundreds at a time: the event loop turns between them. */
  async *all(): AsyncGenerator<readonly Item[]> {
    for (let after: string | null = null; ; ) {
      const page: Item[] = this.page({}, after, PAGE_ROWS);
      if (page.length === 0) return;
      yield page;
      after = page.at(-1)?.id ?? null;
      await breath();
    }
  }

  /** Says all of an item: what is left out is unknown from then on. @throws {ItemError} `BarcodeTaken`, `FixedByChain` @throws {RecognitionError} `storageFull`, `fileWrite` */
  async put(id: string, changes: ItemChanges): Promise<{ item: Item; isNew: boolean }> {
    return await this.#write(() => {
      const isNew = this.find(id) === null;
      this.#say(this.#rows, { name: null, plu: null, price: null, barcodes: null, pieceWeight: null, ...changes, id });
      return { item: this.get(id), isNew };
    });
  }

  /** @throws {ItemError} `NotFound`, `BarcodeTaken`, `FixedByChain` @throws {RecognitionError} `storageFull`, `fileWrite` */
  async patch(id: string, { picture, ...changes }: ItemChanges & { picture?: null | undefined }): Promise<Item> {
    return await this.#write(() => {
      this.get(id);
      this.#say(this.#rows, { ...changes, id });
      if (picture === null) this.#putPicture(id, null);
      return this.get(id);
    });
  }

  /** Its templates stay. @throws {ItemError} `NotFound` @throws {RecognitionError} `storageFull`, `fileWrite` */
  async delete(id: string): Promise<void> {
    await this.#write(() => {
      const { changes } = this.#db.prepare('DELETE FROM items WHERE id = ?').run(id);
      if (Number(changes) === 0) throw nothingToDelete(id);
    });
  }

  /** Where it has not changed since. @param updatedAt as returned then @throws {RecognitionError} `storageFull`, `fileWrite` */
  async deleteAsOf(id: string, updatedAt: number): Promise<void> {
    await this.#write(() => this.#db.prepare('DELETE FROM items WHERE id = ? AND updated_at = ?').run(id, updatedAt));
  }

  /**
   * All of them or none; the event loop turns meanwhile. A connection of its own: no reader sees what is not yet kept, and no
   * other write gets into its transaction.
   * @throws {ItemError} `BarcodeTaken`, `FixedByChain` @throws {RecognitionError} `storageFull`, `fileWrite`
   */
  async import(entries: readonly ItemEntry[]): Promise<Imported> {
    return await this.#inOneGo(async (db, upsert) => {
      const done = await slowTransaction(db, async () => {
        const landed = await land(entries, upsert, (problem) => {
          throw problem;
        });
        this.#requirePlace();
        return landed;
      });
      this.#changed();
      return done;
    });
  }

  /**
   * What an import of them would do; nothing is changed.
   * @returns with each `BarcodeTaken` and `FixedByChain`, and which entry it is @throws {RecognitionError} `storageFull`, `fileWrite`
   */
  async tryImport(entries: readonly ItemEntry[]): Promise<Imported & { readonly problems: readonly EntryProblem[] }> {
    return await this.#inOneGo(async (db, upsert) => {
      const problems: EntryProblem[] = [];
      db.exec('BEGIN IMMEDIATE');
      try {
        const landed = await land(entries, upsert, (problem, index) => problems.push({ problem, index }));
        return { ...landed, problems };
      } finally {
        db.exec('ROLLBACK');
      }
    });
  }

  /** What this device knows, deletions too, some hundreds at a time. @param own its serial number */
  async *words(own: string): AsyncGenerator<readonly ItemWord[]> {
    for (let after = ''; ; ) {
      const page: ItemWord[] = this.#reading(() => this.#versions.words(own, after, PAGE_ROWS));
      if (page.length === 0) return;
      yield page;
      after = page.at(-1)?.id ?? '';
      await breath();
    }
  }

  /**
   * Takes what other devices say, where it is later than what is known.
   * @param own serial number of this device @throws {RecognitionError} `storageFull`, `fileWrite`
   */
  async take(words: readonly ItemWord[], own: string): Promise<void> {
    const later = this.#reading(() => words.filter((word) => this.#versions.isNews(word, own)));
    // all codes are given up before any is taken: a code may move between two items, in any order of the words
    for (const step of ['giveUp', 'take'] as const)
      for (let at = 0; at < later.length; at += BREATH_ITEMS) {
        await this.#write(() => {
          for (const word of later.slice(at, at + BREATH_ITEMS)) this.#versions[step](word, own);
        });
        await breath();
      }
  }

  /**
   * Takes what the chain says of items, where the store has nothing of its own to say or the chain fixes it.
   * @returns whether anything is new @throws {RecognitionError} `storageFull`, `fileWrite`
   */
  async takeOfChain(said: readonly ChainWord[]): Promise<boolean> {
    const news = this.#reading(() => said.filter((each) => this.#versions.wordOfChain(each) !== null));
    for (let at = 0; at < news.length; at += BREATH_ITEMS) {
      await this.#write(() => {
        for (const each of news.slice(at, at + BREATH_ITEMS)) {
          // somebody in the store may have spoken meanwhile
          const word = this.#versions.wordOfChain(each);
          if (word !== null) this.#versions.take(word, '');
        }
      });
      await breath();
    }
    return news.length > 0;
  }

  /** Items of which the chain's word counts, and not one of the store; 0 where the file is damaged. */
  countOfChain(): number {
    if (this.#isDamaged) return 0;
    this.#ofChain ??= this.#reading(() => this.#versions.countOfChain());
    return this.#ofChain;
  }

  /** A JPEG. @throws {ItemError} `NotFound`, `NoPicture` */
  picture(id: string): Uint8Array {
    this.get(id);
    const row = this.#reading(() => this.#db.prepare('SELECT jpeg FROM pictures WHERE item = ?').get(id));
    if (row === undefined) throw new ItemError('NoPicture', `the item ${id} has no picture`, { item: id });
    return row.jpeg as Uint8Array;
  }

  /** @returns null where nothing was ever said of the item, not even its deletion */
  async wantsChainPicture(picture: ChainPicture): Promise<boolean | null> {
    const pictures = await this.#chainPictures();
    return this.#reading(() => pictures.isWanted(picture));
  }

  /** Those that are still wanted. @throws {RecognitionError} `storageFull`, `fileWrite` */
  async takeChainPictures(taken: readonly WholePicture[]): Promise<void> {
    const pictures = await this.#chainPictures();
    await this.#write(() => {
      for (const picture of taken) pictures.keep(picture, this.#clock.wall());
    });
  }

  /** @throws {ItemError} `NotFound`, `FixedByChain` @throws {RecognitionError} `storageFull`, `fileWrite` */
  async setPicture(id: string, jpeg: Uint8Array): Promise<Item> {
    return await this.#write(() => {
      this.get(id);
      this.#putPicture(id, jpeg);
      return this.get(id);
    });
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    this.#settling?.close();
    this.#db.close();
  }

  /** Loaded where the chain gives any. */
  async #chainPictures(): Promise<ChainPictures> {
    const { ChainPictures } = await import('./chain-pictures.ts');
    this.#ofChainPictures ??= new ChainPictures(this.#db);
    return this.#ofChainPictures;
  }

  /** What somebody in the store says. @returns whether the item is new @throws {ItemError} */
  #say(rows: ItemRows, { id, ...changes }: ItemEntry): boolean {
    if (this.#isOfChain()) this.#fixed.requireFree(id, changes);
    return rows.upsert({ id, ...changes });
  }

  /** @param jpeg null takes it away @throws {ItemError} `FixedByChain` */
  #putPicture(id: string, jpeg: Uint8Array | null): void {
    if (this.#isOfChain()) this.#fixed.requirePictureFree(id);
    if (jpeg === null) this.#db.prepare('DELETE FROM pictures WHERE item = ?').run(id);
    else this.#db.prepare('INSERT OR REPLACE INTO pictures (item, jpeg) VALUES (?, ?)').run(id, jpeg);
    this.#db.prepare('UPDATE items SET updated_at = ? WHERE id = ?').run(this.#clock.wall(), id);
  }

  /** With a connection of its own, where the file is open. */
  async #inOneGo<T>(work: (db: DatabaseSync, upsert: (entry: ItemEntry) => boolean) => Promise<T>): Promise<T> {
    return await this.#queue.run(() =>
      this.#withFailureCodes(async () => {
        this.#requirePlace(); // another file of the same name would get the log of this one
        const db = this.problem === null ? connectItems(this.path) : this.#db;
        try {
          const rows = new ItemRows(db, this.#clock);
          return await work(db, (entry) => this.#say(rows, entry));
        } finally {
          if (db !== this.#db) db.close();
        }
      }),
    );
  }

  /** One after the other, each in a transaction of its own. */
  #write<T>(work: () => T): Promise<T> {
    const kept = (): T => {
      const result = work();
      this.#requirePlace();
      return result;
    };
    return this.#queue.run(() =>
      this.#withFailureCodes(() => {
        const result = transaction(this.#db, kept);
        this.#changed();
        return result;
      }),
    );
  }

  #changed(): void {
    this.#settling?.wrote();
    this.#ofChain = null;
    for (const listener of this.#listeners) listener();
  }

  /** What is written to a file that was moved away is lost at the next start. @throws {RecognitionError} `fileWrite` */
  #requirePlace(): void {
    if (this.isGone) throw new RecognitionError('fileWrite', `${ITEMS_GONE}; nothing was changed`);
  }

  #withFailureCodes<T>(work: () => T | Promise<T>): Promise<T> {
    return withFailureCodes(async () => {
      try {
        return await work();
      } catch (error) {
        throw this.#named(error);
      }
    });
  }

  #reading<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#named(error);
    }
  }

  /** Damage is that of this file, not of the templates. */
  #named(cause: unknown): unknown {
    if (!isDamage(cause)) return cause;
    this.#isDamaged = true;
    return new RecognitionError('fileWrite', ITEMS_DAMAGED, { cause });
  }
}
