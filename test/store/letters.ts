/** Texts in encodings of one byte a letter, as programs of shops and banks write them. */

/** @param encoding as `TextDecoder` knows it; a letter that it lacks becomes a question mark */
export function bytesIn(encoding: string, text: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from([...text], (letter) => byteOf.get(letter) ?? 0x3f);
}
