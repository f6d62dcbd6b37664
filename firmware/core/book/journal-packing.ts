/** Packs lines of a journal into frames of zstd: the logs of ended days, and all rows of a beginning. */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { damaged, syncFolder, writeWhole } from '../files/index.ts';
import { lineFiles } from './journal-files.ts';
import { type Head, headOf, headText } from './journal-lines.ts';
import { isWhole } from './journal-reading.ts';
import { bytesOf, framesOf, MAGIC, textLines } from './journal-text.ts';

/** Characters of text from which a frame is full: it ends with the line that reaches them. */
const FULL_FRAME_CHARACTERS = 64 * 1024;

/** Compression level of zstd; high, as packing is done once, off the event loop. */
const LEVEL = 19;

/**
 * Writes lines in frames into a file. The file gets its name once it reads as it was written, since the files that it
 * replaces are removed then.
 * @throws the file system's error; one of damage where it reads otherwise. No file is left then
 */
export function writePacked(path: string, head: Head, lines: Iterable<string>): void {
  const unfinished = `${path}.tmp`;
  try {
    if (writeFrames(unfinished, head, lines) !== digestOf(unfinished))
      throw damaged(`${basename(path)} does not read as it was written`);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** @returns the digest of the text */
function writeFrames(path: string, head: Head, lines: Iterable<string>): string {
  const handle = openSync(path, 'w', 0o600);
  const digest = createHash('sha256');
  const write = (text: string): void => {
    digest.update(text);
    writeFrame(handle, text);
  };
  try {
    let text = headText(head);
    for (const line of lines) {
      text += line;
      if (text.length < FULL_FRAME_CHARACTERS) continue;
      write(text);
      text = '';
    }
    if (text !== '') write(text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return digest.digest('hex');
}

/** A frame: `MAGIC`, the length of what follows (32 bits, little-endian), the text packed by zstd. */
function writeFrame(handle: number, text: string): void {
  const frame = zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
  const length = Buffer.alloc(4);
  length.writeUInt32LE(frame.length);
  writeWhole(handle, Buffer.concat([MAGIC, length, frame]), null);
}

/** The digest of the text of a packed file; null where a part of it cannot be read. */
function digestOf(path: string): string | null {
  const bytes = bytesOf(path);
  if (bytes === null) return null;
  const digest = createHash('sha256');
  for (const frame of framesOf(bytes)) {
    if (frame === null) return null;
    digest.update(frame);
  }
  return digest.digest('hex');
}

/** Packs the logs of ended days, except damaged ones: a person may want to look into those. */
export function packEnded(folder: string): void {
  const logs = lineFiles(folder).filter(({ kind }) => kind === 'log');
  for (const file of logs.slice(0, -1)) {
    const texts = [...textLines(file)];
    const head = headOf(texts[0] ?? '');
    if (head === null || !isWhole(file)) continue;
    const packed = file.path.replace(/log$/, 'packed');
    writePacked(
      packed,
      head,
      texts.slice(1).map((text) => `${text}\n`),
    );
    rmSync(file.path);
  }
}
