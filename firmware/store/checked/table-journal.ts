/**
 * The journal of a table: every change a second time, outside of the database, so that a change which the database has
 * lost comes back. It is written right after the commit and synced while the program goes on. Where it cannot be
 * written, the table goes on, and the journal catches up when it can.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fdatasync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { isThere, setAside } from '../set-aside.ts';
import { syncFolder } from '../sync-folder.ts';
import { type JournalContent, previousFile } from './journal-content.ts';
import { headerLine, linesFor, MAX_JOURNAL_BYTES } from './journal-file.ts';
import type { Version } from './row.ts';

/** Room that is taken at once for the lines to come. */
const ROOM_BYTES = 64 * 1024;
/**
 * Changes within this time share one sync: the steps of one payment. Until then the database alone is on the disk. No
 * customer pays a code within a second after it is shown, and the bank is polled for an outcome again.
 */
const SYNC_AFTER_MS = 1000;
/** A longer file is put behind a new one, as soon as a copy of the table has what is in it. */
const LONG_BYTES = 1024 * 1024;
/** One that is longer gives way to a new one even so: a start could not read it. */
const LONGEST_BYTES = MAX_JOURNAL_BYTES / 2;

interface OpenFile {
  readonly handle: number;
  /** Checksum over all lines. */
  chain: string;
  /** Bytes of the lines. */
  end: number;
  /** Bytes of the file. */
  size: number;
  /** Bytes that are known to be on the disk. */
  synced: number;
}

interface TableJournalOptions {
  readonly path: string;
  readonly tableId: number;
  /** What was found in the journal's files, which may be of another table. */
  readonly found: JournalContent;
  /** Wall clock in milliseconds, for the names of what is set aside. */
  readonly now: number;
}

export class TableJournal {
  readonly #path: string;
  readonly #tableId: number;
  #file: OpenFile | null = null;
  #head: number;
  /** Where the present file ends, while it is not open. */
  #left: { readonly chain: string; readonly end: number };
  #problem: string | null = null;
  #failures = 0;
  #timer: NodeJS.Timeout | null = null;
  /** The file that is being synced beside the present work. */
  #syncing: OpenFile | null = null;
  #isOver = false;

  /** Goes on behind what was found, or starts over where that is damaged or another table's. Never fails: see `problem`. */
  constructor({ path, tableId, found, now }: TableJournalOptions) {
    this.#path = path;
    this.#tableId = tableId;
    const content = found.of(tableId);
    this.#head = content.head;
    this.#left = content.current.header === null ? { chain: content.before.chain, end: 0 } : content.current;
    const isAnothers = content !== found;
    this.#attempt(() => {
      if (found.before.damaged || isAnothers) moveAway(previousFile(path), now);
      if (found.current.damaged || isAnothers) moveAway(path, now);
      if (existsSync(path)) this.#file = this.#resume();
    });
  }

  /** Number of the last change that is in it. */
  get head(): number {
    return this.#head;
  }

  /** Why it is not all in it; null when it is. */
  get problem(): string | null {
    return this.#problem;
  }

  /** How often it could not be written or synced. */
  get failures(): number {
    return this.#failures;
  }

  /** Whether it has grown so much that a new file should be begun. */
  get isLong(): boolean {
    return (this.#file?.end ?? 0) > LONG_BYTES;
  }

  /** @param versions in the order of their changes. Never fails: where it cannot be written, `head` stays behind. */
  append(versions: readonly Version[]): void {
    const last = versions.at(-1);
    if (last === undefined || this.#isOver) return;
    this.#attempt(() => {
      if ((this.#file?.end ?? 0) > LONGEST_BYTES) this.#rotate();
      this.#file ??= existsSync(this.#path) ? this.#resume() : this.#begin();
      const { text, chain } = linesFor(versions, this.#file.chain);
      write(this.#file, text);
      this.#file.chain = chain;
      this.#head = last.change;
      this.#timer ??= setTimeout(() => this.#sync(), SYNC_AFTER_MS).unref();
    });
  }

  /** Begins a new file; the one before the present goes. Every copy of the table must have what is in that. */
  rotate(): void {
    this.#attempt(() => this.#rotate());
  }

  /** Begins a new file that does not go on from the present one: only what comes from now on is known to be complete. */
  startUnchained(): void {
    this.#attempt(() => {
      this.#leave();
      this.#left = { ...this.#left, chain: randomUUID() };
      this.#file = this.#begin();
    });
  }

  close(): void {
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#attempt(() => this.#leave());
  }

  #attempt(work: () => void): void {
    try {
      work();
      this.#problem = null;
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#problem = messageOf(error);
    this.#failures += 1;
  }

  /** Where it fails, the next change goes on in the present file. */
  #rotate(): void {
    this.#leave();
    this.#file = this.#begin();
  }

  #resume(): OpenFile {
    const { chain, end } = this.#left;
    // what lies behind the end is written over: a line that was cut short
    return { handle: openSync(this.#path, 'r+'), chain, end, size: end, synced: end };
  }

  /** The new file is whole before the present one takes the place of the one before. */
  #begin(): OpenFile {
    const { chain } = this.#left;
    const unfinished = unfinishedOf(this.#path);
    rmSync(unfinished, { force: true, recursive: true });
    const file: OpenFile = { handle: openSync(unfinished, 'wx', 0o600), chain, end: 0, size: 0, synced: 0 };
    try {
      write(file, headerLine({ tableId: this.#tableId, after: this.#head, chain }));
      fsyncSync(file.handle);
      file.synced = file.end;
      if (existsSync(this.#path)) renameSync(this.#path, previousFile(this.#path));
      renameSync(unfinished, this.#path);
      syncFolder(dirname(this.#path));
    } catch (error) {
      closeSync(file.handle);
      throw error;
    }
    return file;
  }

  #leave(): void {
    const file = this.#file;
    this.#file = null;
    if (file === null) return;
    this.#left = file;
    try {
      fsyncSync(file.handle);
    } finally {
      if (this.#syncing !== file) closeSync(file.handle);
    }
  }

  /** Beside the present work: a payment does not wait for it, since the database has been synced already. */
  #sync(): void {
    this.#timer = null;
    const file = this.#file;
    if (file === null || this.#syncing !== null) return;
    this.#syncing = file;
    const { end } = file;
    fdatasync(file.handle, (error) => {
      this.#syncing = null;
      file.synced = end;
      if (error !== null) this.#failed(error);
      if (this.#file !== file) closeSync(file.handle);
      if (this.#file !== null && this.#file.end > this.#file.synced) this.#sync();
    });
  }
}

const unfinishedOf = (path: string): string => `${path}.new`;

const moveAway = (path: string, now: number): void => {
  if (isThere(path)) setAside(path, now);
};

function writeWhole(handle: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(handle, bytes, done, bytes.length - done, position + done);
}

function write(file: OpenFile, text: string): void {
  const bytes = Buffer.from(text);
  if (file.end + bytes.length > file.size) {
    const room = Buffer.alloc(Math.ceil(bytes.length / ROOM_BYTES) * ROOM_BYTES);
    writeWhole(file.handle, room, file.end);
    file.size = file.end + room.length;
  }
  writeWhole(file.handle, bytes, file.end);
  file.end += bytes.length;
}
