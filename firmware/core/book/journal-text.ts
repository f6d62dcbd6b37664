/** The text of a journal's file: plain lines, or frames of packed ones that can each be read alone. */
import { zstdDecompressSync } from 'node:zlib';
import { isOfStorage, readPlainFile, StoreError } from '../files/index.ts';
import type { JournalFile } from './journal-files.ts';

/** Largest file that is read: no lane writes more in a day, nor, packed, in all its years. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

export const MAGIC = Buffer.from('LWF1');
const HEAD_BYTES = MAGIC.length + 4;

/** Lines of text; null for a piece that cannot be read. */
export function* textLines({ path, kind }: JournalFile): Generator<string | null> {
  const bytes = bytesOf(path);
  if (bytes === null) {
    yield null;
    return;
  }
  if (kind === 'log') {
    for (const { text } of linesIn(bytes)) yield text;
    return;
  }
  for (const frame of framesOf(bytes)) {
    if (frame === null) yield null;
    else yield* frame.split('\n').slice(0, -1);
  }
}

/**
 * The bytes of a file; null for an unreadable one: a failing disk, a folder or a pipe in its place. The caller reports
 * that as damage.
 */
export function bytesOf(path: string): Buffer | null {
  try {
    return readPlainFile(path, MAX_FILE_BYTES);
  } catch (error) {
    if (error instanceof StoreError || isOfStorage(error)) return null;
    throw error;
  }
}

/** Whole lines, each with its end in the log's bytes: damaged text, once decoded, may have more bytes than the log. */
export function* linesIn(bytes: Buffer): Generator<{ readonly text: string; readonly end: number }> {
  for (let from = 0; ; ) {
    const end = bytes.indexOf('\n', from) + 1;
    if (end === 0) return;
    yield { text: bytes.toString('utf8', from, end - 1), end };
    from = end;
  }
}

/** The texts of the frames; null for damage, after which the search continues at the next `MAGIC`. */
export function* framesOf(bytes: Buffer): Generator<string | null> {
  for (let place = 0; place < bytes.length; ) {
    if (bytes.indexOf(MAGIC, place) !== place) {
      yield null;
      const next = bytes.indexOf(MAGIC, place + 1);
      if (next < 0) return;
      place = next;
    }
    const end =
      place + HEAD_BYTES + (place + HEAD_BYTES <= bytes.length ? bytes.readUInt32LE(place + MAGIC.length) : 0);
    const text = unpacked(bytes.subarray(place + HEAD_BYTES, end));
    yield text;
    place = text === null ? place + 1 : end;
  }
}

function unpacked(frame: Buffer): string | null {
  try {
    return zstdDecompressSync(frame).toString();
  } catch {
    return null; // damaged: the reader of the file reports it
  }
}
