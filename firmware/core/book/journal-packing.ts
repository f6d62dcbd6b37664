/** Packs lines of a journal into frames. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { syncFolder } from '../files/index.ts';
import { lineFiles } from './journal-files.ts';
import { type Head, headOf, headText } from './journal-lines.ts';
import { isWhole } from './journal-reading.ts';
import { MAGIC, textLines } from './journal-text.ts';

/** Characters of text in one frame, about. */
const FRAME_BYTES = 64 * 1024;

/** Compression level of zstd; high, as packing is done once, off the event loop. */
const LEVEL = 19;

/** Writes lines in frames into a file that gets its name when complete. @throws the file system's error */
export function writePacked(path: string, head: Head, lines: Iterable<string>): void {
  const unfinished = `${path}.tmp`;
  const handle = openSync(unfinished, 'w', 0o600);
  try {
    let text = headText(head);
    for (const line of lines) {
      text += line;
      if (text.length < FRAME_BYTES) continue;
      writeFrame(handle, text);
      text = '';
    }
    if (text !== '') writeFrame(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(unfinished, path);
  syncFolder(dirname(path));
}

function writeFrame(handle: number, text: string): void {
  const frame = zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
  const length = Buffer.alloc(4);
  length.writeUInt32LE(frame.length);
  writeSync(handle, Buffer.concat([MAGIC, length, frame]));
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
