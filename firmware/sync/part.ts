/** What runs while a device takes part in a store: its rounds and, on a master, the server and what hangs on it. */
import type { Config } from '../core/config/index.ts';
import type { Clock } from '../core/host/index.ts';
import { type DataDir, isStoreError } from '../core/store/index.ts';
import type { Recognition } from '../recognition/index.ts';
import type { ConnectRequest } from './centre/connect.ts';
import type { MasterDeletionMarks } from './centre/deletion-marks.ts';
import { Master, type MasterOptions } from './centre/master.ts';
import { inboxOf } from './centre/subjects.ts';
import { SyncError } from './errors.ts';
import { ItemRounds } from './item-rounds.ts';
import { Member } from './member.ts';
import { Rounds } from './round.ts';
import type { Pairing, SyncSettings } from './settings.ts';
import type { StoreLine } from './store-line.ts';
import type { StoreWipes } from './wipes.ts';

/**
 * A maker that is at work gives its templates within a round or two. Afterwards others do, not all in the same moment: what
 * one gives the others need not.
 */
const ORPHAN_MS = 30_000;
const ORPHAN_SPREAD_MS = 15_000;

const someOrphanMs = (): number => ORPHAN_MS + Math.random() * ORPHAN_SPREAD_MS;

/** What stays the same whatever part a device takes. */
export interface PartSurroundings
  extends Pick<MasterOptions, 'serial' | 'log' | 'keepMs' | 'stuckMs' | 'onPairing' | 'openServer'> {
  readonly config: Config['sync'];
  readonly dataDir: DataDir;
  readonly clock: Clock;
  readonly version: string;
  /** How long the centre must lack what is here before others than its maker give it. */
  readonly orphanMs?: number;
}

interface PartOptions extends PartSurroundings {
  readonly recognition: Recognition;
  readonly settings: SyncSettings;
  readonly marks: MasterDeletionMarks;
  readonly wipes: StoreWipes;
  readonly line: StoreLine;
  /** Names this process. */
  readonly instance: string;
}

export class Part {
  /** Null on a slave. */
  readonly master: Master | null;
  readonly member: Member;
  readonly rounds: Rounds;
  readonly items: ItemRounds;
  readonly #options: PartOptions;

  constructor(options: PartOptions) {
    this.#options = options;
    const { config, clock, serial, version, instance, log, recognition, settings, marks, wipes, line } = options;
    const { orphanMs = someOrphanMs() } = options;
    const { exchange, templates, items } = recognition;
    const isMaster = settings.value.role === 'master';
    this.master = isMaster ? this.#newMaster() : null;
    this.rounds = new Rounds({
      serial,
      max: templates.max,
      exchange,
      orphanMs,
      wipes,
      ownMarks: () => (isMaster ? marks.state.marks : null),
      log,
      monotonic: () => clock.monotonic(),
    });
    this.items = new ItemRounds(serial, items, log);
    this.member = new Member({
      serial,
      version,
      instance,
      clock,
      log,
      rounds: this.rounds,
      items: this.items,
      intervalMs: config.intervalMs,
      settings: () => settings.value,
      link: () => this.master?.link() ?? this.#slaveLink(),
      onConnection: (connection) => line.follow(connection),
    });
  }

  start(): void {
    this.master?.start();
    this.member.start();
  }

  async stop(): Promise<void> {
    await this.member.stop();
    await this.master?.stop();
  }

  #newMaster(): Master {
    const { config, dataDir, clock, line } = this.#options;
    return new Master({
      ...this.#options,
      ...config,
      folder: dataDir.file('sync'),
      onServing: (connection) => line.serve(connection),
      monotonic: () => clock.monotonic(),
      onReady: () => this.member.ask(),
    });
  }

  #slaveLink(): ConnectRequest {
    const { settings, serial } = this.#options;
    const { master } = settings.value;
    const { pairedAs } = settings;
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
      return this.#options.settings.pairing;
    } catch (cause) {
      if (!isStoreError(cause, 'SEAL_BROKEN')) throw cause;
      throw new SyncError('unpaired', 'the credential was sealed with another key: pair this device anew', { cause });
    }
  }
}
