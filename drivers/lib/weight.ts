/** The memory of a value that one thread sends to another. */

/** Bytes of a value beside what it holds: a number, a reference, the head of a list. */
const HEAD_BYTES = 8;
const CHARACTER_BYTES = 2;

/**
 * About the bytes that a value takes in the thread that receives it. A text that the sender holds once and refers to a
 * thousand times becomes a thousand texts there.
 * @param most counting ends above it
 */
export function weightOf(value: unknown, most: number): number {
  if (typeof value === 'string') return HEAD_BYTES + value.length * CHARACTER_BYTES;
  if (typeof value !== 'object' || value === null) return HEAD_BYTES;
  if (ArrayBuffer.isView(value)) return HEAD_BYTES + value.byteLength;
  let bytes = HEAD_BYTES;
  for (const part of Array.isArray(value) ? value : Object.entries(value).flat()) {
    bytes += weightOf(part, most - bytes);
    if (bytes > most) break;
  }
  return bytes;
}
