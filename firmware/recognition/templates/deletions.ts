/**
 * Deletions that can be taken back. What is asked for is written down, and done half a minute later: until then nothing is
 * gone on this device, nor has another of its store heard of it, so that taking it back is forgetting that it was asked for.
 * What is done then is what would have been done at once: templates that are learned and words that are said of the item
 * meanwhile stay.
 */
import { randomUUID } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import type { LogLine, Timekeeper } from '../../core/host/index.ts';
import { JsonStore } from '../../core/store/index.ts';
import { RecognitionError } from '../codes.ts';
import { withFailureCodes } from '../failures.ts';
import type { Items } from '../items/items.ts';
import type { Templates } from './templates.ts';

/** How long one can be taken back; after a restart again as long. */
export const UNDO_MS = 30_000;
/** After a deletion that the storage refused. */
const RETRY_MS = 30_000;
/** A person deletes no more of them in half a minute. */
const MOST = 200;

const Kept = Type.Object({
  id: Type.String(),
  item: Type.String(),
  /** Null: the item whole. */
  template: Type.Union([Type.String(), Type.Null()]),
  /** What is deleted: what the item had when somebody asked. */
  templates: Type.Array(Type.String()),
  /** Of what was said of the item then; null where nothing was, or that stays. */
  mark: Type.Union([Type.String(), Type.Null()]),
  /** It cannot be taken back any more. */
  begun: Type.Boolean(),
});
type KeptDeletion = Readonly<Static<typeof Kept>>;

export interface Deletion {
  readonly id: string;
  readonly item: string;
  /** Null: the item whole. */
  readonly template: string | null;
  /** How many templates go. */
  readonly templates: number;
  /** How long it can be taken back. */
  readonly leftMs: number;
}

/** One that cannot be taken back any more. */
export class DeletionOver extends Error {
  constructor() {
    super('this deletion no longer exists: it was done or undone');
    this.name = 'DeletionOver';
  }
}

export class Deletions {
  readonly #items: Items;
  readonly #templates: Templates;
  readonly #clock: Pick<Timekeeper, 'monotonic' | 'after'>;
  readonly #onChange: () => void;
  readonly #log: LogLine;
  /** Durable before a call is answered. */
  readonly #store: JsonStore<KeptDeletion[]>;
  #kept: readonly KeptDeletion[];
  readonly #queue = new SerialQueue();
  /** When each is done, on the monotonic clock, and what calls that off. */
  readonly #alarms = new Map<string, { readonly due: number; readonly callOff: () => void }>();
  #isClosed = false;

  /**
   * Never fails: a file that cannot be read asks for nothing, and nor does one that may hold what was taken back since.
   * @param onChange called when one was asked for, taken back or done
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

  /** Those from before the restart get their full time again, except for one that was under way. */
  start(): void {
    for (const { id, begun } of this.#kept) this.#doIn(id, begun ? 0 : UNDO_MS);
  }

  /** Whether none waits or is under way. */
  get isIdle(): boolean {
    return this.#kept.length === 0;
  }

  /** Those that can be taken back, in the order in which they were asked for. */
  all(): Deletion[] {
    return this.#kept.filter(({ begun }) => !begun).map((kept) => this.#asDeletion(kept));
  }

  /**
   * The same one asked for again is that of before.
   * @param template null: the item whole @throws {RecognitionError} `noItem`, `noTemplate`, `tooMany`, `storageFull`, `fileWrite`
   */
  async ask(item: string, template: string | null): Promise<{ deletion: Deletion; isNew: boolean }> {
    return await this.#queue.run(async () => {
      const known = this.#kept.find((kept) => !kept.begun && kept.item === item && kept.template === template);
      if (known !== undefined) return { deletion: this.#asDeletion(known), isNew: false };
      if (this.#kept.length >= MOST)
        throw new RecognitionError('tooMany', `${MOST} deletions wait already: ask again in half a minute`);
      const kept = template === null ? this.#whole(item) : this.#ofOne(item, template);
      await this.#keep([...this.#kept, kept]);
      this.#doIn(kept.id, UNDO_MS);
      this.#onChange();
      return { deletion: this.#asDeletion(kept), isNew: true };
    });
  }

  /** @throws {DeletionOver} @throws {RecognitionError} `storageFull`, `fileWrite` */
  async takeBack(id: string): Promise<Deletion> {
    return await this.#queue.run(async () => {
      const kept = this.#kept.find((one) => one.id === id && !one.begun);
      if (kept === undefined) throw new DeletionOver();
      const deletion = this.#asDeletion(kept);
      await this.#keep(this.#without(kept));
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
    const sids = this.#templates.sidsOf(item);
    const mark = this.#items.markOf(item);
    if (sids.length === 0 && mark === null) throw new RecognitionError('noItem', `there is no item ${item}`);
    return { id: randomUUID(), item, template: null, templates: sids, mark, begun: false };
  }

  #ofOne(item: string, template: string): KeptDeletion {
    if (!this.#templates.sidsOf(item).includes(template))
      throw new RecognitionError('noTemplate', `item ${item} has no template ${template}`);
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

  /** Never fails: what the storage refuses is tried again. */
  async #do(id: string): Promise<void> {
    const kept = this.#kept.find((one) => one.id === id);
    if (kept === undefined || this.#isClosed) return;
    try {
      // from here on it is not offered to be taken back, after a power cut either
      if (!kept.begun) await this.#keep([...this.#without(kept), { ...kept, begun: true }]);
      await this.#templates.deleteThese(kept.item, kept.templates);
      if (kept.mark !== null) await this.#items.deleteAsOf(kept.item, kept.mark);
      await this.#keep(this.#without(kept));
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

  /** @throws {RecognitionError} `storageFull`, `fileWrite` */
  async #keep(next: KeptDeletion[]): Promise<void> {
    await withFailureCodes(() => this.#store.write(next));
    this.#kept = next;
  }
}
