/** Decodes a JPEG into pixels or a smaller JPEG. Besides this file only `items/item-picture.ts` uses `sharp`. */

import type { Sharp } from 'sharp';
import { FrameRefused, MAX_FRAME_PIXELS, MAX_JPEG_BYTES } from '../../../drivers/camera/contract.ts';
import { type FailOn, loadSharp, type SharpFactory, strictly } from '../../../drivers/camera/decode.ts';
import { beginsAsJpeg, readJpegSize } from '../../../drivers/camera/jpeg-header.ts';
import type { Rectangle, Size } from './cut.ts';

const DECODE_LIMIT_SECONDS = 5;
/** The largest picture that is decoded once for all its parts, 2560×1440: a larger one would occupy too much memory. */
const MOST_SHARED_PIXELS = 4 * 1024 * 1024;

/** Pixels as the model takes them: RGB, row by row (of `greyArea` a byte each). */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

async function decoding<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new FrameRefused('undecodable', `the picture cannot be decoded: ${String(cause)}`, { cause });
  }
}

/** Copies a part of a picture. */
export function cutOut(from: View, { left, top, width, height }: Rectangle): View {
  const pixels = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    const start = ((top + row) * from.width + left) * 3;
    pixels.set(from.pixels.subarray(start, start + width * 3), row * width * 3);
  }
  return { width, height, pixels };
}

/** The green channel of a part of a picture. */
function greenOf({ width: line, pixels }: View, { left, top, width, height }: Rectangle): Uint8Array<ArrayBuffer> {
  const green = new Uint8Array(width * height);
  for (let row = 0, at = 0; row < height; row++) {
    let from = ((top + row) * line + left) * 3 + 1;
    for (const end = at + width; at < end; at++, from += 3) green[at] = pixels[from] ?? 0;
  }
  return green;
}

/** Whether the memory of a view's pixels holds nothing else. */
const isAllOf = ({ pixels }: View): boolean => pixels.buffer.byteLength === pixels.length;

/** A picture that is decoded once for all its parts; a view of the whole is decoded small. */
export class Picture {
  readonly width: number;
  readonly height: number;
  readonly #sharp: SharpFactory;
  readonly #bytes: Buffer;
  /** The whole picture, decoded. */
  #decoded: Promise<View> | null = null;

  constructor(sharp: SharpFactory, bytes: Buffer, { width, height }: Size) {
    this.#sharp = sharp;
    this.#bytes = bytes;
    this.width = width;
    this.height = height;
  }

  /** Starts decoding for parts that will be asked for. Never fails: a later request for a part does. */
  decodeAhead(): void {
    if (this.#isShared) this.#all().catch(() => undefined);
  }

  /**
   * Frees the decoded pixels at once: otherwise the collector would search the whole heap every few pictures. A part
   * that is asked for later is decoded anew.
   */
  async release(): Promise<void> {
    const decoded = this.#decoded;
    this.#decoded = null;
    const view = await decoded?.catch(() => null);
    if (view?.pixels.buffer instanceof ArrayBuffer && isAllOf(view)) view.pixels.buffer.transfer(0);
  }

  /** RGB of a region, or of all of it, stretched to the given size. @throws {FrameRefused} */
  async pixels(width: number, height: number, region?: Rectangle): Promise<View> {
    const pixels = await this.#read(region, (part) => stretched(part, width, height).removeAlpha().raw().toBuffer());
    return { width, height, pixels };
  }

  /**
   * The green channel of a region, a byte a pixel, in separate memory: for print as good as grey, at half the cost.
   * @throws {FrameRefused}
   */
  async grey(width: number, height: number, region: Rectangle): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#isShared && width === region.width && height === region.height) return greenOf(await this.#all(), region);
    const green = (part: Sharp) => stretched(part, width, height).extractChannel('green').raw().toBuffer();
    return new Uint8Array(await this.#read(region, green));
  }

  /** Whether the JPEG was written with this note. */
  hasNote(note: string): boolean {
    return this.#bytes.includes(note);
  }

  /** The region as a JPEG of the given quality, 1 to 100. @throws {FrameRefused} */
  async jpeg(width: number, height: number, region: Rectangle, quality: number): Promise<Uint8Array> {
    return await this.#read(region, (part) => stretched(part, width, height).jpeg({ quality }).toBuffer());
  }

  get #isShared(): boolean {
    return this.width * this.height <= MOST_SHARED_PIXELS;
  }

  /** Reads a region; a whole picture is reduced while it is decoded, at a fraction of the cost. */
  async #read<T>(region: Rectangle | undefined, read: (part: Sharp) => Promise<T>): Promise<T> {
    if (region === undefined || (region.width === this.width && region.height === this.height))
      return await this.#open(read);
    if (!this.#isShared) return await this.#open((whole) => read(whole.extract(region)));
    const { width, height, pixels } = cutOut(await this.#all(), region);
    return await decoding(read(this.#sharp(pixels, { raw: { width, height, channels: 3 } })));
  }

  #all(): Promise<View> {
    const { width, height } = this;
    this.#decoded ??= this.#open((whole) =>
      whole
        .timeout({ seconds: DECODE_LIMIT_SECONDS })
        .toColourspace('srgb')
        .removeAlpha()
        .raw()
        .toBuffer()
        .then((pixels) => ({ width, height, pixels })),
    );
    return this.#decoded;
  }

  #open<T>(read: (whole: Sharp) => Promise<T>): Promise<T> {
    const decode = (bytes: Buffer, failOn: FailOn): Promise<T> =>
      read(this.#sharp(bytes, { limitInputPixels: MAX_FRAME_PIXELS, failOn }));
    return decoding(strictly(this.#bytes, decode));
  }
}

/** Reads the header; the pixels are decoded when they are asked for. @throws {FrameRefused} */
export async function openPicture(source: Uint8Array): Promise<Picture> {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (bytes.length > MAX_JPEG_BYTES) {
    throw new FrameRefused('too-large', `the picture has ${bytes.length} bytes, more than ${MAX_JPEG_BYTES}`);
  }
  // otherwise sharp would decode every format that it knows, also SVG, which may hold scripts
  if (!beginsAsJpeg(bytes)) {
    throw new FrameRefused('not-jpeg', 'the picture is not a JPEG');
  }
  const sharp = await loadSharp();
  // `readJpegSize` saves the 0.35 ms of the library, which however reads some headers that it cannot
  const size = readJpegSize(bytes) ?? (await decoding(sharp(bytes, { limitInputPixels: false }).metadata()));
  const { width, height } = size;
  if (width * height > MAX_FRAME_PIXELS) {
    throw new FrameRefused('too-large', `the picture has ${width}×${height} pixels, more than ${MAX_FRAME_PIXELS}`);
  }
  return new Picture(sharp, bytes, size);
}

const stretched = (picture: Sharp, width: number, height: number): Sharp =>
  picture.timeout({ seconds: DECODE_LIMIT_SECONDS }).resize(width, height, { fit: 'fill' }).toColourspace('srgb');

/** Encodes RGB as a JPEG of the given quality, 1 to 100, with an optional note in ASCII (EXIF, ImageDescription). */
export async function encodeJpeg({ width, height, pixels }: View, quality: number, note?: string): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  const annotated = note === undefined ? picture : picture.withExif({ IFD0: { ImageDescription: note } });
  return await annotated.jpeg({ quality }).toBuffer();
}
