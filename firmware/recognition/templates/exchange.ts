/** Synchronisation's access to the templates: names, whole templates, and permanent deletions. */
import type { DatabaseSync } from 'node:sqlite';
import { LostWorker } from '../../../drivers/lib/asked-worker.ts';
import { inTurnsOf, nextTurn } from '../../../drivers/lib/turns.ts';
import { transaction } from '../../core/files/index.ts';
import { RecognitionError } from '../model/recognition-error.ts';
import {
  type Change,
  isMisfit,
  type OwnModel,
  type TemplateName,
  type TemplateVector,
  type WholeTemplate,
} from '../model/template.ts';
import { ExchangeWriter } from './exchange-writer.ts';
import { momentOf } from './sid.ts';
import { isWhole, toVector } from './template-rows.ts';
import type { Templates } from './templates.ts';
import { reading, VISIBLE } from './templates-database.ts';

/** Rows of one commit: few enough to delay no call. */
const COMMIT_ROWS = 50;

/** Items of one page of a large store: a millisecond or two of work. */
const PAGE_ITEMS = 100;

/** A template that was permanently deleted, here or elsewhere. */
export interface Tombstone {
  readonly ref: TemplateName;
  /** Whether this device deleted it: it then always publishes the tombstone, otherwise only where no device has. */
  readonly own: boolean;
}

const nameOf = (row: Record<string, unknown>): TemplateName => ({
  item: String(row.item),
  origin: String(row.origin),
  sid: String(row.sid),
});

const vectorOf = ({ item, sid, model, vector }: WholeTemplate, id: number | null): TemplateVector[] =>
  id === null ? [] : [{ id, item, model, vector: toVector(vector), madeAt: momentOf(sid) }];

/** Statements that run once for each of thousands of templates. */
const prepare = (db: DatabaseSync) => ({
  read: db.prepare(
    `SELECT created_at, model, vector, jpeg, sha256 FROM templates JOIN crops ON crops.template = templates.id
      WHERE item = ? AND origin = ? AND sid = ? AND ${VISIBLE}`,
  ),
  // each table has its own limit, so that no more than a page of either index is read
  items: db.prepare(
    `SELECT item FROM (SELECT DISTINCT item FROM templates WHERE item > :after AND ${VISIBLE} ORDER BY item LIMIT ${PAGE_ITEMS})
      UNION SELECT item FROM (SELECT DISTINCT item FROM tombstones WHERE item > :after ORDER BY item LIMIT ${PAGE_ITEMS})
      ORDER BY item LIMIT ${PAGE_ITEMS}`,
  ),
  names: db.prepare(`SELECT item, origin, sid FROM templates WHERE item = ? AND ${VISIBLE}`),
  tombstones: db.prepare('SELECT item, origin, sid, own FROM tombstones WHERE item = ?'),
  tombstoneCount: db.prepare('SELECT count(*) AS count FROM tombstones'),
});

const writerFor = ({ file: { location, maxPages }, max }: Templates): ExchangeWriter =>
  new ExchangeWriter({ database: location, maxPages, maxTemplates: max });

export class TemplateExchange {
  readonly #templates: Templates;
  /** Called after templates were received, whose vectors may be another model's. */
  readonly #onReceived: () => void;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #writer: ExchangeWriter;
  /** Null where the device has no model. */
  readonly #own: OwnModel | null;
  #isNotifying = false;
  #isClosed = false;

  /** @param writer has the second connection, which writes received templates */
  constructor(
    templates: Templates,
    onReceived: () => void,
    writer = writerFor(templates),
    own: OwnModel | null = null,
  ) {
    this.#own = own;
    this.#templates = templates;
    this.#onReceived = onReceived;
    this.#statements = prepare(templates.file.db);
    this.#writer = writer;
  }

  /** Whether the change that listeners now get comes from synchronisation. */
  get isNotifying(): boolean {
    return this.#isNotifying;
  }

  /** Whether a template names the model of this device, and has a vector of another length. */
  isMisfit({ model, vector }: Pick<WholeTemplate, 'model' | 'vector'>): boolean {
    return isMisfit(this.#own, model, vector.length / Float32Array.BYTES_PER_ELEMENT);
  }

  /** Names of all templates here. */
  names(): TemplateName[] {
    return this.#templates.file.db
      .prepare(`SELECT item, origin, sid FROM templates WHERE ${VISIBLE}`)
      .all()
      .map(nameOf);
  }

  /** Some of the items that have templates here or permanently deleted ones, in their order; none after the last. */
  itemsAfter(item: string): string[] {
    return this.#statements.items.all({ after: item }).map((row) => String(row.item));
  }

  /** Names of all templates of an item. */
  namesOf(item: string): TemplateName[] {
    return this.#statements.names.all(item).map(nameOf);
  }

  /** Permanently deleted templates of an item, here or elsewhere. */
  tombstonesOf(item: string): Tombstone[] {
    return this.#statements.tombstones.all(item).map((row) => ({ ref: nameOf(row), own: row.own === 1 }));
  }

  tombstoneCount(): number {
    return Number(this.#statements.tombstoneCount.get()?.count ?? 0);
  }

  /**
   * Reads a template; null where it is gone or damaged, so that no other device gets it.
   * @throws {RecognitionError} `Internal.StorageRefused`
   */
  read({ item, origin, sid }: TemplateName): WholeTemplate | null {
    const row = reading(this.#templates.file.db, () => this.#statements.read.get(item, origin, sid));
    if (row === undefined) return null;
    const { vector, jpeg: crop, sha256: cropSha256 } = row;
    if (!(vector instanceof Uint8Array && cropSha256 instanceof Uint8Array && isWhole(crop, cropSha256))) return null;
    const made = { createdAt: Number(row.created_at), model: String(row.model) };
    return { item, origin, sid, ...made, vector, crop, cropSha256 };
  }

  /**
   * Stores received templates with one commit, except those that are here already, were permanently deleted, or whose
   * item is full. Crops that own their buffers are transferred: they are empty afterwards.
   * @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`; `Store.NotSynchronised` when closed
   */
  async receive(templates: readonly WholeTemplate[]): Promise<void> {
    if (templates.length === 0) return;
    // reported within the turn: a deletion in the next turn must be reported after it
    const added = await this.#templates.file.write(async () => {
      const stored = await this.#store(templates);
      this.#report({ kind: 'added', templates: stored });
      return stored;
    });
    if (added.length > 0) this.#onReceived();
  }

  /** Settles when the templates being received are durable and the worker is gone; later ones are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#templates.file.queue.idle();
    await this.#writer.end();
  }

  /** Deletes templates in small commits. @throws {RecognitionError} */
  async drop(names: readonly TemplateName[]): Promise<void> {
    await this.#inPieces(names, (db, piece) => {
      const remove = db.prepare(
        `DELETE FROM templates WHERE origin = ? AND sid = ? AND item = ? AND ${VISIBLE} RETURNING id`,
      );
      return piece.flatMap(({ item, origin, sid }) =>
        remove.all(origin, sid, item).map(({ id }) => ({ id: Number(id), item })),
      );
    });
  }

  /** Deletes items' templates, whichever device made them. @throws {RecognitionError} */
  async dropItems(items: readonly string[]): Promise<void> {
    const names: TemplateName[] = [];
    await inTurnsOf(COMMIT_ROWS, items, (item) => void names.push(...this.namesOf(item)));
    await this.drop(names);
  }

  /** Permanently deletes templates that another device has permanently deleted. @throws {RecognitionError} */
  async addTombstones(names: readonly TemplateName[]): Promise<void> {
    await this.#inPieces(names, (db, piece) => {
      const insert = db.prepare(
        'INSERT INTO tombstones (origin, sid, item, own) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING',
      );
      for (const { item, origin, sid } of piece) insert.run(origin, sid, item);
      return [];
    });
    await this.drop(names);
  }

  /**
   * Permanently deletes all present templates, so that no device that was away brings them back.
   * @param isSpared whether a template stays @throws {RecognitionError}
   */
  async forgetAll(isSpared: (name: TemplateName) => boolean = () => false): Promise<void> {
    await this.addTombstones(this.names().filter((name) => !isSpared(name)));
  }

  async #inPieces(
    names: readonly TemplateName[],
    work: (db: DatabaseSync, piece: readonly TemplateName[]) => { readonly id: number; readonly item: string }[],
  ): Promise<void> {
    for (let at = 0; at < names.length; at += COMMIT_ROWS) {
      const piece = names.slice(at, at + COMMIT_ROWS);
      const removed = await this.#write((db) => work(db, piece));
      const [ids, items] = [removed.map(({ id }) => id), removed.map(({ item }) => item)];
      this.#report({ kind: 'removed', ids, items });
      await nextTurn();
    }
  }

  #report(change: Change): void {
    this.#isNotifying = true;
    try {
      this.#templates.report(change);
    } finally {
      this.#isNotifying = false;
    }
  }

  /** Stores received templates. @returns those that were added */
  async #store(templates: readonly WholeTemplate[]): Promise<readonly TemplateVector[]> {
    if (this.#isClosed) throw new RecognitionError('Store.NotSynchronised', 'the device is closing');
    try {
      const ids = await this.#writer.store(templates);
      return templates.flatMap((template, at) => vectorOf(template, ids[at] ?? null));
    } catch (cause) {
      if (!(cause instanceof LostWorker)) throw cause;
      // what a lost worker has committed is recognised from the next start on
      const words = `the device cannot write: ${cause.message}; the next synchronisation goes on`;
      throw new RecognitionError('Internal.StorageRefused', words, { cause });
    }
  }

  #write<T>(work: (db: DatabaseSync) => T): Promise<T> {
    const { file } = this.#templates;
    return file.write(() => transaction(file.db, () => work(file.db)));
  }
}
