/** What synchronisation reads and writes of the templates: names, whole templates, and what was deleted for good. */
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../store/database.ts';
import { storing } from './storage-errors.ts';
import { type Templates, type TemplateVector, toVector } from './templates.ts';
import { VISIBLE } from './templates-schema.ts';
import type { Turns } from './turns.ts';

/** Rows of one commit: short enough to stop nobody. */
const COMMIT_ROWS = 50;

/** What names a template in a whole store. */
export interface TemplateName {
  readonly item: string;
  readonly origin: string;
  readonly sid: string;
}

export interface WholeTemplate extends TemplateName {
  /** The origin's wall clock, ms since 1970. */
  readonly createdAt: number;
  readonly model: string;
  /** float32, little-endian. */
  readonly vector: Uint8Array;
  /** JPEG. */
  readonly crop: Uint8Array;
}

export interface BuriedTemplate {
  readonly ref: TemplateName;
  /** Whether it was deleted for good on this device. */
  readonly own: boolean;
}

export interface ExchangeOptions {
  readonly db: DatabaseSync;
  readonly turns: Turns;
  readonly templates: Templates;
  /** After templates came in whose vectors may be another model's. */
  readonly onReceived: () => void;
}

const nameOf = (row: Record<string, unknown>): TemplateName => ({
  item: String(row.item),
  origin: String(row.origin),
  sid: String(row.sid),
});

const bytesOf = (value: unknown): Uint8Array => {
  if (!(value instanceof Uint8Array)) throw new TypeError('a template without its bytes');
  return value;
};

/** What runs once for each of thousands of templates. */
const prepare = (db: DatabaseSync) => ({
  read: db.prepare(
    `SELECT created_at, model, vector, jpeg FROM templates JOIN crops ON crops.template = templates.id
      WHERE item = ? AND origin = ? AND sid = ? AND ${VISIBLE}`,
  ),
  isHere: db.prepare(`SELECT 1 FROM templates WHERE origin = ? AND sid = ? AND ${VISIBLE}`),
  isBuried: db.prepare('SELECT 1 FROM tombstones WHERE origin = ? AND sid = ?'),
  count: db.prepare(`SELECT count(*) AS count FROM templates WHERE item = ? AND ${VISIBLE}`),
  insert: db.prepare(
    `INSERT INTO templates (batch, item, sid, origin, created_at, model, vector)
      VALUES ((SELECT max(id) FROM batches WHERE kind = 'local'), ?, ?, ?, ?, ?, ?)`,
  ),
  picture: db.prepare('INSERT INTO crops (template, sha256, jpeg) VALUES (?, ?, ?)'),
});

export class TemplateExchange {
  readonly #options: ExchangeOptions;
  readonly #statements: ReturnType<typeof prepare>;
  #isTelling = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#statements = prepare(options.db);
  }

  /** Whether the change that listeners are being told of came by synchronisation. */
  get isTelling(): boolean {
    return this.#isTelling;
  }

  /** Of every template here. */
  names(): TemplateName[] {
    return this.#options.db.prepare(`SELECT item, origin, sid FROM templates WHERE ${VISIBLE}`).all().map(nameOf);
  }

  /** Templates that were deleted for good, here or elsewhere. */
  buried(): BuriedTemplate[] {
    const rows = this.#options.db.prepare('SELECT item, origin, sid, own FROM tombstones').all();
    return rows.map((row) => ({ ref: nameOf(row), own: row.own === 1 }));
  }

  /** Null where it is gone. */
  read({ item, origin, sid }: TemplateName): WholeTemplate | null {
    const row = this.#statements.read.get(item, origin, sid);
    if (row === undefined) return null;
    return {
      ...{ item, origin, sid, createdAt: Number(row.created_at), model: String(row.model) },
      ...{ vector: bytesOf(row.vector), crop: bytesOf(row.jpeg) },
    };
  }

  /**
   * Takes templates in with one commit; those that are here, were deleted for good or find their item full stay out.
   * @throws {RecognitionError} `storageFull`, `fileWrite`
   */
  async receive(templates: readonly WholeTemplate[]): Promise<void> {
    const added = await this.#write(() =>
      templates.flatMap((template) => (this.#isWanted(template) ? [this.#insert(template)] : [])),
    );
    this.#tell((templates) => templates.tellAdded(added));
    if (added.length > 0) this.#options.onReceived();
  }

  /** Deletes in small commits. @throws {RecognitionError} */
  async drop(names: readonly TemplateName[]): Promise<void> {
    await this.#inPieces(names, (db, piece) => {
      const remove = db.prepare(
        `DELETE FROM templates WHERE origin = ? AND sid = ? AND item = ? AND ${VISIBLE} RETURNING id`,
      );
      const rows = piece.flatMap(({ item, origin, sid }) => remove.all(origin, sid, item));
      return rows.map(({ id }) => Number(id));
    });
  }

  /** Deletes an item's templates, whoever made them. @throws {RecognitionError} */
  async dropItems(items: readonly string[]): Promise<void> {
    const isOne = new Set(items);
    await this.drop(this.names().filter(({ item }) => isOne.has(item)));
  }

  /** Deletes for good what another device deleted for good. @throws {RecognitionError} */
  async bury(names: readonly TemplateName[]): Promise<void> {
    await this.#inPieces(names, (db, piece) => {
      const keep = db.prepare(
        'INSERT INTO tombstones (origin, sid, item, own) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING',
      );
      for (const { item, origin, sid } of piece) keep.run(origin, sid, item);
      return [];
    });
    await this.drop(names);
  }

  async #inPieces(
    names: readonly TemplateName[],
    work: (db: DatabaseSync, piece: readonly TemplateName[]) => number[],
  ): Promise<void> {
    for (let at = 0; at < names.length; at += COMMIT_ROWS) {
      const piece = names.slice(at, at + COMMIT_ROWS);
      const removed = await this.#write((db) => work(db, piece));
      this.#tell((templates) => templates.tellRemoved(removed));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #tell(change: (templates: Templates) => void): void {
    this.#isTelling = true;
    try {
      change(this.#options.templates);
    } finally {
      this.#isTelling = false;
    }
  }

  #isWanted({ item, origin, sid }: TemplateName): boolean {
    const { templates } = this.#options;
    const isHere = this.#statements.isHere.get(origin, sid);
    const isBuried = this.#statements.isBuried.get(origin, sid);
    const count = Number(this.#statements.count.get(item)?.count ?? 0);
    return isHere === undefined && isBuried === undefined && count < templates.max;
  }

  #insert(template: WholeTemplate): TemplateVector {
    const { item, origin, sid, createdAt, model, vector, crop } = template;
    const { lastInsertRowid } = this.#statements.insert.run(item, sid, origin, createdAt, model, vector);
    this.#statements.picture.run(lastInsertRowid, createHash('sha256').update(crop).digest(), crop);
    return { id: Number(lastInsertRowid), item, model, vector: toVector(vector) };
  }

  #write<T>(work: (db: DatabaseSync) => T): Promise<T> {
    const { db, turns } = this.#options;
    return storing(() => turns.run(() => transaction(db, () => work(db))));
  }
}
