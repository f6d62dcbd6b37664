/**
 * The watchdog of the board restarts a machine whose kernel or systemd hangs; systemd feeds it where it is configured to
 * (systemd/system.conf.d/50-laneware.conf). sysfs shows whether it runs (CONFIG_WATCHDOG_SYSFS).
 */
import type { SystemFiles } from './system-files.ts';

const WATCHDOG = '/sys/class/watchdog/watchdog0';

/** Null where the board has none, or its kernel does not show it. */
export function isWatchdogActive(files: SystemFiles): boolean | null {
  const state = files.text(`${WATCHDOG}/state`);
  return state === null ? null : state === 'active';
}
