/**
 * The base of the process: clock, log, health, metrics, identity, systemd. Each part of a device reports its state
 * here, and `/health` consists of these reports. The clock never goes below a stored time.
 */
export { CertainTime } from './certain-time.ts';
export {
  type Clock,
  certainTime,
  LATEST_TIME,
  LastTime,
  machineTime,
  pauseBy,
  SystemClock,
  type Timekeeper,
  watchClock,
} from './clock.ts';
export { countHealth, countLosses } from './count-health.ts';
export {
  degradedBy,
  failed,
  HEALTH_EXAMPLE,
  HealthBoard,
  type HealthReport,
  HealthReportSchema,
  okWith,
  type PartHealth,
  type Verdict,
  WELL,
} from './health.ts';
export { DeviceRefusal, type Host, HostError, type HostErrorCode } from './host.ts';
export { createLog, type Log, type LogLine, type LogSink } from './log.ts';
export { LogOutput } from './log-output.ts';
export { KEPT_LINES, LEVELS, LOG_PARTS, type LogPart, LogRing } from './log-ring.ts';
export { Metrics } from './metrics.ts';
export type { OwnFailures, Work } from './own-failures.ts';
export { serialNumber } from './serial-number.ts';
export { MAX_SHOP_CHARACTERS, Shop, ShopSchema } from './shop.ts';
export { ALPHABET, inGroups, randomCharacters, readCharacters } from './spoken-code.ts';
export { superviseBySystemd } from './supervision.ts';
export { openHost } from './systemd-host.ts';
export { adoptZone, zoneNow } from './zone.ts';
