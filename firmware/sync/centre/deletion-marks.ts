/**
 * The master's marks "delete from all devices" and its deletion of all items (the wipe). They are durable, and marks
 * are carried out on the master before other devices learn of them. Marks survive a restart of the process and end with
 * the master's boot, as the interface says.
 */
import { randomUUID } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { JsonStore } from '../../core/files/index.ts';
import {
  type DeletionMarks,
  type DeletionProgress,
  notMaster,
  RecognitionError,
  type TemplateName,
  withFailureCodes,
} from '../../recognition/index.ts';
import type { OwnDevice } from '../own-device.ts';
import type { SyncSettings } from '../settings.ts';
import { isOffered } from './decide.ts';

/** Most marks: each device reads all of them at each synchronisation. */
const MAX_MARKS = 4096;

const MarkSchema = Type.Object({
  item: Type.String({ minLength: 1, maxLength: 64 }),
  id: Type.String({ minLength: 1 }),
  /** Serial numbers of the devices that have deleted the item, in the order of their reports. */
  done: Type.Array(Type.String({ minLength: 1 })),
});

/**
 * The deletion of all items (the wipe). Each device that belonged to the store at that moment deletes its templates
 * once, when it learns of the wipe.
 */
const WipeSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  /** Serial numbers of the devices that must delete their templates. A device that joins later keeps its own. */
  devices: Type.Array(Type.String({ minLength: 1 })),
  done: Type.Array(Type.String({ minLength: 1 })),
});
export type Wipe = Static<typeof WipeSchema>;

const MarksSchema = Type.Object({
  /** The boot of the master that the marks belong to. */
  boot: Type.String(),
  marks: Type.Array(MarkSchema),
  /** Marks of earlier boots, no longer in force: a device that had not deleted the item by then brings it back. */
  ended: Type.Optional(Type.Array(MarkSchema)),
  /** The latest wipe; it survives the boot, for devices that were away. */
  wipe: Type.Optional(WipeSchema),
});

export type MarksState = Static<typeof MarksSchema>;

export const noMarks = (boot: string): MarksState => ({ boot, marks: [] });

export function marksOfBoot(stored: MarksState, boot: string): MarksState {
  if (stored.boot === boot) return stored;
  const ended = [...(stored.ended ?? []), ...stored.marks].slice(-MAX_MARKS);
  return { ...stored, ...noMarks(boot), ...(ended.length > 0 && { ended }) };
}

/** Removes an item's ended marks, because the item is now marked again or unmarked. */
const withoutEnded = ({ ended = [], ...state }: MarksState, item: string): MarksState => {
  const others = ended.filter((each) => each.item !== item);
  return others.length > 0 ? { ...state, ended: others } : state;
};

/** Marks an item; an existing mark of it stays, with its progress. @param id of the new mark, never used before */
export function mark(state: MarksState, item: string, id: string): MarksState {
  if (state.marks.some((each) => each.item === item)) return state;
  return { ...withoutEnded(state, item), marks: [...state.marks, { item, id, done: [] }] };
}

export const unmark = (state: MarksState, item: string): MarksState => ({
  ...withoutEnded(state, item),
  marks: state.marks.filter((each) => each.item !== item),
});

/**
 * Requests a wipe; the same id again changes nothing.
 * @param devices serial numbers of the store's devices at this moment
 */
const wipe = (state: MarksState, id: string, devices: readonly string[]): MarksState =>
  state.wipe?.id === id ? state : { ...state, wipe: { id, devices: [...devices], done: [] } };

/**
 * Records a device's report.
 * @param ids of the marks, and of the wipe, that it has carried out; other ids are ignored
 */
export function withReport(state: MarksState, serial: string, ids: readonly string[]): MarksState {
  const isNews = (each: Pick<Wipe, 'id' | 'done'>): boolean => ids.includes(each.id) && !each.done.includes(serial);
  const withDone = <One extends Pick<Wipe, 'id' | 'done'>>(each: One): One =>
    isNews(each) ? { ...each, done: [...each.done, serial] } : each;
  if (![...state.marks, ...(state.wipe ? [state.wipe] : [])].some(isNews)) return state;
  return { ...state, marks: state.marks.map(withDone), ...(state.wipe ? { wipe: withDone(state.wipe) } : {}) };
}

/** Stores the state durably; the functions above that change it are pure. */
export class MasterDeletionMarks implements DeletionMarks {
  readonly #serial: string;
  readonly #boot: string;
  readonly #settings: Pick<SyncSettings, 'value'>;
  readonly #heardOf: () => ReadonlySet<string>;
  readonly #deleteItems: (items: readonly string[]) => Promise<void>;
  readonly #onChange: () => void;
  readonly #store: JsonStore<MarksState>;
  /** Why the stored marks were lost, found at the start; null once marks were written again. */
  #lost: string | null = null;

  /**
   * @param markedByMaster on a slave: the items that its master has marked
   * @param onChange after each change of the marks
   */
  constructor(
    { serial, clock, dataDir }: Pick<OwnDevice, 'serial' | 'clock' | 'dataDir'>,
    settings: Pick<SyncSettings, 'value'>,
    markedByMaster: () => ReadonlySet<string>,
    deleteItems: (items: readonly string[]) => Promise<void>,
    onChange: () => void,
  ) {
    this.#serial = serial;
    this.#boot = clock.bootId;
    this.#settings = settings;
    this.#heardOf = markedByMaster;
    this.#deleteItems = deleteItems;
    this.#onChange = onChange;
    this.#store = JsonStore.open(dataDir.file('sync-marks.json'), MarksSchema, noMarks(this.#boot));
    const { found, problem } = this.#store;
    // `found` writes the file on each master, so an absent file was lost
    if (found === 'absent') this.#lost = this.#isMaster ? 'the file is gone' : null;
    else if (found !== 'good') this.#lost = problem;
  }

  /** On a master: why its stored marks were lost; null where they were not. */
  get problem(): string | null {
    return this.#isMaster ? this.#lost : null;
  }

  get state(): MarksState {
    return marksOfBoot(this.#store.value, this.#boot);
  }

  async set(item: string): Promise<void> {
    this.#requireMaster();
    await this.#change((state) => {
      if (state.marks.length >= MAX_MARKS)
        throw new RecognitionError(
          'Internal.StorageFull',
          `${MAX_MARKS} items are marked, the most that may be: unmark some`,
        );
      return mark(state, item, randomUUID());
    });
    await this.carryOut();
    this.#onChange();
  }

  async clear(item: string): Promise<void> {
    this.#requireMaster();
    await this.#change((state) => unmark(state, item));
    this.#onChange();
  }

  async progress(): Promise<readonly DeletionProgress[]> {
    this.#requireMaster();
    return this.state.marks.map(({ item, done }) => ({ id: item, SNs: done })).toReversed();
  }

  /** Marks of earlier boots of this device, which are no longer in force. */
  ended(): readonly DeletionProgress[] {
    return (this.state.ended ?? []).map(({ item, done }) => ({ id: item, SNs: done })).toReversed();
  }

  items(): ReadonlySet<string> {
    return this.#isMaster ? new Set(this.state.marks.map(({ item }) => item)) : this.#heardOf();
  }

  bringsBack(templates: readonly TemplateName[]): boolean {
    const { role, upload, download } = this.#settings.value;
    const device = { serial: this.#serial, upload, download };
    return role !== 'standalone' && templates.some((ref) => isOffered(ref, device));
  }

  /** The latest wipe, with the devices that have carried it out; null where none was requested. */
  get wipe(): Wipe | null {
    return this.state.wipe ?? null;
  }

  /** Requests a wipe of everything that the devices have learned. @throws {RecognitionError} */
  async setWipe(id: string, devices: readonly string[]): Promise<void> {
    this.#requireMaster();
    await this.#change((state) => wipe(state, id, devices));
  }

  /** Deletes the marked items on this device, and records that. @throws {RecognitionError} */
  async carryOut(): Promise<void> {
    const { marks } = this.state;
    if (marks.length === 0) return;
    await this.#deleteItems(marks.map(({ item }) => item));
    await this.report(
      this.#serial,
      marks.map(({ id }) => id),
    );
  }

  /** Records the marks that a device reports as carried out. */
  async report(serial: string, ids: readonly string[]): Promise<void> {
    await this.#change((state) => withReport(state, serial, ids));
  }

  /** Writes an empty list for a new master: a file that is absent later was lost. @throws {RecognitionError} */
  async found(): Promise<void> {
    await withFailureCodes(() => this.#store.write(noMarks(this.#boot)));
    this.#lost = null;
  }

  /** Removes all marks: a device that stops being master has none. @throws {RecognitionError} */
  async forget(): Promise<void> {
    await this.#change(({ boot }) => noMarks(boot));
  }

  async #change(work: (state: MarksState) => MarksState): Promise<void> {
    const next = work(this.state);
    if (next === this.#store.value) return;
    await withFailureCodes(() => this.#store.write(next));
    this.#lost = null;
  }

  get #isMaster(): boolean {
    return this.#settings.value.role === 'master';
  }

  #requireMaster(): void {
    if (!this.#isMaster) throw notMaster();
  }
}
