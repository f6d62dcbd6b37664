/** The base of all parts of a device: configuration, data folder, clock, serial number, health, metrics and log. */
import { randomUUID } from 'node:crypto';
import { BUILD_TIME, VERSION } from '../../../drivers/lib/version.ts';
import { SECRET_FIELDS } from '../../banks/index.ts';
import { NetworkChoice } from '../../core/access/index.ts';
import type { DataDir } from '../../core/files/index.ts';
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
  serialNumber,
  type Timekeeper,
} from '../../core/host/index.ts';
import type { ServerOptions } from '../../core/http/index.ts';
import { lockAndRestore } from '../../features/backup/index.ts';
import type { MovableClock } from '../../recognition/index.ts';
import type { WholeConfig } from './config.ts';

export interface Base {
  readonly config: WholeConfig;
  /** The data folder, which this process has locked until `release`. */
  readonly dataDir: DataDir;
  readonly clock: MovableClock & Timekeeper;
  readonly serial: string;
  readonly version: string;
  /** Ports of both interfaces. A port that the system chooses is 0 until the device listens. */
  readonly ports: { terminal: number; recognition: number };
  readonly health: HealthBoard;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly logger: ServerOptions['logger'];
}

/** The base of a whole device. */
export interface OwnBase extends Base {
  readonly clock: SystemClock;
  readonly network: NetworkChoice<WholeConfig>;
}

/** Opens the log of a device, in which secrets of its settings are masked. */
export const openLog = (
  level: WholeConfig['log']['level'],
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
 * Opens the base, and finishes a prepared restore.
 * @param time source of the clock
 * @throws {StoreError} `DATA_DIR_BUSY` where another process has the data folder
 */
export function openBase(given: WholeConfig, log: ServerOptions['logger'], time: Timekeeper = machineTime()): OwnBase {
  const dataDir = lockAndRestore(given.dataDir, log);
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
