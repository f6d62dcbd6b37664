// Applies a delta, for the updater (delta.sh): with the Node of the release that runs, and nothing else of it. The new file
// goes to standard output.
//
//   node zstd.mjs WINDOW_LOG PIECE_BYTES OLD DELTA OFFSET SIZE…
//
// A delta is cut into pieces, each made against what lies about the same place in the old file: so it takes some 220 MB of
// memory, not twice the size of a release.
import { openSync, readSync, writeSync } from 'node:fs';
import { constants, zstdDecompressSync } from 'node:zlib';

const [windowLog, pieceBytes, oldPath, deltaPath, offset, ...sizes] = process.argv.slice(2);
const params = { [constants.ZSTD_d_windowLogMax]: Number(windowLog) };

function read(descriptor, from, bytes) {
  const size = bytes.length;
  let have = 0;
  for (let more = -1; have < size && more !== 0; have += more)
    more = readSync(descriptor, bytes, have, size - have, from + have);
  return bytes.subarray(0, have);
}

function write(bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

const piece = Number(pieceBytes);
const [old, delta] = [openSync(oldPath, 'r'), openSync(deltaPath, 'r')];
const around = Buffer.allocUnsafe(3 * piece); // the same for each piece: what is let go is not given back at once
let at = Number(offset);
for (const [index, size] of sizes.map(Number).entries()) {
  const from = Math.max(0, (index - 1) * piece);
  const dictionary = read(old, from, around.subarray(0, (index + 2) * piece - from));
  const options = { params, maxOutputLength: piece, ...(dictionary.length > 0 && { dictionary }) };
  write(zstdDecompressSync(read(delta, at, Buffer.allocUnsafe(size)), options));
  at += size;
}
