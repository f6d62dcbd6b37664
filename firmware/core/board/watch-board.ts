/** Reports the machine below the device: in `/health` in words, in `/metrics` in figures. */
import type { Reason } from '../../../drivers/lib/records.ts';
import { type LockedDatabase, lockedDatabasesIn } from '../files/index.ts';
import { type Clock, degradedBy, type HealthBoard, type Metrics, okWith, type Verdict, WELL } from '../host/index.ts';
import { type DiskFacts, diskFacts, diskReasons } from './disk.ts';
import { reasonOf } from './reason-records.ts';
import { LOOK_MS, Supply, type SupplyFacts } from './supply.ts';
import { SystemFiles, settingIn } from './system-files.ts';
import { putOffReason, type UpdateFacts, updateFacts, updateReasons } from './update-history.ts';

/** State file of a read-only root: findings of its first program (scripts/release/read-only/root.sh) at this start. */
const STATE = '/run/laneware-root/state';

/** Whether the system can be written to; null on a board with an ordinary root. */
function isRootWritable(files: SystemFiles): boolean | null {
  const root = settingIn('root', files.text(STATE));
  return root === '' ? null : root === 'writable';
}

/** What is wrong; empty when all is well, and on a board with an ordinary root. */
function rootReasons(files: SystemFiles): Reason[] {
  const state = files.text(STATE);
  const why = settingIn('why', state);
  switch (settingIn('data', state)) {
    case 'absent':
      return [reasonOf('root-absent', { detail: why })];
    case 'repaired':
      return [reasonOf('root-repaired', {}, 'once done: sudo rm /run/laneware-root/data/repaired')];
    default:
  }
  if (why !== '') return [reasonOf('root-troubled', { detail: why })];
  return settingIn('root', state) === 'writable' ? [reasonOf('root-writable', {})] : [];
}

/** File that systemd-timesyncd makes at a time server's first answer after a start. */
const SYNCHRONISED = '/run/systemd/timesync/synchronized';
const CHIP = '/sys/class/rtc/rtc0/since_epoch';
/**
 * State of the watchdog, which restarts a machine whose kernel or systemd hangs
 * (systemd/system.conf.d/50-laneware.conf; CONFIG_WATCHDOG_SYSFS).
 */
const WATCHDOG_STATE = '/sys/class/watchdog/watchdog0/state';
const PROC = '/proc';
const PERCENT = 100;

/** Whether the watchdog is active; null without one, or where the kernel does not show it. */
function isWatchdogActive(files: SystemFiles): boolean | null {
  const state = files.text(WATCHDOG_STATE);
  return state === null ? null : state === 'active';
}

/** Guards of a lane that hangs or loses power; null for those that the board lacks. */
interface Guards {
  readonly watchdog: boolean | null;
  readonly writableRoot: boolean | null;
}

const UNWATCHED = reasonOf('board-unwatched', {});

const heldReason = ({ file, pid }: LockedDatabase): Reason => reasonOf('database-held', { file, pid });

export class Board {
  readonly #folder: string;
  readonly #version: string;
  readonly #clock: Pick<Clock, 'monotonic' | 'wall'>;
  readonly #storage: string | undefined;
  readonly #files: SystemFiles;
  readonly #supply: Supply;
  readonly #timer: NodeJS.Timeout;
  /** Databases of the folder that another program holds, by the last reading. */
  #held: readonly LockedDatabase[] = [];

  /**
   * @param folder of the data, on the storage to watch
   * @param clock its wall clock is the one by which the updater's files are dated
   * @param storage major and minor number of the storage, where given
   */
  constructor(
    folder: string,
    version: string,
    clock: Pick<Clock, 'monotonic' | 'wall'>,
    files = new SystemFiles(),
    storage?: string,
  ) {
    this.#folder = folder;
    this.#version = version;
    this.#clock = clock;
    this.#files = files;
    this.#storage = storage;
    this.#supply = new Supply(files, () => clock.monotonic());
    this.sample();
    this.#timer = setInterval(() => this.sample(), LOOK_MS).unref();
  }

  /** Reads the supply, whose states may last only a moment, and begins to read who holds the databases. */
  sample(): void {
    this.#supply.sample();
    void lockedDatabasesIn(this.#folder, this.#files.place(PROC)).then((held) => {
      this.#held = held;
    });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /**
   * Adds to `/health` the parts `disk`, `board` and `update`. They are never "failed": the updater would blame the
   * release, which is not at fault.
   */
  watch(health: HealthBoard): void {
    health.add('disk', () =>
      degradedBy(...rootReasons(this.#files), ...diskReasons(this.disk), ...this.#held.map(heldReason)),
    );
    health.add('board', () => degradedBy(...this.#boardReasons()));
    health.add('update', () => this.#updateVerdict());
  }

  count(metrics: Metrics): void {
    const disk = (name: string, help: string, read: (facts: DiskFacts) => number | null): void =>
      metrics.gauge(name, help, () => read(this.disk));
    disk(
      'laneware_disk_free_bytes',
      'Bytes that can still be written where the data lies',
      ({ freeBytes }) => freeBytes,
    );
    disk('laneware_disk_size_bytes', 'Bytes of the file system where the data lies', ({ totalBytes }) => totalBytes);
    disk('laneware_disk_written_bytes', 'Bytes written since the machine started', ({ writtenBytes }) => writtenBytes);
    disk(
      'laneware_disk_life_used_ratio',
      'Share of its life that the storage has used, at most',
      ({ lifeUsedPercent }) => (lifeUsedPercent === null ? null : lifeUsedPercent / PERCENT),
    );
    disk('laneware_disk_faults', 'Faults that the file system has met', ({ faults }) => faults);
    this.#countSupply(metrics);
    this.#countUpdates(metrics);
  }

  #countSupply(metrics: Metrics): void {
    const flag = (value: boolean | null): number | null => (value === null ? null : Number(value));
    const supply = (name: string, help: string, read: () => number | null): void => metrics.gauge(name, help, read);
    supply('laneware_temperature_celsius', 'Of the hottest sensor of the board', () => this.#supply.facts.temperatureC);
    supply('laneware_undervoltage', "1 while the supply's voltage is too low", () => flag(this.#supply.facts.isLow));
    supply(
      'laneware_undervoltage_times',
      'So often it became too low since the start',
      () => this.#supply.facts.timesLow,
    );
    supply('laneware_throttled', '1 while the board slows itself down', () => flag(this.#supply.facts.isSlowed));
    supply('laneware_throttled_times', 'So often it began to since the start', () => this.#supply.facts.timesSlowed);
    supply('laneware_watchdog_active', '1 while the watchdog of the board runs', () =>
      flag(isWatchdogActive(this.#files)),
    );
    supply('laneware_clock_synchronised', '1 once a time server has answered since the machine started', () =>
      Number(this.isSynchronised),
    );
  }

  /** The updater's report; null on a machine without one. */
  get update(): UpdateFacts | null {
    return updateFacts(this.#files, this.#version);
  }

  get disk(): DiskFacts {
    return diskFacts(this.#folder, this.#files, this.#storage);
  }

  get supply(): SupplyFacts {
    return this.#supply.facts;
  }

  /** The board's name for itself; null for none. */
  get model(): string | null {
    return this.#files.text('/proc/device-tree/model')?.replaceAll('\0', '') ?? null;
  }

  /** Whether a time server has answered since the machine started. */
  get isSynchronised(): boolean {
    return this.#files.text(SYNCHRONISED) !== null;
  }

  /** Whether a chip with a battery keeps the time while the board is off. */
  get hasClockChip(): boolean {
    return this.#files.text(CHIP) !== null;
  }

  get guards(): Guards {
    return { watchdog: isWatchdogActive(this.#files), writableRoot: isRootWritable(this.#files) };
  }

  #countUpdates(metrics: Metrics): void {
    const update = (name: string, help: string, read: (facts: UpdateFacts) => number | null): void =>
      metrics.gauge(name, help, () => {
        const { update: facts } = this;
        return facts === null ? null : read(facts);
      });
    update('laneware_update_running', '1 while an update is under way', ({ doing }) => Number(doing !== 'idle'));
    update('laneware_releases_undone', 'Newer releases that were tried and undone', ({ undone }) => undone.length);
    update(
      'laneware_system_updated_seconds',
      'When the security updates of the system were installed last, since 1970',
      ({ systemAt }) => systemAt,
    );
    update(
      'laneware_release_ends',
      'So often the release has ended by itself in its present day',
      ({ endsToday }) => endsToday,
    );
  }

  #boardReasons(): Reason[] {
    // a machine without the updater is a developer's: its watchdog is not reported
    const isUnwatched = this.update !== null && isWatchdogActive(this.#files) === false;
    return [...this.#supply.reasons, ...(isUnwatched ? [UNWATCHED] : [])];
  }

  #updateVerdict(): Verdict {
    const { update } = this;
    if (update === null) return WELL;
    const { doing } = update;
    const now = this.#clock.wall();
    const reasons = updateReasons(update, now);
    if (reasons.length > 0) return degradedBy(...reasons);
    if (doing !== 'idle') return okWith(reasonOf('update-running', { doing }, doing));
    const waiting = putOffReason(update, now);
    return waiting === null ? WELL : okWith(waiting);
  }
}
