/**
 * The master's marks "delete from all devices": durable, and carried out on the master before other devices learn of
 * them. They survive a restart of the process and end with the master's boot, as the interface says.
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

/** The most marks; every device reads all of them at each synchronisation. */
const MAX_MARKS = 4096;

const MarkSchema = Type.Object({
  item: Type.String({ minLength: 1, maxLength: 64 }),
  id: Type.String({ minLength: 1 }),
  /** Serial numbers of the devices that have deleted the item, in the order of their reports. */
  done: Type.Array(Type.String({ minLength: 1 })),
});

/**
 * The deletion of all items. Each device that belonged to the store then forgets its templates once, when it learns of
 * the deletion.
 */
const WipeSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  /** Serial numbers of the devices that must forget. The deletion does not cover what a later device brings. */
  devices: Type.Array(Type.String({ minLength: 1 })),
  done: Type.Array(Type.String({ minLength: 1 })),
});
export type Wipe = Static<typeof WipeSchema>;

const MarksSchema = Type.Object({
  /** The boot of the master that the marks belong to. */
  boot: Type.String(),
  marks: Type.Array(MarkSchema),
  /** Marks of earlier boots, which a restart has ended: a device that had not deleted by then brings the item back. */
  ended: Type.Optional(Type.Array(MarkSchema)),
  /** The latest deletion of all items; it survives the boot, for devices that were away. */
  wipe: Type.Optional(WipeSchema),
});

export type MarksState = Static<typeof MarksSchema>;

export const noMarks = (boot: string): MarksState => ({ boot, marks: [] });

export function marksOfBoot(stored: MarksState, boot: string): MarksState {
  if (stored.boot === boot) return stored;
  const ended = [...(stored.ended ?? []), ...stored.marks].slice(-MAX_MARKS);
  return { ...stored, ...noMarks(boot), ...(ended.length > 0 && { ended }) };
}

/** Drops an item's ended marks: the item is marked anew or left alone. */
const withoutEnded = ({ ended = [], ...state }: MarksState, item: string): MarksState => {
  const others = ended.filter((each) => each.item !== item);
  return others.length > 0 ? { ...state, ended: others } : state;
};

/** Marks an item; a mark that is there stays, with its progress. @param id of the new mark, never given before */
export function mark(state: MarksState, item: string, id: string): MarksState {
  if (state.marks.some((each) => each.item === item)) return state;
  return { ...withoutEnded(state, item), marks: [...state.marks, { item, id, done: [] }] };
}

export const unmark = (state: MarksState, item: string): MarksState => ({
  ...withoutEnded(state, item),
  marks: state.marks.filter((each) => each.item !== item),
});

/** Asks for the deletion of all items; the same id again changes nothing. @param devices of the store at this moment */
const wipe = (state: MarksState, id: string, devices: readonly string[]): MarksState =>
  state.wipe?.id === id ? state : { ...state, wipe: { id, devices: [...devices], done: [] } };

/** @param ids of the marks, and of the wipe, that the device has carried out; ids of earlier marks are ignored */
export function withReport(state: MarksState, serial: string, ids: readonly string[]): MarksState {
  const isNews = (each: Pick<Wipe, 'id' | 'done'>): boolean => ids.includes(each.id) && !each.done.includes(serial);
  const withDone = <One extends Pick<Wipe, 'id' | 'done'>>(each: One): One =>
    isNews(each) ? { ...each, done: [...each.done, serial] } : each;
  if (![...state.marks, ...(state.wipe ? [state.wipe] : [])].some(isNews)) return state;
  return { ...state, marks: state.marks.map(withDone), ...(state.wipe ? { wipe: withDone(state.wipe) } : {}) };
}

/** Makes the state durable: what changes it above is pure. */
export class MasterDeletionMarks implements DeletionMarks {
  readonly #serial: string;
  readonly #boot: string;
  readonly #settings: Pick<SyncSettings, 'value'>;
  readonly #heardOf: () => ReadonlySet<string>;
  readonly #deleteItems: (items: readonly string[]) => Promise<void>;
  readonly #onChange: () => void;
  readonly #store: JsonStore<MarksState>;
  /** What was lost at the start; null once marks were written again. */
  #lost: string | null = null;

  /**
   * @param heardOf on a slave: the items whose marks its master has sent
   * @param onChange after each change of the marks
   */
  constructor(
    { serial, clock, dataDir }: Pick<OwnDevice, 'serial' | 'clock' | 'dataDir'>,
    settings: Pick<SyncSettings, 'value'>,
    heardOf: () => ReadonlySet<string>,
    deleteItems: (items: readonly string[]) => Promise<void>,
    onChange: () => void,
  ) {
    this.#serial = serial;
    this.#boot = clock.bootId;
    this.#settings = settings;
    this.#heardOf = heardOf;
    this.#deleteItems = deleteItems;
    this.#onChange = onChange;
    this.#store = JsonStore.open(dataDir.file('sync-marks.json'), MarksSchema, noMarks(this.#boot));
    const { found, problem } = this.#store;
    // each master has written it down when it was founded
    if (found === 'absent') this.#lost = this.#isMaster ? 'the file is gone' : null;
    else if (found !== 'good') this.#lost = problem;
  }

  /** On a master: what is wrong with the marks that it had; null where all is well. */
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

  /** The latest deletion of everything, and the devices that have carried it out; null where none was requested. */
  get wipe(): Wipe | null {
    return this.state.wipe ?? null;
  }

  /** Requests the deletion of everything that the devices have learned. @throws {RecognitionError} */
  async setWipe(id: string, devices: readonly string[]): Promise<void> {
    this.#requireMaster();
    await this.#change((state) => wipe(state, id, devices));
  }

  /** Deletes marked items on this device, as each synchronisation does. @throws {RecognitionError} */
  async carryOut(): Promise<void> {
    const { marks } = this.state;
    if (marks.length === 0) return;
    await this.#deleteItems(marks.map(({ item }) => item));
    await this.report(
      this.#serial,
      marks.map(({ id }) => id),
    );
  }

  /** Notes the marks that a device reports as carried out. */
  async report(serial: string, ids: readonly string[]): Promise<void> {
    await this.#change((state) => withReport(state, serial, ids));
  }

  /** Begins without marks, on the disk: a file that is gone later is a lost one. */
  async found(): Promise<void> {
    await withFailureCodes(() => this.#store.write(noMarks(this.#boot)));
    this.#lost = null;
  }

  /** Drops all marks: a device that stops being master has none. */
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
