import { writeSync } from 'node:fs';

/**
 * Writes all bytes: a write that fills the disk takes a part of them without an error, and the next one fails.
 * @param position in the file; null: its present position
 * @throws the file system's error; a part may be written then
 */
export function writeWhole(handle: number, bytes: Uint8Array, position: number | null): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(handle, bytes, done, bytes.length - done, position === null ? null : position + done);
}
