/** Whether two looks at a thing are one and the same: by their colours in small. */

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
