/**
 * Moves and resizes the recognition area: in whole pixels, never outside of the frame, never too small.
 * @typedef {{readonly left: number, readonly top: number, readonly width: number, readonly height: number}} Area
 * @typedef {{readonly width: number, readonly height: number}} Size
 * @typedef {{readonly x: -1 | 0 | 1, readonly y: -1 | 0 | 1}} Corner the sides that are pulled: -1 left or top, 1 right
 * or bottom; with 0 for both the whole area moves
 */

/** The coordinates of `/console/api/camera/area`: those of a frame of 1280×720, for any resolution of the camera. */
const COORDINATES = { width: 1280, height: 720 };
/** The smallest side that this call accepts. */
const MIN_SIDE = 16;
/** Coordinates are sent in thousandths: the device rounds to pixels. */
const FINEST = 1000;

/** @type {Corner} */
export const MOVED = { x: 0, y: 0 };
/** @type {readonly Corner[]} */
export const CORNERS = [
  { x: -1, y: -1 },
  { x: 1, y: -1 },
  { x: -1, y: 1 },
  { x: 1, y: 1 },
];

/** @param {number} value @param {number} from @param {number} to */
const within = (value, from, to) => Math.min(to, Math.max(from, value));

/**
 * The new start and length of an area in one direction; `side` 0 moves it, another side changes its length.
 * @param {number} from @param {number} length @param {-1 | 0 | 1} side @param {number} by @param {number} room
 * @param {number} least
 * @returns {[number, number]}
 */
function changedSide(from, length, side, by, room, least) {
  if (side === 0) return [within(from + by, 0, room - length), length];
  if (side === 1) return [from, within(length + by, least, room - from)];
  const start = within(from + by, 0, from + length - least);
  return [start, length + from - start];
}

/** @param {Size} frame @returns {Size} */
const leastOf = (frame) => ({
  width: Math.ceil((MIN_SIDE * frame.width) / COORDINATES.width),
  height: Math.ceil((MIN_SIDE * frame.height) / COORDINATES.height),
});

/** @param {Area} area @param {Corner} corner @param {{x: number, y: number}} by pixels of the frame @param {Size} frame @returns {Area} */
export function changedArea(area, corner, by, frame) {
  const least = leastOf(frame);
  const isMoved = corner.x === 0 && corner.y === 0;
  const [x, y] = [Math.round(by.x), Math.round(by.y)];
  const [left, width] =
    isMoved || corner.x !== 0
      ? changedSide(area.left, area.width, corner.x, x, frame.width, least.width)
      : [area.left, area.width];
  const [top, height] =
    isMoved || corner.y !== 0
      ? changedSide(area.top, area.height, corner.y, y, frame.height, least.height)
      : [area.top, area.height];
  return { left, top, width, height };
}

/**
 * The area with another number typed in.
 * @param {Area} area @param {keyof Area} name @param {number} value @param {Size} frame @returns {Area}
 */
export function typedArea(area, name, value, frame) {
  const by = value - area[name];
  if (name === 'left') return changedArea(area, MOVED, { x: by, y: 0 }, frame);
  if (name === 'top') return changedArea(area, MOVED, { x: 0, y: by }, frame);
  if (name === 'width') return changedArea(area, { x: 1, y: 0 }, { x: by, y: 0 }, frame);
  return changedArea(area, { x: 0, y: 1 }, { x: 0, y: by }, frame);
}

/** The area in the form of `/console/api/camera/area`. @param {Area} area @param {Size} frame @returns {Area} */
export function asCalibration({ left, top, width, height }, frame) {
  // rounded down: start and length together must not reach beyond the frame
  const fine = (/** @type {number} */ value) => Math.floor(value * FINEST) / FINEST;
  const [scaleX, scaleY] = [COORDINATES.width / frame.width, COORDINATES.height / frame.height];
  return {
    left: fine(left * scaleX),
    top: fine(top * scaleY),
    width: fine(width * scaleX),
    height: fine(height * scaleY),
  };
}
