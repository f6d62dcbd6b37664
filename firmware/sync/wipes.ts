/**
 * Wipes: deletions of all templates, each with an id. A device carries each out once; a master requests it of its
 * store.
 */
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import type { TemplateExchange, TemplateName } from '../recognition/index.ts';
import type { MasterDeletionMarks } from './centre/deletion-marks.ts';
import type { Master } from './centre/master.ts';
import type { OwnDevice } from './own-device.ts';
import type { SyncSettings } from './settings.ts';

/** A repeated request is recognised until this many wipes have followed its own. */
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
   * On a master: requests a wipe of all devices of the store. This device has carried it out when it resolves.
   * @param id the same id again changes nothing, also after another wipe
   * @throws {RecognitionError} `Store.NotMaster`, `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async begin(id: string): Promise<void> {
    if (this.#isCarriedOut(id) && this.#marks.wipe?.id !== id) return;
    await this.#marks.setWipe(id, this.#devices);
    // Templates that are learned from now on stay. Where a full disk interrupts this, a repeated request continues.
    await this.#carryOutLatest();
  }

  /** Finishes a wipe that a power cut interrupted, before the device learns anything new. */
  async resume(): Promise<void> {
    try {
      if (this.#master !== null) await this.#carryOutLatest();
    } catch (error) {
      this.#device.log.warn({ err: error }, 'not everything could be forgotten: it is tried again');
    }
  }

  /**
   * Carries out a wipe that was not carried out before: deletes all templates except the spared ones, durably. A master
   * carries out its latest wipe instead, because its centre may still show an earlier one.
   * @returns whether it was not carried out before
   */
  async carryOut(id: string, isSpared: (name: TemplateName) => boolean): Promise<boolean> {
    return this.#master !== null ? await this.#carryOutLatest() : await this.#carryOut(id, isSpared);
  }

  /** On a master: whether the latest wipe is carried out at the centre, too. */
  isCentreEmptied(): boolean {
    return this.#marks.wipe?.done.includes(this.#device.serial) ?? false;
  }

  /** Records durably that the centre is emptied, and informs the other devices. */
  async recordCentreEmptied(id: string): Promise<void> {
    await this.#marks.report(this.#device.serial, [id]);
    this.#master?.publishMarks();
  }

  /** On a master: serial numbers of devices that have joined since the latest wipe was requested. */
  newcomers(): readonly string[] {
    const asked = new Set(this.#marks.wipe?.devices);
    return this.#devices.filter((serial) => !asked.has(serial));
  }

  /** Resolves when no wipe is being carried out. */
  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  /** On a master: serial numbers of the store's devices now; empty on a slave. */
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
   * Deletes the templates that are here when its turn comes, and records that; templates learned later stay.
   * @returns whether the wipe was not carried out before
   * @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`; the next attempt does it
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
