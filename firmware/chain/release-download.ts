/** Fills a file of a release from the web server, as far as somebody wants it, and proves the whole by what its head says. */
import { pause } from '../../drivers/lib/async.ts';
import { isOfStorage } from '../store/index.ts';
import { ReleaseError, type ReleaseErrorCode } from './release-error.ts';
import { HEAD_BYTES, type Stated, statedIn } from './release-file.ts';
import { KeptFile } from './release-kept-file.ts';
import { fetchPart, type WebPart } from './web-part.ts';

const MOST_FRUITLESS = 5;
const AGAIN_MS = 1000;
/** Of a web server that has another file each time, or knows no ranges: so often is what has come thrown away. */
const MOST_THROWN_AWAY = 3;

/** What may be over with the next attempt. */
const PASSING: ReadonlySet<ReleaseErrorCode> = new Set(['unreachable', 'gone']);

export interface DownloadOptions {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly url: string;
  /** @throws {ReleaseError} `no-room` where so many bytes more must not come */
  readonly requireRoom: (bytes: number) => void;
  readonly monotonic: () => number;
  readonly onFetched: (bytes: number) => void;
  readonly againMs?: number | undefined;
}

export class Download {
  readonly #options: DownloadOptions;
  readonly #onKept: () => void;
  readonly #kept: KeptFile;
  #wantsAll = false;
  #stated: Stated | null = null;
  #isProven = false;
  #validator: string | null = null;
  #begunAt = Number.NEGATIVE_INFINITY;
  #thrownAway = 0;

  /** @param onKept more of it is on the disk */
  constructor(options: DownloadOptions, onKept: () => void) {
    this.#options = options;
    this.#onKept = onKept;
    this.#kept = new KeptFile(options.path);
  }

  /** Bytes of it on the disk. */
  get have(): number {
    return this.#kept.have;
  }

  /** What it says of itself; null before its head has come. Another object whenever the bytes may be others. */
  get stated(): Stated | null {
    return this.#stated;
  }

  /** Bytes that may be given: the last one when all of it is what it says of itself. */
  get readable(): number {
    if (this.#stated === null) return 0;
    return this.#isProven ? this.have : Math.min(this.have, this.#stated.bytes - 1);
  }

  /** When it was begun from its first byte. */
  get begunAt(): number {
    return this.#begunAt;
  }

  wantAll(): void {
    this.#wantsAll = true;
  }

  /** @throws {ReleaseError} `gone` where it is another one by now, or cannot be read */
  async read(stated: Stated, offset: number, length: number): Promise<Buffer> {
    const data = await this.#kept.read(offset, length);
    if (this.#stated !== stated) throw new ReleaseError('gone', 'it is another one by now');
    return data;
  }

  discard(): void {
    if (this.have > 0) this.#thrownAway += 1;
    this.#stated = null;
    this.#isProven = false;
    this.#kept.discard();
  }

  /** Until all that was asked for is here, and what all of it says of itself is true. @throws {ReleaseError} */
  async run(signal: AbortSignal): Promise<void> {
    const { againMs = AGAIN_MS } = this.#options;
    this.#thrownAway = 0;
    for (let fruitless = 0; !this.#isDone; ) {
      signal.throwIfAborted();
      const before = this.have;
      try {
        await this.#takeUp();
        if (this.#isDone) return;
        if (this.#stated?.bytes !== this.have) await this.#fetchOnce(signal);
        if (this.#stated?.bytes === this.have) await this.#prove(this.#stated);
      } catch (error) {
        if (signal.aborted || !(error instanceof ReleaseError) || !PASSING.has(error.code)) throw error;
        if (error.code === 'gone') this.discard();
        fruitless = this.have > before ? 0 : fruitless + 1;
        if (fruitless === MOST_FRUITLESS) throw error;
        await pause(againMs, signal);
      }
    }
  }

  get #isDone(): boolean {
    if (this.#stated === null) return false;
    const { bytes } = this.#stated;
    return this.readable >= (this.#wantsAll ? bytes : Math.min(HEAD_BYTES, bytes));
  }

  /** What an earlier process, or an attempt that was cut off before its head was whole, has left. */
  async #takeUp(): Promise<void> {
    if (this.#stated !== null || this.have === 0) return;
    this.#stated = await this.#readHead();
    if (this.#stated === null) this.discard();
  }

  async #fetchOnce(signal: AbortSignal): Promise<void> {
    const { url } = this.#options;
    const end = this.#wantsAll ? null : HEAD_BYTES - 1;
    const part = await fetchPart({ url, start: this.have, end, validator: this.#validator, signal });
    try {
      if (!this.#goesOn(part)) this.#beginAnew(part);
      this.#validator = part.validator;
      await this.#append(part, end === null ? part.total : Math.min(HEAD_BYTES, part.total));
    } finally {
      part.body.destroy();
    }
  }

  /** Whether what a server sends goes on with what is here. */
  #goesOn({ start, total, validator }: WebPart): boolean {
    if (start !== this.have || total !== this.#stated?.bytes) return false;
    return this.#validator === null || validator === null || this.#validator === validator;
  }

  #beginAnew({ start }: WebPart): void {
    if (start !== 0) throw new ReleaseError('gone', 'the web server has another file by now');
    this.discard();
    if (this.#thrownAway > MOST_THROWN_AWAY)
      throw new ReleaseError('damaged', 'the web server has another file each time');
    this.#begunAt = this.#options.monotonic();
  }

  async #append({ body, total }: WebPart, end: number): Promise<void> {
    const { requireRoom, onFetched } = this.#options;
    try {
      for await (const bytes of body) {
        onFetched(bytes.length);
        requireRoom(total - this.have);
        await this.#kept.append(bytes.subarray(0, end - this.have));
        if (this.#stated === null && this.have >= Math.min(HEAD_BYTES, total)) await this.#judgeHead(total);
        this.#onKept();
        if (this.have === end) return;
      }
    } catch (cause) {
      if (cause instanceof ReleaseError || isOfStorage(cause)) throw cause;
      throw new ReleaseError('unreachable', 'the web server has hung up', { cause });
    }
    throw new ReleaseError('unreachable', 'the web server has hung up');
  }

  async #readHead(): Promise<Stated | null> {
    const { name, version } = this.#options;
    return statedIn(await this.#kept.read(0, Math.min(HEAD_BYTES, this.have)), name, version);
  }

  /** @throws {ReleaseError} `damaged`, and it is thrown away */
  async #judgeHead(total: number): Promise<void> {
    this.#stated = await this.#readHead();
    if (this.#stated?.bytes === total) return;
    this.discard();
    throw new ReleaseError('damaged', 'it is no file of this release, or not as long as it says');
  }

  /** @throws {ReleaseError} `damaged`, and it is thrown away */
  async #prove({ payloadOffset, digest }: Stated): Promise<void> {
    this.#isProven = (await this.#kept.digest(payloadOffset)) === digest;
    if (this.#isProven) return;
    this.discard();
    throw new ReleaseError('damaged', 'it is not what it says of itself');
  }
}
