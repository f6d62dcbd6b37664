/**
 * Pictures of items: each upload is decoded and encoded again, so that the device stores and serves only small JPEGs that
 * it has made itself.
 */
import { MAX_FRAME_PIXELS } from '../../../drivers/camera/contract.ts';
import { loadSharp, strictly } from '../../../drivers/camera/decode.ts';
import { beginsAsJpeg } from '../../../drivers/camera/jpeg-header.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { ItemError } from '../model/item.ts';

/** The longer side of a stored picture, pixels. */
const STORED_SIDE = 512;
const STORED_QUALITY = 82;
const DECODE_LIMIT_SECONDS = 5;

const PNG_MAGIC = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const beginsAsPng = (bytes: Uint8Array): boolean => PNG_MAGIC.equals(bytes.subarray(0, PNG_MAGIC.length));

/**
 * @param bytes a JPEG or a PNG, of `MAX_PICTURE_BYTES` at most
 * @returns a JPEG of 512 pixels at most on its longer side, upright, without a camera's metadata
 * @throws {ItemError} `PictureUnusable`
 */
export async function pictureToStore(bytes: Uint8Array): Promise<Uint8Array> {
  // otherwise sharp would decode every format that it knows, also SVG, which may hold scripts
  if (!beginsAsJpeg(bytes) && !beginsAsPng(bytes))
    throw new ItemError('PictureUnusable', 'the picture is neither a JPEG nor a PNG');
  const sharp = await loadSharp();
  try {
    return await strictly(Buffer.from(bytes), (read, failOn) =>
      sharp(read, { limitInputPixels: MAX_FRAME_PIXELS, failOn })
        .timeout({ seconds: DECODE_LIMIT_SECONDS })
        .rotate() // as its EXIF says
        .resize(STORED_SIDE, STORED_SIDE, { fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#fff' })
        .toColourspace('srgb')
        .jpeg({ quality: STORED_QUALITY })
        .toBuffer(),
    );
  } catch (cause) {
    throw new ItemError('PictureUnusable', `the picture cannot be decoded: ${messageOf(cause)}`, {}, { cause });
  }
}
