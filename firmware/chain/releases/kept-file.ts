/** As much of a file as has come so far, on the disk, with a note beside it that names the whole file. */
import { createHash, randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import Type, { type Static } from 'typebox';
import { isCode } from '../../../drivers/lib/errors.ts';
import { fits, isStoreError, readPlainFileIfAny, replaceFile } from '../../store/index.ts';
import { ReleaseError } from './release-error.ts';
import type { Stated } from './release-file.ts';

const MAX_NOTE_BYTES = 8192;
const PIECE_BYTES = 256 * 1024;

const Note = Type.Object({
  url: Type.String(),
  total: Type.Integer({ minimum: 1 }),
  /** What the web server says by which it knows the file again. */
  validator: Type.Union([Type.String(), Type.Null()]),
  /** Another one whenever the bytes may be others. */
  tag: Type.String(),
  /** Whether all is there, and is what the file says of itself. */
  isWhole: Type.Boolean(),
});
type Note = Readonly<Static<typeof Note>>;

function readNote(path: string): Note | null {
  try {
    const note: unknown = JSON.parse(readPlainFileIfAny(path, MAX_NOTE_BYTES)?.toString() ?? 'null');
    return fits(Note, note) ? note : null;
  } catch (error) {
    if (error instanceof SyntaxError || isStoreError(error, 'NOT_PLAIN', 'TOO_LARGE')) return null;
    throw error;
  }
}

export class KeptFile {
  readonly #path: string;
  readonly #url: string;
  #note: Note | null;
  #have = 0;

  /** Takes up what an earlier process has left of the same address. */
  constructor(path: string, url: string) {
    this.#path = path;
    this.#url = url;
    this.#note = readNote(this.#notePath);
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const { url: from = null, total = 0, isWhole = false } = this.#note ?? {};
    if (from !== url || size > total || (isWhole && size !== total)) this.discard();
    else this.#have = size;
  }

  get have(): number {
    return this.#have;
  }

  /** Null before the first bytes have come. */
  get note(): Note | null {
    return this.#note;
  }

  /** @throws {ReleaseError} `gone` where there is nothing of it */
  requireNote(): Note {
    if (this.note === null) throw new ReleaseError('gone', 'it was thrown away');
    return this.note;
  }

  get isWhole(): boolean {
    return this.#note?.isWhole === true;
  }

  /** Whether what a server sends goes on with what is here. */
  goesOn({ start, total, validator }: { start: number; total: number; validator: string | null }): boolean {
    const note = this.#note;
    if (note === null || start !== this.#have || total !== note.total) return false;
    return note.validator === null || validator === null || note.validator === validator;
  }

  /** Starts over. */
  begin({ total, validator }: Pick<Note, 'total' | 'validator'>): void {
    this.discard();
    this.#write({ total, validator, url: this.#url, tag: randomUUID(), isWhole: false });
  }

  /** For {@link append}. */
  async openToAppend(): Promise<FileHandle> {
    return await open(this.#path, this.#have === 0 ? 'w' : 'r+');
  }

  async append(handle: FileHandle, bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, this.#have);
      done += bytesWritten;
      this.#have += bytesWritten;
    }
  }

  /** @throws {ReleaseError} `gone` where it cannot be read (any more) */
  async read(offset: number, length: number): Promise<Buffer> {
    const tag = this.#note?.tag;
    try {
      await using handle = await open(this.#path);
      const room = Buffer.alloc(length);
      let read = 0;
      while (read < length) {
        const { bytesRead } = await handle.read(room, read, length - read, offset + read);
        if (bytesRead === 0) break;
        read += bytesRead;
      }
      if (read === length && this.#note?.tag === tag) return room;
    } catch (cause) {
      if (!isCode(cause, 'ENOENT', 'EIO')) throw cause;
      throw new ReleaseError('gone', 'it cannot be read any more', { cause });
    }
    throw new ReleaseError('gone', 'it is shorter than it was, or another one by now');
  }

  /** Whether all of it is what it says of itself. */
  async isAsStated({ bytes, payloadOffset, digest }: Stated): Promise<boolean> {
    if (this.#have !== bytes) return false;
    const hash = createHash('sha256');
    for (let at = payloadOffset; at < bytes; at += PIECE_BYTES)
      hash.update(await this.read(at, Math.min(PIECE_BYTES, bytes - at)));
    return hash.digest('hex') === digest;
  }

  /** All is there and right: from now on that is believed, over a power cut too. */
  async seal(): Promise<void> {
    await using handle = await open(this.#path, 'r+');
    await handle.datasync();
    if (this.#note !== null) this.#write({ ...this.#note, isWhole: true });
  }

  discard(): void {
    this.#have = 0;
    this.#note = null;
    for (const path of [this.#notePath, this.#path]) rmSync(path, { recursive: true, force: true });
  }

  get #notePath(): string {
    return `${this.#path}.json`;
  }

  #write(note: Note): void {
    replaceFile(this.#notePath, JSON.stringify(note));
    this.#note = note;
  }
}
