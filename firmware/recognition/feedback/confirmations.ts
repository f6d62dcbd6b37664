/**
 * Confirmations by customers and cashiers that made no template: each vector moves the item's prototypes a little. They
 * are stored in the templates' database; the deletion of any template of the item deletes all of them. A confirmation has
 * no picture, so another model cannot use it.
 */
import { transaction } from '../../core/files/index.ts';
import type { Confirmation } from '../matching/enrolled-items.ts';
import { MOST_CONFIRMATIONS } from '../matching/prototypes-of.ts';
import type { StoredConfirmations } from '../matching/template-index.ts';
import { toBlob, toVector } from '../templates/template-rows.ts';
import { type TemplatesFile, VISIBLE } from '../templates/templates-database.ts';

export class Confirmations implements StoredConfirmations {
  readonly #file: TemplatesFile;
  /** Identity of the present model; null where there is none. */
  readonly #model: string | null;
  readonly #listeners: ((added: Confirmation) => void)[] = [];

  constructor(file: TemplatesFile, model: string | null) {
    this.#file = file;
    this.#model = model;
  }

  /** Called right after each commit, before anything else is written. */
  onAdded(listener: (added: Confirmation) => void): void {
    this.#listeners.push(listener);
  }

  /** Confirmations of the present model, the oldest first. */
  all(): Confirmation[] {
    return this.#file.db
      .prepare('SELECT item, vector FROM confirmations WHERE model = ? ORDER BY id')
      .all(this.#model)
      .map(({ item, vector }) => ({ item: String(item), vector: toVector(vector) }));
  }

  /**
   * Adds a confirmation, durable when this settles; of too many the item's oldest one is deleted.
   * @returns false where the item has no template of the present model
   * @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async add({ item, vector }: Confirmation): Promise<boolean> {
    const { db } = this.#file;
    return await this.#file.write(() => {
      // the plus of `+model` keeps SQLite on the index on items
      const isLearned = db.prepare(`SELECT 1 FROM templates WHERE item = ? AND +model = ? AND ${VISIBLE} LIMIT 1`);
      if (isLearned.get(item, this.#model) === undefined) return false;
      transaction(db, () => {
        db.prepare('INSERT INTO confirmations (item, model, vector) VALUES (?, ?, ?)').run(
          item,
          this.#model,
          toBlob(vector),
        );
        db.prepare(
          `DELETE FROM confirmations WHERE item = :item AND id NOT IN
              (SELECT id FROM confirmations WHERE item = :item ORDER BY id DESC LIMIT ${MOST_CONFIRMATIONS})`,
        ).run({ item });
      });
      for (const listener of this.#listeners) listener({ item, vector });
      return true;
    });
  }
}
