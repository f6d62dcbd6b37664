/**
 * The journal of a book: each commit is written to it before it is acknowledged. Room is reserved ahead: a line then
 * costs one write and one flush, no change of the file's size, and can be written on a full disk.
 */
import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { identityOf, syncFolder, whereItCan, writeWhole } from '../files/index.ts';
import { dayOf, fileName, type JournalFile } from './journal-files.ts';
import { headText, type Place } from './journal-lines.ts';
import type { Tail } from './journal-tail.ts';

const ROOM_BYTES = 64 * 1024;
/** Reserves more room when less than this is left: some ten sales. */
const LEAST_ROOM_BYTES = ROOM_BYTES / 2;

interface OpenLog {
  readonly handle: number;
  readonly path: string;
  readonly identity: string | null;
  readonly day: string;
  /** Number of the commit before its beginning. */
  readonly after: number;
  /** Bytes of the lines; `size`: bytes of the file. */
  end: number;
  size: number;
}

export class Journal {
  readonly #folder: string;
  readonly #now: () => number;
  #log: OpenLog;
  /** Bytes of the last line. */
  #lastBytes = 0;

  /** Continues after a place, in its log or in a new one. @param now wall clock, ms @throws the file system's error */
  constructor(folder: string, place: Place, log: Tail['log'], now: () => number) {
    this.#folder = folder;
    this.#now = now;
    this.#log = log === null ? this.#begin(place) : resume(log);
  }

  /** Whether the log is still the file at its path. */
  get isInPlace(): boolean {
    return identityOf(this.#log.path) === this.#log.identity;
  }

  /**
   * Writes a line. The first line of a day begins a new file, also after the clock was set back: a day in the future
   * would never end. A file without lines is continued.
   * @param before the place of the book before the line; `isUrgent`: whether it must be on the disk on return
   * @throws the file system's error: nothing is written then
   */
  append(text: string, { before, isUrgent }: { readonly before: Place; readonly isUrgent: boolean }): void {
    const { day, after } = this.#log;
    if (dayOf(this.#now()) !== day && before.commit > after) this.#beginDay(before);
    const log = this.#log;
    const bytes = Buffer.from(text);
    if (log.end + bytes.length > log.size) reserveRoom(log, bytes.length);
    writeWhole(log.handle, bytes, log.end);
    if (isUrgent) this.#sync(bytes.length);
    log.end += bytes.length;
    this.#lastBytes = bytes.length;
    // on a full disk the room that is left is used up first
    if (log.size - log.end < LEAST_ROOM_BYTES) whereItCan(() => reserveRoom(log, 0));
  }

  /** Removes the last line, whose commit has failed. @throws the file system's error: the line may then still count */
  dropLastLine(): void {
    const log = this.#log;
    log.end -= this.#lastBytes;
    writeWhole(log.handle, Buffer.alloc(this.#lastBytes), log.end);
    fdatasyncSync(log.handle);
  }

  close(): void {
    whereItCan(() => fsyncSync(this.#log.handle));
    closeSync(this.#log.handle);
  }

  #sync(bytes: number): void {
    const { handle, end } = this.#log;
    try {
      fdatasyncSync(handle);
    } catch (error) {
      writeWhole(handle, Buffer.alloc(bytes), end); // the commit fails: its line must not be read later
      throw error;
    }
  }

  /** Begins the file of a new day. On a disk without room for it, the file of the day before is continued. */
  #beginDay(before: Place): void {
    const next = whereItCan(() => this.#begin(before));
    if (next === null) return;
    this.close();
    this.#log = next;
  }

  #begin(place: Place): OpenLog {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const day = dayOf(this.#now());
    const path = join(this.#folder, fileName(place.commit, day, 'log'));
    const unfinished = `${path}.tmp`;
    const handle = openSync(unfinished, 'w', 0o600);
    try {
      const head = Buffer.from(headText({ kind: 'lines', commit: place.commit, hash: place.hash }));
      writeWhole(handle, Buffer.concat([head, Buffer.alloc(ROOM_BYTES)]), 0);
      fsyncSync(handle);
      renameSync(unfinished, path);
      syncFolder(this.#folder);
      syncFolder(dirname(this.#folder));
      const [after, size] = [place.commit, head.length + ROOM_BYTES];
      return { handle, path, day, after, identity: identityOf(path), end: head.length, size };
    } catch (error) {
      closeSync(handle);
      throw error;
    }
  }
}

function resume({ file, end }: { readonly file: JournalFile; readonly end: number }): OpenLog {
  const handle = openSync(file.path, 'r+');
  const { size } = statSync(file.path);
  const log = { handle, path: file.path, identity: identityOf(file.path), day: file.day, after: file.after, end, size };
  if (log.size > end) writeWhole(handle, Buffer.alloc(log.size - end), end); // clears a line that was cut short
  return log;
}

function reserveRoom(log: OpenLog, bytes: number): void {
  const room = Math.ceil((log.end + bytes - log.size + ROOM_BYTES) / ROOM_BYTES) * ROOM_BYTES;
  writeWhole(log.handle, Buffer.alloc(room), log.size);
  fsyncSync(log.handle);
  log.size += room;
}
