/** The square around a thing that the model looks into, and the rectangle that is told of it. */

import type { Thing } from './finder.ts';
import { AREA_COORDINATES, type Area, type Cut, type View } from './frame.ts';

/** Of a thing's length, the side of the square: the model looks at the middle of what it is given. */
const MARGIN = 1.2;

/** @param view that the thing was found in */
export const cutAround = ({ x, y, side }: Thing, { width, height }: View): Cut => ({
  x: x / width,
  y: y / height,
  side: (MARGIN * side) / width,
});

/** A rectangle with its edges on whole pixels. */
function onPixels({ x, y, width, height }: Area): Area {
  const [left, top] = [Math.round(x), Math.round(y)];
  return { x: left, y: top, width: Math.round(x + width) - left, height: Math.round(y + height) - top };
}

/**
 * Upright rectangle around a thing, in whole pixels of a frame of 1280×720.
 * @param thing null where none could be told from what it lies on: the whole area
 * @param view that the thing was found in
 * @param area that the view is of; its sides may be fractions
 */
export function boxOf(thing: Thing | null, { width, height }: View, area: Area | null): Area {
  const whole = area ?? { x: 0, y: 0, ...AREA_COORDINATES };
  if (thing === null) return onPixels(whole);
  const [scaleX, scaleY] = [whole.width / width, whole.height / height];
  return onPixels({
    x: whole.x + thing.left * scaleX,
    y: whole.y + thing.top * scaleY,
    width: thing.width * scaleX,
    height: thing.height * scaleY,
  });
}
