/**
 * Remembers the last status of each device, on the master. Each process of a device has a new instance id: a replaced
 * id that comes back means that two devices use one credential, and not a restart.
 */
import type { DeviceStatus } from './centre/centre.ts';

/** How long a conflict is reported after it was last seen. */
const CONFLICT_MS = 600_000;

/**
 * Most ids of earlier processes that are remembered for a device: one that changes its id all the time must not fill
 * the memory.
 */
const MOST_IDS = 16;

interface Listed {
  status: DeviceStatus;
  at: number;
  /** Instance ids of earlier processes, the latest last. */
  replaced: readonly string[];
}

export class Roster {
  readonly #devices = new Map<string, Listed>();
  readonly #conflicts = new Map<string, number>();

  /** Records a status. @param now monotonic milliseconds @returns whether two devices use one credential */
  record(serial: string, status: DeviceStatus, now: number): boolean {
    const line = this.#devices.get(serial);
    if (line === undefined) {
      this.#devices.set(serial, { status, at: now, replaced: [] });
      return false;
    }
    const isBack = line.replaced.includes(status.instance);
    if (line.status.instance !== status.instance)
      line.replaced = [...line.replaced, line.status.instance].slice(-MOST_IDS);
    line.status = status;
    line.at = now;
    if (isBack) this.recordConflict(serial, now);
    return isBack;
  }

  /** Records that another device with this serial number has appeared. */
  recordConflict(serial: string, now: number): void {
    this.#conflicts.set(serial, now);
  }

  last(serial: string): { readonly status: DeviceStatus; readonly at: number } | null {
    return this.#devices.get(serial) ?? null;
  }

  /** Serial numbers that two devices have used lately. */
  conflicts(now: number): string[] {
    return [...this.#conflicts].filter(([, at]) => now - at < CONFLICT_MS).map(([serial]) => serial);
  }

  forget(serial: string): void {
    this.#devices.delete(serial);
    this.#conflicts.delete(serial);
  }
}
