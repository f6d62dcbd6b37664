/** Whether the message server's disk is full, which the server reports late or never (docs/decisions/0061-stuck-server-restarted.md). */
import type { Log } from '../../core/host/index.ts';
import { freeBytes } from '../../core/store/index.ts';

/** Room for the largest template and what is written with it; with less room the disk counts as full. */
const LEAST_FREE_BYTES = 2 * 1024 * 1024;

const FULL =
  'storageFull: the disk of the master is full, so that no device can share what it learns: free some space (exports, packages), or put in a larger card';

export class RoomWatch {
  readonly #folder: string;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  /** Called when there is room again. */
  readonly #onRoom: () => void;
  #isFull = false;

  constructor(folder: string, log: Pick<Log, 'info' | 'warn'>, onRoom: () => void) {
    this.#folder = folder;
    this.#log = log;
    this.#onRoom = onRoom;
  }

  /** Checks the disk; null where there is room. */
  get problem(): string | null {
    this.look();
    return this.#isFull ? FULL : null;
  }

  /** Logs once that the disk is full, and once that it no longer is. */
  look(): void {
    const wasFull = this.#isFull;
    this.#isFull = freeBytes(this.#folder) < LEAST_FREE_BYTES;
    if (this.#isFull && !wasFull) this.#log.warn({ folder: this.#folder }, FULL);
    if (this.#isFull || !wasFull) return;
    this.#log.info({ folder: this.#folder }, 'the disk of the master has room again');
    this.#onRoom();
  }
}
