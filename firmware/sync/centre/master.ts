/**
 * The master's work, on its own connection to its message server (`store-server.ts`): pairings, marks, the list of devices,
 * sweeping, and what keeps the store undamaged.
 */
import { pause, Signal } from '../../../drivers/lib/async.ts';
import { encodePart } from '../../../drivers/lib/text.ts';
import { makeFolder } from '../../core/files/index.ts';
import { fingerprintOf } from '../../core/tls/index.ts';
import { SyncError, type SyncErrorCode } from '../errors.ts';
import type { OwnDevice } from '../own-device.ts';
import { shortFingerprint, writeCode } from '../pairing-code.ts';
import { PairingService } from '../pairing-service.ts';
import { Roster } from '../roster.ts';
import type { StoreLine } from '../store-line.ts';
import { syncFailure } from '../sync-failure.ts';
import type { DeviceStatus } from './centre.ts';
import { type ConnectRequest, connectTo } from './connect.ts';
import type { MasterDeletionMarks } from './deletion-marks.ts';
import { listenToDevices } from './device-messages.ts';
import { ForeignDeletions } from './foreign-deletions.ts';
import { MasterCentre } from './master-centre.ts';
import { storeFolder } from './server-config.ts';
import { RoomWatch } from './shares.ts';
import { StoreGuard } from './store-guard.ts';
import { StoreKeeper } from './store-keeper.ts';
import { type StoreMembers, StoreServer, type StoreServerTuning } from './store-server.ts';

const RETRY_MS = 500;
/** Pause before a store is checked again that is damaged beyond repair. */
const DAMAGED_RETRY_MS = 10_000;
/** Pause after a hint, so that one sweep handles several changes. */
const GATHER_MS = 100;
/**
 * Default of `stuckMs`. A server whose disk was full answers no request, and does not recover when there is room again
 * (seen with 2.9.10).
 */
const STUCK_MS = 30_000;
const LOOK_FOR_ROOM_MS = 2000;
/** Default of `keepMs`: many times the server's time to write a message into its file. */
const KEEP_MS = 5000;
/** Default of `intervalMs`: how often the master sweeps the centre without news. */
const SWEEP_MS = 30_000;
const STUCK: ReadonlySet<SyncErrorCode> = new Set(['timeout', 'not-ready']);

export interface MasterTuning extends StoreServerTuning {
  /** How long the centre may fail before its server is restarted. */
  readonly stuckMs?: number;
  /** How long a message must have been at the centre before the master syncs the server's files to the disk. */
  readonly keepMs?: number;
  /** How often the centre is swept without news. */
  readonly intervalMs?: number;
}

export interface ListedDevice {
  readonly serial: string;
  readonly status: DeviceStatus | null;
  /** Milliseconds since the device last reported; null: not since this process started. */
  readonly silent: number | null;
  /**
   * As `silent`, counted from the start of this process where there was no report: so a device that never reports
   * counts as silent, too.
   */
  readonly unheard: number;
  /** Whether two devices have used this serial number lately. */
  readonly conflict: boolean;
  /**
   * How many templates of others the device has deleted within an hour; 0 where that is not more than people delete.
   */
  readonly deleted: number;
  /** Whether the device has filled its share of the room, and may publish no more. */
  readonly isStopped: boolean;
}

export class Master {
  readonly #roster = new Roster();
  readonly #device: OwnDevice;
  /** Folder of everything that the server stores. */
  readonly #folder: string;
  readonly #marks: MasterDeletionMarks;
  readonly #line: Pick<StoreLine, 'serve'>;
  readonly #onReady: () => void;
  readonly #stuckMs: number;
  readonly #keepMs: number;
  readonly #intervalMs: number;
  readonly #pairing: PairingService;
  readonly #server: StoreServer;
  readonly #closing = new AbortController();
  readonly #startedAt: number;
  #centre: MasterCentre | null = null;
  #problem: string | null = null;
  /** Since when the centre does not work though its server runs; null while it does. */
  #stuckSince: number | null = null;
  #running: Promise<unknown> | null = null;
  readonly #room: RoomWatch;
  readonly #wakeUp = new Signal();
  readonly #deletions = new ForeignDeletions();
  readonly #guard: StoreGuard;
  /**
   * Keys of devices that have filled their shares of the room. By key, so that a device paired anew may publish again.
   */
  readonly #stopped = new Set<string>();

  /** @param onReady called when the centre works, at the start and after each interruption */
  constructor(
    device: OwnDevice,
    marks: MasterDeletionMarks,
    line: Pick<StoreLine, 'serve'>,
    onReady: () => void,
    tuning: MasterTuning = {},
  ) {
    const { dataDir, clock, log } = device;
    this.#device = device;
    this.#folder = dataDir.file('sync');
    this.#marks = marks;
    this.#line = line;
    this.#onReady = onReady;
    this.#stuckMs = tuning.stuckMs ?? STUCK_MS;
    this.#keepMs = tuning.keepMs ?? KEEP_MS;
    this.#intervalMs = tuning.intervalMs ?? SWEEP_MS;
    this.#startedAt = clock.monotonic();
    this.#guard = new StoreGuard(log);
    makeFolder(this.#folder);
    const onChange = async (): Promise<void> => {
      await this.#server.configure();
      this.#centre?.recheckMembers();
      this.#wakeUp.raise();
    };
    this.#pairing = new PairingService(device, this.#folder, this.#roster, onChange, () => this.knock());
    this.#server = new StoreServer(device, this.#folder, () => this.#members(), tuning);
    // a server that met a full disk does not recover by itself
    this.#room = new RoomWatch(this.#folder, log, () => void this.#server.restart());
  }

  get port(): number {
    return this.#server.port;
  }

  get serverPid(): number | null {
    return this.#server.pid;
  }

  /** What was wrong with the list of paired devices at the start, until a person changes the list; or null. */
  get devicesProblem(): string | null {
    return this.#pairing.problem;
  }

  /** Why the centre does not work, or what a person must do about its certificate; null when all is well. */
  get problem(): string | null {
    return this.#room.problem ?? this.#problem ?? this.#server.problem;
  }

  start(): void {
    this.#running ??= Promise.all([this.#run(), this.#watchRoom()]);
  }

  async stop(): Promise<void> {
    this.#closing.abort();
    this.#pairing.dropCode();
    this.#wakeUp.raise();
    await this.#running;
    await this.#server.stop();
  }

  /** How the master's own member connects to the centre. @throws {SyncError} `no-server`, `not-ready` */
  link(): ConnectRequest {
    if (this.#centre === null) throw new SyncError('not-ready', this.problem ?? 'the centre is being set up');
    // the member may connect again because something was missing at the centre: check the centre at once
    this.#wakeUp.raise();
    return this.#server.linkOfMember();
  }

  knock(): void {
    this.#centre?.knock();
  }

  /** Publishes the marks to all devices, and deletes the entries that they name. */
  publishMarks(): void {
    this.#wakeUp.raise();
  }

  /** @throws {SyncError} `not-ready` @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused` */
  async pairingCode(): Promise<{ code: string; seconds: number }> {
    if (this.#centre === null) throw new SyncError('not-ready', this.problem ?? 'the centre is being set up');
    const { secret, seconds } = await this.#pairing.code();
    return {
      code: writeCode({ secret, fingerprint: shortFingerprint(fingerprintOf(this.#server.certificate)) }),
      seconds,
    };
  }

  /**
   * Revokes a device's credential, which disconnects it at once; its entries are deleted soon after.
   * @returns whether it was paired
   */
  async revoke(serial: string): Promise<boolean> {
    const isKnown = await this.#pairing.revoke(serial);
    this.#deletions.forget(serial, this.#device.clock.monotonic());
    this.#wakeUp.raise();
    return isKnown;
  }

  /** All devices of the store, the master first. */
  devices(): ListedDevice[] {
    const now = this.#device.clock.monotonic();
    const conflicts = this.#roster.conflicts(now);
    const stopped = this.#pairing.devices.filter(({ key }) => this.#stopped.has(key)).map(({ serial }) => serial);
    return this.serials.map((serial) => {
      const last = this.#roster.last(serial);
      return {
        serial,
        status: last?.status ?? null,
        silent: last === null ? null : now - last.at,
        unheard: now - (last?.at ?? this.#startedAt),
        conflict: conflicts.includes(serial),
        deleted: this.#deletions.of(serial),
        isStopped: stopped.includes(serial),
      };
    });
  }

  get serials(): string[] {
    return [this.#device.serial, ...this.#pairing.devices.map(({ serial }) => serial)];
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#server.start();
        await this.#serve();
      } catch (error) {
        const { message, code } = syncFailure(error);
        if (this.#problem !== message && !signal.aborted)
          this.#device.log.warn({ err: error, code }, 'the centre does not work; it is tried again');
        this.#problem = message;
        this.#centre = null;
        if (code === 'damaged') this.#guard.doubt();
        if (!signal.aborted) await this.#endStuck(code);
        if (code === 'damaged') await pause(DAMAGED_RETRY_MS, signal);
      }
      this.#centre = null;
      await pause(RETRY_MS, signal);
    }
  }

  async #watchRoom(): Promise<void> {
    const { signal } = this.#closing;
    for (; !signal.aborted; await pause(LOOK_FOR_ROOM_MS, signal)) this.#room.checkRoom();
  }

  async #endStuck(code: SyncErrorCode): Promise<void> {
    const { clock, log } = this.#device;
    // with a full disk the server would not start
    if (!STUCK.has(code) || this.#room.problem !== null) return;
    this.#stuckSince ??= clock.monotonic();
    if (clock.monotonic() - this.#stuckSince < this.#stuckMs) return;
    log.warn({ code }, 'nats-server runs but does not work: it is started anew');
    this.#stuckSince = null;
    await this.#server.restart();
  }

  /** Connects to the server and does the master's work until the connection ends. */
  async #serve(): Promise<void> {
    const { signal } = this.#closing;
    const { serial, clock, log } = this.#device;
    // a new one for each connection: a server that was killed may have lost its last messages
    const keeper = new StoreKeeper(storeFolder(this.#folder), this.#keepMs);
    const connection = await connectTo(this.#server.linkOfMaster());
    const closed = connection.closed().then(() => this.#wakeUp.raise());
    try {
      const listener = {
        onProgress: (from: string, ids: readonly string[]) => void this.#recordProgress(from, ids),
        onStatus: (from: string, status: DeviceStatus) => this.#recordStatus(from, status),
        onHint: () => this.#wakeUp.raise(),
        onPairing: (request: unknown) => this.#pairing.pair(request),
      };
      const centre = await MasterCentre.open(connection, serial, this.#server.storageMb, log);
      listenToDevices(connection, serial, listener, log);
      this.#line.serve(connection);
      while (!signal.aborted && !connection.isClosed()) {
        await this.#marks.carryOut();
        await centre.requireBuckets();
        const isReading = await this.#guard.check(centre, clock.monotonic());
        await centre.publish(this.#marks.state, keeper.flushed);
        const isNew = this.#centre === null;
        this.#centre = centre;
        this.#problem = null;
        this.#stuckSince = null;
        if (isNew) this.#onReady();
        keeper.record(await centre.sweep(this.#marks.state), clock.monotonic());
        this.#deletions.record(await centre.foreignDeletions(), clock.monotonic());
        // a damaged list may lack paired devices, whose entries must stay
        if (!this.#pairing.isDoubtful) await centre.dropStrangers(this.serials);
        await this.#stopFillers(centre);
        if ((await this.#flush(keeper)) || isReading) continue;
        const intervalMs = this.#intervalMs;
        await this.#wakeUp.wait(Math.min(intervalMs, keeper.due(clock.monotonic()) ?? intervalMs));
        await pause(GATHER_MS);
      }
    } finally {
      await connection.close();
      await closed;
    }
  }

  /** Lets devices that fill more than their shares publish no more, and deletes the oldest of their entries. */
  async #stopFillers(centre: MasterCentre): Promise<void> {
    const surplus = await centre.surplus();
    if (surplus.length === 0) return;
    const parts = new Set(surplus.map(({ part }) => part));
    for (const { serial, key } of this.#pairing.devices) {
      if (!parts.has(encodePart(serial)) || this.#stopped.has(key)) continue;
      this.#stopped.add(key);
      this.#device.log.warn({ serial }, 'a device has filled its share of the room, and gives nothing more');
    }
    await this.#server.configure();
    await centre.dropSurplus(surplus);
  }

  /** Syncs the store's files to the disk. @returns whether more is on the disk than before */
  async #flush(keeper: StoreKeeper): Promise<boolean> {
    try {
      return await keeper.flush(this.#device.clock.monotonic());
    } catch (error) {
      // only full items wait for this; it is tried again
      this.#device.log.warn({ err: error }, 'what the centre has could not be synced to the disk');
      return false;
    }
  }

  /** Who may connect, as the server's configuration lists them. */
  #members(): StoreMembers {
    return {
      devices: this.#pairing.devices.map((each) => ({ ...each, isStopped: this.#stopped.has(each.key) })),
      pairingSecret: this.#pairing.secret,
    };
  }

  async #recordProgress(serial: string, ids: readonly string[]): Promise<void> {
    try {
      await this.#marks.report(serial, ids);
    } catch (error) {
      // the device repeats its report when it connects to a centre set up anew, and with its next mark
      this.#device.log.warn({ err: error, serial }, 'progress could not be stored');
    }
  }

  #recordStatus(serial: string, status: DeviceStatus): void {
    if (status.damaged === true) {
      this.#guard.doubt();
      this.#wakeUp.raise();
    }
    if (this.#roster.record(serial, status, this.#device.clock.monotonic()))
      this.#device.log.warn({ serial }, 'one credential is used by two devices: revoke it and pair both anew');
  }
}
