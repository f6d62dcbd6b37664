/**
 * Flushes the files of the message server to the disk. The server of Debian 12 writes a message into its file within
 * milliseconds, and flushes it up to two minutes later. `fsync` of a file also flushes what other processes wrote into it.
 */
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode } from '../../../drivers/lib/errors.ts';

export interface Flushed {
  /** Creation time of the bucket. */
  readonly created: string;
  /** Number of its latest message. */
  readonly last: number;
}

/** Null where the file is gone meanwhile: the server removes files that it has emptied. */
async function unlessGone<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
    return null;
  }
}

export class StoreKeeper {
  readonly #folder: string;
  /** State of each file or folder when it was synced, by its path. */
  #synced = new Map<string, string>();
  readonly #keepMs: number;
  #coming: (Flushed & { readonly since: number }) | null = null;
  #kept: Flushed | null = null;

  /**
   * @param folder folder of all that the server stores
   * @param keepMs how long a message must have been there before it counts as written into its file
   */
  constructor(folder: string, keepMs: number) {
    this.#folder = folder;
    this.#keepMs = keepMs;
  }

  /** Place up to which all is on the disk; null where none is known. */
  get flushed(): Flushed | null {
    return this.#kept;
  }

  note({ created, last }: Flushed, now: number): void {
    if (this.#kept?.created !== created) this.#kept = { created, last: 0 };
    const isComing = this.#coming?.created === created && this.#coming.last <= last;
    if (this.#kept.last < last && !isComing) this.#coming = { created, last, since: now };
  }

  /** Milliseconds until something is due to be synced; null where nothing is. */
  due(now: number): number | null {
    return this.#coming === null ? null : Math.max(0, this.#coming.since + this.#keepMs - now);
  }

  /** Syncs the files that are due. @returns whether more is on the disk than before @throws the file system's error */
  async flush(now: number): Promise<boolean> {
    const coming = this.#coming;
    if (coming === null || this.due(now) !== 0) return false;
    this.#coming = { ...coming, since: now }; // a disk that fails is tried again after a while
    await this.#sync(this.#folder);
    this.#coming = null;
    if (this.#kept?.created !== coming.created) return false;
    this.#kept = { created: coming.created, last: coming.last };
    return true;
  }

  async #sync(folder: string): Promise<void> {
    const entries = (await unlessGone(() => readdir(folder, { withFileTypes: true }))) ?? [];
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await this.#sync(path);
      else if (entry.isFile()) await this.#syncOne(path);
    }
    await this.#syncOne(folder);
  }

  async #syncOne(path: string): Promise<void> {
    const looks = await unlessGone(async () => {
      const { ino, size, mtimeNs } = await stat(path, { bigint: true });
      return `${ino} ${size} ${mtimeNs}`;
    });
    if (looks === null) this.#synced.delete(path);
    else if (looks !== this.#synced.get(path)) {
      await unlessGone(async () => {
        await using file = await open(path);
        await file.datasync();
      });
      this.#synced.set(path, looks);
    }
  }
}
