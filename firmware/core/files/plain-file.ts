/** Reads files that may be anything: an endless device, a pipe without a writer, a file too large. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { isCode } from '../../../drivers/lib/errors.ts';
import { StoreError } from './errors.ts';

/** Flags: do not wait for a pipe, and do not take over a terminal. Windows knows neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const CHUNK_BYTES = 64 * 1024;

function requirePlainFile(file: Stats): void {
  if (file.isFile()) return;
  throw new StoreError('NOT_PLAIN', 'is no plain file (a folder, a device or a pipe)');
}

/** The pieces read so far: a file's stated size is not believed. */
class Pieces {
  readonly #maxBytes: number;
  readonly #pieces: Buffer[] = [];
  /** Bytes so far, which is the place of the next piece. */
  length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get room(): Buffer {
    return Buffer.alloc(Math.min(CHUNK_BYTES, this.#maxBytes + 1 - this.length));
  }

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.length += piece.length;
    if (this.length > this.#maxBytes) throw new StoreError('TOO_LARGE', `has more than ${this.#maxBytes} bytes`);
  }

  get whole(): Buffer {
    return Buffer.concat(this.#pieces, this.length);
  }
}

/** Reads a whole file. @throws {StoreError} `NOT_PLAIN`, `TOO_LARGE` @throws the file system's error */
export function readPlainFile(path: string, maxBytes: number): Buffer {
  requirePlainFile(statSync(path)); // before it is opened: opening some devices has effects
  const handle = openSync(path, FLAGS);
  try {
    requirePlainFile(fstatSync(handle)); // it may have been replaced meanwhile
    const pieces = new Pieces(maxBytes);
    for (;;) {
      const { room } = pieces;
      const bytes = readSync(handle, room, 0, room.length, pieces.length);
      if (bytes === 0) return pieces.whole;
      pieces.add(room.subarray(0, bytes));
    }
  } finally {
    closeSync(handle);
  }
}

/** {@link readPlainFile}; null where there is no file. @throws {StoreError} @throws the file system's error */
export function readPlainFileIfAny(path: string, maxBytes: number): Buffer | null {
  try {
    return readPlainFile(path, maxBytes);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** {@link readPlainFile} off the event loop. Rejects with {@link StoreError} or the file system's error. */
export async function readPlainFileAside(path: string, maxBytes: number): Promise<Buffer> {
  requirePlainFile(await stat(path));
  const file = await open(path, FLAGS);
  try {
    requirePlainFile(await file.stat());
    const pieces = new Pieces(maxBytes);
    for (;;) {
      const { room } = pieces;
      const { bytesRead } = await file.read(room, 0, room.length, pieces.length);
      if (bytesRead === 0) return pieces.whole;
      pieces.add(room.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
