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

const Kept = Type.Object({
  id: Type.String(),
  item: Type.String(),
  /** Null: the item whole. */
  template: Type.Union([Type.String(), Type.Null()]),
  /** Templates to delete: those that the item had at the request. */
  templates: Type.Array(Type.String()),
  /** Mark of the item's record at the request; null where it had none or the record stays. */
  mark: Type.Union([Type.String(), Type.Null()]),
  /** Whether it can no longer be undone. */
  begun: Type.Boolean(),
});
type KeptDeletion = Readonly<Static<typeof Kept>>;

export interface Deletion {
  readonly id: string;
  readonly item: string;
  /** Null: the item whole. */
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
  readonly #store: JsonStore<KeptDeletion[]>;
  #kept: readonly KeptDeletion[];
  readonly #queue = new SerialQueue();
  /** When each deletion is due, on the monotonic clock, and the function that cancels it. */
  readonly #alarms = new Map<string, { readonly due: number; readonly callOff: () => void }>();
  #isClosed = false;

  /**
   * Never fails: an unreadable file requests no deletion, nor does one that may hold an undone deletion.
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
    this.#store = JsonStore.open(path, Type.Array(Kept), []);
    this.#kept = this.#store.found === 'unsure' ? [] : this.#store.value;
  }

  /** Deletions from before the restart get their full time again, except one that had begun. */
  start(): void {
    for (const { id, begun } of this.#kept) this.#doIn(id, begun ? 0 : UNDO_MS);
  }

  /** Whether no deletion waits or is under way. */
  get isIdle(): boolean {
    return this.#kept.length === 0;
  }

  /** Deletions that can be undone, in the order of their requests. */
  all(): Deletion[] {
    return this.#kept.filter(({ begun }) => !begun).map((kept) => this.#asDeletion(kept));
  }

  /**
   * Requests a deletion; the same request again returns the earlier one.
   * @param template null: the item whole
   * @throws {RecognitionError} `Templates.NoItem`, `Templates.NotFound`, `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async ask(item: string, template: string | null): Promise<{ deletion: Deletion; isNew: boolean }> {
    return await this.#queue.run(async () => {
      const known = this.#kept.find((kept) => !kept.begun && kept.item === item && kept.template === template);
      if (known !== undefined) return { deletion: this.#asDeletion(known), isNew: false };
      const kept = template === null ? this.#whole(item) : this.#ofOne(item, template);
      await this.#save([...this.#kept, kept]);
      this.#doIn(kept.id, UNDO_MS);
      this.#onChange();
      return { deletion: this.#asDeletion(kept), isNew: true };
    });
  }

  /** @throws {DeletionOver} @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused` */
  async undo(id: string): Promise<Deletion> {
    return await this.#queue.run(async () => {
      const kept = this.#kept.find((one) => one.id === id && !one.begun);
      if (kept === undefined) throw new DeletionOver();
      const deletion = this.#asDeletion(kept);
      await this.#save(this.#without(kept));
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

  #whole(item: string): KeptDeletion {
    const sids = this.#templates.reader.sidsOf(item);
    const mark = this.#items.markOf(item);
    if (sids.length === 0 && mark === null) throw new RecognitionError('Templates.NoItem', `there is no item ${item}`);
    return { id: randomUUID(), item, template: null, templates: sids, mark, begun: false };
  }

  #ofOne(item: string, template: string): KeptDeletion {
    if (!this.#templates.reader.sidsOf(item).includes(template))
      throw new RecognitionError('Templates.NotFound', `item ${item} has no template ${template}`);
    return { id: randomUUID(), item, template, templates: [template], mark: null, begun: false };
  }

  #asDeletion({ id, item, template, templates }: KeptDeletion): Deletion {
    const due = this.#alarms.get(id)?.due ?? 0;
    const leftMs = Math.max(0, Math.round(due - this.#clock.monotonic()));
    return { id, item, template, templates: templates.length, leftMs };
  }

  #doIn(id: string, ms: number): void {
    if (this.#isClosed) return;
    const callOff = this.#clock.after(ms, () => void this.#queue.run(() => this.#do(id)));
    this.#alarms.set(id, { due: this.#clock.monotonic() + ms, callOff });
  }

  /** Carries a deletion out. Never fails: where the storage refuses, it is tried again. */
  async #do(id: string): Promise<void> {
    const kept = this.#kept.find((one) => one.id === id);
    if (kept === undefined || this.#isClosed) return;
    try {
      // from here on it is not offered to be taken back, after a power cut either
      if (!kept.begun) await this.#save([...this.#without(kept), { ...kept, begun: true }]);
      await this.#templates.deleteThese(kept.item, kept.templates);
      if (kept.mark !== null) await this.#items.deleteAsOf(kept.item, kept.mark);
      await this.#save(this.#without(kept));
      this.#alarms.delete(id);
    } catch (err) {
      this.#log('a deletion could not be done, and is tried again', { err, item: kept.item, template: kept.template });
      this.#doIn(id, RETRY_MS);
    }
    this.#onChange();
  }

  #without({ id }: KeptDeletion): KeptDeletion[] {
    return this.#kept.filter((kept) => kept.id !== id);
  }

  /** @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused` */
  async #save(next: KeptDeletion[]): Promise<void> {
    await withFailureCodes(() => this.#store.write(next));
    this.#kept = next;
  }
}
