/**
 * What customers and cashiers have confirmed, and no template was made of: its vector draws the item's prototypes a little. Kept
 * with the templates, in one database, and forgotten with them. It has no picture: of another model it is of no use.
 */
import { transaction } from '../../core/store/index.ts';
import { MOST_CONFIRMATIONS } from '../matching/prototypes-of.ts';
import { toBlob, toVector } from '../templates/template-rows.ts';
import type { TemplatesFile } from '../templates/templates-database.ts';
import { VISIBLE } from '../templates/templates-schema.ts';

export interface Confirmation {
  readonly item: string;
  readonly vector: Float32Array;
}

export class Confirmations {
  readonly #file: TemplatesFile;
  /** Identity of the present one; null where there is none. */
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

  /** Those of the present model, the oldest first. */
  all(): Confirmation[] {
    return this.#file.db
      .prepare('SELECT item, vector FROM confirmations WHERE model = ? ORDER BY id')
      .all(this.#model)
      .map(({ item, vector }) => ({ item: String(item), vector: toVector(vector) }));
  }

  /**
   * Durable when it settles; an item's oldest one makes room.
   * @returns false where the item has no template that it could stand beside @throws {RecognitionError} `storageFull`, `fileWrite`
   */
  async add({ item, vector }: Confirmation): Promise<boolean> {
    const { db } = this.#file;
    return await this.#file.write(() => {
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

  /** Removes those of other models. */
  async forgetForeign(): Promise<void> {
    if (this.#model === null) return;
    await this.#file.write(() => this.#file.db.prepare('DELETE FROM confirmations WHERE model <> ?').run(this.#model));
  }
}
