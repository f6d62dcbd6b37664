/** Synchronisation put together: the role of this device, the calls that change it, what it says of itself. */
import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import type { Trust } from '../chain/index.ts';
import { type Config, isEverywhere, lanAddress } from '../config/index.ts';
import type { Clock, HealthBoard, Log, Metrics } from '../host/index.ts';
import { notMaster, type Recognition, RecognitionError, type SyncInfo } from '../recognition/index.ts';
import { type DataDir, isStoreError, type Sealer } from '../store/index.ts';
import type { Address, ConnectRequest } from './centre/connect.ts';
import { isOffered } from './centre/decide.ts';
import { inboxOf } from './centre/subjects.ts';
import { SyncError } from './errors.ts';
import { countSync, type SyncStatus, watchSync } from './health.ts';
import { MasterDeletionMarks } from './master/deletion-marks.ts';
import { Master } from './master/master.ts';
import type { OpenServer } from './master/server.ts';
import type { Leaf } from './master/server-config.ts';
import { ItemRounds } from './member/item-rounds.ts';
import { Member } from './member/member.ts';
import { OwnWipes } from './member/own-wipes.ts';
import { type RoundResult, Rounds } from './member/round.ts';
import { pairWith } from './pairing.ts';
import { type PairingCode, readCode } from './pairing-code.ts';
import type { OnPairing } from './pairing-service.ts';
import { seenCode } from './seen-code.ts';
import { type Pairing, SyncSettings } from './settings.ts';

/**
 * A maker that is at work gives its templates within a round or two. Afterwards others do, not all in the same moment: what
 * one gives the others need not.
 */
const ORPHAN_MS = 30_000;
const ORPHAN_SPREAD_MS = 15_000;

const someOrphanMs = (): number => ORPHAN_MS + Math.random() * ORPHAN_SPREAD_MS;

export interface SyncOptions {
  readonly config: Config['sync'];
  readonly dataDir: DataDir;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly serial: string;
  readonly version: string;
  readonly health: HealthBoard;
  readonly metrics: Metrics;
  readonly log: Log;
  /** How long the centre must lack what is here before others than its maker give it. */
  readonly orphanMs?: number;
  /** How long what the centre has must have been there before the master sees to it that it is on the disk. */
  readonly keepMs?: number;
  /** How long a master's centre may be out of order before its server is restarted. */
  readonly stuckMs?: number;
  readonly onPairing?: OnPairing;
  /** Of a master's message server; `nats-server` when left out. */
  readonly openServer?: OpenServer;
  /** What joins the store with its chain; none when left out. */
  readonly chain?: ChainWay;
}

export interface ChainWay {
  /** Of a master; null where the store has joined none. */
  leaf(): Leaf | null;
  /** Of a master: whom the devices of the store may believe; null where it has joined none. */
  trust(): Trust | null;
  /** Called with the trust that the master reports, on the master itself too. */
  believe(trust: Trust | null): void;
  /** Called with each new connection of this device to its master. */
  follow(connection: NatsConnection): void;
  /** Called on a master with each new connection to its own server, which has that server's rights. */
  serve(connection: NatsConnection): void;
}

export interface SlaveRequest {
  readonly host: string;
  readonly port: number;
  readonly upload: boolean;
  readonly download: boolean;
  readonly code: string | null;
}

export class Sync {
  /** The marks "delete from all devices", for the template calls. */
  readonly marks: MasterDeletionMarks;
  readonly #options: SyncOptions;
  readonly #settings: SyncSettings;
  readonly #wipes: OwnWipes;
  readonly #instance = randomUUID();
  #recognition: Recognition | null = null;
  #master: Master | null = null;
  #rounds: Rounds | null = null;
  #member: Member | null = null;
  #items: ItemRounds | null = null;
  readonly #changes = new SerialQueue();

  constructor(options: SyncOptions) {
    const { dataDir, sealer, config, clock, serial } = options;
    this.#options = options;
    this.#settings = new SyncSettings(dataDir.file('sync.json'), sealer, config.role);
    this.#wipes = new OwnWipes(this.#settings);
    this.marks = new MasterDeletionMarks({
      path: dataDir.file('sync-marks.json'),
      bootId: clock.bootId,
      serial,
      isMaster: () => this.isMaster,
      hasHeardOf: (item) => this.#rounds?.isMarked(item) ?? false,
      bringsBack: (templates) => {
        const { role, upload, download } = this.#settings.value;
        return role !== 'standalone' && templates.some((ref) => isOffered(ref, { serial, upload, download }));
      },
      deleteItems: async (items) => await this.#recognition?.exchange.dropItems(items),
      onChange: () => {
        this.#master?.publishMarks();
        this.#member?.ask();
      },
    });
    countSync(options.metrics, () => this.status());
    watchSync(options.health, () => ({
      ...this.status(),
      settingsProblem: this.#settings.problem,
      devicesProblem: this.#master?.devicesProblem ?? null,
    }));
  }

  /** Takes up the stored role. */
  start(recognition: Recognition): void {
    this.#recognition = recognition;
    recognition.templates.onChange((change) => {
      this.#rounds?.note(change);
      if (!recognition.exchange.isNotifying) this.#member?.ask();
    });
    recognition.items.onChange(() => {
      if (this.#items?.note() === true) this.#member?.ask();
    });
    void this.#goOnWiping();
    this.#begin(recognition);
  }

  async close(): Promise<void> {
    await this.#changes.idle();
    await this.#end();
    await this.#wipes.idle();
  }

  /** @throws {RecognitionError} `storageFull`, `fileWrite` */
  async becomeMaster({ upload, download }: { upload: boolean; download: boolean }): Promise<void> {
    await this.#change(() => this.#settings.set({ role: 'master', upload, download, master: null }, null));
  }

  /**
   * With a pairing code, this device is known to the master when it settles; without one it waits for it.
   * @throws {SyncError} when the pairing fails; nothing has changed then
   * @throws {RecognitionError} `parameter`, `storageFull`, `fileWrite`
   */
  async becomeSlave({ host, port, upload, download, code }: SlaveRequest): Promise<void> {
    const read = code === null ? null : readCode(code);
    if (code !== null && read === null)
      throw new RecognitionError('parameter', 'pairingCode has twenty letters and digits: copy it from the master');
    await this.#join({ host, port, upload, download }, read);
  }

  async #join({ host, port, upload, download }: Omit<SlaveRequest, 'code'>, read: PairingCode | null): Promise<void> {
    const { serial } = this.#options;
    await this.#change(async () => {
      const { deviceId, master, pairing } = this.#settings.value;
      const isSame = master?.host === host && master.port === port && pairing !== null;
      const paired =
        read === null ? (isSame ? undefined : null) : await pairWith({ host, port }, read, { serial, deviceId });
      await this.#settings.set({ role: 'slave', deviceId, upload, download, master: { host, port } }, paired);
    });
  }

  async becomeStandalone(): Promise<void> {
    await this.#change(() => this.#settings.set({ role: 'standalone', master: null }, null));
  }

  /** @param limit templates of one synchronisation; 0: no limit */
  async setLimit(limit: number): Promise<void> {
    await this.#settings.set({ limit });
    this.#member?.ask();
  }

  get isMaster(): boolean {
    return this.#settings.value.role === 'master';
  }

  /** After the store has joined a chain, or left it. @throws {RecognitionError} `storageFull`, `fileWrite` */
  async changeLeaf(): Promise<void> {
    await this.#changes.run(async () => await this.#master?.changeLeaf());
  }

  /** Process number of the master's server, or null. */
  get serverPid(): number | null {
    return this.#master?.serverPid ?? null;
  }

  get limit(): number {
    return this.#settings.value.limit;
  }

  /** Synchronises soon, where this device takes part in a store. */
  ask(): void {
    this.#member?.ask();
  }

  /** Synchronises now; a master has the others do so, too. @throws {SyncError} */
  async now(): Promise<RoundResult> {
    if (this.#member === null) throw new SyncError('standalone', 'this device takes part in no synchronisation');
    const result = await this.#member.now();
    this.#master?.knock();
    return result;
  }

  /** Where this master is found by others. */
  get masterAddress(): Address {
    const { host } = this.#options.config;
    return { host: isEverywhere(host) ? (lanAddress() ?? '127.0.0.1') : host, port: this.#master?.port ?? 0 };
  }

  /**
   * Becomes a slave of the master whose code the camera sees within a few seconds.
   * @throws {SyncError} `no-code`, and as `becomeSlave` @throws {RecognitionError} `cameraLost`
   */
  async joinSeen(gone: AbortSignal): Promise<{ master: string; address: string }> {
    const recognition = this.#recognition;
    const seen = recognition === null ? null : await seenCode(() => recognition.codesInSight(), gone);
    if (seen === null) throw new SyncError('no-code', 'no code of a master was seen: hold it before the camera');
    const { role, upload, download } = this.#settings.value;
    const directions = role === 'slave' ? { upload, download } : { upload: true, download: true };
    await this.#join({ ...seen.master, ...directions }, seen.code);
    const { host, port } = seen.master;
    return { master: this.info().masterSN, address: `${host}:${port}` };
  }

  /** @throws {RecognitionError} `notMaster` @throws {SyncError} `not-ready` */
  async pairingCode(): Promise<{ code: string; seconds: number }> {
    return await this.#requireMaster().pairingCode();
  }

  /** Takes a device's credential. @returns false where it was not paired @throws {RecognitionError} `notMaster` */
  async shutOut(serial: string): Promise<boolean> {
    return await this.#requireMaster().revoke(serial);
  }

  /** @throws {RecognitionError} `notMaster`, `parameter` */
  async revoke(serial: string): Promise<void> {
    if (!(await this.shutOut(serial)))
      throw new RecognitionError('parameter', `no device with the serial number ${serial} is paired`);
  }

  /**
   * Every device of this store forgets everything, once: this one now, the others at their next synchronisation.
   * @param id of the deletion: the same one again is that of before, also where another one has followed it
   * @throws {RecognitionError} `notMaster`, `storageFull`, `fileWrite`
   */
  async wipe(id: string): Promise<void> {
    const devices = this.#requireMaster().devices();
    const isEarlier = this.#wipes.has(id) && this.marks.wipe?.id !== id;
    if (isEarlier) return;
    const serials = devices.map(({ serial }) => serial);
    await this.marks.setWipe(id, serials);
    // before the answer: what is learned after it stays, and what a full disk broke off is done when asked again
    await this.#carryOutLatest();
    this.#master?.publishMarks();
    this.#member?.ask();
  }

  /** On a master: the latest request, not the one that its centre may still show. @returns whether there was anything to do */
  async #carryOutLatest(): Promise<boolean> {
    const { wipe } = this.marks;
    if (wipe === null || this.#recognition === null) return false;
    return await this.#wipes.carryOut(wipe.id, this.#recognition.exchange);
  }

  /** What a cut broke off, before anything is learned that shall stay. */
  async #goOnWiping(): Promise<void> {
    try {
      if (this.isMaster) await this.#carryOutLatest();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'not everything could be forgotten: it is tried again');
    }
  }

  /** Who was let in since everything was to be forgotten. */
  #newcomers(): string[] {
    const meant = new Set(this.marks.wipe?.devices);
    return (this.#master?.devices() ?? []).map(({ serial }) => serial).filter((serial) => !meant.has(serial));
  }

  status(): SyncStatus {
    const { role, pairing } = this.#settings.value;
    const state = this.#member?.state ?? null;
    return {
      role,
      state,
      paired: pairing !== null || role === 'master',
      problem: this.#master?.problem ?? state?.failure?.message ?? null,
      devices: this.#master?.devices() ?? [],
    };
  }

  /** For `get_device_info`. */
  info(): SyncInfo {
    const { role, upload, download, limit, master, pairing } = this.#settings.value;
    const isAlone = role === 'standalone';
    return {
      masterIP: master?.host ?? '',
      masterSN: role === 'master' ? this.#options.serial : (pairing?.masterSerial ?? ''),
      mastersyncPort: master?.port ?? this.#master?.port ?? 0,
      upload: !isAlone && upload,
      download: !isAlone && download,
      sync: !isAlone,
      syncMode: role,
      sync_limit: limit,
    };
  }

  /** One change of the role at a time: the old one has ended before the new one begins. */
  #change(work: () => Promise<void>): Promise<void> {
    return this.#changes.run(async () => {
      await work();
      await this.#end();
      if (this.#settings.value.role !== 'master') await this.marks.forget();
      if (this.#recognition !== null) this.#begin(this.#recognition);
    });
  }

  #begin(recognition: Recognition): void {
    const { role } = this.#settings.value;
    recognition.templates.leavesTombstones = role !== 'standalone';
    if (role === 'standalone') {
      this.#options.chain?.believe(null);
      return;
    }
    const { config, clock, serial, version, log, orphanMs = someOrphanMs() } = this.#options;
    if (role === 'master') {
      this.#master = this.#newMaster();
      this.#master.start();
    }
    const { exchange, templates } = recognition;
    const rounds = new Rounds({
      serial,
      max: templates.max,
      exchange,
      orphanMs,
      wipes: {
        carryOut: (id, isSpared) =>
          this.isMaster ? this.#carryOutLatest() : this.#wipes.carryOut(id, exchange, isSpared),
        newcomers: () => this.#newcomers(),
        isCentreEmptied: () => this.marks.wipe?.done.includes(serial) ?? false,
        noteCentreEmptied: async (id) => {
          await this.marks.report(serial, [id]);
          this.#master?.publishMarks();
        },
      },
      ownMarks: () => (this.isMaster ? this.marks.state.marks : null),
      log,
      monotonic: () => clock.monotonic(),
    });
    this.#rounds = rounds;
    const items = new ItemRounds({ serial, items: recognition.items, log });
    this.#items = items;
    this.#member = new Member({
      serial,
      version,
      rounds,
      items,
      clock,
      log,
      instance: this.#instance,
      intervalMs: config.intervalMs,
      settings: () => this.#settings.value,
      link: () => this.#master?.link() ?? this.#slaveLink(),
      onConnection: (connection) => this.#options.chain?.follow(connection),
      onChainTrust: (trust) => this.#options.chain?.believe(trust),
    });
    this.#member.start();
  }

  #newMaster(): Master {
    const { config, dataDir, serial, clock, log, keepMs, stuckMs, onPairing, openServer, chain } = this.#options;
    const { host, port, program, storageMb, intervalMs, leaf } = config;
    return new Master({
      serial,
      host,
      port,
      program,
      storageMb,
      intervalMs,
      chainTrust: () => chain?.trust() ?? null,
      onServing: (connection) => chain?.serve(connection),
      log,
      marks: this.marks,
      folder: dataDir.file('sync'),
      leaf: () =>
        chain?.leaf() ?? (leaf.url === null ? null : { urls: [leaf.url], caFile: leaf.caFile, credentials: null }),
      ...(keepMs === undefined ? {} : { keepMs }),
      ...(stuckMs === undefined ? {} : { stuckMs }),
      ...(onPairing === undefined ? {} : { onPairing }),
      ...(openServer === undefined ? {} : { openServer }),
      monotonic: () => clock.monotonic(),
      onReady: () => this.#member?.ask(),
    });
  }

  #slaveLink(): ConnectRequest {
    const { master } = this.#settings.value;
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
      inboxPrefix: inboxOf(this.#options.serial),
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

  async #end(): Promise<void> {
    await this.#member?.stop();
    this.#member = null;
    this.#rounds = null;
    this.#items = null;
    await this.#master?.stop();
    this.#master = null;
  }

  #requireMaster(): Master {
    if (this.#master === null) throw notMaster();
    return this.#master;
  }
}
