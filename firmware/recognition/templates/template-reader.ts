/** Reads the templates: of visible rows only (see `templates-database.ts`), but for the crop of a template that a caller names. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { RecognitionError } from '../model/recognition-error.ts';
import type { TemplateVector } from '../model/template.ts';
import { LastSid } from './sid.ts';
import { isWhole, toVector, vectorOf } from './template-rows.ts';
import { reading, VISIBLE } from './templates-database.ts';

/** Changes with each change of the file, those by a worker of this process included. */
const VERSION = 'SELECT data_version, total_changes() AS changes FROM pragma_data_version';

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((sum, count) => sum + count, 0);

/** Ids of the visible rows that meet a condition in SQL. */
export const idsWhere = (db: DatabaseSync, where: string, ...values: string[]): number[] =>
  db
    .prepare(`SELECT id FROM templates WHERE ${where} AND ${VISIBLE}`)
    .all(...values)
    .map((row) => Number(row.id));

export class TemplateReader {
  readonly #db: DatabaseSync;
  readonly #lastSid: LastSid;
  readonly #version: StatementSync;
  /** The latest counts and their version: `/health` and `/metrics` are read every few seconds, and templates seldom change. */
  #counted: { readonly version: string; readonly byModel: ReadonlyMap<string, number>; readonly items: number } | null =
    null;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#lastSid = new LastSid(db);
    this.#version = db.prepare(VERSION);
  }

  /** Identifiers of an item's templates in the order that is the same on every device: the oldest first. */
  sidsOf(item: string): string[] {
    return this.#db
      .prepare(`SELECT sid FROM templates WHERE item = ? AND ${VISIBLE} ORDER BY sid, origin`)
      .all(item)
      .map((row) => String(row.sid));
  }

  /** Identifier of a template by its row; null where it is gone. */
  sidOf(id: number): string | null {
    const row = this.#db.prepare(`SELECT sid FROM templates WHERE id = ? AND ${VISIBLE}`).get(id);
    return row === undefined ? null : String(row.sid);
  }

  /** Every item with its number of templates, by id. */
  items(): { id: string; count: number }[] {
    return this.#db
      .prepare(`SELECT item, count(*) AS count FROM templates WHERE ${VISIBLE} GROUP BY item ORDER BY item`)
      .all()
      .map((row) => ({ id: String(row.item), count: Number(row.count) }));
  }

  itemCount(): number {
    return this.#counts().items;
  }

  templateCount(): number {
    return sumOf(this.#counts().byModel.values());
  }

  countOf(item: string): number {
    const row = this.#db.prepare(`SELECT count(*) AS count FROM templates WHERE item = ? AND ${VISIBLE}`).get(item);
    return Number(row?.count ?? 0);
  }

  /** Vectors that a model made, some at a time: those with an id above `after`, of one batch where it is named. */
  vectors(model: string, after: number, limit: number, batch: number | null = null): TemplateVector[] {
    // the plus of `+model` keeps SQLite off the index on models, by which it would have to sort all rows for each page
    const which = batch === null ? VISIBLE : `batch = :batch AND ${VISIBLE}`;
    return this.#db
      .prepare(
        `SELECT id, item, sid, model, vector FROM templates
         WHERE id > :after AND +model = :model AND ${which} ORDER BY id LIMIT :limit`,
      )
      .all({ after, model, limit, ...(batch === null ? {} : { batch }) })
      .map(vectorOf);
  }

  /** Vectors of one item that a model made. The plus of `+model` keeps SQLite on the index on items. */
  vectorsOf(item: string, model: string): Float32Array[] {
    return this.#db
      .prepare(`SELECT vector FROM templates WHERE item = ? AND +model = ? AND ${VISIBLE}`)
      .all(item, model)
      .map((row) => toVector(row.vector));
  }

  /** The stored crop of a template; null where the template is gone. @throws {RecognitionError} `Templates.Damaged`, `Internal.StorageRefused` */
  crop(id: number): Uint8Array | null {
    const select = this.#db.prepare(
      'SELECT item, sid, sha256, jpeg FROM templates LEFT JOIN crops ON template = id WHERE id = ?',
    );
    const row = reading(this.#db, () => select.get(id));
    if (row === undefined) return null;
    const { item, sid, sha256, jpeg } = row;
    if (isWhole(jpeg, sha256)) return jpeg;
    throw new RecognitionError(
      'Templates.Damaged',
      `the picture of template ${sid} of item ${item} is damaged: delete this template`,
    );
  }

  /** The crop of an item's template by its identifier, or null. @throws {RecognitionError} like `crop` */
  cropOf(item: string, sid: string): Uint8Array | null {
    const [id] = idsWhere(this.#db, 'item = ? AND sid = ?', item, sid);
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
  counts(model: string): { total: number; foreign: number } {
    const total = this.templateCount();
    return { total, foreign: total - (this.#counts().byModel.get(model) ?? 0) };
  }

  #counts() {
    const { data_version, changes } = this.#version.get() ?? {};
    const version = `${data_version} ${changes}`;
    if (this.#counted?.version === version) return this.#counted;
    const ofModels = this.#db.prepare(`SELECT model, count(*) AS count FROM templates WHERE ${VISIBLE} GROUP BY model`);
    const ofItems = this.#db.prepare(`SELECT count(DISTINCT item) AS count FROM templates WHERE ${VISIBLE}`);
    const byModel = new Map(ofModels.all().map(({ model, count }) => [String(model), Number(count)]));
    this.#counted = { version, byModel, items: Number(ofItems.get()?.count ?? 0) };
    return this.#counted;
  }

  /** Latest timestamp of this device's own templates, ms since 1970; 0 before the first. */
  latestMoment(): number {
    return this.#lastSid.moment();
  }
}
