/** Loads the picture library, set up for frames, and checks a foreign JPEG within bounds of memory and time. */
import { messageOf } from '../lib/errors.ts';
import { FrameRefused, MAX_FRAME_PIXELS, MAX_JPEG_BYTES } from './contract.ts';
import { beginsAsJpeg, hasRestartsInOrder, type JpegSize, readJpegSize, withWholeSpectrum } from './jpeg-header.ts';

export type SharpFactory = typeof import('sharp')['default'];

let loading: Promise<SharpFactory> | undefined;

/** Loads the library when the first picture comes. */
export function loadSharp(): Promise<SharpFactory> {
  loading ??= load();
  return loading;
}

async function load(): Promise<SharpFactory> {
  const { default: sharp } = await import('sharp');
  // frames never come twice, so a cache would only hold memory, hundreds of megabytes of it for large ones;
  // one thread a picture leaves the cores to the others
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

/**
 * The decoder's warning where a camera (Logitech) fills up before restart markers and no pixel is wrong.
 * Where several files are decoded at once, the words of the warning may be lost.
 */
const FILLED_UP = /: \d{1,2} extraneous bytes before marker 0xd[0-7]|^Warning treated as error/;

export type FailOn = 'warning' | 'error';

/**
 * Decodes as strictly as possible: a warning of the decoder may mean damage, except for the known habits of phones and
 * cameras.
 */
export async function strictly<T>(source: Buffer, decode: (bytes: Buffer, failOn: FailOn) => Promise<T>): Promise<T> {
  const bytes = withWholeSpectrum(source);
  try {
    return await decode(bytes, 'warning');
  } catch (error) {
    if (!FILLED_UP.test(messageOf(error)) || !hasRestartsInOrder(bytes)) throw error;
    return await decode(bytes, 'error');
  }
}

/** Ordinary files take milliseconds; a file that takes longer was built for that. */
const DECODE_LIMIT_S = 5;

/**
 * Decodes the whole file, row by row and shrunk on the way, so that even the largest needs little memory.
 * @throws {FrameRefused}
 */
export async function checkJpeg(jpeg: Buffer): Promise<JpegSize> {
  if (jpeg.length > MAX_JPEG_BYTES) throw new FrameRefused('too-large', `the picture is over ${MAX_JPEG_BYTES} bytes`);
  if (!beginsAsJpeg(jpeg)) throw new FrameRefused('not-jpeg', 'the picture is not a JPEG');
  const size = readJpegSize(jpeg);
  if (size === null) throw new FrameRefused('undecodable', 'the JPEG has no readable header');
  if (size.width * size.height > MAX_FRAME_PIXELS) {
    throw new FrameRefused(
      'undecodable',
      `the picture claims ${size.width}×${size.height} pixels, and may have ${MAX_FRAME_PIXELS} in all: make it smaller, best 1280×720`,
    );
  }
  const sharp = await loadSharp();
  try {
    // as strict as the recognition: a picture that it would not take is refused at once
    await strictly(jpeg, (bytes, failOn) =>
      sharp(bytes, { failOn, limitInputPixels: MAX_FRAME_PIXELS, sequentialRead: true })
        .resize(8, 8, { fit: 'fill' })
        .timeout({ seconds: DECODE_LIMIT_S })
        .raw()
        .toBuffer(),
    );
  } catch (error) {
    throw new FrameRefused('undecodable', 'the JPEG cannot be decoded', { cause: error });
  }
  return size;
}
