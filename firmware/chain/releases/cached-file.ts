/**
 * One file of a release in the master's cache: fetched as far as somebody reads it, given to all who wait while it comes. Its last
 * byte is given when all of it is what the file says of itself, so that no device ends up with a whole file that is damaged.
 */
import { writeFailure } from '../../store/index.ts';
import { ANEW_MS, Download, type DownloadOptions } from './download.ts';
import { KeptFile } from './kept-file.ts';
import { ReleaseError } from './release-error.ts';
import { HEAD_BYTES } from './release-file.ts';
import { Waiters } from './waiters.ts';

/** A device that waits for longer goes to the web server itself. */
const WAIT_MS = 15_000;
/** After a failure, until it is tried again. */
const AFTER_FAILURE_MS = 60_000;

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
  readonly path: string;
  readonly onFailure: (error: unknown) => void;
  readonly waitMs?: number;
}

export class CachedFile {
  readonly #options: CachedFileOptions;
  readonly #kept: KeptFile;
  readonly #download: Download;
  readonly #closing = new AbortController();
  /** Readers that have had all of it: one that starts over does not believe what it got. */
  readonly #finished = new Set<string>();
  readonly #waiters = new Waiters();
  #filling: Promise<void> | null = null;
  #judging: Promise<void> | null = null;
  #failure: { readonly error: ReleaseError; readonly until: number } | null = null;

  constructor(options: CachedFileOptions) {
    this.#options = options;
    this.#kept = new KeptFile(options.path, options.url);
    const onBegun = () => this.#finished.clear();
    this.#download = new Download({ ...options, onBegun, onKept: () => this.#waiters.goOn() }, this.#kept);
  }

  get url(): string {
    return this.#options.url;
  }

  /** Bytes of it on the disk. */
  get have(): number {
    return this.#kept.have;
  }

  /** Whether it is of no use at this moment. */
  get isIdle(): boolean {
    return this.have === 0 && this.#filling === null;
  }

  /** @throws {ReleaseError} */
  async read({ offset, length, reader }: Asked): Promise<Chunk> {
    const isHead = offset + length <= HEAD_BYTES;
    if (offset === 0 && !isHead) await this.#judgeReturn(reader);
    if (!isHead) this.#download.wantAll();
    const { waitMs = WAIT_MS, monotonic } = this.#options;
    const end = monotonic() + waitMs;
    while (!this.#hasBehind(offset)) {
      const total = this.#kept.note?.total;
      if (total !== undefined && offset >= total) throw new ReleaseError('gone', 'there are fewer bytes than that');
      this.#begin();
      await this.#waiters.next(end - monotonic());
    }
    const { total, tag } = this.#kept.requireNote();
    const data = await this.#kept.read(offset, Math.min(length, this.#readable - offset));
    if (length > 0 && offset + data.length === total) this.#finished.add(reader);
    return { data, total, tag };
  }

  async close(): Promise<void> {
    this.#closing.abort(new ReleaseError('gone', 'the cache is closed'));
    await this.#filling;
    await this.#judging;
  }

  /** Bytes that may be given. */
  get #readable(): number {
    const { note, have, isWhole } = this.#kept;
    return isWhole || note === null ? have : Math.min(have, note.total - 1);
  }

  #hasBehind(offset: number): boolean {
    return this.#kept.note !== null && offset < this.#readable;
  }

  /** Has it come, where it does not already. @throws {ReleaseError} where that has failed a moment ago */
  #begin(): void {
    if (this.#closing.signal.aborted) throw this.#closing.signal.reason;
    if (this.#filling !== null) return;
    if (this.#failure !== null && this.#options.monotonic() < this.#failure.until) throw this.#failure.error;
    this.#failure = null;
    this.#filling = this.#download.run(this.#closing.signal).then(
      () => this.#over(null),
      (error: unknown) => this.#over(error),
    );
  }

  #over(error: unknown): void {
    this.#filling = null;
    if (error === null) {
      this.#waiters.goOn();
      return;
    }
    const failure = failureOf(error);
    if (failure === null) {
      this.#options.onFailure(error);
      this.#waiters.fail(error);
      return;
    }
    this.#fail(failure);
    this.#waiters.fail(failure);
  }

  #fail(error: ReleaseError): void {
    if (this.#closing.signal.aborted) return;
    this.#options.onFailure(error);
    const now = this.#options.monotonic();
    // damaged again, it would cross the line again for nothing
    const until = error.code === 'damaged' ? this.#download.begunAt + ANEW_MS : 0;
    this.#failure = { error, until: Math.max(until, now + AFTER_FAILURE_MS) };
  }

  /** A reader that had all of it and starts over has refused it: what is wrong, or old, is thrown away and fetched again. */
  async #judgeReturn(reader: string): Promise<void> {
    if (this.#finished.delete(reader) && this.#kept.isWhole)
      this.#judging ??= this.#judge().finally(() => {
        this.#judging = null;
      });
    await this.#judging;
  }

  async #judge(): Promise<void> {
    try {
      await this.#download.prove();
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error;
      this.#kept.discard();
    }
    const isOld = this.#options.monotonic() - this.#download.begunAt >= ANEW_MS;
    if (isOld) this.#kept.discard();
    else if (!this.#kept.isWhole)
      this.#fail(new ReleaseError('damaged', 'it is damaged on the disk, and was fetched a short while ago'));
  }
}

function failureOf(error: unknown): ReleaseError | null {
  if (error instanceof ReleaseError) return error;
  if (writeFailure(error) === null) return null;
  return new ReleaseError('no-room', 'the disk does not take it', { cause: error });
}
