/** The master's marks, durable, and carried out on the master itself before anybody else hears of them. */
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

interface MasterDeletionMarksOptions extends Pick<DeletionMarks, 'bringsBack'> {
  readonly path: string;
  readonly bootId: string;
  readonly isMaster: () => boolean;
  /** On another device: of which items its master has sent it marks. */
  readonly heardOf: () => ReadonlySet<string>;
  /** Of this device. */
  readonly serial: string;
  readonly deleteItems: (items: readonly string[]) => Promise<void>;
  /** After each change of what is marked. */
  readonly onChange: () => void;
}

export class MasterDeletionMarks implements DeletionMarks {
  readonly #options: MasterDeletionMarksOptions;
  readonly #store: JsonStore<MarksState>;

  constructor(options: MasterDeletionMarksOptions) {
    this.#options = options;
    this.#store = JsonStore.open(options.path, MarksSchema, noMarks(options.bootId));
  }

  get state(): MarksState {
    return marksOfBoot(this.#store.value, this.#options.bootId);
  }

  async set(item: string): Promise<void> {
    this.#requireMaster();
    await this.#change((state) => {
      if (state.marks.length >= MAX_MARKS)
        throw new RecognitionError('storageFull', `${MAX_MARKS} items are marked, the most that may be: unmark some`);
      return mark(state, item, randomUUID());
    });
    await this.carryOut();
    this.#options.onChange();
  }

  async clear(item: string): Promise<void> {
    this.#requireMaster();
    await this.#change((state) => unmark(state, item));
    this.#options.onChange();
  }

  async progress(): Promise<readonly DeletionProgress[]> {
    this.#requireMaster();
    return this.state.marks.map(({ item, done }) => ({ id: item, SNs: done })).toReversed();
  }

  /** Of earlier boots of this device: they do not hold any more. */
  ended(): readonly DeletionProgress[] {
    return (this.state.ended ?? []).map(({ item, done }) => ({ id: item, SNs: done })).toReversed();
  }

  items(): ReadonlySet<string> {
    const { isMaster, heardOf } = this.#options;
    return isMaster() ? new Set(this.state.marks.map(({ item }) => item)) : heardOf();
  }

  bringsBack(templates: readonly TemplateName[]): boolean {
    return this.#options.bringsBack(templates);
  }

  /** The latest deletion of everything, and who has carried it out; null where none was asked for. */
  get wipe(): Wipe | null {
    return this.state.wipe ?? null;
  }

  /** Everything that the devices have learned is to go. @throws {RecognitionError} */
  async setWipe(id: string, devices: readonly string[]): Promise<void> {
    this.#requireMaster();
    await this.#change((state) => wipe(state, id, devices));
  }

  /** Deletes what is marked here, as at each synchronisation while it is marked. @throws {RecognitionError} */
  async carryOut(): Promise<void> {
    const { marks } = this.state;
    if (marks.length === 0) return;
    await this.#options.deleteItems(marks.map(({ item }) => item));
    await this.report(
      this.#options.serial,
      marks.map(({ id }) => id),
    );
  }

  /** Takes what a device says it has carried out. */
  async report(serial: string, ids: readonly string[]): Promise<void> {
    await this.#change((state) => takeReport(state, serial, ids));
  }

  /** A master that becomes something else has no marks any more. */
  async forget(): Promise<void> {
    await this.#change(({ boot }) => noMarks(boot));
  }

  async #change(work: (state: MarksState) => MarksState): Promise<void> {
    const next = work(this.state);
    if (next !== this.#store.value) await withFailureCodes(() => this.#store.write(next));
  }

  #requireMaster(): void {
    if (!this.#options.isMaster()) throw notMaster();
  }
}
