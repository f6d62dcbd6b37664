/** Adds, deletes and re-embeds the templates of all items: durable at each commit, in SQLite. Knows nothing of classifying. */
import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../../core/files/index.ts';
import type { Clock } from '../../core/host/index.ts';
import { RecognitionError } from '../model/recognition-error.ts';
import type { Change, TemplateVector } from '../model/template.ts';
import { LastSid, momentOf, nextSid } from './sid.ts';
import { idsWhere, TemplateReader } from './template-reader.ts';
import { digestOf, templateInserter, toBlob } from './template-rows.ts';
import { type TemplatesFile, VISIBLE } from './templates-database.ts';

export interface NewTemplate {
  readonly item: string;
  /** Identity of the model that made the vector. */
  readonly model: string;
  readonly vector: Float32Array;
  /** JPEG. */
  readonly crop: Uint8Array;
}

export class Templates {
  readonly reader: TemplateReader;
  readonly max: number;
  readonly file: TemplatesFile;
  readonly #db: DatabaseSync;
  readonly #lastSid: LastSid;
  readonly #clock: Clock;
  readonly #serial: string;
  readonly #isMarked: (item: string) => boolean;
  readonly #listeners: ((change: Change) => void)[] = [];
  /** Whether a deleted template leaves a tombstone, so that no other device of the store brings it back. */
  leavesTombstones = false;

  /**
   * @param serial of this device: the origin of its templates
   * @param max templates that an item may have
   * @param isMarked whether an item is to be deleted from all devices of the store
   */
  constructor(
    file: TemplatesFile,
    clock: Clock,
    serial: string,
    max: number,
    isMarked: (item: string) => boolean = () => false,
  ) {
    this.reader = new TemplateReader(file.db);
    this.file = file;
    this.#db = file.db;
    this.#lastSid = new LastSid(file.db);
    this.#clock = clock;
    this.#serial = serial;
    this.max = max;
    this.#isMarked = isMarked;
  }

  /** Called right after each commit, before anything else is written. */
  onChange(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  /** Durable when it settles. @throws {RecognitionError} `Templates.Marked`, `Templates.Full`, `Internal.StorageFull`, `Internal.StorageRefused` */
  async add(template: NewTemplate): Promise<string> {
    const [sid] = await this.addAll([template]);
    if (sid === undefined) throw new Error('a template was added without an identifier');
    return sid;
  }

  /**
   * Adds all templates or none; durable when it settles.
   * @returns their identifiers, in their order @throws {RecognitionError} like `add`
   */
  async addAll(templates: readonly NewTemplate[]): Promise<string[]> {
    return await this.file.write(() => {
      const added = transaction(this.#db, () =>
        templates.map((template) => {
          const { sid, id } = this.#insert(template);
          const { item, model, vector } = template;
          return { sid, template: { id, item, model, vector, madeAt: momentOf(sid) } };
        }),
      );
      this.report({ kind: 'added', templates: added.map(({ template }) => template) });
      return added.map(({ sid }) => sid);
    });
  }

  /** @throws {RecognitionError} `Templates.Marked`; `Templates.Full` when the item may not have so many more */
  requireRoom(item: string, more = 1): void {
    if (this.#isMarked(item))
      throw new RecognitionError(
        'Templates.Marked',
        `item ${item} is marked to be deleted from all devices, and what is learned of it would go at the next synchronisation: nothing was learned; take the mark away at the master first (clear_deletion_all_flag)`,
      );
    const count = this.reader.countOf(item);
    if (count + more <= this.max) return;
    throw new RecognitionError(
      'Templates.Full',
      more === 1 || count >= this.max
        ? `item ${item} has ${count} templates, the most that it may: delete one first`
        : `item ${item} has ${count} templates and may have ${this.max}: choose ${this.max - count} at most`,
    );
  }

  /** @throws {RecognitionError} `Templates.NoItem`, `Templates.NotFound` */
  async delete(item: string, sid: string): Promise<void> {
    await this.file.write(() => {
      this.#requireItem(item);
      const ids = idsWhere(this.#db, `item = ? AND sid = ?`, item, sid);
      if (ids.length === 0) throw new RecognitionError('Templates.NotFound', `item ${item} has no template ${sid}`);
      this.#remove(item, ids, this.leavesTombstones);
    });
  }

  /**
   * Deletes those of the templates that still exist: permanently where this device belongs to a store.
   * @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async deleteThese(item: string, sids: readonly string[]): Promise<void> {
    await this.file.write(() => {
      const ids = sids.flatMap((sid) => idsWhere(this.#db, 'item = ? AND sid = ?', item, sid));
      if (ids.length > 0) this.#remove(item, ids, this.leavesTombstones);
    });
  }

  /** @throws {RecognitionError} `Templates.NoItem` */
  async deleteItem(item: string): Promise<void> {
    await this.file.write(() => {
      this.#requireItem(item);
      this.#remove(item, idsWhere(this.#db, 'item = ?', item));
    });
  }

  /** Deletes all templates of all items with one small commit. */
  async clear(): Promise<void> {
    await this.file.write(() => {
      transaction(this.#db, () => {
        this.#db.exec(`UPDATE batches SET state = 'dropped' WHERE state = 'visible';
          INSERT INTO batches (kind, state) VALUES ('local', 'visible');
          DELETE FROM confirmations;`);
      });
      this.report({ kind: 'cleared' });
    });
    void this.file.sweep();
  }

  /** Replaces vectors by those of another model, in one commit. Templates that were deleted meanwhile stay deleted. */
  async reembed(model: string, vectors: ReadonlyMap<number, Float32Array>): Promise<void> {
    await this.file.write(() => {
      const changed: TemplateVector[] = [];
      transaction(this.#db, () => {
        const update = this.#db.prepare(
          `UPDATE templates SET vector = ?, model = ? WHERE id = ? AND ${VISIBLE} RETURNING item, sid`,
        );
        for (const [id, vector] of vectors) {
          const row = update.get(toBlob(vector), model, id);
          if (row === undefined) continue;
          changed.push({ id, item: String(row.item), model, vector, madeAt: momentOf(String(row.sid)) });
        }
      });
      this.report({ kind: 'added', templates: changed });
    });
  }

  /** Reports a change to all listeners; other code calls it for a change of another connection. */
  report(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  #insert({ vector, ...template }: NewTemplate): { sid: string; id: number } {
    const { item, crop } = template;
    this.requireRoom(item);
    const createdAt = this.#clock.wall();
    const sid = nextSid(createdAt, this.#lastSid.sid());
    const insert = templateInserter(this.#db);
    const named = { sid, origin: this.#serial, createdAt, cropSha256: digestOf(crop) };
    const id = insert(null, { ...template, ...named, vector: toBlob(vector) });
    this.#lastSid.store(sid, createdAt);
    return { sid, id };
  }

  #remove(item: string, ids: readonly number[], forGood = false): void {
    transaction(this.#db, () => {
      const leaveTombstone = this.#db.prepare(
        `INSERT OR REPLACE INTO tombstones (origin, sid, item, own)
          SELECT origin, sid, item, 1 FROM templates WHERE id = ?`,
      );
      if (forGood) for (const id of ids) leaveTombstone.run(id);
      const remove = this.#db.prepare('DELETE FROM templates WHERE id = ?');
      for (const id of ids) remove.run(id);
    });
    this.report({ kind: 'removed', ids, items: [item] });
  }

  #requireItem(item: string): void {
    if (this.reader.countOf(item) === 0) throw new RecognitionError('Templates.NoItem', `there is no item ${item}`);
  }
}
