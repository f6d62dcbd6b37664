/** The base of every part of a device: configuration, folder, clock, name, and health. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { BUILD_TIME, VERSION } from '../../../drivers/lib/version.ts';
import { SECRET_FIELDS } from '../../banks/index.ts';
import { NetworkChoice } from '../../core/access/index.ts';
import type { Config } from '../../core/config/index.ts';
import { type DataDir, isOfStorage, StoreError, takeDataDir } from '../../core/files/index.ts';
import {
  createLog,
  HealthBoard,
  type Log,
  type LogPart,
  type LogRing,
  type LogSink,
  Metrics,
  machineTime,
  SystemClock,
  type Timekeeper,
} from '../../core/host/index.ts';
import type { ServerOptions } from '../../core/http/index.ts';
import { finishRestore, hasBegun } from '../../features/backup/index.ts';
import type { MovableClock } from '../../recognition/index.ts';

/** A Raspberry Pi's serial number, as its firmware puts it into the device tree. */
const SERIAL_FILE = '/proc/device-tree/serial-number';

/** The device's serial number: the configured one, else the board's, else the host's name. */
function serialNumber(configured: string | null): string {
  if (configured !== null) return configured;
  try {
    const serial = readFileSync(SERIAL_FILE, 'utf8').replaceAll('\0', '').trim();
    if (serial !== '') return serial;
  } catch {
    // no device tree: not a Raspberry Pi
  }
  return hostname();
}

export interface Base {
  readonly config: Config;
  /** The data folder, held by this process; `release` gives it up. */
  readonly dataDir: DataDir;
  readonly clock: MovableClock & Timekeeper;
  readonly serial: string;
  readonly version: string;
  /** Ports of both interfaces: one that the system chooses is known once it listens. */
  readonly ports: { terminal: number; recognition: number };
  readonly health: HealthBoard;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly logger: ServerOptions['logger'];
}

/** The base of a whole device. */
export interface OwnBase extends Base {
  readonly clock: SystemClock;
  readonly network: NetworkChoice;
}

/** Opens the log of a device, which never holds secrets of its settings. */
export const openLog = (
  level: Config['log']['level'],
  ring: LogRing | null = null,
  isForPerson = false,
  sink?: LogSink,
): ServerOptions['logger'] => createLog(level, SECRET_FIELDS, ring, isForPerson, sink);

/** The base for a part of the device, whose log lines name the part. */
export function partOf(base: Base, part: LogPart): Base {
  const log = base.logger.child({ part });
  return { ...base, log, logger: log };
}

/**
 * Takes the data folder and finishes a prepared restore. As long as nothing has changed, a failed restore does not stop
 * the lane from selling: the next start tries again.
 * @throws {StoreError}
 */
function takeOver(folder: string, log: ServerOptions['logger']): DataDir {
  const dataDir = takeDataDir(folder);
  try {
    finishRestore(dataDir.path);
  } catch (cause) {
    if (!isBegunIn(dataDir)) {
      log.error(
        { err: cause },
        'the backup is not put back: the device starts with what it has, and the next start tries it again',
      );
      return dataDir;
    }
    dataDir.release();
    if (!isOfStorage(cause)) throw cause;
    const message = `a backup cannot be put back in ${dataDir.path}: ${messageOf(cause)}; nothing is lost, and the next start goes on`;
    throw new StoreError('DATA_DIR_UNUSABLE', message, { cause });
  }
  return dataDir;
}

/** Whether a restore has begun; true also where the folder cannot be read. */
function isBegunIn({ path }: DataDir): boolean {
  try {
    return hasBegun(path);
  } catch (error) {
    if (!isOfStorage(error)) throw error;
    return true;
  }
}

/** @param time source of its clock @throws {StoreError} `DATA_DIR_BUSY` when another process holds the data folder */
export function openBase(given: Config, log: ServerOptions['logger'], time: Timekeeper = machineTime()): OwnBase {
  const dataDir = takeOver(given.dataDir, log);
  const network = new NetworkChoice(dataDir.file('network.json'), given);
  const { config } = network;
  const serial = serialNumber(config.serial);
  const instance = randomUUID();
  const ports = { terminal: config.terminal.port, recognition: config.recognition.port };
  return {
    config,
    network,
    dataDir,
    clock: new SystemClock(BUILD_TIME, time, (wall) =>
      log.warn({ wall }, 'a stored moment is too far ahead to be believed'),
    ),
    serial,
    version: VERSION,
    ports,
    health: new HealthBoard(() => ({
      version: VERSION,
      serial,
      instance,
      ports: { ...ports },
      uptimeSeconds: Math.round(process.uptime()),
    })),
    metrics: new Metrics(),
    log,
    logger: log,
  };
}
