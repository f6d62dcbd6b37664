/** Writes a ZIP file as a stream. `client-zip` counts parts in 16 bits where neither a part nor the whole has 4 GiB. */
import { makeZip } from 'client-zip';

export interface Part {
  readonly name: string;
  readonly input: Uint8Array | AsyncIterable<Uint8Array>;
}

/** The count in a ZIP file's last record where there are more parts (APPNOTE 4.4.1.4). */
const UNCOUNTED = 0xffff;
/** Sizes of the last records (APPNOTE 4.3.14 to 4.3.16). */
const END = 22;
const END_64 = 56;
const LOCATOR_64 = 20;
/** The version of the format that has such records. */
const VERSION_64 = 45;

/** The two records before the last one, with the number of parts in 64 bits. */
function end64(count: number, end: Buffer): Buffer {
  const [size, start] = [end.readUInt32LE(12), end.readUInt32LE(16)];
  const record = Buffer.alloc(END_64 + LOCATOR_64);
  record.write('PK\x06\x06');
  record.writeBigUInt64LE(BigInt(END_64 - 12), 4);
  record.writeUInt16LE(VERSION_64, 12);
  record.writeUInt16LE(VERSION_64, 14);
  for (const [at, value] of [count, count, size, start].entries()) record.writeBigUInt64LE(BigInt(value), 24 + at * 8);
  record.write('PK\x06\x07', END_64);
  record.writeBigUInt64LE(BigInt(start + size), END_64 + 8);
  record.writeUInt32LE(1, END_64 + 16);
  return record;
}

/** The ZIP file of some parts, uncompressed. */
export async function* zipOf(parts: Iterable<Part>): AsyncGenerator<Uint8Array> {
  let count = 0;
  function* counted(): Generator<Part> {
    for (const part of parts) {
      count += 1;
      yield part;
    }
  }
  let before: Uint8Array = new Uint8Array();
  let last: Uint8Array = new Uint8Array();
  for await (const piece of makeZip(counted())) {
    if (before.length > 0) yield before;
    [before, last] = [last, piece];
  }
  yield before;
  const end = Buffer.from(last.buffer, last.byteOffset, END);
  // one of 76 bytes before it is these records already
  if (count >= UNCOUNTED && before.length !== END_64 + LOCATOR_64) yield end64(count, end);
  yield last;
}
