/**
 * The watchdog of the board restarts a machine whose kernel or systemd hangs; systemd feeds it where it is configured to
 * (systemd/system.conf.d/50-laneware.conf). sysfs shows whether it runs (CONFIG_WATCHDOG_SYSFS).
 */
import type { SystemFiles } from './system-files.ts';

const WATCHDOG = '/sys/class/watchdog/watchdog0';

export interface WatchdogFacts {
  readonly isActive: boolean;
  readonly timeoutSeconds: number | null;
}

/** Null where the board has none, or its kernel does not show it. */
export function watchdogFacts(files: SystemFiles): WatchdogFacts | null {
  const state = files.text(`${WATCHDOG}/state`);
  return state === null ? null : { isActive: state === 'active', timeoutSeconds: files.number(`${WATCHDOG}/timeout`) };
}
