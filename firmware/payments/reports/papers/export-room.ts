/**
 * The room of the folder of exports. What a person may still need is never removed for a new export: a full folder
 * refuses it. Other folders are other media, or a person's own.
 */
import { lstatSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

const MIB = 1024 * 1024;
/** A block of the file system: a file takes whole blocks, and at least one. */
const BLOCK_BYTES = 4096;

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { parentPath, name } of await opendir(folder, { recursive: true })) {
    const stat = lstatSync(join(parentPath, name), { throwIfNoEntry: false });
    if (stat?.isFile()) bytes += Math.max(1, Math.ceil(stat.size / BLOCK_BYTES)) * BLOCK_BYTES;
  }
  return bytes;
}

export class ExportRoom {
  readonly #folder: string;
  readonly #mostMb: number;
  /** Exports that are being written, which share what is free. */
  #running = 0;
  /** Bytes in the folder when the first of these exports began. */
  #used: Promise<number> = Promise.resolve(0);
  /** Bytes written since the folder was measured. */
  #written = 0;

  constructor(folder: string, mostMb: number) {
    this.#folder = folder;
    this.#mostMb = mostMb;
  }

  /**
   * Runs an export into the folder, which exists.
   * @param write calls `reserve` with the number of bytes before it writes them; `reserve` throws where they have no room
   * @throws {Error} `ENOSPC`
   */
  async while<T>(write: (reserve: (bytes: number) => void) => Promise<T>): Promise<T> {
    if (this.#running === 0) {
      this.#used = bytesIn(this.#folder);
      this.#written = 0;
    }
    this.#running += 1;
    try {
      const used = await this.#used;
      return await write((bytes) => this.#reserve(used, bytes));
    } finally {
      this.#running -= 1;
    }
  }

  #reserve(used: number, bytes: number): void {
    this.#written += bytes;
    if (used + this.#written <= this.#mostMb * MIB) return;
    const what = `exports may take ${this.#mostMb} MiB of the device: copy earlier ones from ${this.#folder}, and delete them`;
    throw Object.assign(new Error(what), { code: 'ENOSPC' });
  }
}
