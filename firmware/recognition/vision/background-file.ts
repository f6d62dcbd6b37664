/** A learned background as bytes for a store, and what an earlier release stored. */
import { type Background, UNKNOWN } from './background.ts';

/** Begins a file of this form: width and height in cells (16 bits each), colours, tolerances. */
const MAGIC = 'LWT2';
const HEADER_BYTES = MAGIC.length + 4;
/** Sides of the square in the middle of the area that an earlier release learned, in cells of 32-bit floats. */
const EARLIER_CELLS = 32;
const EARLIER_BYTES = EARLIER_CELLS ** 2 * 4 * 4;
/** Those cells were coarse: where the tray has an edge they locate it less well. */
const EARLIER_COARSE = 8;

export function packBackground({ view: { width, height, pixels }, tolerance }: Background): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES + pixels.length + tolerance.length);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt16LE(width, MAGIC.length);
  bytes.writeUInt16LE(height, MAGIC.length + 2);
  bytes.set(pixels, HEADER_BYTES);
  bytes.set(tolerance, HEADER_BYTES + pixels.length);
  return bytes;
}

/** Whether it was stored as a background by this release, or by an earlier one. */
const isBackground = (bytes: Buffer): boolean =>
  bytes.length === EARLIER_BYTES ||
  (bytes.length >= HEADER_BYTES && bytes.toString('latin1', 0, MAGIC.length) === MAGIC);

/** The bytes, as they are. @throws {Error} where nothing of the kind was stored */
export function mustBeBackground(bytes: Buffer): Buffer {
  if (!isBackground(bytes)) throw new Error('it is no learned tray');
  return bytes;
}

/**
 * Null where the bytes are no background: it is to be learned again.
 * @param shape of the area now, for what an earlier release stored of its middle
 */
export function unpackBackground(
  packed: Uint8Array,
  shape: { readonly width: number; readonly height: number },
): Background | null {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  if (bytes.length === EARLIER_BYTES) return earlier(bytes, shape);
  if (!isBackground(bytes)) return null;
  const [width, height] = [bytes.readUInt16LE(MAGIC.length), bytes.readUInt16LE(MAGIC.length + 2)];
  const count = width * height;
  if (count === 0 || bytes.length !== HEADER_BYTES + count * 4) return null;
  const pixels = new Uint8Array(bytes.subarray(HEADER_BYTES, HEADER_BYTES + count * 3));
  return Object.freeze({
    view: { width, height, pixels },
    tolerance: new Uint8Array(bytes.subarray(HEADER_BYTES + count * 3)),
  });
}

/** Of the square in the middle; of what lies beside it nothing is known until the tray is learned again. */
function earlier(
  bytes: Buffer,
  { width, height }: { readonly width: number; readonly height: number },
): Background | null {
  const values = Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
  if (!values.every((value) => value >= 0)) return null;
  const side = Math.min(width, height);
  const pixels = new Uint8Array(width * height * 3);
  const tolerance = new Uint8Array(width * height).fill(UNKNOWN);
  const cellAt = (place: number, room: number): number =>
    Math.floor(((place + 0.5 - (room - side) / 2) / side) * EARLIER_CELLS);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [x, y] = [cellAt(column, width), cellAt(row, height)];
      if (Math.min(x, y) < 0 || Math.max(x, y) >= EARLIER_CELLS) continue;
      const from = y * EARLIER_CELLS + x;
      const cell = row * width + column;
      for (let channel = 0; channel < 3; channel++) pixels[cell * 3 + channel] = values[from * 3 + channel] ?? 0;
      tolerance[cell] = Math.min(UNKNOWN, (values[EARLIER_CELLS ** 2 * 3 + from] ?? 0) + EARLIER_COARSE);
    }
  }
  return Object.freeze({ view: { width, height, pixels }, tolerance });
}
