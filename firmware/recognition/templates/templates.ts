/** The templates of all items: durable at each commit, in SQLite, which is the truth. Knows nothing of classifying. */
import type { DatabaseSync } from 'node:sqlite';
import type { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import type { Clock } from '../../host/clock.ts';
import { transaction } from '../../store/database.ts';
import { RecognitionError } from '../codes.ts';
import { withFailureCodes } from '../failures.ts';
import { LastSid, nextSid } from './sid.ts';
import { Sweeper } from './sweeper.ts';
import {
  digestOf,
  isWhole,
  type TemplateVector,
  templateInserter,
  toBlob,
  toVector,
  vectorOf,
} from './template-rows.ts';
import { reading } from './templates-database.ts';
import { VISIBLE } from './templates-schema.ts';

export interface NewTemplate {
  readonly item: string;
  /** Identity of the model that made the vector. */
  readonly model: string;
  readonly vector: Float32Array;
  /** JPEG. */
  readonly crop: Uint8Array;
}

/** What a commit changed; told in the order of the commits. */
export type Change =
  | { readonly kind: 'added'; readonly templates: readonly TemplateVector[] }
  | { readonly kind: 'removed'; readonly ids: readonly number[] }
  | { readonly kind: 'cleared' };

export interface TemplatesOptions {
  readonly db: DatabaseSync;
  readonly queue: SerialQueue;
  readonly clock: Clock;
  /** Of this device: the origin of its templates. */
  readonly serial: string;
  /** Templates that an item may have. */
  readonly max: number;
}

export class Templates {
  readonly max: number;
  readonly #db: DatabaseSync;
  readonly #options: TemplatesOptions;
  readonly #listeners: ((change: Change) => void)[] = [];
  /** Whether a deleted template leaves a tombstone, so that no other device of the store brings it back. */
  leavesTombstones = false;
  readonly #lastSid: LastSid;
  readonly #sweeper: Sweeper;

  constructor(options: TemplatesOptions) {
    this.#db = options.db;
    this.#options = options;
    this.max = options.max;
    this.#lastSid = new LastSid(options.db);
    this.#sweeper = new Sweeper(options.db, options.queue);
  }

  /** Called right after each commit, before anything else is written. */
  onChange(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  /** Durable when it settles. @throws {RecognitionError} `templateLimit`, `storageFull`, `fileWrite` */
  async add({ item, model, vector, crop }: NewTemplate): Promise<string> {
    return await this.#write(() => {
      const { sid, id } = transaction(this.#db, () => this.#insert(item, model, vector, crop));
      this.#tell({ kind: 'added', templates: [{ id, item, model, vector }] });
      return sid;
    });
  }

  /** @throws {RecognitionError} `templateLimit` when the item has as many as it may */
  requireRoom(item: string): void {
    if (this.countOf(item) >= this.max) {
      throw new RecognitionError(
        'templateLimit',
        `item ${item} has ${this.max} templates, the most that it may: delete one first`,
      );
    }
  }

  /** Identifiers of an item's templates in the order that is the same on every device: the oldest first. */
  sidsOf(item: string): string[] {
    return this.#db
      .prepare(`SELECT sid FROM templates WHERE item = ? AND ${VISIBLE} ORDER BY sid, origin`)
      .all(item)
      .map((row) => String(row.sid));
  }

  /** Every item with its number of templates, by id. */
  items(): { id: string; count: number }[] {
    return this.#db
      .prepare(`SELECT item, count(*) AS count FROM templates WHERE ${VISIBLE} GROUP BY item ORDER BY item`)
      .all()
      .map((row) => ({ id: String(row.item), count: Number(row.count) }));
  }

  itemCount(): number {
    return Number(
      this.#db.prepare(`SELECT count(DISTINCT item) AS count FROM templates WHERE ${VISIBLE}`).get()?.count ?? 0,
    );
  }

  countOf(item: string): number {
    const row = this.#db.prepare(`SELECT count(*) AS count FROM templates WHERE item = ? AND ${VISIBLE}`).get(item);
    return Number(row?.count ?? 0);
  }

  /** @throws {RecognitionError} `noItem`, `noTemplate` */
  async delete(item: string, sid: string): Promise<void> {
    await this.#write(() => {
      this.#requireItem(item);
      const ids = this.#ids(`item = ? AND sid = ?`, item, sid);
      if (ids.length === 0) throw new RecognitionError('noTemplate', `item ${item} has no template ${sid}`);
      this.#remove(ids, this.leavesTombstones);
    });
  }

  /** @throws {RecognitionError} `noItem` */
  async deleteItem(item: string): Promise<void> {
    await this.#write(() => {
      this.#requireItem(item);
      this.#remove(this.#ids('item = ?', item));
    });
  }

  /** Deletes all templates of all items with one small commit. */
  async clear(): Promise<void> {
    await this.#write(() => {
      transaction(this.#db, () => {
        this.#db.exec(`UPDATE batches SET state = 'dropped' WHERE state = 'visible';
          INSERT INTO batches (kind, state) VALUES ('local', 'visible');`);
      });
      this.#tell({ kind: 'cleared' });
    });
    void this.sweep();
  }

  /** Vectors that a model made, in pieces: those with an id above `after`, of one batch where it is named. */
  vectors(model: string, after: number, limit: number, batch: number | null = null): TemplateVector[] {
    const which = batch === null ? VISIBLE : `batch = :batch AND ${VISIBLE}`;
    return this.#db
      .prepare(
        `SELECT id, item, model, vector FROM templates
         WHERE id > :after AND +model = :model AND ${which} ORDER BY id LIMIT :limit`,
      )
      .all({ after, model, limit, ...(batch === null ? {} : { batch }) })
      .map(vectorOf);
  }

  /** Vectors of one item that a model made. */
  vectorsOf(item: string, model: string): Float32Array[] {
    return this.#db
      .prepare(`SELECT vector FROM templates WHERE item = ? AND +model = ? AND ${VISIBLE}`)
      .all(item, model)
      .map((row) => toVector(row.vector));
  }

  /** The crop of a template as it was stored; null where the template is gone. @throws {RecognitionError} `fileMissing`, `fileWrite` */
  crop(id: number): Uint8Array | null {
    const select = this.#db.prepare(
      'SELECT item, sid, sha256, jpeg FROM templates LEFT JOIN crops ON template = id WHERE id = ?',
    );
    const row = reading(this.#db, () => select.get(id));
    if (row === undefined) return null;
    const { item, sid, sha256, jpeg } = row;
    if (isWhole(jpeg, sha256)) return jpeg;
    throw new RecognitionError(
      'fileMissing',
      `the picture of template ${sid} of item ${item} is damaged: delete this template`,
    );
  }

  /** The crop of an item's template by its identifier, or null. @throws {RecognitionError} like `crop` */
  cropOf(item: string, sid: string): Uint8Array | null {
    const [id] = this.#ids('item = ? AND sid = ?', item, sid);
    return id === undefined ? null : this.crop(id);
  }

  /** Templates whose vector another model made, with an id above `after`. */
  foreign(model: string, after: number, limit: number): number[] {
    // two ranges of the index on models: "<>" would read every template
    const range = (comparison: string): string =>
      `SELECT id, batch FROM templates INDEXED BY templates_model WHERE model ${comparison} :model`;
    return this.#db
      .prepare(
        `SELECT id FROM (${range('<')} UNION ALL ${range('>')})
         WHERE id > :after AND ${VISIBLE} ORDER BY id LIMIT :limit`,
      )
      .all({ model, after, limit })
      .map((row) => Number(row.id));
  }

  /** How many templates there are, and how many of them another model made. */
  standing(model: string | null): { total: number; foreign: number } {
    const rows = this.#db
      .prepare(`SELECT model, count(*) AS count FROM templates WHERE ${VISIBLE} GROUP BY model`)
      .all();
    const sum = (some: typeof rows): number => some.reduce((total, { count }) => total + Number(count), 0);
    return { total: sum(rows), foreign: sum(rows.filter((row) => row.model !== model)) };
  }

  /** Replaces vectors by those of another model, in one commit. Templates that are gone meanwhile stay gone. */
  async reembed(model: string, vectors: ReadonlyMap<number, Float32Array>): Promise<void> {
    await this.#write(() => {
      const changed: TemplateVector[] = [];
      transaction(this.#db, () => {
        const update = this.#db.prepare(
          `UPDATE templates SET vector = ?, model = ? WHERE id = ? AND ${VISIBLE} RETURNING item`,
        );
        for (const [id, vector] of vectors) {
          const row = update.get(toBlob(vector), model, id);
          if (row !== undefined) changed.push({ id, item: String(row.item), model, vector });
        }
      });
      this.#tell({ kind: 'added', templates: changed });
    });
  }

  /** Tells of templates that a worker made visible. */
  tellAdded(templates: readonly TemplateVector[]): void {
    this.#tell({ kind: 'added', templates });
  }

  /** Tells of templates that synchronisation deleted. */
  tellRemoved(ids: readonly number[]): void {
    this.#tell({ kind: 'removed', ids });
  }

  /** Latest moment of an own template, ms since 1970; 0 before the first. */
  latestMoment(): number {
    return this.#lastSid.moment();
  }

  /** Drops what imports landed and did not finish, and begins to sweep it; only while none is running. Never fails. */
  async dropLandings(): Promise<void> {
    await this.#sweeper.dropLandings();
    void this.sweep();
  }

  /** Removes what was dropped. Settles when none is left; never fails. */
  sweep(): Promise<void> {
    return this.#sweeper.sweep();
  }

  async close(): Promise<void> {
    await this.#sweeper.close();
    await this.#options.queue.idle();
  }

  #write<T>(work: () => T): Promise<T> {
    return withFailureCodes(() => this.#options.queue.run(work));
  }

  #insert(item: string, model: string, vector: Float32Array, crop: Uint8Array): { sid: string; id: number } {
    const { clock, serial } = this.#options;
    this.requireRoom(item);
    const createdAt = clock.wall();
    const sid = nextSid(createdAt, this.#lastSid.sid());
    const cropSha256 = digestOf(crop);
    const insert = templateInserter(this.#db);
    const id = insert(null, { item, sid, origin: serial, createdAt, model, vector: toBlob(vector), crop, cropSha256 });
    this.#lastSid.keep(sid, createdAt);
    return { sid, id };
  }

  #remove(ids: readonly number[], forGood = false): void {
    transaction(this.#db, () => {
      const leaveTombstone = this.#db.prepare(
        'INSERT OR REPLACE INTO tombstones (origin, sid, item, own) SELECT origin, sid, item, 1 FROM templates WHERE id = ?',
      );
      if (forGood) for (const id of ids) leaveTombstone.run(id);
      const drop = this.#db.prepare('DELETE FROM templates WHERE id = ?');
      for (const id of ids) drop.run(id);
    });
    this.#tell({ kind: 'removed', ids });
  }

  #requireItem(item: string): void {
    if (this.countOf(item) === 0) throw new RecognitionError('noItem', `there is no item ${item}`);
  }

  #ids(where: string, ...values: string[]): number[] {
    return this.#db
      .prepare(`SELECT id FROM templates WHERE ${where} AND ${VISIBLE}`)
      .all(...values)
      .map((row) => Number(row.id));
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}
