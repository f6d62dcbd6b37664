/**
 * One file of a release in the master's cache: fetched as far as somebody reads it, given to all who wait while it comes. Its last
 * byte is given when all of it is what the file says of itself, so that nobody ends up with a whole file that is damaged.
 */
import { pause, within } from '../../../drivers/lib/async.ts';
import { isOfStorage, writeFailure } from '../../store/write-failure.ts';
import { KeptFile } from './kept-file.ts';
import { ReleaseError, type ReleaseErrorCode } from './release-error.ts';
import { HEAD_BYTES, type Stated, statedIn } from './release-file.ts';
import type { FetchPart, WebPart } from './web-part.ts';

/** Whoever waits for longer goes to the web server himself. */
const WAIT_MS = 15_000;
const MOST_FRUITLESS = 5;
const AGAIN_MS = 1000;
/** After a failure, until it is tried again. */
const AFTER_FAILURE_MS = 60_000;
/** A file that turned out to be damaged, or was refused, is fetched from its beginning at most so often. */
export const ANEW_MS = 3_600_000;
/** Of a web server that has another file each time, or knows no ranges. */
const MOST_BEGUN = 4;
/** Between two looks at the room that is left. */
const LOOK_AFTER_BYTES = 1024 * 1024;

/** What may be over with the next attempt. */
const PASSING: ReadonlySet<ReleaseErrorCode> = new Set(['unreachable', 'gone']);

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

export interface CachedFileOptions {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly fetchPart: FetchPart;
  /** @throws {ReleaseError} `no-room` where so many bytes more must not come */
  readonly requireRoom: (bytes: number) => void;
  readonly monotonic: () => number;
  readonly onFetched: (bytes: number) => void;
  readonly onFailure: (error: unknown) => void;
  readonly waitMs?: number;
  readonly againMs?: number;
}

export class CachedFile {
  readonly #options: CachedFileOptions;
  readonly #kept: KeptFile;
  readonly #closing = new AbortController();
  /** Readers that have had all of it: one that begins anew does not believe what it got. */
  readonly #finished = new Set<string>();
  #waiters: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];
  #wantsAll = false;
  #filling: Promise<void> | null = null;
  #judging: Promise<void> | null = null;
  /** When it was begun, for the first time in an hour, and how often since. */
  #begunAt = Number.NEGATIVE_INFINITY;
  #begun = 0;
  #failure: { readonly error: ReleaseError; readonly until: number } | null = null;

  constructor(options: CachedFileOptions) {
    this.#options = options;
    this.#kept = new KeptFile(options.path, options.url);
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
    if (!isHead) this.#wantsAll = true;
    const { waitMs = WAIT_MS, monotonic } = this.#options;
    const end = monotonic() + waitMs;
    while (!this.#hasBehind(offset)) {
      const total = this.#kept.note?.total;
      if (total !== undefined && offset >= total) throw new ReleaseError('gone', 'there are fewer bytes than that');
      this.#begin();
      await this.#next(end - monotonic());
    }
    const { total, tag } = this.#requireNote();
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

  #requireNote() {
    const { note } = this.#kept;
    if (note === null) throw new ReleaseError('gone', 'it was thrown away');
    return note;
  }

  async #next(limitMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { resolve, reject };
    this.#waiters.push(waiter);
    try {
      await within(promise, Math.max(0, limitMs), () => new ReleaseError('slow', 'nothing has come in time'));
    } finally {
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
    }
  }

  #tell(how: (waiter: { resolve: () => void; reject: (error: unknown) => void }) => void): void {
    const waiting = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiting) how(waiter);
  }

  /** Has it come, where it does not already. @throws {ReleaseError} where that has failed a moment ago */
  #begin(): void {
    if (this.#closing.signal.aborted) throw this.#closing.signal.reason;
    if (this.#filling !== null) return;
    if (this.#failure !== null && this.#options.monotonic() < this.#failure.until) throw this.#failure.error;
    this.#failure = null;
    this.#filling = this.#fill().then(
      () => this.#over(null),
      (error: unknown) => this.#over(error),
    );
  }

  #over(error: unknown): void {
    this.#filling = null;
    if (error === null) {
      this.#tell(({ resolve }) => resolve());
      return;
    }
    const failure = failureOf(error);
    if (failure === null) {
      this.#options.onFailure(error);
      this.#tell(({ reject }) => reject(error));
      return;
    }
    this.#fail(failure);
    this.#tell(({ reject }) => reject(failure));
  }

  #fail(error: ReleaseError): void {
    if (this.#closing.signal.aborted) return;
    this.#options.onFailure(error);
    const now = this.#options.monotonic();
    // damaged once more, it would cross the line again for nothing
    const until = error.code === 'damaged' ? this.#begunAt + ANEW_MS : 0;
    this.#failure = { error, until: Math.max(until, now + AFTER_FAILURE_MS) };
  }

  get #isDone(): boolean {
    const { note, have, isWhole } = this.#kept;
    return isWhole || (!this.#wantsAll && note !== null && have >= Math.min(HEAD_BYTES, note.total - 1));
  }

  async #fill(): Promise<void> {
    const { againMs = AGAIN_MS } = this.#options;
    for (let fruitless = 0; !this.#isDone; ) {
      this.#closing.signal.throwIfAborted();
      const before = this.have;
      try {
        if (this.#kept.note?.total !== this.have) await this.#fetchOnce();
        if (this.#kept.note?.total === this.have) await this.#prove();
      } catch (error) {
        if (this.#closing.signal.aborted || !(error instanceof ReleaseError) || !PASSING.has(error.code)) throw error;
        if (error.code === 'gone') this.#kept.discard();
        fruitless = this.have > before ? 0 : fruitless + 1;
        if (fruitless === MOST_FRUITLESS) throw error;
        await pause(againMs, this.#closing.signal);
      }
    }
  }

  async #fetchOnce(): Promise<void> {
    const { url, fetchPart } = this.#options;
    const asksFor = this.#wantsAll;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#closing.signal]);
    const validator = this.#kept.note?.validator ?? null;
    const end = asksFor ? null : HEAD_BYTES - 1;
    try {
      const part = await fetchPart({ url, start: this.have, end, validator, signal });
      await this.#append(part, asksFor);
    } finally {
      stop.abort();
    }
  }

  #beginAnew(part: WebPart): void {
    const now = this.#options.monotonic();
    if (part.start !== 0) throw new ReleaseError('gone', 'the web server has another file by now');
    if (now - this.#begunAt >= ANEW_MS) {
      this.#begunAt = now;
      this.#begun = 0;
    }
    this.#begun += 1;
    this.#kept.discard();
    if (this.#begun > MOST_BEGUN) throw new ReleaseError('damaged', 'the web server has another file each time');
    this.#options.requireRoom(part.total);
    this.#kept.begin(part);
    this.#finished.clear();
  }

  async #append(part: WebPart, asksForAll: boolean): Promise<void> {
    const { requireRoom, onFetched } = this.#options;
    if (!this.#kept.goesOn(part)) this.#beginAnew(part);
    const limit = asksForAll ? part.total : Math.min(HEAD_BYTES, part.total);
    await using handle = await this.#kept.openToAppend();
    let judged = this.have >= HEAD_BYTES;
    let lookAt = this.have;
    try {
      for await (const bytes of part.body) {
        onFetched(bytes.length);
        if (this.have >= lookAt) requireRoom(part.total - this.have);
        lookAt = this.have >= lookAt ? this.have + LOOK_AFTER_BYTES : lookAt;
        await this.#kept.append(handle, bytes.subarray(0, limit - this.have));
        if (!judged && this.have >= Math.min(HEAD_BYTES, part.total)) judged = (await this.#stated()) !== null;
        this.#tell(({ resolve }) => resolve());
        if (this.have === limit) return;
      }
    } catch (cause) {
      if (cause instanceof ReleaseError || isOfStorage(cause)) throw cause;
      throw new ReleaseError('unreachable', 'the web server has hung up', { cause });
    }
    throw new ReleaseError('unreachable', 'the web server has hung up');
  }

  /** What its head says. @throws {ReleaseError} `damaged` where that is not true of it */
  async #stated(): Promise<Stated> {
    const { name, version } = this.#options;
    const { total } = this.#requireNote();
    const stated = statedIn(await this.#kept.read(0, Math.min(HEAD_BYTES, total)), name, version);
    if (stated?.bytes === total) return stated;
    this.#kept.discard();
    throw new ReleaseError('damaged', 'it is no file of this release, or not as long as it says');
  }

  async #prove(): Promise<void> {
    if (!(await this.#kept.isAsStated(await this.#stated()))) {
      this.#kept.discard();
      throw new ReleaseError('damaged', 'it is not what it says of itself');
    }
    await this.#kept.seal();
  }

  /** Whoever had all of it and begins anew has refused it: what is wrong, or old, is thrown away and fetched anew. */
  async #judgeReturn(reader: string): Promise<void> {
    if (this.#finished.delete(reader) && this.#kept.isWhole)
      this.#judging ??= this.#judge().finally(() => {
        this.#judging = null;
      });
    await this.#judging;
  }

  async #judge(): Promise<void> {
    try {
      await this.#prove();
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error;
      this.#kept.discard();
    }
    const isOld = this.#options.monotonic() - this.#begunAt >= ANEW_MS;
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
