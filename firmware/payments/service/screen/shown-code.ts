/** Records for the next process of this boot which code is on the display. */
import { BootNote } from '../../../core/files/index.ts';
import type { Clock } from '../../../core/host/index.ts';

const NOTE_BYTES = 128;

export class ShownCode {
  readonly #note: BootNote;

  constructor(path: string, clock: Pick<Clock, 'bootId'>) {
    this.#note = new BootNote(path, clock, NOTE_BYTES);
  }

  /** @throws {Error} of the file system */
  save(orderId: string): void {
    this.#note.write(orderId);
  }

  /** @throws {Error} of the file system */
  forget(): void {
    this.#note.forget();
  }

  /** Whether the code of this payment was on the display when a process of this boot ended. */
  was(orderId: string): boolean {
    return this.#note.read() === orderId;
  }
}
