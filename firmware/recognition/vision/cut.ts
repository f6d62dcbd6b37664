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

/** Upright rectangle around a thing, in the coordinates of a frame of 1280×720. @param area that the view is of */
export function boxOf(thing: Thing, { width, height }: View, area: Area | null): Area {
  const whole = area ?? { x: 0, y: 0, ...AREA_COORDINATES };
  const [scaleX, scaleY] = [whole.width / width, whole.height / height];
  return {
    x: Math.round(whole.x + thing.left * scaleX),
    y: Math.round(whole.y + thing.top * scaleY),
    width: Math.round(thing.width * scaleX),
    height: Math.round(thing.height * scaleY),
  };
}
