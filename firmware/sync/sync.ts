/** Synchronisation put together: the role of this device, the calls that change it, what it says of itself. */
import { randomUUID } from 'node:crypto';
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import { isEverywhere, lanAddress } from '../core/config/index.ts';
import type { HealthBoard, Metrics } from '../core/host/index.ts';
import type { Sealer } from '../core/store/index.ts';
import {
  notMaster,
  type Recognition,
  RecognitionError,
  type SyncInfo,
  withFailureCodes,
} from '../recognition/index.ts';
import type { Address } from './centre/connect.ts';
import { isOffered } from './centre/decide.ts';
import { MasterDeletionMarks } from './centre/deletion-marks.ts';
import type { Master } from './centre/master.ts';
import { removeStore } from './centre/server-config.ts';
import { SyncError } from './errors.ts';
import { countSync, type SyncStatus, watchSync } from './health.ts';
import { pairWith } from './pairing.ts';
import { type PairingCode, readCode } from './pairing-code.ts';
import { seenCode } from './pairing-text.ts';
import { Part, type PartSurroundings } from './part.ts';
import type { RoundResult } from './round.ts';
import { SyncSettings } from './settings.ts';
import { StoreLine } from './store-line.ts';
import { StoreWipes } from './wipes.ts';

export interface SyncOptions extends PartSurroundings {
  readonly sealer: Sealer;
  readonly health: HealthBoard;
  readonly metrics: Metrics;
}

interface SlaveRequest {
  readonly host: string;
  readonly port: number;
  readonly upload: boolean;
  readonly download: boolean;
  readonly code: string | null;
}

export class Sync {
  /** The marks "delete from all devices", for the template calls. */
  readonly marks: MasterDeletionMarks;
  /** For what devices ask of their master beside the synchronisation. */
  readonly line = new StoreLine();
  readonly #options: SyncOptions;
  readonly #settings: SyncSettings;
  readonly #wipes: StoreWipes;
  readonly #instance = randomUUID();
  #recognition: Recognition | null = null;
  /** Null while the device is on its own. */
  #part: Part | null = null;
  readonly #changes = new SerialQueue();

  constructor(options: SyncOptions) {
    const { dataDir, sealer, config, clock, serial } = options;
    this.#options = options;
    this.#settings = new SyncSettings(dataDir.file('sync.json'), sealer, config.role, serial);
    this.marks = new MasterDeletionMarks({
      path: dataDir.file('sync-marks.json'),
      bootId: clock.bootId,
      serial,
      isMaster: () => this.isMaster,
      heardOf: () => this.#part?.rounds.marked() ?? new Set(),
      bringsBack: (templates) => {
        const { role, upload, download } = this.#settings.value;
        return role !== 'standalone' && templates.some((ref) => isOffered(ref, { serial, upload, download }));
      },
      deleteItems: async (items) => await this.#recognition?.exchange.dropItems(items),
      onChange: () => {
        this.#master?.publishMarks();
        this.ask();
      },
    });
    this.#wipes = new StoreWipes({
      serial,
      settings: this.#settings,
      marks: this.marks,
      isMaster: () => this.isMaster,
      devices: () => this.#master?.devices().map((device) => device.serial) ?? [],
      exchange: () => this.#recognition?.exchange ?? null,
      publish: () => this.#master?.publishMarks(),
      log: options.log,
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
      this.#part?.rounds.note(change);
      if (!recognition.exchange.isNotifying) this.ask();
    });
    recognition.items.file.onChange(() => {
      if (this.#part?.items.note() === true) this.ask();
    });
    void this.#wipes.goOn();
    this.#begin(recognition);
  }

  async close(): Promise<void> {
    await this.#changes.idle();
    await this.#end();
    await this.#wipes.idle();
  }

  /** @throws {RecognitionError} `storageFull`, `fileWrite` */
  async becomeMaster({ upload, download }: { upload: boolean; download: boolean }): Promise<void> {
    await this.#change(async () => {
      // founded anew: what an earlier store has left there is none of this one's
      if (!this.isMaster) await withFailureCodes(async () => removeStore(this.#options.dataDir.file('sync')));
      await this.#settings.set({ role: 'master', upload, download, master: null }, null);
    });
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
      const { deviceId, master } = this.#settings.value;
      const isSame = master?.host === host && master.port === port && this.#settings.isPaired;
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
    this.ask();
  }

  get isMaster(): boolean {
    return this.#settings.value.role === 'master';
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
    this.#part?.member.ask();
  }

  /** Synchronises now; a master has the others do so, too. @throws {SyncError} */
  async now(): Promise<RoundResult> {
    const part = this.#part;
    if (part === null) throw new SyncError('standalone', 'this device takes part in no synchronisation');
    const result = await part.member.now();
    part.master?.knock();
    return result;
  }

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

  /**
   * Every device of this store forgets everything, once: this one now, the others at their next synchronisation.
   * @param id of the deletion: the same one again is that of before, also where another one has followed it
   * @throws {RecognitionError} `notMaster`, `storageFull`, `fileWrite`
   */
  async wipe(id: string): Promise<void> {
    this.#requireMaster();
    await this.#wipes.begin(id);
    this.#master?.publishMarks();
    this.ask();
  }

  status(): SyncStatus {
    const { role } = this.#settings.value;
    const state = this.#part?.member.state ?? null;
    return {
      role,
      state,
      paired: this.#settings.isPaired || role === 'master',
      problem: this.#master?.problem ?? state?.failure?.message ?? null,
      devices: this.#master?.devices() ?? [],
    };
  }

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
    if (role === 'standalone') return;
    this.#part = new Part({
      ...this.#options,
      recognition,
      settings: this.#settings,
      marks: this.marks,
      wipes: this.#wipes,
      line: this.line,
      instance: this.#instance,
    });
    this.#part.start();
  }

  async #end(): Promise<void> {
    await this.#part?.stop();
    this.#part = null;
  }

  get #master(): Master | null {
    return this.#part?.master ?? null;
  }

  #requireMaster(): Master {
    const master = this.#master;
    if (master === null) throw notMaster();
    return master;
  }
}
