/** The master as its store's cache of releases, bounded: each file that the chain offers is downloaded once for all devices. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import { freeBytes, makeFolder, writeFailure } from '../store/index.ts';
import { folderOf, type Offer } from './channel.ts';
import { type Asked, CachedFile, type CachedFileOptions, type Chunk } from './release-cached-file.ts';
import { ReleaseError } from './release-error.ts';
import { isKept } from './release-file.ts';

const MIB = 1024 * 1024;
/** Of two releases for two kinds of boards, as small and as whole files. */
const MOST_BYTES = 640 * MIB;
/** The master's own updater unpacks a release beside it, and the ledger and the templates must grow. */
const LEFT_FREE_BYTES = 768 * MIB;
const MOST_FILES = 16;
/** Devices that wait for a piece at one moment. */
const MOST_WAITING = 64;
/** As much as one message of the store carries with room to spare. */
export const CHUNK_BYTES = 256 * 1024;
/** Of a digest, for a name that no other address has. */
const NAME_DIGITS = 16;

export interface FileAsked extends Asked {
  readonly version: string;
  readonly name: string;
}

/** Where a device of a store reads a release from. */
export interface ReleaseSource {
  /** @throws {ReleaseError} */
  read(asked: FileAsked): Promise<Chunk>;
}

export interface ReleaseCacheOptions extends Pick<CachedFileOptions, 'monotonic' | 'waitMs' | 'againMs'> {
  readonly folder: string;
  /** Whether this device is the master of a store that has joined a chain. */
  readonly isOn: () => boolean;
  /** What the chain offers to whomever; null where that is not known. */
  readonly offers: () => readonly Offer[] | null;
  readonly mostBytes?: number;
  readonly leftFreeBytes?: number;
  /** Called with bytes that came from a web server, and that a device of the store got. */
  readonly onBytes: (direction: 'fetched' | 'served', count: number) => void;
  readonly log: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

export class ReleaseCache implements ReleaseSource {
  readonly #options: ReleaseCacheOptions;
  readonly #files = new Map<string, CachedFile>();
  readonly #tending = new SerialQueue();
  #waiting = 0;
  #isClosing = false;

  constructor(options: ReleaseCacheOptions) {
    this.#options = options;
  }

  /** What is offered, or this device's part in its store, may be another one: takes away what no device will ask for. */
  ask(): void {
    void this.#tending.run(() => this.#tend());
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#tending.idle();
    await Promise.all([...this.#files.values()].map((file) => file.close()));
  }

  async read(asked: FileAsked): Promise<Chunk> {
    if (this.#waiting >= MOST_WAITING) throw new ReleaseError('busy', 'too many devices ask at this moment');
    this.#waiting += 1;
    try {
      const chunk = await this.#fileOf(asked).read({ ...asked, length: Math.min(asked.length, CHUNK_BYTES) });
      this.#options.onBytes('served', chunk.data.length);
      return chunk;
    } catch (cause) {
      if (writeFailure(cause) === null) throw cause;
      throw new ReleaseError('no-room', 'the disk does not take it, or does not give it back', { cause });
    } finally {
      this.#waiting -= 1;
    }
  }

  #fileOf({ version, name }: FileAsked): CachedFile {
    const { isOn, offers, folder: root, monotonic, waitMs, againMs, onBytes, log } = this.#options;
    const offer = isOn() && !this.#isClosing ? offers()?.find((one) => one.version === version) : undefined;
    const folder = offer === undefined ? null : folderOf(offer);
    if (folder === null || !isKept(name, version))
      throw new ReleaseError('not-offered', 'the chain offers no such file at this moment');
    const place = join(root, placeOf(version, folder));
    const path = join(place, name);
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    this.#makePlace();
    makeFolder(place);
    const file = new CachedFile({
      ...{ path, name, version, monotonic, waitMs, againMs },
      url: `${folder}${name}`,
      requireRoom: (bytes) => this.#requireRoom(bytes),
      onFetched: (bytes) => onBytes('fetched', bytes),
      onFailure: (err) => log('a file of a release is not kept for the store', { err, version, name }),
    });
    this.#files.set(path, file);
    return file;
  }

  /** @throws {ReleaseError} `busy` */
  #makePlace(): void {
    if (this.#files.size < MOST_FILES) return;
    const [idle] = [...this.#files].find(([, file]) => file.isIdle) ?? [];
    if (idle === undefined) throw new ReleaseError('busy', 'too many files are asked for');
    this.#files.delete(idle);
  }

  #requireRoom(bytes: number): void {
    const { folder, mostBytes = MOST_BYTES, leftFreeBytes = LEFT_FREE_BYTES } = this.#options;
    const held = [...this.#files.values()].reduce((sum, file) => sum + file.have, 0);
    if (held + bytes > mostBytes) throw new ReleaseError('no-room', 'as much is kept as may be');
    if (freeBytes(folder) - bytes < leftFreeBytes)
      throw new ReleaseError('no-room', 'the rest of the disk is for what the device lives by');
  }

  async #tend(): Promise<void> {
    const { isOn, offers, folder, log } = this.#options;
    try {
      if (!existsSync(folder)) return;
      const offered = isOn() ? (offers() ?? []) : [];
      // a rollout on hold may continue: its files stay until another one is offered
      if (isOn() && offered.length === 0) return;
      const wanted = new Set(offered.map((offer) => placeOf(offer.version, folderOf(offer) ?? '')));
      await this.#forget(readdirSync(folder).filter((place) => !wanted.has(place)));
    } catch (err) {
      log('unneeded releases cannot be removed', { err });
    }
  }

  async #forget(places: readonly string[]): Promise<void> {
    for (const place of places) {
      const inside = join(this.#options.folder, place);
      for (const [path, file] of this.#files)
        if (path.startsWith(`${inside}/`)) {
          await file.close();
          this.#files.delete(path);
        }
      rmSync(inside, { recursive: true, force: true });
    }
  }
}

/** A folder of the cache: a release that is offered from elsewhere is another one. */
const placeOf = (version: string, url: string): string =>
  `${version}-${createHash('sha256').update(url).digest('hex').slice(0, NAME_DIGITS)}`;
