/** Deletions of everything, each with an id: this device carries each out once, and a master makes its store do so. */
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import type { TemplateExchange, TemplateName } from '../recognition/index.ts';
import type { MasterDeletionMarks } from './centre/deletion-marks.ts';
import type { Master } from './centre/master.ts';
import type { OwnDevice } from './own-device.ts';
import type { SyncSettings } from './settings.ts';

/** A repeated request is recognised for this many deletions after its own. */
const MOST_REMEMBERED = 32;

export class StoreWipes {
  readonly #device: Pick<OwnDevice, 'serial' | 'log'>;
  readonly #settings: Pick<SyncSettings, 'value' | 'set'>;
  readonly #marks: MasterDeletionMarks;
  readonly #master: Pick<Master, 'serials' | 'publishMarks'> | null;
  readonly #exchange: Pick<TemplateExchange, 'forgetAll'>;
  readonly #queue = new SerialQueue();

  /** @param master null on a slave */
  constructor(
    device: Pick<OwnDevice, 'serial' | 'log'>,
    settings: Pick<SyncSettings, 'value' | 'set'>,
    marks: MasterDeletionMarks,
    master: Pick<Master, 'serials' | 'publishMarks'> | null,
    exchange: Pick<TemplateExchange, 'forgetAll'>,
  ) {
    this.#device = device;
    this.#settings = settings;
    this.#marks = marks;
    this.#master = master;
    this.#exchange = exchange;
  }

  /**
   * On a master: every device of the store forgets everything, this one before it settles.
   * @param id the same id again changes nothing, also after another deletion
   * @throws {RecognitionError} `Store.NotMaster`, `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async begin(id: string): Promise<void> {
    if (this.#isCarriedOut(id) && this.#marks.wipe?.id !== id) return;
    await this.#marks.setWipe(id, this.#devices);
    // what is learned from now on stays, and what a full disk broke off is done when asked again
    await this.#carryOutLatest();
  }

  /** Finishes a deletion that a power cut interrupted, before the device learns anything new. */
  async goOn(): Promise<void> {
    try {
      if (this.#master !== null) await this.#carryOutLatest();
    } catch (error) {
      this.#device.log.warn({ err: error }, 'not everything could be forgotten: it is tried again');
    }
  }

  /**
   * Forgets all templates except the spared ones, unless that was done before, and makes that durable; a master does so
   * for the latest deletion, not for one that its centre may still show.
   * @returns whether it was not done before
   */
  async carryOut(id: string, isSpared: (name: TemplateName) => boolean): Promise<boolean> {
    return this.#master !== null ? await this.#carryOutLatest() : await this.#carryOut(id, isSpared);
  }

  /** On a master: whether the latest deletion is carried out at the centre, too. */
  isCentreEmptied(): boolean {
    return this.#marks.wipe?.done.includes(this.#device.serial) ?? false;
  }

  /** Notes durably that the centre is emptied, and informs the other devices. */
  async noteCentreEmptied(id: string): Promise<void> {
    await this.#marks.report(this.#device.serial, [id]);
    this.#master?.publishMarks();
  }

  /** On a master: serial numbers of devices that have joined since the latest deletion was requested. */
  newcomers(): readonly string[] {
    const meant = new Set(this.#marks.wipe?.devices);
    return this.#devices.filter((serial) => !meant.has(serial));
  }

  /** Settles when nothing is under way. */
  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  /** Serial numbers of all devices of the store now. */
  get #devices(): readonly string[] {
    return this.#master?.serials ?? [];
  }

  #isCarriedOut(id: string): boolean {
    return this.#settings.value.wiped.includes(id);
  }

  async #carryOutLatest(): Promise<boolean> {
    const { wipe } = this.#marks;
    return wipe !== null && (await this.#carryOut(wipe.id));
  }

  /**
   * Forgets the templates that are here when its turn comes, and notes that; templates learned later stay.
   * @returns whether there was anything to do
   * @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`: it is done at the next attempt
   */
  async #carryOut(id: string, isSpared?: (name: TemplateName) => boolean): Promise<boolean> {
    return await this.#queue.run(async () => {
      if (this.#isCarriedOut(id)) return false;
      await this.#exchange.forgetAll(isSpared);
      await this.#settings.set({ wiped: [...this.#settings.value.wiped.slice(-MOST_REMEMBERED), id] });
      return true;
    });
  }
}
