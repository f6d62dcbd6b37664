/**
 * Deletions that can be undone. A requested deletion is recorded and carried out half a minute later. Until then
 * nothing is deleted and no other device learns of it, so undoing only drops the record. It deletes what the item had
 * at the request: later templates and changes of the item stay.
 */
import { randomUUID } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { RecordedError } from '../../../drivers/lib/records.ts';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { JsonStore } from '../../core/files/index.ts';
import type { LogLine, Timekeeper } from '../../core/host/index.ts';
import type { Items } from '../items/items.ts';
import { RECOGNITION_ERRORS } from '../model/error-records.ts';
import { withFailureCodes } from '../model/failures.ts';
import { RecognitionError } from '../model/recognition-error.ts';
import type { Templates } from '../templates/templates.ts';

/** How long a deletion can be undone; after a restart again as long. */
export const UNDO_MS = 30_000;
/** The wait after a deletion that the storage refused. */
const RETRY_MS = 30_000;

const StoredSchema = Type.Object({
  id: Type.String(),
  item: Type.String(),
  /** Null: the whole item. */
  template: Type.Union([Type.String(), Type.Null()]),
  /** Templates to delete: those that the item had at the request. */
  templates: Type.Array(Type.String()),
  /** Mark of the item's record at the request; null where it had none or the record stays. */
  mark: Type.Union([Type.String(), Type.Null()]),
  /** Whether it can no longer be undone. */
  begun: Type.Boolean(),
});
type StoredDeletion = Readonly<Static<typeof StoredSchema>>;

export interface Deletion {
  readonly id: string;
  readonly item: string;
  /** Null: the whole item. */
  readonly template: string | null;
  /** How many templates are deleted. */
  readonly templates: number;
  /** How long it can still be undone, ms. */
  readonly leftMs: number;
}

/** The deletion can no longer be undone. */
export class DeletionOver extends RecordedError<'NotFound'> {
  constructor() {
    super(['Deletions', RECOGNITION_ERRORS], 'NotFound', 'this deletion no longer exists: it was done or undone');
  }
}

export class Deletions {
  readonly #items: Items;
  readonly #templates: Templates;
  readonly #clock: Pick<Timekeeper, 'monotonic' | 'after'>;
  readonly #onChange: () => void;
  readonly #log: LogLine;
  /** The recorded deletions, durable before a call is answered. */
  readonly #store: JsonStore<StoredDeletion[]>;
  #stored: readonly StoredDeletion[];
  readonly #queue = new SerialQueue();
  /** When each deletion is due, on the monotonic clock, and the function that cancels it. */
  readonly #alarms = new Map<string, { readonly due: number; readonly callOff: () => void }>();
  #isClosed = false;

  /**
   * Never fails: an unreadable file holds no deletion, and one that may be out of date is ignored, because a deletion in it
   * may have been undone.
   * @param onChange called when a deletion was requested, undone or carried out
   */
  constructor(
    path: string,
    items: Items,
    templates: Templates,
    clock: Pick<Timekeeper, 'monotonic' | 'after'>,
    onChange: () => void,
    log: LogLine,
  ) {
    this.#items = items;
    this.#templates = templates;
    this.#clock = clock;
    this.#onChange = onChange;
    this.#log = log;
    this.#store = JsonStore.open(path, Type.Array(StoredSchema), []);
    this.#stored = this.#store.found === 'unsure' ? [] : this.#store.value;
  }

  /** Deletions from before the restart get their full time again, except one that had begun. */
  start(): void {
    for (const { id, begun } of this.#stored) this.#schedule(id, begun ? 0 : UNDO_MS);
  }

  /** Whether no deletion waits or is under way. */
  get isIdle(): boolean {
    return this.#stored.length === 0;
  }

  /** Deletions that can be undone, in the order of their requests. */
  all(): Deletion[] {
    return this.#stored.filter(({ begun }) => !begun).map((entry) => this.#asDeletion(entry));
  }

  /**
   * Requests a deletion; the same request again returns the earlier one.
   * @param template null: the whole item
   * @throws {RecognitionError} `Templates.NoItem`, `Templates.NotFound`, `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async ask(item: string, template: string | null): Promise<{ deletion: Deletion; isNew: boolean }> {
    return await this.#queue.run(async () => {
      const known = this.#stored.find((entry) => !entry.begun && entry.item === item && entry.template === template);
      if (known !== undefined) return { deletion: this.#asDeletion(known), isNew: false };
      const entry = template === null ? this.#whole(item) : this.#ofOne(item, template);
      await this.#save([...this.#stored, entry]);
      this.#schedule(entry.id, UNDO_MS);
      this.#onChange();
      return { deletion: this.#asDeletion(entry), isNew: true };
    });
  }

  /** @throws {DeletionOver} @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused` */
  async undo(id: string): Promise<Deletion> {
    return await this.#queue.run(async () => {
      const entry = this.#stored.find((one) => one.id === id && !one.begun);
      if (entry === undefined) throw new DeletionOver();
      const deletion = this.#asDeletion(entry);
      await this.#save(this.#without(entry));
      this.#alarms.get(id)?.callOff();
      this.#alarms.delete(id);
      this.#onChange();
      return deletion;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { callOff } of this.#alarms.values()) callOff();
    this.#alarms.clear();
    await this.#queue.idle();
  }

  #whole(item: string): StoredDeletion {
    const sids = this.#templates.reader.sidsOf(item);
    const mark = this.#items.markOf(item);
    if (sids.length === 0 && mark === null) throw new RecognitionError('Templates.NoItem', `there is no item ${item}`);
    return { id: randomUUID(), item, template: null, templates: sids, mark, begun: false };
  }

  #ofOne(item: string, template: string): StoredDeletion {
    if (!this.#templates.reader.sidsOf(item).includes(template))
      throw new RecognitionError('Templates.NotFound', `item ${item} has no template ${template}`);
    return { id: randomUUID(), item, template, templates: [template], mark: null, begun: false };
  }

  #asDeletion({ id, item, template, templates }: StoredDeletion): Deletion {
    const due = this.#alarms.get(id)?.due ?? 0;
    const leftMs = Math.max(0, Math.round(due - this.#clock.monotonic()));
    return { id, item, template, templates: templates.length, leftMs };
  }

  #schedule(id: string, ms: number): void {
    if (this.#isClosed) return;
    const callOff = this.#clock.after(ms, () => void this.#queue.run(() => this.#carryOut(id)));
    this.#alarms.set(id, { due: this.#clock.monotonic() + ms, callOff });
  }

  /** Deletes. Never fails: where the storage refuses, the deletion is tried again. */
  async #carryOut(id: string): Promise<void> {
    const entry = this.#stored.find((one) => one.id === id);
    if (entry === undefined || this.#isClosed) return;
    try {
      // durable before anything is deleted: it can no longer be undone, after a power cut either
      if (!entry.begun) await this.#save([...this.#without(entry), { ...entry, begun: true }]);
      await this.#templates.deleteThese(entry.item, entry.templates);
      if (entry.mark !== null) await this.#items.deleteAsOf(entry.item, entry.mark);
      await this.#save(this.#without(entry));
      this.#alarms.delete(id);
    } catch (err) {
      this.#log('a deletion could not be done, and is tried again', {
        err,
        item: entry.item,
        template: entry.template,
      });
      this.#schedule(id, RETRY_MS);
    }
    this.#onChange();
  }

  #without({ id }: StoredDeletion): StoredDeletion[] {
    return this.#stored.filter((entry) => entry.id !== id);
  }

  /** @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused` */
  async #save(next: StoredDeletion[]): Promise<void> {
    await withFailureCodes(() => this.#store.write(next));
    this.#stored = next;
  }
}
