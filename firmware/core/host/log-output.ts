/** Writes the log to the standard output. A lane works without that, and reports it in `/health`. */
import type { Writable } from 'node:stream';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { degradedBy, type HealthBoard, WELL } from './health.ts';
import { reasonOf } from './records.ts';

/** Bytes that may wait for a reader, a thousand lines; those after them are lost. */
const MOST_WAITING_BYTES = 256 * 1024;

export class LogOutput {
  readonly #stream: Writable;
  /** Why the last line was lost; null where it was written. */
  #trouble: string | null = null;

  /** @param stream has a listener for its errors */
  constructor(stream: Writable = process.stdout) {
    this.#stream = stream;
  }

  /** Never fails, and never waits. */
  write(text: string): void {
    if (this.#stream.writableLength > MOST_WAITING_BYTES) this.#trouble = 'nobody reads it';
    else
      this.#stream.write(text, (error) => {
        this.#trouble = error == null ? null : messageOf(error);
      });
  }

  watch(board: HealthBoard): void {
    board.add('log', () =>
      this.#trouble === null ? WELL : degradedBy(reasonOf('log-lost', { detail: this.#trouble })),
    );
  }
}
