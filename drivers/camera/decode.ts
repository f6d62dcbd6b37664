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
  // no frame is decoded twice, so a cache would only take memory: hundreds of megabytes for large frames;
  // one thread a picture leaves the other cores free
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

/**
 * The decoder's warning about padding before a restart marker: some cameras (Logitech) write it, and no pixel is wrong.
 * While several files are decoded at once, the second text may come in place of the warning.
 */
const PADDED = /: \d{1,2} extraneous bytes before marker 0xd[0-7]|^Warning treated as error/;

export type FailOn = 'warning' | 'error';

/**
 * Decodes as strictly as possible: a warning of the decoder may mean damage. Two habits are excepted: the spectrum's end
 * that some phones write as 0, and the padding that some cameras write before restart markers.
 */
export async function strictly<T>(source: Buffer, decode: (bytes: Buffer, failOn: FailOn) => Promise<T>): Promise<T> {
  const bytes = withWholeSpectrum(source);
  try {
    return await decode(bytes, 'warning');
  } catch (error) {
    if (!PADDED.test(messageOf(error)) || !hasRestartsInOrder(bytes)) throw error;
    return await decode(bytes, 'error');
  }
}

/** Ordinary files take milliseconds; a file that takes seconds was built to keep the decoder busy. */
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
    // as strict as recognition: a picture that recognition would refuse is refused here
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
