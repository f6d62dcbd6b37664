/** The master's marks: durable, and carried out on the master before other devices learn of them. */
import { randomUUID } from 'node:crypto';
import { JsonStore } from '../../core/store/index.ts';
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
import {
  MAX_MARKS,
  MarksSchema,
  type MarksState,
  mark,
  marksOfBoot,
  noMarks,
  takeReport,
  unmark,
  type Wipe,
  wipe,
} from './decide-marks.ts';

export class MasterDeletionMarks implements DeletionMarks {
  readonly #serial: string;
  readonly #boot: string;
  readonly #settings: Pick<SyncSettings, 'value'>;
  readonly #heardOf: () => ReadonlySet<string>;
  readonly #deleteItems: (items: readonly string[]) => Promise<void>;
  readonly #onChange: () => void;
  readonly #store: JsonStore<MarksState>;

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
  }

  get state(): MarksState {
    return marksOfBoot(this.#store.value, this.#boot);
  }

  async set(item: string): Promise<void> {
    this.#requireMaster();
    await this.#change((state) => {
      if (state.marks.length >= MAX_MARKS)
        throw new RecognitionError('storageFull', `${MAX_MARKS} items are marked, the most that may be: unmark some`);
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
    await this.#change((state) => takeReport(state, serial, ids));
  }

  /** Drops all marks: a device that stops being master has none. */
  async forget(): Promise<void> {
    await this.#change(({ boot }) => noMarks(boot));
  }

  async #change(work: (state: MarksState) => MarksState): Promise<void> {
    const next = work(this.state);
    if (next !== this.#store.value) await withFailureCodes(() => this.#store.write(next));
  }

  get #isMaster(): boolean {
    return this.#settings.value.role === 'master';
  }

  #requireMaster(): void {
    if (!this.#isMaster) throw notMaster();
  }
}
