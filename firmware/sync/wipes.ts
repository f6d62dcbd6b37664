/** Deletions of everything, each by its own name: this device carries each out once, and a master has its store do so. */
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import type { Log } from '../core/host/index.ts';
import type { TemplateExchange, TemplateName } from '../recognition/index.ts';
import type { MasterDeletionMarks } from './centre/deletion-marks.ts';
import type { SyncSettings } from './settings.ts';

/** A message that was sent again is known for as many deletions after its own. */
const MOST_REMEMBERED = 32;

interface StoreWipesOptions {
  /** Of this device. */
  readonly serial: string;
  readonly settings: Pick<SyncSettings, 'value' | 'set'>;
  readonly marks: MasterDeletionMarks;
  readonly isMaster: () => boolean;
  /** Of a master: serial numbers of all that are of its store now. */
  readonly devices: () => readonly string[];
  /** Null before the device has started. */
  readonly exchange: () => Pick<TemplateExchange, 'forgetAll'> | null;
  /** Has the other devices informed. */
  readonly publish: () => void;
  readonly log: Pick<Log, 'warn'>;
}

export class StoreWipes {
  readonly #options: StoreWipesOptions;
  readonly #queue = new SerialQueue();

  constructor(options: StoreWipesOptions) {
    this.#options = options;
  }

  /**
   * On a master: every device of the store forgets everything, this one before it settles.
   * @param id the same one again is that of before, also where another one has followed it
   * @throws {RecognitionError} `notMaster`, `storageFull`, `fileWrite`
   */
  async begin(id: string): Promise<void> {
    const { marks, devices } = this.#options;
    if (this.#isCarriedOut(id) && marks.wipe?.id !== id) return;
    await marks.setWipe(id, devices());
    // what is learned from now on stays, and what a full disk broke off is done when asked again
    await this.#carryOutLatest();
  }

  /** What a cut broke off, before anything is learned that shall stay. */
  async goOn(): Promise<void> {
    try {
      if (this.#options.isMaster()) await this.#carryOutLatest();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'not everything could be forgotten: it is tried again');
    }
  }

  /**
   * Forgets what is here but what is spared, unless that was done before, and makes that durable; on a master for the latest
   * deletion, not the one that its centre may still show. @returns whether it was not done before
   */
  async carryOut(id: string, isSpared: (name: TemplateName) => boolean): Promise<boolean> {
    return this.#options.isMaster() ? await this.#carryOutLatest() : await this.#carryOut(id, isSpared);
  }

  /** Of a master: whether the latest one is carried out at the centre, too. */
  isCentreEmptied(): boolean {
    const { marks, serial } = this.#options;
    return marks.wipe?.done.includes(serial) ?? false;
  }

  /** Stores that durably, and has the other devices informed. */
  async noteCentreEmptied(id: string): Promise<void> {
    const { marks, serial, publish } = this.#options;
    await marks.report(serial, [id]);
    publish();
  }

  /** Of a master: serial numbers of those that have joined since the latest one was asked for. */
  newcomers(): readonly string[] {
    const meant = new Set(this.#options.marks.wipe?.devices);
    return this.#options.devices().filter((serial) => !meant.has(serial));
  }

  /** Settles when nothing is under way. */
  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  #isCarriedOut(id: string): boolean {
    return this.#options.settings.value.wiped.includes(id);
  }

  async #carryOutLatest(): Promise<boolean> {
    const { wipe } = this.#options.marks;
    return wipe !== null && (await this.#carryOut(wipe.id));
  }

  /**
   * Forgets the templates that are here when its turn comes, and notes that: those learned meanwhile stay.
   * @returns whether there was anything to do
   * @throws {RecognitionError} `storageFull`, `fileWrite`: it is done at the next attempt
   */
  async #carryOut(id: string, isSpared?: (name: TemplateName) => boolean): Promise<boolean> {
    const { settings } = this.#options;
    return await this.#queue.run(async () => {
      const exchange = this.#options.exchange();
      if (exchange === null || this.#isCarriedOut(id)) return false;
      await exchange.forgetAll(isSpared);
      await settings.set({ wiped: [...settings.value.wiped.slice(-MOST_REMEMBERED), id] });
      return true;
    });
  }
}
