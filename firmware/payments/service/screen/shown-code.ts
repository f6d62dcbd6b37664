/**
 * Notes for the next process which code is on the display. A note counts only within the same boot, so the file is
 * never synced: what a power cut loses is never read. It is overwritten in place: to make and remove a file for each
 * sale would have the file system write records of its own, which wear the card more than the sale does.
 */
import { closeSync, lstatSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { readPlainFileIfAny, temporaryFor, writeWhole } from '../../../core/files/index.ts';
import type { Clock } from '../../../core/host/index.ts';

const MAX_BYTES = 1024;
/** Bytes of a note, padded with blanks: each overwrites the one before. */
const NOTE_BYTES = 128;

export class ShownCode {
  readonly #path: string;
  readonly #clock: Pick<Clock, 'bootId'>;

  constructor(path: string, clock: Pick<Clock, 'bootId'>) {
    this.#path = path;
    this.#clock = clock;
  }

  /** @throws {Error} of the file system */
  save(orderId: string): void {
    this.#write(this.#noteOf(orderId));
  }

  /** @throws {Error} of the file system */
  forget(): void {
    if (lstatSync(this.#path, { throwIfNoEntry: false }) !== undefined) this.#write('');
  }

  /** Whether the code of this payment was on the display when a process of this boot ended. */
  was(orderId: string): boolean {
    try {
      return readPlainFileIfAny(this.#path, MAX_BYTES)?.toString().trimEnd() === this.#noteOf(orderId);
    } catch {
      return false; // what cannot be read is no note, and the payment is followed without it
    }
  }

  /** Writes a note. A new file is renamed into place: a pipe lying there would block a write. */
  #write(note: string): void {
    const text = note.padEnd(NOTE_BYTES);
    if (lstatSync(this.#path, { throwIfNoEntry: false })?.isFile() === true) {
      const handle = openSync(this.#path, 'r+');
      try {
        writeWhole(handle, Buffer.from(text), 0);
      } finally {
        closeSync(handle);
      }
      return;
    }
    const beside = temporaryFor(this.#path);
    writeFileSync(beside, text, { mode: 0o600 });
    renameSync(beside, this.#path);
  }

  #noteOf(orderId: string): string {
    return `${this.#clock.bootId} ${orderId}`;
  }
}
