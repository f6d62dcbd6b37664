/** JPEG in, pixels or a smaller JPEG out: the only place of the recognition part that knows `sharp`. */
import type { Sharp } from 'sharp';
import { FrameRefused, MAX_FRAME_PIXELS, MAX_JPEG_BYTES } from '../../../drivers/camera/contract.ts';
import { loadSharp } from '../../../drivers/camera/jpeg/decode.ts';
import { beginsAsJpeg } from '../../../drivers/camera/jpeg/jpeg-header.ts';

const DECODE_LIMIT_SECONDS = 5;

interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** RGB of a region, or of all of it, stretched to the given size. @throws {FrameRefused} */
  pixels(
    width: number,
    height: number,
    region?: Region,
  ): Promise<{ width: number; height: number; pixels: Uint8Array }>;
  /** The green of it, a byte a pixel: as good as grey for print, at half the price. @throws {FrameRefused} */
  grey(width: number, height: number, region: Region): Promise<Uint8Array>;
  /** Whether it was written with this note. */
  says(note: string): boolean;
  /** The same as a JPEG of the given quality, 1 to 100. @throws {FrameRefused} */
  jpeg(width: number, height: number, region: Region, quality: number): Promise<Uint8Array>;
}

async function decoding<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new FrameRefused('undecodable', `the picture cannot be decoded: ${String(cause)}`, { cause });
  }
}

/** Reads the header; the pixels are decoded by each call of what is returned. @throws {FrameRefused} */
export async function openPicture(bytes: Uint8Array): Promise<Picture> {
  if (bytes.length > MAX_JPEG_BYTES) {
    throw new FrameRefused('too-large', `the picture has ${bytes.length} bytes, more than ${MAX_JPEG_BYTES}`);
  }
  // without this, sharp would take every format that it knows, scripts in SVG included
  if (!beginsAsJpeg(bytes)) {
    throw new FrameRefused('not-jpeg', 'the picture is not a JPEG');
  }
  const sharp = await loadSharp();
  const open = (): Sharp => sharp(bytes, { limitInputPixels: MAX_FRAME_PIXELS, failOn: 'warning' });
  const { width, height, exif } = await decoding(sharp(bytes, { limitInputPixels: false }).metadata());
  if (width * height > MAX_FRAME_PIXELS) {
    throw new FrameRefused('too-large', `the picture has ${width}×${height} pixels, more than ${MAX_FRAME_PIXELS}`);
  }

  const stretched = (toWidth: number, toHeight: number, region: Region | undefined): Sharp => {
    // a picture that is not cut is reduced while it is decoded, at a fraction of the price
    const isWhole = region === undefined || (region.width === width && region.height === height);
    const part = isWhole ? open() : open().extract(region);
    return part
      .timeout({ seconds: DECODE_LIMIT_SECONDS })
      .resize(toWidth, toHeight, { fit: 'fill' })
      .toColourspace('srgb');
  };
  return {
    width,
    height,
    says: (note) => exif?.includes(note) ?? false,
    async pixels(toWidth, toHeight, region) {
      const data = await decoding(stretched(toWidth, toHeight, region).removeAlpha().raw().toBuffer());
      return { width: toWidth, height: toHeight, pixels: data };
    },
    grey: (toWidth, toHeight, region) =>
      decoding(stretched(toWidth, toHeight, region).extractChannel('green').raw().toBuffer()),
    jpeg: (toWidth, toHeight, region, quality) =>
      decoding(stretched(toWidth, toHeight, region).jpeg({ quality }).toBuffer()),
  };
}

/** RGB as a JPEG of the given quality, 1 to 100, with a note in ASCII (EXIF, ImageDescription). */
export async function encodeJpeg(
  { width, height, pixels }: { readonly width: number; readonly height: number; readonly pixels: Uint8Array },
  quality: number,
  note: string,
): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .withExif({ IFD0: { ImageDescription: note } })
    .jpeg({ quality })
    .toBuffer();
}
