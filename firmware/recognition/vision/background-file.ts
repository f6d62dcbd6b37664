/** A learned background as bytes for a store. */
import type { Background } from './background.ts';

/** Begins a file of this form: width and height in cells (16 bits each), colours, tolerances. */
const MAGIC = 'LWT2';
const HEADER_BYTES = MAGIC.length + 4;

export function packBackground({ view: { width, height, pixels }, tolerance }: Background): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES + pixels.length + tolerance.length);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt16LE(width, MAGIC.length);
  bytes.writeUInt16LE(height, MAGIC.length + 2);
  bytes.set(pixels, HEADER_BYTES);
  bytes.set(tolerance, HEADER_BYTES + pixels.length);
  return bytes;
}

/** @throws {Error} where the bytes are no background: it is to be learned again */
export function unpackBackground(packed: Uint8Array): Background {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const isOne = bytes.length >= HEADER_BYTES && bytes.toString('latin1', 0, MAGIC.length) === MAGIC;
  const [width, height] = isOne ? [bytes.readUInt16LE(MAGIC.length), bytes.readUInt16LE(MAGIC.length + 2)] : [0, 0];
  const count = width * height;
  if (count === 0 || bytes.length !== HEADER_BYTES + count * 4) throw new Error('it is no learned tray');
  const pixels = new Uint8Array(bytes.subarray(HEADER_BYTES, HEADER_BYTES + count * 3));
  return Object.freeze({
    view: { width, height, pixels },
    tolerance: new Uint8Array(bytes.subarray(HEADER_BYTES + count * 3)),
  });
}
