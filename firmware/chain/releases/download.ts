/**
 * What fills one file of a release from the web server, as far as somebody wants it: it goes on behind what is there, starts over where
 * the server has another file, and proves the whole by what its head says.
 */
import { pause } from '../../../drivers/lib/async.ts';
import { isOfStorage } from '../../store/index.ts';
import type { KeptFile } from './kept-file.ts';
import { ReleaseError, type ReleaseErrorCode } from './release-error.ts';
import { HEAD_BYTES, type Stated, statedIn } from './release-file.ts';
import type { FetchPart, WebPart } from './web-part.ts';

const MOST_FRUITLESS = 5;
const AGAIN_MS = 1000;
/** A file that turned out to be damaged, or was refused, is fetched from its beginning at most so often. */
export const ANEW_MS = 3_600_000;
/** Of a web server that has another file each time, or knows no ranges. */
const MOST_BEGUN = 4;
/** Between two looks at the room that is left. */
const LOOK_AFTER_BYTES = 1024 * 1024;

/** What may be over with the next attempt. */
const PASSING: ReadonlySet<ReleaseErrorCode> = new Set(['unreachable', 'gone']);

export interface DownloadOptions {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly fetchPart: FetchPart;
  /** @throws {ReleaseError} `no-room` where so many bytes more must not come */
  readonly requireRoom: (bytes: number) => void;
  readonly monotonic: () => number;
  readonly onFetched: (bytes: number) => void;
  readonly againMs?: number;
}

export interface DownloadEvents {
  /** It was begun from its first byte. */
  readonly onBegun: () => void;
  /** More of it is on the disk. */
  readonly onKept: () => void;
}

export class Download {
  readonly #options: DownloadOptions & DownloadEvents;
  readonly #kept: KeptFile;
  #wantsAll = false;
  /** When it was begun, for the first time in an hour, and how often since. */
  #begunAt = Number.NEGATIVE_INFINITY;
  #begun = 0;

  constructor(options: DownloadOptions & DownloadEvents, kept: KeptFile) {
    this.#options = options;
    this.#kept = kept;
  }

  get begunAt(): number {
    return this.#begunAt;
  }

  /** More than the head is wanted. */
  wantAll(): void {
    this.#wantsAll = true;
  }

  get #isDone(): boolean {
    const { note, have, isWhole } = this.#kept;
    return isWhole || (!this.#wantsAll && note !== null && have >= Math.min(HEAD_BYTES, note.total - 1));
  }

  /** Until all that was asked for is here, and what all of it says of itself is true. @throws {ReleaseError} */
  async run(signal: AbortSignal): Promise<void> {
    const { againMs = AGAIN_MS } = this.#options;
    for (let fruitless = 0; !this.#isDone; ) {
      signal.throwIfAborted();
      const before = this.#kept.have;
      try {
        if (this.#kept.note?.total !== this.#kept.have) await this.#fetchOnce(signal);
        if (this.#kept.note?.total === this.#kept.have) await this.prove();
      } catch (error) {
        if (signal.aborted || !(error instanceof ReleaseError) || !PASSING.has(error.code)) throw error;
        if (error.code === 'gone') this.#kept.discard();
        fruitless = this.#kept.have > before ? 0 : fruitless + 1;
        if (fruitless === MOST_FRUITLESS) throw error;
        await pause(againMs, signal);
      }
    }
  }

  async #fetchOnce(over: AbortSignal): Promise<void> {
    const { url, fetchPart } = this.#options;
    const asksFor = this.#wantsAll;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, over]);
    const validator = this.#kept.note?.validator ?? null;
    const end = asksFor ? null : HEAD_BYTES - 1;
    try {
      const part = await fetchPart({ url, start: this.#kept.have, end, validator, signal });
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
    this.#options.onBegun();
  }

  async #append(part: WebPart, asksForAll: boolean): Promise<void> {
    const { requireRoom, onFetched } = this.#options;
    if (!this.#kept.goesOn(part)) this.#beginAnew(part);
    const limit = asksForAll ? part.total : Math.min(HEAD_BYTES, part.total);
    await using handle = await this.#kept.openToAppend();
    let isHeadChecked = this.#kept.have >= HEAD_BYTES;
    let lookAt = this.#kept.have;
    try {
      for await (const bytes of part.body) {
        onFetched(bytes.length);
        if (this.#kept.have >= lookAt) requireRoom(part.total - this.#kept.have);
        lookAt = this.#kept.have >= lookAt ? this.#kept.have + LOOK_AFTER_BYTES : lookAt;
        await this.#kept.append(handle, bytes.subarray(0, limit - this.#kept.have));
        if (!isHeadChecked && this.#kept.have >= Math.min(HEAD_BYTES, part.total))
          isHeadChecked = (await this.#stated()) !== null;
        this.#options.onKept();
        if (this.#kept.have === limit) return;
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
    const { total } = this.#kept.requireNote();
    const stated = statedIn(await this.#kept.read(0, Math.min(HEAD_BYTES, total)), name, version);
    if (stated?.bytes === total) return stated;
    this.#kept.discard();
    throw new ReleaseError('damaged', 'it is no file of this release, or not as long as it says');
  }

  /** @throws {ReleaseError} `damaged`, and it is thrown away */
  async prove(): Promise<void> {
    if (!(await this.#kept.isAsStated(await this.#stated()))) {
      this.#kept.discard();
      throw new ReleaseError('damaged', 'it is not what it says of itself');
    }
    await this.#kept.seal();
  }
}
