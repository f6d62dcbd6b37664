/**
 * Syncs the files of the message server to the disk. The server of Debian 12 writes a message into its file within milliseconds,
 * and syncs the file up to two minutes later. Syncing a file also covers what other processes wrote into it.
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

/** Null where the file no longer exists: the server removes files that it has emptied. */
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
  /** Inode, size and time of each file or folder when it was synced, by its path. */
  #synced = new Map<string, string>();
  readonly #keepMs: number;
  /** The place that the next sync covers, and since when its messages have been at the centre. */
  #pending: (Flushed & { readonly since: number }) | null = null;
  #onDisk: Flushed | null = null;

  /**
   * @param folder folder of everything that the server stores
   * @param keepMs how long a message must have been at the centre before it counts as written into its file
   */
  constructor(folder: string, keepMs: number) {
    this.#folder = folder;
    this.#keepMs = keepMs;
  }

  /** Number up to which all messages are on the disk; null where it is not known. */
  get flushed(): Flushed | null {
    return this.#onDisk;
  }

  /** Records a state of the bucket. @param now monotonic milliseconds */
  record({ created, last }: Flushed, now: number): void {
    if (this.#onDisk?.created !== created) this.#onDisk = { created, last: 0 };
    const isPending = this.#pending?.created === created && this.#pending.last <= last;
    if (this.#onDisk.last < last && !isPending) this.#pending = { created, last, since: now };
  }

  /** Milliseconds until the next sync is due; null where nothing is to be synced. */
  due(now: number): number | null {
    return this.#pending === null ? null : Math.max(0, this.#pending.since + this.#keepMs - now);
  }

  /**
   * Syncs the changed files where that is due.
   * @returns whether more is on the disk than before
   * @throws the file system's error
   */
  async flush(now: number): Promise<boolean> {
    const coming = this.#pending;
    if (coming === null || this.due(now) !== 0) return false;
    this.#pending = { ...coming, since: now }; // where the sync fails, it is tried again after `keepMs`
    await this.#sync(this.#folder);
    this.#pending = null;
    if (this.#onDisk?.created !== coming.created) return false;
    this.#onDisk = { created: coming.created, last: coming.last };
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
    const state = await unlessGone(async () => {
      const { ino, size, mtimeNs } = await stat(path, { bigint: true });
      return `${ino} ${size} ${mtimeNs}`;
    });
    if (state === null) this.#synced.delete(path);
    else if (state !== this.#synced.get(path)) {
      await unlessGone(async () => {
        await using file = await open(path);
        await file.datasync();
      });
      this.#synced.set(path, state);
    }
  }
}
