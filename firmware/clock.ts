/**
 * Time on a device without a battery-backed clock. Limits run on the monotonic clock; the wall clock, which may be years
 * off at boot, never goes below what is known to have been.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Clock {
  /** Milliseconds since 1970, never below the floor. */
  wall(): number;
  /** Milliseconds that no clock setting changes; comparable between processes of one boot. */
  monotonic(): number;
  /** Names the boot that monotonic times belong to. */
  readonly bootId: string;
}

const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';

function readBootId(): string {
  try {
    return readFileSync(BOOT_ID_FILE, 'utf8').trim();
  } catch {
    return randomUUID(); // no such file but on Linux: there each process counts as a boot of its own
  }
}

export class SystemClock implements Clock {
  readonly bootId = readBootId();
  #floor: number;

  /** @param floor latest wall time that is known to have passed (build date, last saved), milliseconds since 1970 */
  constructor(floor: number) {
    this.#floor = floor;
  }

  raiseFloor(wall: number): void {
    this.#floor = Math.max(this.#floor, wall);
  }

  wall(): number {
    return Math.max(Date.now(), this.#floor);
  }

  monotonic(): number {
    return Number(process.hrtime.bigint() / 1_000_000n);
  }
}
