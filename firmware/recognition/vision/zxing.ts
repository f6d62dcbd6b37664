/** The code reader, zxing-wasm, set up for its threads. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule, type readBarcodes } from 'zxing-wasm/reader';
import type { Grey } from './barcode-finder.ts';

const OPAQUE = 0xff_00_00_00;
const GREY = 0x01_01_01;

/**
 * Compiles the WebAssembly, once in a thread, from the package's file: by default the package would fetch it from a
 * server.
 */
export async function loadReader(): Promise<void> {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true });
}

/** A picture in the reader's form: four bytes a pixel. */
export function toImage({ width, height, pixels }: Grey): Parameters<typeof readBarcodes>[0] {
  const words = new Uint32Array(pixels.length);
  for (let at = 0; at < words.length; at++) words[at] = OPAQUE + (pixels[at] ?? 0) * GREY;
  return { data: new Uint8ClampedArray(words.buffer), width, height, colorSpace: 'srgb' };
}
