/**
 * A note for the next process of the same boot. The file is never synced: what a power cut loses is never read. It is
 * overwritten in place: to make and remove a file for each sale would have the file system write records of its own,
 * which wear the card more than the sale does.
 */
import { closeSync, lstatSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { temporaryFor } from './durable-file.ts';
import { readPlainFileIfAny } from './plain-file.ts';
import { writeWhole } from './write-whole.ts';

export class BootNote {
  readonly #path: string;
  readonly #bootId: string;
  readonly #bytes: number;

  /** @param bytes of the longest note: each is padded with blanks, and overwrites the one before */
  constructor(path: string, { bootId }: { readonly bootId: string }, bytes: number) {
    this.#path = path;
    this.#bootId = bootId;
    this.#bytes = bytes;
  }

  /** The text that a process of this boot has written last; null for none, and where it cannot be read. */
  read(): string | null {
    try {
      const note =
        readPlainFileIfAny(this.#path, 2 * this.#bytes)
          ?.toString()
          .trimEnd() ?? '';
      return note.startsWith(`${this.#bootId} `) ? note.slice(this.#bootId.length + 1) : null;
    } catch {
      return null; // what cannot be read is no note, and the work goes on without it
    }
  }

  /** @param text one that fits @throws {Error} of the file system; RangeError where it does not fit */
  write(text: string): void {
    this.#write(`${this.#bootId} ${text}`);
  }

  /** @throws {Error} of the file system */
  forget(): void {
    if (lstatSync(this.#path, { throwIfNoEntry: false }) !== undefined) this.#write('');
  }

  /** A new file is renamed into place: a pipe lying there would block a write. */
  #write(note: string): void {
    const bytes = Buffer.alloc(this.#bytes, ' ');
    const length = Buffer.byteLength(note);
    if (length > this.#bytes) throw new RangeError(`a note of ${length} bytes, where ${this.#bytes} fit`);
    bytes.write(note);
    if (lstatSync(this.#path, { throwIfNoEntry: false })?.isFile() === true) {
      const handle = openSync(this.#path, 'r+');
      try {
        writeWhole(handle, bytes, 0);
      } finally {
        closeSync(handle);
      }
      return;
    }
    const beside = temporaryFor(this.#path);
    writeFileSync(beside, bytes, { mode: 0o600 });
    renameSync(beside, this.#path);
  }
}
