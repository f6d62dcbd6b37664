/**
 * The worker thread that reads codes: one picture at a time. It answers `ready` once its WebAssembly is compiled, then
 * each picture with the codes in it. The content of a code is text here, and is not interpreted.
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { prepareZXingModule, type ReadResult, readBarcodes } from 'zxing-wasm/reader';
import { beginning } from '../../../drivers/lib/text.ts';
import { GS1_SYMBOLS, isGtin, type Symbology, symbologyOf, WANTED, WANTED_BARS } from '../model/symbologies.ts';
import { patchesOf } from './barcode-finder.ts';
import {
  type GreyPicture,
  halved,
  type Patch,
  placeInPicture,
  type StraightenedPatch,
  straightenedPixels,
} from './straightened-patch.ts';

/** A place in the area, as shares of its width and height. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface ReadCode {
  readonly symbology: Symbology;
  /** The text of the symbol; of a long one, which no item has, the beginning. */
  readonly text: string;
  /** Whether the text consists of GS1's elements: the first two digits tell what follows. */
  readonly isGs1: boolean;
  /** The middle of each symbol with this text: two of one item have two. */
  readonly places: readonly Place[];
}

export type ReaderAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly codes: readonly ReadCode[] }
  | { readonly kind: 'error'; readonly message: string };

/** Longer than any item's code. */
const MOST_TEXT_CHARACTERS = 512;
/** How many codes of one picture are returned. */
const MOST_CODES = 8;
/** How many pixels of one picture are read, the busiest patches first: some tens of milliseconds on a slow board. */
const MOST_PIXELS = 600_000;
/** A patch with shorter sides is read at double size: fine bars are a pixel or two wide. */
const SMALL_SIDE = 320;
/** A patch that would need a smaller scale is not read. */
const LEAST_SCALE = 0.4;
/** How many sizes are read: the whole picture, a half, and a quarter of its sides. */
const LEVELS = 3;

const OPAQUE = 0xff_00_00_00;
const GREY = 0x01_01_01;

/**
 * Compiles the WebAssembly of the reader, zxing-wasm, from the package's file: by default the package would fetch it
 * from a server.
 */
async function loadReader(): Promise<void> {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true });
}

/** A picture in the reader's form: four bytes a pixel. */
function toImage({ width, height, pixels }: GreyPicture): Parameters<typeof readBarcodes>[0] {
  const words = new Uint32Array(pixels.length);
  for (let at = 0; at < words.length; at++) words[at] = OPAQUE + (pixels[at] ?? 0) * GREY;
  return { data: new Uint8ClampedArray(words.buffer), width, height, colorSpace: 'srgb' };
}

/** A read code; null where its kind was not wanted, or is one that random stripes resemble. */
function codeOf({ format, text, symbologyIdentifier }: ReadResult, place: Place): ReadCode | null {
  const symbology = symbologyOf(format);
  if (symbology === null || text === '') return null;
  if (symbology === 'itf-14' && !isGtin(text)) return null;
  const isGs1 = GS1_SYMBOLS.has(symbologyIdentifier);
  return { symbology, text: beginning(text, MOST_TEXT_CHARACTERS), isGs1, places: [place] };
}

/** The middle of a symbol in the picture of its patch. */
function placeOf(
  { topLeft, topRight, bottomLeft, bottomRight }: ReadResult['position'],
  straightened: StraightenedPatch,
): Place {
  const corners = [topLeft, topRight, bottomLeft, bottomRight];
  const middle = (along: 'x' | 'y'): number => corners.reduce((sum, corner) => sum + corner[along], 0) / corners.length;
  const { x, y } = placeInPicture(straightened, middle('x'), middle('y'));
  return { x: x / straightened.picture.width, y: y / straightened.picture.height };
}

async function readPatch(straightened: StraightenedPatch): Promise<ReadCode[]> {
  const { patch } = straightened;
  const results = await readBarcodes(toImage(straightenedPixels(straightened)), {
    formats: [...(patch.areBars ? WANTED_BARS : WANTED)],
    tryRotate: !patch.areBars, // bars are straightened already
    maxNumberOfSymbols: MOST_CODES,
    textMode: 'Plain',
    tryDownscale: false, // `read` tries smaller sizes itself
    tryInvert: false,
  });
  return results.flatMap((result) => codeOf(result, placeOf(result.position, straightened)) ?? []);
}

const isWithin = ({ x, y }: Patch, { x: left, y: top, width, height }: Patch): boolean =>
  Math.hypot(x - left, y - top) < Math.max(width, height) / 2;

const enlarged = (patch: Patch, by: number): Patch => ({
  ...patch,
  x: patch.x * by,
  y: patch.y * by,
  width: patch.width * by,
  height: patch.height * by,
});

/**
 * The tries to read a patch, until one succeeds: as it is, then with finer bars.
 * @param finer the picture with sides twice as long; null: none
 */
function triesOf(picture: GreyPicture, patch: Patch, finer: GreyPicture | null): StraightenedPatch[] {
  const asItIs = { picture, patch, scale: 1 };
  if (finer !== null) return [asItIs, { picture: finer, patch: enlarged(patch, 2), scale: 1 }];
  return Math.max(patch.width, patch.height) < SMALL_SIDE ? [asItIs, { ...asItIs, scale: 2 }] : [asItIs];
}

/** @param budget pixels that may still be read; reduced here */
async function readOneOf(tries: readonly StraightenedPatch[], budget: { pixels: number }): Promise<ReadCode[]> {
  for (const { picture, patch, scale: wanted } of tries) {
    const area = patch.width * patch.height;
    const scale = Math.min(wanted, Math.sqrt(budget.pixels / area));
    if (scale < LEAST_SCALE) return []; // a smaller patch may still fit
    budget.pixels -= area * scale ** 2;
    const codes = await readPatch({ picture, patch, scale });
    if (codes.length > 0) return codes;
  }
  return [];
}

/** Reads the picture at full size, for fine codes, and at smaller sizes, in which large codes are as fine. */
async function read(whole: GreyPicture): Promise<ReadCode[]> {
  const codes = new Map<string, ReadCode>();
  /** Patches, in the size of the whole picture, in which a code was read: it is not read again at another size. */
  const done: Patch[] = [];
  const budget = { pixels: MOST_PIXELS };
  let finer: GreyPicture | null = null;
  for (let level = 0, picture = whole; level < LEVELS; level++, finer = picture, picture = halved(picture)) {
    for (const patch of patchesOf(picture)) {
      const large = enlarged(patch, 2 ** level);
      if (done.some((other) => isWithin(large, other))) continue;
      const found = await readOneOf(triesOf(picture, patch, finer), budget);
      for (const code of found) {
        const key = `${code.symbology} ${code.text}`;
        codes.set(key, { ...code, places: [...(codes.get(key)?.places ?? []), ...code.places] });
      }
      if (found.length > 0) done.push(large);
    }
  }
  return [...codes.values()].slice(0, MOST_CODES);
}

async function main(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('barcode-worker.ts runs in a worker thread only');
  const send = (answer: ReaderAnswer): void => port.postMessage(answer);
  await loadReader();
  port.on('message', (picture: GreyPicture) => {
    read(picture).then(
      (codes) => send({ kind: 'read', codes }),
      (error: unknown) => send({ kind: 'error', message: String(error) }),
    );
  });
  send({ kind: 'ready' });
}

await main();
