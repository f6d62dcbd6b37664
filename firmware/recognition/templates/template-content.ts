/** What a template from elsewhere must hold, whether it comes in a package or from a device of the store. */
import { readJpegSize } from '../../../drivers/camera/jpeg-header.ts';
import { isUnit } from '../embedding/embedder-vectors.ts';
import { toVector } from './template-rows.ts';

export const MAX_CROP_PIXELS = 1024 * 1024;

/** @param bytes float32, little-endian */
export const isTemplateVector = (bytes: Uint8Array): boolean => isUnit(toVector(bytes));

export function isTemplateCrop(bytes: Buffer): boolean {
  const size = readJpegSize(bytes);
  return size !== null && size.width * size.height <= MAX_CROP_PIXELS;
}
