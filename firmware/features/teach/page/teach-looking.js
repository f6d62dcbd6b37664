/**
 * Looks at the picture that a template would keep now, and advises the person.
 * @import { CameraAnswer } from '../../../recognition/http/camera-routes.ts'
 */
import { ask, CallError } from '../../../core/pages/app/api.js';
import { pictureOf } from '../../../recognition/pages/index.js';

const SIDE = 24;
/** Mean distance of levels, 0 to 255: the noise of a camera makes 2 or 3. */
const ALIKE = 6;

/** @typedef {readonly number[]} Print */

/** @param {ImageBitmap} image @returns {Print} */
export function printOf(image) {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: SIDE, height: SIDE });
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (pen === null) return [];
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(image, 0, 0, SIDE, SIDE);
  return [...pen.getImageData(0, 0, SIDE, SIDE).data].filter((_, at) => at % 4 !== 3);
}

/** @param {Print} one @param {Print} other */
export function isAlike(one, other) {
  const sum = one.reduce((total, level, at) => total + Math.abs(level - (other[at] ?? 0)), 0);
  return sum < ALIKE * one.length;
}

/** @typedef {'empty' | 'several' | CameraAnswer['quality'][number] | 'alike' | 'unlike' | 'good'} Advice */

/**
 * @typedef {object} View
 * @property {CameraAnswer} sight
 * @property {ImageBitmap | null} crop null where the tray is empty
 * @property {Print | null} print of the crop
 */

/** @returns {Promise<ImageBitmap | null>} @throws {CallError} */
async function cropNow() {
  try {
    return await pictureOf('/console/api/camera/crop');
  } catch (error) {
    // between the two calls the thing may be taken away
    if (error instanceof CallError && error.code === 'Tray.Empty') return null;
    throw error;
  }
}

/** @returns {Promise<View>} @throws {CallError} */
export async function viewNow() {
  /** @type {CameraAnswer} */
  const sight = await ask('/console/api/camera');
  const crop = sight.tray === 'empty' ? null : await cropNow();
  return { sight, crop, print: crop === null ? null : printOf(crop) };
}

/**
 * The first thing to mend.
 * @param {View} view
 * @param {readonly {print: Print}[]} taken
 * @param {readonly {print: Print}[]} aside pictures unlike those of the item
 * @returns {Advice}
 */
export function adviceOf({ sight: { things, quality }, print }, taken, aside) {
  if (print === null) return 'empty';
  if (things.length > 1) return 'several';
  const [flaw] = quality;
  if (flaw !== undefined) return flaw;
  const isAmong = (/** @type {readonly {print: Print}[]} */ looks) =>
    looks.some((other) => isAlike(print, other.print));
  if (isAmong(taken)) return 'alike';
  return isAmong(aside) ? 'unlike' : 'good';
}
