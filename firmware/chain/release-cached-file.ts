/**
 * One file of a release in the master's cache: fetched as far as somebody reads it, given to all who wait while it comes. Its last
 * byte is given when all of it is what the file says of itself, so that no device ends up with a whole file that is damaged.
 */
import { within } from '../../drivers/lib/async.ts';
import { Download, type DownloadOptions } from './release-download.ts';
import { ReleaseError } from './release-error.ts';
import { HEAD_BYTES } from './release-file.ts';

/** A device that waits for longer goes to the web server itself. */
const WAIT_MS = 15_000;
/** After a failure, until it is tried again. */
const AFTER_FAILURE_MS = 60_000;
/** A file that turned out to be damaged, or was refused, is fetched from its beginning at most so often. */
const ANEW_MS = 3_600_000;

export interface Chunk {
  readonly data: Buffer;
  /** Bytes of the whole file. */
  readonly total: number;
  /** Chunks with another one do not belong together. */
  readonly tag: string;
}

export interface Asked {
  readonly offset: number;
  /** Fewer may come, but at least one; 0: only how long the file is. */
  readonly length: number;
  /** Who asks: a device of the store. */
  readonly reader: string;
}

export interface CachedFileOptions extends DownloadOptions {
  readonly onFailure: (error: unknown) => void;
  readonly waitMs?: number | undefined;
}

export class CachedFile {
  readonly #options: CachedFileOptions;
  readonly #download: Download;
  readonly #closing = new AbortController();
  /** Readers that have had all of it: one that starts over has refused it. */
  readonly #finished = new Set<string>();
  /** Settles when there is more, or a failure. */
  #news = Promise.withResolvers<void>();
  #filling: Promise<void> | null = null;
  #failure: { readonly error: unknown; readonly until: number } | null = null;

  constructor(options: CachedFileOptions) {
    this.#options = options;
    this.#download = new Download(options, () => this.#goOn());
  }

  /** Bytes of it on the disk. */
  get have(): number {
    return this.#download.have;
  }

  /** Whether it is of no use at this moment. */
  get isIdle(): boolean {
    return this.have === 0 && this.#filling === null;
  }

  /** @throws {ReleaseError} @throws the file system's error */
  async read({ offset, length, reader }: Asked): Promise<Chunk> {
    const isHead = offset < HEAD_BYTES && offset + length <= HEAD_BYTES;
    if (offset === 0 && !isHead) this.#judgeReturn(reader);
    if (!isHead) this.#download.wantAll();
    const { stated, readable } = await this.#waitFor(offset);
    const data = await this.#download.read(stated, offset, Math.min(length, readable - offset));
    if (length > 0 && offset + data.length === stated.bytes) this.#finished.add(reader);
    return { data, total: stated.bytes, tag: stated.digest };
  }

  async close(): Promise<void> {
    this.#closing.abort(new ReleaseError('gone', 'the cache is closed'));
    await this.#filling;
  }

  /** Until something behind an offset may be given. @returns what the file then says of itself, and how far it is here */
  async #waitFor(offset: number) {
    const { waitMs = WAIT_MS, monotonic } = this.#options;
    const end = monotonic() + waitMs;
    for (;;) {
      const { stated, readable } = this.#download;
      if (stated !== null && offset < readable) return { stated, readable };
      if (stated !== null && offset >= stated.bytes) throw new ReleaseError('gone', 'there are fewer bytes than that');
      this.#begin();
      const slow = () => new ReleaseError('slow', 'nothing has come in time');
      await within(this.#news.promise, Math.max(0, end - monotonic()), slow);
    }
  }

  #goOn(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  /** Has it come, where it does not already. @throws what has failed a moment ago */
  #begin(): void {
    if (this.#closing.signal.aborted) throw this.#closing.signal.reason;
    if (this.#filling !== null) return;
    if (this.#failure !== null && this.#options.monotonic() < this.#failure.until) throw this.#failure.error;
    this.#filling = this.#fill();
  }

  async #fill(): Promise<void> {
    try {
      await this.#download.run(this.#closing.signal);
    } catch (error) {
      this.#fail(error);
    }
    this.#filling = null;
    this.#goOn();
  }

  #fail(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#options.onFailure(error);
    // damaged again, it would cross the line again for nothing
    const isDamaged = error instanceof ReleaseError && error.code === 'damaged';
    this.#failure = { error, until: this.#options.monotonic() + (isDamaged ? ANEW_MS : AFTER_FAILURE_MS) };
  }

  /** Who has refused it is led to the web server; after an hour that may have another one, and it is fetched anew for all. */
  #judgeReturn(reader: string): void {
    if (!this.#finished.has(reader)) return;
    if (this.#options.monotonic() - this.#download.begunAt < ANEW_MS)
      throw new ReleaseError('damaged', 'this reader has refused it, and it was fetched a short while ago');
    this.#finished.clear();
    this.#download.discard();
  }
}
