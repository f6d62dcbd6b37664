/** What a value weighs that one thread hands to another. */

/** Bytes of a value beside what it holds: a number, a reference, the head of a list. */
const HEAD_BYTES = 8;
const CHARACTER_BYTES = 2;

/**
 * About the bytes that a value becomes when a thread sends it: a text that is named a thousand times in one thread
 * weighs nothing there, and a thousand texts elsewhere.
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
