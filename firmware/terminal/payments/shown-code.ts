/**
 * Which code is on the display, for the next process. It counts only within the same boot, so the file is written and
 * never synced: what a power cut loses is never read.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Clock } from '../../host/index.ts';
import { readPlainFileIfAny, temporaryFor } from '../../store/index.ts';

const MAX_BYTES = 1024;

export class ShownCode {
  readonly #path: string;
  readonly #clock: Pick<Clock, 'bootId'>;

  constructor(path: string, clock: Pick<Clock, 'bootId'>) {
    this.#path = path;
    this.#clock = clock;
  }

  /** Renamed into its place: a pipe that lies there would never take it. @throws {Error} of the file system */
  keep(orderId: string): void {
    const beside = temporaryFor(this.#path);
    writeFileSync(beside, this.#noteOf(orderId), { mode: 0o600 });
    renameSync(beside, this.#path);
  }

  /** @throws {Error} of the file system */
  forget(): void {
    rmSync(this.#path, { force: true });
  }

  /** Whether the code of this payment was on the display when a process of this boot ended. */
  was(orderId: string): boolean {
    try {
      return readPlainFileIfAny(this.#path, MAX_BYTES)?.toString() === this.#noteOf(orderId);
    } catch {
      return false; // what cannot be read is no note, and the payment is followed without it
    }
  }

  #noteOf(orderId: string): string {
    return `${this.#clock.bootId} ${orderId}`;
  }
}
