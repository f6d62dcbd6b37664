/**
 * Everything that runs while a device belongs to a store: its rounds, and on a master the message server and its work.
 */
import { isStoreError } from '../core/files/index.ts';
import type { Recognition } from '../recognition/index.ts';
import type { ConnectRequest } from './centre/connect.ts';
import type { MasterDeletionMarks } from './centre/deletion-marks.ts';
import { Master, type MasterTuning } from './centre/master.ts';
import { inboxOf } from './centre/subjects.ts';
import { SyncError } from './errors.ts';
import { ItemRounds } from './item-rounds.ts';
import { Member } from './member.ts';
import type { OwnDevice } from './own-device.ts';
import { Rounds } from './round.ts';
import type { Pairing, SyncSettings } from './settings.ts';
import type { StoreLine } from './store-line.ts';
import { StoreWipes } from './wipes.ts';

/**
 * The device that made a template publishes it within a round or two, if it runs. After this time others publish it,
 * each at a random moment: what one has published, the others need not.
 */
const ORPHAN_MS = 30_000;
const ORPHAN_SPREAD_MS = 15_000;

const randomOrphanMs = (): number => ORPHAN_MS + Math.random() * ORPHAN_SPREAD_MS;

/** Times and limits that tests change. */
export interface SyncTuning extends MasterTuning {
  /** How long the centre must lack a template before a device other than its maker publishes it, ms. */
  readonly orphanMs?: number;
}

export class Part {
  /** Null on a slave. */
  readonly master: Master | null;
  readonly member: Member;
  readonly rounds: Rounds;
  readonly items: ItemRounds;
  readonly wipes: StoreWipes;
  readonly #serial: string;
  readonly #settings: SyncSettings;

  constructor(
    device: OwnDevice,
    recognition: Recognition,
    settings: SyncSettings,
    marks: MasterDeletionMarks,
    line: StoreLine,
    tuning: SyncTuning,
  ) {
    const { serial, log } = device;
    this.#serial = serial;
    this.#settings = settings;
    const isMaster = settings.value.role === 'master';
    this.master = isMaster ? new Master(device, marks, line, () => this.member.ask(), tuning) : null;
    this.wipes = new StoreWipes(device, settings, marks, this.master, recognition.exchange);
    const ownMarks = () => (isMaster ? marks.state.marks : null);
    this.rounds = new Rounds(device, recognition, this.wipes, ownMarks, tuning.orphanMs ?? randomOrphanMs());
    this.items = new ItemRounds(serial, recognition.items, log);
    const linkOf = () => this.master?.link() ?? this.#slaveLink();
    this.member = new Member(device, settings, this.rounds, this.items, linkOf, line, tuning.intervalMs);
  }

  start(): void {
    void this.wipes.resume();
    this.master?.start();
    this.member.start();
  }

  async stop(): Promise<void> {
    await this.member.stop();
    await this.master?.stop();
    await this.wipes.idle();
  }

  #slaveLink(): ConnectRequest {
    const { master } = this.#settings.value;
    const { pairedAs } = this.#settings;
    const serial = this.#serial;
    if (pairedAs !== null)
      throw new SyncError(
        'unpaired',
        `this card was paired in a device with the serial number ${pairedAs}, and this one is ${serial}: pair it anew with a pairing code of the master, and take ${pairedAs} out of the store`,
      );
    const pairing = this.#openPairing();
    if (master === null || pairing === null)
      throw new SyncError(
        'unpaired',
        'awaiting pairing: type the pairing code of the master in the console, or call set_sync_slave with it',
      );
    return {
      address: master,
      certificate: pairing.certificate,
      credential: { kind: 'key', seed: pairing.seed },
      inboxPrefix: inboxOf(serial),
    };
  }

  #openPairing(): Pairing | null {
    try {
      return this.#settings.pairing;
    } catch (cause) {
      if (!isStoreError(cause, 'SEAL_BROKEN')) throw cause;
      throw new SyncError('unpaired', 'the credential was sealed with another key: pair this device anew', { cause });
    }
  }
}
