/** Reserves free space for what the device itself must write: an incoming file never takes the last of it. */
import { freeBytes } from './write-failure.ts';

/** Free space that the device must keep. */
const LEAST_LEFT_BYTES = 64 * 1024 * 1024;
/** Bytes after which the free space is checked again. */
const CHECK_EVERY_BYTES = 8 * 1024 * 1024;

/** Refuses a file without room for it. @throws {Error} with the code of a full disk, before anything is written */
export function requireRoom(folder: string, bytes: number): void {
  const free = freeBytes(folder);
  if (free >= bytes + LEAST_LEFT_BYTES) return;
  const mib = (n: number): number => Math.ceil(n / (1024 * 1024));
  const what = `${mib(bytes + LEAST_LEFT_BYTES)} MiB are needed in ${folder}, and ${mib(free)} are free`;
  throw Object.assign(new Error(what), { code: 'ENOSPC', syscall: 'write' });
}

/** Passes on bytes of any number, as of an upload in chunks, while there is room for them. @throws as `requireRoom` */
export async function* whileThereIsRoom(bytes: AsyncIterable<Uint8Array>, folder: string): AsyncGenerator<Uint8Array> {
  let unchecked = CHECK_EVERY_BYTES;
  for await (const piece of bytes) {
    unchecked += piece.length;
    if (unchecked >= CHECK_EVERY_BYTES) {
      requireRoom(folder, unchecked);
      unchecked = 0;
    }
    yield piece;
  }
}
