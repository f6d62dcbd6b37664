/**
 * Remembers which devices reported lately. Each process has a new name: a replaced name that comes back means a second
 * device, not a restart.
 */
import type { DeviceStatus } from './centre/centre.ts';

/** How long a conflict is reported after it was last seen. */
const CONFLICT_MS = 600_000;

/** How many names of a device's earlier processes are kept: one that changes its name all the time fills no memory. */
const KEPT_NAMES = 16;

interface Line {
  status: DeviceStatus;
  at: number;
  /** Names of earlier processes, the latest last. */
  replaced: readonly string[];
}

export class Roster {
  readonly #lines = new Map<string, Line>();
  readonly #conflicts = new Map<string, number>();

  /** @param now monotonic milliseconds @returns whether two devices use one credential */
  record(serial: string, status: DeviceStatus, now: number): boolean {
    const line = this.#lines.get(serial);
    if (line === undefined) {
      this.#lines.set(serial, { status, at: now, replaced: [] });
      return false;
    }
    const isBack = line.replaced.includes(status.instance);
    if (line.status.instance !== status.instance)
      line.replaced = [...line.replaced, line.status.instance].slice(-KEPT_NAMES);
    line.status = status;
    line.at = now;
    if (isBack) this.noteConflict(serial, now);
    return isBack;
  }

  /** Notes that another device with this serial number has appeared. */
  noteConflict(serial: string, now: number): void {
    this.#conflicts.set(serial, now);
  }

  last(serial: string): { readonly status: DeviceStatus; readonly at: number } | null {
    return this.#lines.get(serial) ?? null;
  }

  /** Serial numbers that two devices have used lately. */
  conflicts(now: number): string[] {
    return [...this.#conflicts].filter(([, at]) => now - at < CONFLICT_MS).map(([serial]) => serial);
  }

  forget(serial: string): void {
    this.#lines.delete(serial);
    this.#conflicts.delete(serial);
  }
}
