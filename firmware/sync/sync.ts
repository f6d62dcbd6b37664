/** Synchronisation as other modules use it: the device's role, its changes, pairing, wipes and the status. */
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import { isEverywhere, lanAddress } from '../core/config/index.ts';
import type { HealthBoard, Metrics } from '../core/host/index.ts';
import type { Sealer } from '../core/secrets/index.ts';
import {
  notMaster,
  type Recognition,
  RecognitionError,
  type SyncInfo,
  withFailureCodes,
} from '../recognition/index.ts';
import type { Address } from './centre/connect.ts';
import { MasterDeletionMarks } from './centre/deletion-marks.ts';
import type { Master } from './centre/master.ts';
import { removeStore } from './centre/server-config.ts';
import { SyncError } from './errors.ts';
import { countSync, firstLoss, type SyncStatus, watchSync } from './health.ts';
import type { OwnDevice } from './own-device.ts';
import { pairWith } from './pairing.ts';
import { type PairingCode, readCode, seenCode } from './pairing-code.ts';
import { Part, type SyncTuning } from './part.ts';
import type { RoundResult } from './round.ts';
import { SyncSettings } from './settings.ts';
import { StoreLine } from './store-line.ts';

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
  /** Carries other requests of devices to their master. */
  readonly line = new StoreLine();
  readonly #device: OwnDevice;
  readonly #tuning: SyncTuning;
  readonly #settings: SyncSettings;
  #recognition: Recognition | null = null;
  /** What runs in a store; null while the device is standalone. */
  #part: Part | null = null;
  readonly #changes = new SerialQueue();

  constructor(device: OwnDevice, sealer: Sealer, tuning: SyncTuning = {}) {
    const { dataDir, serial } = device;
    this.#device = device;
    this.#tuning = tuning;
    this.#settings = new SyncSettings(dataDir.file('sync.json'), sealer, serial);
    this.marks = new MasterDeletionMarks(
      device,
      this.#settings,
      () => this.#part?.rounds.marked() ?? new Set(),
      async (items) => await this.#recognition?.exchange.dropItems(items),
      () => {
        this.#master?.publishMarks();
        this.ask();
      },
    );
  }

  watch(health: HealthBoard): void {
    watchSync(health, () => ({
      ...this.status(),
      ...this.#losses,
      address: this.#addressOfMaster ?? '',
      refused: this.#part?.items.refused ?? [],
    }));
  }

  count(metrics: Metrics): void {
    countSync(metrics, () => this.status());
  }

  /** Starts the stored role. */
  start(recognition: Recognition): void {
    this.#recognition = recognition;
    recognition.templates.onChange((change) => {
      this.#part?.rounds.recordChange(change);
      if (!recognition.exchange.isNotifying) this.ask();
    });
    recognition.items.file.onChange(() => {
      if (this.#part?.items.recordChange() === true) this.ask();
    });
    this.#begin(recognition);
  }

  async close(): Promise<void> {
    await this.#changes.idle();
    await this.#end();
  }

  /** @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused` */
  async becomeMaster({ upload, download }: { upload: boolean; download: boolean }): Promise<void> {
    await this.#change(async () => {
      // a new master begins with an empty store: files of an earlier store must not be used
      if (!this.isMaster) {
        await withFailureCodes(async () => removeStore(this.#device.dataDir.file('sync')));
        await this.marks.found();
      }
      await this.#settings.set({ role: 'master', upload, download, master: null }, null);
    });
  }

  /**
   * With a pairing code, the device is paired when this resolves; without one it waits for a code.
   * @throws {SyncError} when the pairing fails; nothing has changed then
   * @throws {RecognitionError} `RequestParams.InvalidField`, `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async becomeSlave({ host, port, upload, download, code }: SlaveRequest): Promise<void> {
    const read = code === null ? null : readCode(code);
    if (code !== null && read === null)
      throw new RecognitionError(
        'RequestParams.InvalidField',
        'pairingCode has twenty letters and digits: copy it from the master',
      );
    await this.#join({ host, port, upload, download }, read);
  }

  async #join({ host, port, upload, download }: Omit<SlaveRequest, 'code'>, read: PairingCode | null): Promise<void> {
    const { serial } = this.#device;
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

  /** Which of the store's files was found lost at the start, and not made good since; null: none. */
  get loss(): ReturnType<typeof firstLoss> {
    return firstLoss(this.#losses);
  }

  get isMaster(): boolean {
    return this.#settings.value.role === 'master';
  }

  /** Process id of the master's server, or null. */
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

  /** Synchronises now; a master makes the others do so, too. @throws {SyncError} */
  async now(): Promise<RoundResult> {
    const part = this.#part;
    if (part === null) throw new SyncError('standalone', 'this device takes part in no synchronisation');
    const result = await part.member.now();
    part.master?.knock();
    return result;
  }

  get masterAddress(): Address {
    const { host } = this.#device.config;
    return { host: isEverywhere(host) ? (lanAddress() ?? '127.0.0.1') : host, port: this.#master?.port ?? 0 };
  }

  /**
   * Becomes a slave of the master whose code the camera sees within a few seconds.
   * @param gone aborted when the caller's connection has closed
   * @throws {SyncError} `no-code`, and as `becomeSlave` @throws {RecognitionError} `Camera.Lost`
   */
  async joinSeen(gone: AbortSignal): Promise<{ master: string; address: string }> {
    const recognition = this.#recognition;
    const seen = recognition === null ? null : await seenCode(() => recognition.viewer.codesInSight(), gone);
    if (seen === null) throw new SyncError('no-code', 'no code of a master was seen: hold it before the camera');
    const { role, upload, download } = this.#settings.value;
    const directions = role === 'slave' ? { upload, download } : { upload: true, download: true };
    await this.#join({ ...seen.master, ...directions }, seen.code);
    const { host, port } = seen.master;
    return { master: this.info().masterSN, address: `${host}:${port}` };
  }

  /** @throws {RecognitionError} `Store.NotMaster` @throws {SyncError} `not-ready` */
  async pairingCode(): Promise<{ code: string; seconds: number }> {
    return await this.#requireMaster().pairingCode();
  }

  /** Revokes a device's credential. @returns false where it was not paired @throws {RecognitionError} `Store.NotMaster` */
  async shutOut(serial: string): Promise<boolean> {
    return await this.#requireMaster().revoke(serial);
  }

  /**
   * Requests a wipe: each device of this store deletes everything once, this one now, the others at their next
   * synchronisation.
   * @param id of the wipe: the same id again changes nothing, also after another wipe
   * @throws {RecognitionError} `Store.NotMaster`, `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async wipe(id: string): Promise<void> {
    const master = this.#requireMaster();
    await this.#part?.wipes.begin(id);
    master.publishMarks();
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

  get #losses(): Parameters<typeof firstLoss>[0] {
    return {
      settingsProblem: this.#settings.problem,
      devicesProblem: this.#master?.devicesProblem ?? null,
      marksProblem: this.marks.problem,
    };
  }

  /** Address of a slave's master, as "192.168.1.10:7443"; null without a master. */
  get #addressOfMaster(): string | null {
    const { master } = this.#settings.value;
    return master === null ? null : `${master.host}:${master.port}`;
  }

  info(): SyncInfo {
    const { role, upload, download, limit, master, pairing } = this.#settings.value;
    const isAlone = role === 'standalone';
    return {
      masterIP: master?.host ?? '',
      masterSN: role === 'master' ? this.#device.serial : (pairing?.masterSerial ?? ''),
      mastersyncPort: master?.port ?? this.#master?.port ?? 0,
      upload: !isAlone && upload,
      download: !isAlone && download,
      sync: !isAlone,
      syncMode: role,
      sync_limit: limit,
    };
  }

  /** Changes the role, one change at a time: what runs in the old role ends before the new one begins. */
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
    this.#part = new Part(this.#device, recognition, this.#settings, this.marks, this.line, this.#tuning);
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
