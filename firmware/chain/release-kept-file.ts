/** As much of a file as has come so far, on the disk: its own head says what it is, and each process proves it anew. */
import { createHash } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { appendFile, open } from 'node:fs/promises';
import { isCode } from '../../drivers/lib/errors.ts';
import { ReleaseError } from './release-error.ts';

const PIECE_BYTES = 256 * 1024;

export class KeptFile {
  readonly #path: string;
  #have: number;

  /** Takes up what an earlier process has left. */
  constructor(path: string) {
    this.#path = path;
    this.#have = this.#size;
  }

  /** Bytes. */
  get have(): number {
    return this.#have;
  }

  async append(bytes: Uint8Array): Promise<void> {
    try {
      await appendFile(this.#path, bytes);
    } finally {
      // a full disk takes a part of them
      this.#have = this.#size;
    }
  }

  /** @throws {ReleaseError} `gone` where so much of it is not there (any more) */
  async read(offset: number, length: number): Promise<Buffer> {
    try {
      await using handle = await open(this.#path);
      const room = Buffer.alloc(length);
      let read = 0;
      while (read < length) {
        const { bytesRead } = await handle.read(room, read, length - read, offset + read);
        if (bytesRead === 0) throw new ReleaseError('gone', 'it is shorter than it was');
        read += bytesRead;
      }
      return room;
    } catch (cause) {
      if (!isCode(cause, 'ENOENT', 'EIO')) throw cause;
      throw new ReleaseError('gone', 'it cannot be read any more', { cause });
    }
  }

  /** SHA-256 of what follows an offset, in hexadecimal digits. @throws {ReleaseError} `gone` */
  async digest(from: number): Promise<string> {
    const hash = createHash('sha256');
    for (let at = from; at < this.#have; at += PIECE_BYTES)
      hash.update(await this.read(at, Math.min(PIECE_BYTES, this.#have - at)));
    return hash.digest('hex');
  }

  /** Starts over, and takes away whatever lies in its place. */
  discard(): void {
    this.#have = 0;
    rmSync(this.#path, { recursive: true, force: true });
  }

  get #size(): number {
    const found = statSync(this.#path, { throwIfNoEntry: false });
    return found?.isFile() === true ? found.size : 0;
  }
}
